import type { ChargeOrigin, Currency, Method } from '../../shared/method.ts'
import { boletoOf } from '../methods/boleto/boleto.ts'
import { methodOf } from '../methods/index.ts'
import { disputedCents, refundedCents } from './amounts.ts'
import type { Transaction, TransactionStatus } from './transaction.ts'

/** The attributes that filters and figures go by: what lists, totals and facets know of a transaction without its state. */
export type TransactionGroup = {
  readonly status: TransactionStatus
  readonly method: Method
  readonly origin: ChargeOrigin
  readonly currency: Currency
  /** The settler that processes it (decisions, section 26). */
  readonly providerId: string
  /** Of an open boleto: the day is over on which it costs no fine. */
  readonly overdue: boolean
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

export const rowOf = (transaction: Transaction): TransactionRow => ({
  createdAtMs: transaction.createdAtMs,
  status: transaction.status,
  method: transaction.method,
  origin: transaction.origin,
  currency: transaction.currency,
  providerId: transaction.providerId,
  overdue: transaction.status === 'PENDING' && boletoOf(transaction)?.overdue === true,
  amountCents: transaction.amountCents,
  paidCents: transaction.paidCents,
  feeCents: transaction.feeCents,
  refundedCents: refundedCents(transaction),
  disputedCents: disputedCents(transaction),
  externalId: transaction.details.externalId,
  keys: methodOf(transaction).keys(transaction.means),
  customerId: transaction.customerId,
  payer: transaction.customer,
})

export const chargeProducts = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'CRYPTO'] as const
export type ChargeProduct = (typeof chargeProducts)[number]

/** What a merchant activates to take such charges (decisions, sections 9 and 22). */
export const productOf = ({ method, origin }: Pick<TransactionGroup, 'method' | 'origin'>): ChargeProduct =>
  origin === 'SUBSCRIPTION' ? 'RECURRING' : methodOf({ method }).rail

export const transactionKinds = [
  'PIX',
  'BOLETO',
  'CARD',
  'CRYPTO',
  'CHECKOUT',
  'LINK',
  'SUBSCRIPTION',
  'DEPOSIT',
] as const
export type TransactionKind = (typeof transactionKinds)[number]

/** The origin where it says more than the method (decisions, section 9). */
export const kindOf = ({ method, origin }: Pick<TransactionGroup, 'method' | 'origin'>): TransactionKind => {
  switch (origin) {
    case 'CHECKOUT':
    case 'LINK':
    case 'SUBSCRIPTION':
    case 'DEPOSIT':
      return origin
    default:
      return methodOf({ method }).rail
  }
}
