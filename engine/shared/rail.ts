import type { Method, Methods } from './method.ts'

/** Rails for payers. The product that a merchant activates for one has the same name. */
export type PaymentRail = Methods[Method]['rail']

/**
 * The ways money moves, and the directory of PIX keys. Each environment has at most one connected provider per rail.
 */
export type Rail = PaymentRail | 'PAYOUT' | 'KEYS'
