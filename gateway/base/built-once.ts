/** Builds what is asked for once, and again only after a failure. */
export const builtOnce = <Asked, Built>(build: (asked: Asked) => Promise<Built>) => {
  const built = new Map<string, Promise<Built>>()
  return (asked: Asked): Promise<Built> => {
    const key = JSON.stringify(asked)
    const result =
      built.get(key) ??
      build(asked).catch((error: unknown) => {
        built.delete(key)
        throw error
      })
    built.set(key, result)
    return result
  }
}
