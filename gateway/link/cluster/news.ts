/** News by number, which end a wait for it. */
export type News = {
  readonly give: (about: number) => void
  /** Resolves with the next news about it, at the latest after so many milliseconds. */
  readonly within: (ms: number, about: number) => Promise<void>
}

/** Nothing is waited for yet. */
export const newNews = (): News => {
  const waiters = new Map<number, Set<() => void>>()
  return {
    give: (about) => {
      const waiting = waiters.get(about)
      waiters.delete(about)
      for (const end of waiting ?? []) end()
    },
    within: (ms, about) =>
      new Promise((resolve) => {
        const waiting = waiters.get(about) ?? new Set()
        waiters.set(about, waiting)
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms).unref()
        waiting.add(end)
      }),
  }
}
