/** Things that may take so long and no longer. Cheap to add and to remove: one timer for all of them. */
export type Deadlines<T> = {
  readonly add: (item: T) => void
  /** Allowed for an item that is not in it. */
  readonly remove: (item: T) => void
  readonly stop: () => void
}

/** Calls `onExpired` for what stays in it for `timeoutMs`, never earlier and at most an eighth later. */
export const openDeadlines = <T>(timeoutMs: number, onExpired: (item: T) => void): Deadlines<T> => {
  /** Oldest first: a map keeps the order of its insertions. */
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

/** An item added just before a tick has waited almost nothing of it: hence one tick more than these. */
const ticksMax = 8
