/** Does not keep a thread alive that has nothing else to do. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Calls back later, unless what it answers is called before. */
export const timeout = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}
