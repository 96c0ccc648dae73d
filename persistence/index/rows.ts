import type { ListedKind } from '../../engine/kernel/registry.ts'
import { type Schema, schema, type Take } from '../base/columns.ts'

/**
 * Rows per segment: more rows leave fewer segments to skip, fewer rows leave less to store again after a change.
 * This is half a megabyte of transactions.
 */
const rowsPerSegment = 4096

/** The columns of every actor's row. */
const every = (take: Take) => ({
  createdAtMs: take.float64('createdAtMs'),
  /** The sequence of the entry that created it; never less than the previous row's. */
  createdSequence: take.float64('createdSequence'),
  /** `never` if nothing is due. */
  dueAtMs: take.float64('dueAtMs'),
  id: take.uint32('id', 4),
  /** The row's newest later entry in the table's changes, as a number from 1; 0 without one. */
  lastChange: take.uint32('lastChange'),
  /** 1 while a provider's answer is awaited. */
  awaitsProvider: take.uint8('awaitsProvider'),
})

export const never = Number.POSITIVE_INFINITY

const labelled = (take: Take) => ({ ...every(take), label: take.uint32('label') })

const transaction = (take: Take) => ({
  ...every(take),
  /** `never` if it was not approved. */
  approvedAtMs: take.float64('approvedAtMs'),
  amountCents: take.float64('amountCents'),
  paidCents: take.float64('paidCents'),
  feeCents: take.float64('feeCents'),
  refundedCents: take.float64('refundedCents'),
  disputedCents: take.float64('disputedCents'),
  /** Numbers in the table's payers and customers; 0 without one. */
  payer: take.uint32('payer'),
  customer: take.uint32('customer'),
  /** The first of its scheduled receivables, as a number from 1; 0 without one. */
  scheduled: take.uint32('scheduled'),
  /** Status, method, origin, currency, provider and whether overdue (see `group-code.ts`). */
  group: take.uint16('group'),
  /** 1 if its money came when it was approved. */
  settlesAtOnce: take.uint8('settlesAtOnce'),
})

const received = (take: Take) => ({
  ...labelled(take),
  amountCents: take.float64('amountCents'),
  feeCents: take.float64('feeCents'),
  /** Whether it was returned, and whether it became a deposit (see `receivedCode`). */
  group: take.uint16('group'),
})

export type RowViews = ReturnType<typeof every>
export type LabelledViews = ReturnType<typeof labelled>
export type TransactionViews = ReturnType<typeof transaction>
export type ReceivedViews = ReturnType<typeof received>

export const rowSchemas = {
  transaction: schema(rowsPerSegment, transaction, {
    of: [
      'createdAtMs',
      'payer',
      'customer',
      'group',
      'amountCents',
      'paidCents',
      'feeCents',
      'refundedCents',
      'disputedCents',
    ],
    rows: 128,
  }),
  received: schema(rowsPerSegment, received),
  delivery: schema(rowsPerSegment, labelled),
  customer: schema(rowsPerSegment, labelled),
  batch: schema(rowsPerSegment, labelled),
  plan: schema(rowsPerSegment, labelled),
  coupon: schema(rowsPerSegment, labelled),
  recipient: schema(rowsPerSegment, labelled),
  splitRule: schema(rowsPerSegment, labelled),
  splitTransfer: schema(rowsPerSegment, labelled),
  subscription: schema(rowsPerSegment, labelled),
  invoice: schema(rowsPerSegment, labelled),
  subscriber: schema(rowsPerSegment, labelled),
  cardRetries: schema(rowsPerSegment, labelled),
  auditEntry: schema(rowsPerSegment, labelled),
  controlChange: schema(rowsPerSegment, labelled),
  ticket: schema(rowsPerSegment, labelled),
  notice: schema(rowsPerSegment, labelled),
  view: schema(rowsPerSegment, labelled),
  cryptoDeposit: schema(rowsPerSegment, labelled),
  conversion: schema(rowsPerSegment, labelled),
  conversionQuote: schema(rowsPerSegment, labelled),
  wallet: schema(rowsPerSegment, labelled),
  withdrawal: schema(rowsPerSegment, labelled),
  transfer: schema(rowsPerSegment, labelled),
  beneficiary: schema(rowsPerSegment, labelled),
  keyLookup: schema(rowsPerSegment, labelled),
  mandate: schema(rowsPerSegment, labelled),
  statementLine: schema(rowsPerSegment, labelled),
  checkoutSession: schema(rowsPerSegment, labelled),
  paymentLink: schema(rowsPerSegment, labelled),
  cardGuard: schema(rowsPerSegment, labelled),
  portalSession: schema(rowsPerSegment, labelled),
  payerMail: schema(rowsPerSegment, labelled),
  unsubscription: schema(rowsPerSegment, labelled),
  note: schema(rowsPerSegment, labelled),
  inboxNotice: schema(rowsPerSegment, labelled),
  poll: schema(rowsPerSegment, labelled),
  suspense: schema(rowsPerSegment, labelled),
  reconciliation: schema(rowsPerSegment, labelled),
} as const satisfies Readonly<Record<ListedKind, Schema<RowViews>>>

/** The columns that are summed up, in the order of `Figures`. */
export const transactionSums = (views: TransactionViews): readonly Float64Array[] => [
  views.amountCents,
  views.paidCents,
  views.feeCents,
  views.refundedCents,
  views.disputedCents,
]
/** The columns of received PIX that are summed up, in the order of `Figures`. */
export const receivedSums = (views: ReceivedViews): readonly Float64Array[] => [
  views.amountCents,
  views.feeCents,
]

/** The group of a received PIX. */
export const receivedCode = (isReturned: boolean, isDeposit: boolean): number =>
  (isReturned ? 1 : 0) | (isDeposit ? 2 : 0)
