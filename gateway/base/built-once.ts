/** Builds what is asked for once, and again only after a failure. */
export const builtOnce = <Asked>(build: (asked: Asked) => Promise<string>) => {
  const built = new Map<string, Promise<string>>()
  return (asked: Asked): Promise<string> => {
    const key = JSON.stringify(asked)
    const text =
      built.get(key) ??
      build(asked).catch((error: unknown) => {
        built.delete(key)
        throw error
      })
    built.set(key, text)
    return text
  }
}
