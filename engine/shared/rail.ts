/** The ways money moves, and the directory of PIX keys. Each environment has at most one connected provider per rail. */
export const rails = ['PIX', 'BOLETO', 'CARD', 'CRYPTO', 'PAYOUT', 'KEYS'] as const

export type Rail = (typeof rails)[number]

/** Rails for payers: all but those of money that leaves. */
export type PaymentRail = Exclude<Rail, 'PAYOUT' | 'KEYS'>
