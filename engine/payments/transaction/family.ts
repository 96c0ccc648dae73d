import type { Transaction } from './transaction.ts'

/** Which routes show a transaction: the id of another family is not found there (decisions, section 1). */
export type Family = 'PIX_CHARGE' | 'PIX_DEPOSIT' | 'CARD' | 'BOLETO'

export const familyOf = ({ method, origin }: Pick<Transaction, 'method' | 'origin'>): Family | null => {
  switch (method) {
    case 'PIX':
      return origin === 'DEPOSIT' ? 'PIX_DEPOSIT' : 'PIX_CHARGE'
    case 'CREDIT_CARD':
    case 'DEBIT_CARD':
      return 'CARD'
    case 'BOLETO':
      return 'BOLETO'
    case 'CRYPTO':
      return null
  }
}
