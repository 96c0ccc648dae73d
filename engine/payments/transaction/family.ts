/** The route family that shows a transaction: an id of another family is not found there (decisions, section 1). */
export type Family = 'PIX_CHARGE' | 'PIX_DEPOSIT' | 'CARD' | 'BOLETO' | 'CRYPTO'
