import type { ListedKind } from '../../engine/kernel/registry.ts'
import { type Schema, schema, type Take } from './columns.ts'

/**
 * Rows of a segment. More make fewer segments to pass over, fewer make less to store anew when one of them changes:
 * half a megabyte of transactions.
 */
const rowsPerSegment = 4096

/** What is known of every actor without its state. */
const every = (take: Take) => ({
  createdAtMs: take.float64('createdAtMs'),
  /** The sequence of the entry that it was born in; never less than that of the row before. */
  createdSequence: take.float64('createdSequence'),
  /** `never` where it waits for nothing. */
  dueAtMs: take.float64('dueAtMs'),
  id: take.uint32('id', 4),
  /** The number of its newest later entry in the table's changes, from 1; 0 without one. */
  lastChange: take.uint32('lastChange'),
  /** 1 while an outside party's answer is waited for. */
  awaitsProvider: take.uint8('awaitsProvider'),
})

export const never = Number.POSITIVE_INFINITY

const labelled = (take: Take) => ({ ...every(take), label: take.uint32('label') })

const transaction = (take: Take) => ({
  ...every(take),
  amountCents: take.float64('amountCents'),
  paidCents: take.float64('paidCents'),
  feeCents: take.float64('feeCents'),
  refundedCents: take.float64('refundedCents'),
  disputedCents: take.float64('disputedCents'),
  /** Hashes of 53 bits; 0 without one. */
  externalId: take.float64('externalId'),
  key0: take.float64('key0'),
  key1: take.float64('key1'),
  /** Numbers in the table's payers and customers; 0 without one. */
  payer: take.uint32('payer'),
  customer: take.uint32('customer'),
  /** Status, method, origin, currency, provider and whether it is overdue (see `group-code.ts`). */
  group: take.uint16('group'),
})

const received = (take: Take) => ({
  ...labelled(take),
  amountCents: take.float64('amountCents'),
  feeCents: take.float64('feeCents'),
  /** Whether it was returned, and whether it came to a deposit (see `receivedCode`). */
  group: take.uint16('group'),
})

export type RowViews = ReturnType<typeof every>
export type LabelledViews = ReturnType<typeof labelled>
export type TransactionViews = ReturnType<typeof transaction>
export type ReceivedViews = ReturnType<typeof received>

export const rowSchemas = {
  transaction: schema(rowsPerSegment, transaction),
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
} as const satisfies Readonly<Record<ListedKind, Schema<RowViews>>>

/** What is summed up of a row, in the order of `Figures`. */
export const transactionSums = (views: TransactionViews): readonly Float64Array[] => [
  views.amountCents,
  views.paidCents,
  views.feeCents,
  views.refundedCents,
  views.disputedCents,
]
export const receivedSums = (views: ReceivedViews): readonly Float64Array[] => [
  views.amountCents,
  views.feeCents,
]

export const receivedCode = (isReturned: boolean, isDeposit: boolean): number =>
  (isReturned ? 1 : 0) | (isDeposit ? 2 : 0)
