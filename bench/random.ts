/** Pseudo-random numbers in [0, 1) that follow from a seed (mulberry32): the same seed gives the same load. */
export type Random = () => number

export const newRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from min to max, both included. */
export const integerBetween = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1))

export const oneOf = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!

/** A new list in another order (Fisher and Yates). */
export const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] => {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const other = integerBetween(random, 0, last)
    const moved = list[last]!
    list[last] = list[other]!
    list[other] = moved
  }
  return list
}
