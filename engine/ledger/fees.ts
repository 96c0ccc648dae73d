import type { CalendarDate } from '../shared/calendar.ts'
import type { ChargeOrigin, Method } from '../shared/method.ts'
import { basisPointsOf, type Cents, toCents } from '../shared/money.ts'
import { type Brand, type CardRates, defaultCardRates } from './card-rates.ts'

/** What a company pays for its charges (decisions, section 16). */
export type Fees = {
  /** Of a PIX charge that was paid, in basis points. */
  readonly pixBps: number
  /** Of a boleto that was cleared. */
  readonly boletoCents: Cents
  readonly cards: Readonly<Record<Brand, CardRates>>
  /** The first day of these fees, in the company's time zone. */
  readonly effectiveFrom: CalendarDate
}

/** The fees of a company that has agreed nothing else. */
export const defaultFees: Fees = {
  pixBps: 99,
  boletoCents: toCents(299),
  cards: defaultCardRates,
  effectiveFrom: '2026-01-01' as CalendarDate,
}

/** What one charge costs once it is paid. It is kept with the charge: a fee that changes later does not change it. */
export type FeeTerms = { readonly percentBps: number; readonly fixedCents: Cents }

/** What the fee of a charge depends on, besides its method. */
export type Priced = {
  readonly origin: ChargeOrigin
  /** Null where it is not paid by card. */
  readonly card: { readonly brand: Brand; readonly installments: number } | null
}

/** The fee on what was paid, rounded half up and never more than it. A PIX with a fee costs at minCents one centavo. */
export const feeOn = (paidCents: Cents, method: Method, { percentBps, fixedCents }: FeeTerms): Cents => {
  const fee = basisPointsOf(paidCents, percentBps) + fixedCents
  const minCents = method === 'PIX' && percentBps > 0 ? 1 : 0
  return toCents(Math.min(Math.max(fee, minCents), paidCents))
}

/** A part of what is paid, in basis points. */
export const percentage = (percentBps: number): FeeTerms => ({ percentBps, fixedCents: toCents(0) })
