export const methods = ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD', 'CRYPTO'] as const

export type Method = (typeof methods)[number]

/** A real, or for crypto a stablecoin (decisions, section 1). */
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

export type Origin = (typeof origins)[number]
