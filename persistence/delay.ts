/** Does not keep a thread alive that has nothing else to do. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())
