import type { Transaction } from './transaction.ts'

export const products = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'CRYPTO'] as const
export type TransactionProduct = (typeof products)[number]
export const kinds = [
  'PIX',
  'BOLETO',
  'CARD',
  'CRYPTO',
  'CHECKOUT',
  'LINK',
  'SUBSCRIPTION',
  'DEPOSIT',
] as const
export type TransactionKind = (typeof kinds)[number]

/** Which product a transaction belongs to (decisions, section 9). */
export const productOf = ({ method, origin }: Pick<Transaction, 'method' | 'origin'>): TransactionProduct => {
  if (origin === 'SUBSCRIPTION') return 'RECURRING'
  return method === 'CREDIT_CARD' || method === 'DEBIT_CARD' ? 'CARD' : method
}

/** The origin where that says what it is, else the method. */
export const kindOf = ({ method, origin }: Pick<Transaction, 'method' | 'origin'>): TransactionKind => {
  if (origin === 'CHECKOUT' || origin === 'LINK' || origin === 'SUBSCRIPTION' || origin === 'DEPOSIT')
    return origin
  return method === 'CREDIT_CARD' || method === 'DEBIT_CARD' ? 'CARD' : method
}
