/** Waits, without keeping an otherwise idle thread alive. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Lets other work of this thread run first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
