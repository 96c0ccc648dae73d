/** The payment methods. Each adds itself from its folder in `payments/methods/`, whose registry lists them all. */
export interface Methods {}

export type Method = keyof Methods

/** The real, and stablecoins for crypto (decisions, section 1). */
export const currencies = ['BRL', 'USDT', 'USDC'] as const

export type Currency = (typeof currencies)[number]

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
