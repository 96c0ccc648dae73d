import type { Standing } from '../../engine/people/standing.ts'

/** Of a person whose role was always there. */
export const longStanding: Standing = { sinceMs: 0, isConfirmed: false }
