import type { CompanyId } from '../shared/ids.ts'
import type { Company } from './company.ts'
import type { Directory } from './directory.ts'

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
}

/** After how many years payers can be forgotten at the soonest: cards are disputed up to 540 days later. */
export const forgetAfterYearsMin = 2
export const forgetAfterYearsMax = 30

/** The year of an instant, in UTC. */
export const yearOf = (atMs: number): number => new Date(atMs).getUTCFullYear()

/** The instant at which a year begins, in UTC. */
export const yearStartMs = (year: number): number => Date.UTC(year, 0, 1)

/** The keys of a company, in the order in which they were made. */
export const payerKeysOf = (
  { payerKeys }: Pick<Directory, 'payerKeys'>,
  companyId: CompanyId,
): readonly PayerKey[] => [...payerKeys.values()].filter((key) => key.companyId === companyId)

/**
 * The years that a company that forgets payers needs a key for: this one, and the next, so that every node knows a key
 * long before it seals anything.
 */
export const yearsToSeal = (nowMs: number): readonly number[] => [yearOf(nowMs), yearOf(nowMs) + 1]

/** The keys of a company whose time has come: everything that they seal is as old as the company has decided. */
export const keysToDestroy = (
  directory: Pick<Directory, 'payerKeys'>,
  { id, forgetPayersAfterYears: years }: Company,
  nowMs: number,
): readonly PayerKey[] =>
  years === null
    ? []
    : payerKeysOf(directory, id).filter(
        ({ sealedKey, year }) => sealedKey !== null && yearStartMs(year + 1 + years) <= nowMs,
      )
