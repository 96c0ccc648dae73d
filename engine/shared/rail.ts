/** The ways on which money moves. In each environment at most one provider is connected for each. */
export const rails = ['PIX', 'BOLETO', 'CARD', 'CRYPTO', 'PAYOUT'] as const

export type Rail = (typeof rails)[number]

/** Payers use every rail but the one on which recipients of splits are paid. */
export type PaymentRail = Exclude<Rail, 'PAYOUT'>
