import { type FeeTerms, feeByTerms } from '../ledger/fees.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { Rail } from '../shared/rail.ts'

/**
 * What a bank takes of each movement, by rail: what the contract with it says. What a company pays for its charges is another thing, its pricing,
 * and never follows from this.
 */
export type ConnectionTerms = Readonly<Partial<Record<Rail, FeeTerms>>>

/** The fee that a bank is to take of a movement; null where its terms for the rail are not known. */
export const bankFeeOn = (terms: ConnectionTerms | null, rail: Rail, amountCents: Cents): Cents | null => {
  const ofRail = terms?.[rail]
  return ofRail === undefined ? null : feeByTerms(amountCents, ofRail)
}

/** The terms among the settings of a connection, where they make sense; their schema has checked them. */
export const termsIn = ({ terms }: Readonly<Record<string, unknown>>): ConnectionTerms | null => {
  if (typeof terms !== 'object' || terms === null) return null
  const entries = Object.entries(terms as Readonly<Record<string, Readonly<Record<string, unknown>>>>)
  return Object.fromEntries(
    entries.map(([rail, { percentBps = 0, fixedAmount = 0 }]) => [
      rail,
      { percentBps: Number(percentBps), fixedCents: toCents(Number(fixedAmount)) },
    ]),
  )
}
