// What the whole gateway stands on: settings and limits, formats, randomness, sealing. Nothing here imports
// another folder of the gateway.

/** Resolves after `ms`. The timer does not keep an otherwise idle thread alive. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Calls back after `ms`, unless the returned function is called first. */
export const timeout = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}
