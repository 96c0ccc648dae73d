/** The ways money moves. Each environment has at most one connected provider per rail. */
export const rails = ['PIX', 'BOLETO', 'CARD', 'CRYPTO', 'PAYOUT'] as const

export type Rail = (typeof rails)[number]

/** Rails for payers: all but the one that pays recipients of splits. */
export type PaymentRail = Exclude<Rail, 'PAYOUT'>
