import { allBits } from './filter-rows.ts'

/** Numbers of payers, or of customers, of whom one who comes back after very many others has several (see `recent-numbers.ts`). */
export type NumberSet = {
  readonly has: (number: number) => boolean
  /** A byte per number, or per lowest bits of numbers, 1 for members of the set: others may have the same bits. */
  readonly marks: Uint8Array
  readonly mask: number
  /** All of them in order, if they are few. */
  readonly few: readonly number[] | null
}

const fewMax = 4096

/** How much of numbers is marked: a search that finds few takes little room. */
const maskFor = (members: number): number => (members > 64 ? 65_535 : 4095)

/** Collects numbers of which the last is `count`; takes room for every number only when there are many of them. */
export const newNumberSet = (count: () => number) => {
  const few = new Set<number>()
  let marks: Uint8Array | null = null

  const add = (number: number): void => {
    if (marks !== null) marks[number] = 1
    else if (few.add(number).size > fewMax) {
      marks = new Uint8Array(count() + 1)
      for (const one of few) marks[one] = 1
    }
  }
  const set = (): NumberSet => {
    const all = marks
    if (all !== null) return { has: (number) => all[number] === 1, marks: all, mask: allBits, few: null }
    const mask = maskFor(few.size)
    const lowest = new Uint8Array(mask + 1)
    for (const one of few) lowest[one & mask] = 1
    const inOrder = [...few].sort((a, b) => a - b)
    return { has: (number) => few.has(number), marks: lowest, mask, few: inOrder }
  }
  return { add, set }
}
