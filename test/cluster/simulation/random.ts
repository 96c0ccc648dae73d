/** Numbers that look random and follow from a seed. */
export type Random = ReturnType<typeof newRandom>

export const newRandom = (seed: number) => {
  let state = (seed ^ 0x9e3779b9) >>> 0

  /** Mulberry32: at least 0, less than 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (low: number, high: number): number => low + next() * (high - low)
  const below = (count: number): number => Math.floor(next() * count)

  return {
    next,
    between,
    /** A whole number from 0, less than `count`. */
    below,
    chance: (share: number): boolean => next() < share,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    /** Mostly near the low end, and now and then near the high one. */
    skewed: (low: number, high: number): number => low * (high / low) ** (next() * next()),
  }
}
