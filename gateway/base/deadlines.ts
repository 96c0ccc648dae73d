/** Items with a common time limit. Adding and removing is cheap: one timer serves them all. */
export type Deadlines<T> = {
  readonly add: (item: T) => void
  /** Harmless for an item that is not in it. */
  readonly remove: (item: T) => void
  readonly stop: () => void
}

/** Calls `onExpired` for items that stay for `timeoutMs`: never early, and at most an eighth late. */
export const openDeadlines = <T>(timeoutMs: number, onExpired: (item: T) => void): Deadlines<T> => {
  /** Oldest first, because a map keeps its insertion order. */
  const addedAt = new Map<T, number>()
  let tick = 0

  const sweep = (): void => {
    tick += 1
    for (const [item, since] of addedAt) {
      if (tick - since <= ticksMax) return
      addedAt.delete(item)
      onExpired(item)
    }
  }
  const timer = setInterval(sweep, Math.ceil(timeoutMs / ticksMax)).unref()

  return {
    add: (item) => addedAt.set(item, tick),
    remove: (item) => addedAt.delete(item),
    stop: () => clearInterval(timer),
  }
}

/** An item added just before a tick has hardly waited by then, so it gets one tick more. */
const ticksMax = 8
