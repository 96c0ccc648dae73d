import { type Transaction, type TransactionStatus, transactionStatuses } from './transaction.ts'

/**
 * What lists, totals and facets know of a transaction without its state. These lists only grow at their end: stored
 * bytes stand for a place in them.
 */
export const methods = ['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD', 'CRYPTO'] as const
export type MethodName = (typeof methods)[number]

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
export type OriginName = (typeof origins)[number]

export const currencies = ['BRL', 'USDT', 'USDC'] as const
export type Currency = (typeof currencies)[number]

export const statuses = transactionStatuses

/** The attributes that filters and figures go by. */
export type TransactionGroup = {
  readonly status: TransactionStatus
  readonly method: MethodName
  readonly origin: OriginName
  readonly currency: Currency
}

export type TransactionRow = TransactionGroup & {
  readonly createdAtMs: number
  readonly amountCents: number
  readonly paidCents: number
  readonly feeCents: number
  readonly refundedCents: number
  readonly disputedCents: number
  readonly externalId: string | null
  /** What others call it: its txid or NSU, and its end-to-end id or TID. */
  readonly keys: readonly [string | null, string | null]
  readonly customerId: string | null
  readonly payer: PayerText | null
}

/** By what the payer is found. */
export type PayerText = {
  readonly name: string
  readonly document: string | null
  readonly email: string | null
}

export const rowOf = (transaction: Transaction): TransactionRow => {
  const { pix } = transaction
  return {
    createdAtMs: transaction.createdAtMs,
    status: transaction.status,
    method: transaction.method,
    origin: transaction.origin,
    currency: 'BRL',
    amountCents: transaction.amountCents,
    paidCents: transaction.paidCents,
    feeCents: transaction.feeCents,
    refundedCents: 0,
    disputedCents: 0,
    externalId: transaction.externalId,
    keys: [pix.txid, pix.payment === null ? null : pix.payment.endToEndId],
    customerId: null,
    payer: transaction.customer,
  }
}

export const products = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'CRYPTO'] as const
export type Product = (typeof products)[number]

/** What a merchant activates to take such charges (decisions, sections 9 and 22). */
export const productOf = ({ method, origin }: Pick<TransactionGroup, 'method' | 'origin'>): Product =>
  origin === 'SUBSCRIPTION' ? 'RECURRING' : familyOf(method)

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

/** The origin where it says more than the method (decisions, section 9). */
export const kindOf = ({ method, origin }: Pick<TransactionGroup, 'method' | 'origin'>): TransactionKind => {
  switch (origin) {
    case 'CHECKOUT':
    case 'LINK':
    case 'SUBSCRIPTION':
    case 'DEPOSIT':
      return origin
    default:
      return familyOf(method)
  }
}

export const providers = ['sandbox-psp', 'sandbox-acquirer', 'sandbox-bank', 'sandbox-chain'] as const
export type ProviderId = (typeof providers)[number]

/** The settler that processes the charge (decisions, section 26). */
export const providerOf = ({ method }: Pick<TransactionGroup, 'method'>): ProviderId => {
  switch (familyOf(method)) {
    case 'PIX':
      return 'sandbox-psp'
    case 'CARD':
      return 'sandbox-acquirer'
    case 'BOLETO':
      return 'sandbox-bank'
    case 'CRYPTO':
      return 'sandbox-chain'
  }
}

const familyOf = (method: MethodName): 'PIX' | 'BOLETO' | 'CARD' | 'CRYPTO' =>
  method === 'CREDIT_CARD' || method === 'DEBIT_CARD' ? 'CARD' : method
