/**
 * The payment methods. Each adds itself from its folder in `payments/methods/`, whose registry lists them all. It
 * registers the types of its means (what a charge stores), its terms (how a merchant asks for the payment), its
 * own commands and facts (`never` where it has none), its rail, and the families of its charges.
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
