import type { ChargeOrigin, Currency, Method } from '../../shared/method.ts'
import type { PaymentRail } from '../../shared/rail.ts'
import { boletoOf } from '../methods/boleto/boleto.ts'
import { methodOf, paymentRails } from '../methods/index.ts'
import { disputedCents, refundedCents } from './amounts.ts'
import { settlesAtOnce } from './dated.ts'
import type { Transaction, TransactionStatus } from './transaction.ts'

/** The attributes that filters and figures use: what lists, totals and facets know without the state. */
export type TransactionGroup = {
  readonly status: TransactionStatus
  readonly method: Method
  readonly origin: ChargeOrigin
  readonly currency: Currency
  /** The provider that processes it (decisions, section 26). */
  readonly providerId: string
  /** For an open boleto: the last day without a fine is over. */
  readonly overdue: boolean
  /** Whether it names a fiscal document. */
  readonly hasDocuments: boolean
}

export type TransactionRow = TransactionGroup & {
  readonly createdAtMs: number
  readonly approvedAtMs: number | null
  /** Whether its money came then. */
  readonly settlesAtOnce: boolean
  readonly amountCents: number
  readonly paidCents: number
  readonly feeCents: number
  readonly refundedCents: number
  readonly disputedCents: number
  readonly externalId: string | null
  /** Its ids at other parties: txid or NSU, and end-to-end id or TID. */
  readonly keys: readonly [string | null, string | null]
  readonly customerId: string | null
  readonly payer: PayerText | null
}

/** What a payer can be searched by. */
export type PayerText = {
  readonly name: string
  readonly document: string | null
  readonly email: string | null
}

/** The columns of a transaction. */
export const rowOf = (transaction: Transaction): TransactionRow => ({
  createdAtMs: transaction.createdAtMs,
  approvedAtMs: transaction.approvedAtMs,
  settlesAtOnce: settlesAtOnce(transaction),
  status: transaction.status,
  method: transaction.method,
  origin: transaction.origin,
  currency: transaction.currency,
  providerId: transaction.providerId,
  overdue: transaction.status === 'PENDING' && boletoOf(transaction)?.overdue === true,
  hasDocuments: (transaction.fiscalDocuments?.length ?? 0) > 0,
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

/**
 * Ids at other parties: the bank or network of a PIX, the acquirer of a card payment, the bank of a boleto. Each is the one at its place among the
 * `keys` of these methods.
 */
export const partyIds = {
  txid: { methods: ['PIX', 'BOLETO'], place: 0 },
  endToEndId: { methods: ['PIX'], place: 1 },
  nsu: { methods: ['CREDIT_CARD'], place: 0 },
  tid: { methods: ['CREDIT_CARD'], place: 1 },
  ourNumber: { methods: ['BOLETO'], place: 1 },
} as const satisfies Record<string, { readonly methods: readonly Method[]; readonly place: 0 | 1 }>
export type PartyIdName = keyof typeof partyIds
export const partyIdNames = Object.keys(partyIds) as readonly PartyIdName[]

/** Whether a transaction has an id at another party. */
export const hasPartyId = ({ method, keys }: TransactionRow, name: PartyIdName, id: string): boolean => {
  const { methods, place } = partyIds[name]
  return (methods as readonly Method[]).includes(method) && keys[place] === id
}

/** What else than its own id finds a transaction: the merchant's, and its ids at other parties. */
export const otherIdsOf = ({ details: { externalId }, method, means }: Transaction): readonly string[] => {
  const [key, other] = methodOf({ method }).keys(means)
  return [externalId, key, other].filter((text) => text !== null)
}

export type ChargeProduct = PaymentRail | 'RECURRING'
export const chargeProducts: readonly ChargeProduct[] = [...paymentRails, 'RECURRING']

/** The product that a merchant activates for such charges (decisions, sections 9 and 22). */
export const productOf = ({ method, origin }: Pick<TransactionGroup, 'method' | 'origin'>): ChargeProduct =>
  origin === 'SUBSCRIPTION' ? 'RECURRING' : methodOf({ method }).rail

const ownKinds = ['CHECKOUT', 'LINK', 'SUBSCRIPTION', 'DEPOSIT'] as const
export type TransactionKind = PaymentRail | (typeof ownKinds)[number]
export const transactionKinds: readonly TransactionKind[] = [...paymentRails, ...ownKinds]

/** The origin if it says more than the method, otherwise the rail (decisions, section 9). */
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
