/** Items with a common time limit: they expire in the order of addition, so one timer serves thousands. */
export type TimeLimit<Item> = {
  /** Starts the time of an item. */
  readonly add: (item: Item) => void
  readonly delete: (item: Item) => void
  /** The item that has the least time left. */
  readonly first: () => Item | undefined
  readonly has: (item: Item) => boolean
  readonly count: () => number
}

export type TimeLimitOptions<Item> = {
  readonly ms: number
  readonly monotonicMs: () => number
  /** Calls back after so many milliseconds. */
  readonly later: (ms: number, callback: () => void) => void
  /** Called when the item's time has run out; the item is already removed. */
  readonly onLate: (item: Item) => void
}

/** Opens a time limit without items. */
export const newTimeLimit = <Item>({
  ms,
  monotonicMs,
  later,
  onLate,
}: TimeLimitOptions<Item>): TimeLimit<Item> => {
  /** The start of each item's time, the earliest first. */
  const began = new Map<Item, number>()
  let isTimed = false

  const look = (): void => {
    for (const [item, atMs] of began) {
      const leftMs = atMs + ms - monotonicMs()
      // A timer counts whole milliseconds, and may be early by a part of one.
      if (leftMs > 0) {
        later(Math.ceil(leftMs), look)
        return
      }
      began.delete(item)
      onLate(item)
    }
    isTimed = false
  }

  return {
    add: (item) => {
      began.delete(item)
      began.set(item, monotonicMs())
      if (!isTimed) later(ms, look)
      isTimed = true
    },
    delete: (item) => void began.delete(item),
    first: () => began.keys().next().value,
    has: (item) => began.has(item),
    count: () => began.size,
  }
}
