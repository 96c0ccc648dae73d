/**
 * The payment methods. Each adds itself from its folder in `payments/methods/`, whose registry lists them all, with the
 * types of what it stores in a charge (means), of how a merchant says that a charge is to be paid (terms), of its own
 * commands and facts (`never` where a method has none), of its rail and of the families that its charges belong to.
 */
export interface Methods {}

export type Method = keyof Methods

/** The real, and stablecoins for crypto (decisions, section 1). */
export const currencies = ['BRL', 'USDT', 'USDC'] as const

export type Currency = (typeof currencies)[number]

/** A stablecoin. */
export type Asset = Exclude<Currency, 'BRL'>

export const origins = [
  'API',
  'DASHBOARD',
  'CHECKOUT',
  'LINK',
  'SUBSCRIPTION',
  'POS',
  'MARKETPLACE',
  'DEPOSIT',
] as const

export type ChargeOrigin = (typeof origins)[number]
