import { seeded } from '../../engine/world.ts'

/** Chance that a seed repeats. */
export type Dice = {
  /** A whole number from 0 on and below this. */
  readonly below: (limit: number) => number
  readonly oneIn: (count: number) => boolean
}

/** Opens the dice of a seed. */
export const openDice = (seed: number): Dice => {
  const random = seeded(seed)
  const below = (limit: number): number => random() % Math.floor(limit)
  return { below, oneIn: (count) => below(count) === 0 }
}
