/** News of the owners of shards, which end a wait for them. */
export type OwnerNews = {
  readonly give: (shard: number) => void
  /** Resolves with the next news of the shard, at the latest after so many milliseconds. */
  readonly within: (ms: number, shard: number) => Promise<void>
}

/** Nothing is waited for yet. */
export const newOwnerNews = (): OwnerNews => {
  const waiters = new Map<number, Set<() => void>>()
  return {
    give: (shard) => {
      const waiting = waiters.get(shard)
      waiters.delete(shard)
      for (const end of waiting ?? []) end()
    },
    within: (ms, shard) =>
      new Promise((resolve) => {
        const waiting = waiters.get(shard) ?? new Set()
        waiters.set(shard, waiting)
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
