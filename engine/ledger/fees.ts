import type { CalendarDate } from '../shared/calendar.ts'
import type { ChargeOrigin, Method } from '../shared/method.ts'
import { basisPointsOf, type Cents, toCents } from '../shared/money.ts'
import { type Brand, type CardRates, defaultCardRates } from './card-rates.ts'

/** What a company pays for its charges (decisions, section 16). */
export type Fees = {
  /** Basis points of a paid PIX charge. */
  readonly pixBps: number
  /** A fixed amount per cleared boleto. */
  readonly boletoCents: Cents
  readonly cards: Readonly<Record<Brand, CardRates>>
  /** The first day they apply, in the company's time zone. */
  readonly effectiveFrom: CalendarDate
}

/** Fees without an individual agreement. */
export const defaultFees: Fees = {
  pixBps: 99,
  boletoCents: toCents(299),
  cards: defaultCardRates,
  effectiveFrom: '2026-01-01' as CalendarDate,
}

/** The fee terms of one charge, fixed when it is created: later changes of fees do not affect it. */
export type FeeTerms = { readonly percentBps: number; readonly fixedCents: Cents }

/** What a charge's fee depends on besides its method. */
export type Priced = {
  readonly origin: ChargeOrigin
  /** Null unless paid by card. */
  readonly card: { readonly brand: Brand; readonly installments: number } | null
}

/** A percentage, rounded half up, and a fixed amount of a movement. */
export const feeByTerms = (cents: Cents, { percentBps, fixedCents }: FeeTerms): Cents =>
  toCents(basisPointsOf(cents, percentBps) + fixedCents)

/** The fee on a paid amount, rounded half up and never above it. A PIX with a fee costs at least one centavo. */
export const feeOn = (paidCents: Cents, method: Method, terms: FeeTerms): Cents => {
  const fee = feeByTerms(paidCents, terms)
  const minCents = method === 'PIX' && terms.percentBps > 0 ? 1 : 0
  return toCents(Math.min(Math.max(fee, minCents), paidCents))
}

/** Fee terms of a percentage alone, in basis points. */
export const percentage = (percentBps: number): FeeTerms => ({ percentBps, fixedCents: toCents(0) })
