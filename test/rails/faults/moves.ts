import { hour, minute } from './story.ts'

/** How the clock is moved on after the turn of a story, by how much of it the story takes. */
export const movesOf = (takes: 'DAY' | 'DAYS' | 'WEEKS'): readonly number[] => {
  switch (takes) {
    case 'DAY':
      return firstDay
    case 'DAYS':
      return [...firstDay, ...quarters(4)]
    case 'WEEKS':
      return [...firstDay, ...quarters(18)]
  }
}

/** Through each repeat of a call, and to a day later. */
const firstDay = [
  ...[1, 2, 5, 5, 7, 10, 10, 20, 20, 40, 60, 120, 180, 180, 600, 600, 600, 1140].map(
    (seconds) => seconds * 1000,
  ),
  ...Array.from({ length: 5 }, () => 5 * hour + 10 * minute),
]

const quarters = (days: number): readonly number[] => Array.from({ length: 4 * days }, () => 6 * hour)
