/** Items with a common time limit. Adding and removing is cheap: one timer serves them all. */
export type Deadlines<T> = {
  readonly add: (item: T) => void
  /** Harmless for an item that is not in it. */
  readonly remove: (item: T) => void
  readonly stop: () => void
}

/**
 * Calls `onExpired` for items that stay for `timeoutMs`: never early, and at most an eighth late. The timer runs while there are any: an idle
 * service has several of these, and is not to be woken for nothing.
 */
export const openDeadlines = <T>(timeoutMs: number, onExpired: (item: T) => void): Deadlines<T> => {
  /** Oldest first, because a map keeps its insertion order. */
  const addedAt = new Map<T, number>()
  let tick = 0
  let timer: NodeJS.Timeout | null = null

  const sweep = (): void => {
    tick += 1
    if (addedAt.size === 0) stop()
    for (const [item, since] of addedAt) {
      if (tick - since <= ticksMax) return
      addedAt.delete(item)
      onExpired(item)
    }
  }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    add: (item) => {
      addedAt.set(item, tick)
      timer ??= setInterval(sweep, Math.ceil(timeoutMs / ticksMax)).unref()
    },
    remove: (item) => addedAt.delete(item),
    stop,
  }
}

/** An item added just before a tick has hardly waited by then, so it gets one tick more. */
const ticksMax = 8
