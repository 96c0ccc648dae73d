import { type CalendarDate, dateIn, dayMs, startOfDay } from '../shared/calendar.ts'
import type { CompanyId } from '../shared/ids.ts'
import type { Company } from './company.ts'

/**
 * A key that what is recorded about a company's payers in one year (UTC) is sealed with. Destroying it makes all of
 * that forgotten, wherever it is stored.
 */
export type PayerKey = {
  /** Names it where something is sealed with it; never used again. */
  readonly number: number
  readonly companyId: CompanyId
  readonly year: number
  /** Sealed with the master key; null once it was destroyed. */
  readonly sealedKey: string | null
  readonly madeAtMs: number
}

/** Keys by their numbers. */
export type PayerKeys = ReadonlyMap<number, PayerKey>

/** After how many years payers can be forgotten at the soonest: cards are disputed up to 540 days later. */
export const forgetAfterYearsMin = 2
export const forgetAfterYearsMax = 30

/** The year of an instant, in UTC. */
export const yearOf = (atMs: number): number => Number(dateIn('UTC', atMs).slice(0, 4))

/** The instant at which a year begins, in UTC. */
export const yearStartMs = (year: number): number => startOfDay('UTC', `${year}-01-01` as CalendarDate)

/** The keys of a company, in the order in which they were made. */
export const payerKeysOf = (payerKeys: PayerKeys, companyId: CompanyId): readonly PayerKey[] =>
  [...payerKeys.values()].filter((key) => key.companyId === companyId)

/**
 * The years that a company that forgets payers needs a key for: this one, and the next, so that every node knows a key
 * long before it seals anything.
 */
export const yearsToSeal = (nowMs: number): readonly number[] => [yearOf(nowMs), yearOf(nowMs) + 1]

/**
 * The keys of a company whose time has come: everything that they seal is as old as the company has decided. A clock that jumps
 * ahead must not destroy any, for good: the key of the present year, which is made a year before, has been there for some days.
 */
export const keysToDestroy = (
  payerKeys: PayerKeys,
  { id, forgetPayersAfterYears: years }: Company,
  nowMs: number,
): readonly PayerKey[] => {
  const keys = payerKeysOf(payerKeys, id)
  const isTrusted = keys.some(
    ({ year, madeAtMs }) => year === yearOf(nowMs) && madeAtMs <= nowMs - clockTrustedAfterMs,
  )
  if (years === null || !isTrusted) return []
  return keys.filter(({ sealedKey, year }) => sealedKey !== null && yearStartMs(year + 1 + years) <= nowMs)
}

const clockTrustedAfterMs = 7 * dayMs
