import Type, { type Static } from 'typebox'
import type { TransactionDetail } from '../../../engine/payments/transaction/queries.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import type { TimelineStep, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { receivable, receivableView } from '../account/receivable.ts'
import { webhook, webhookView } from '../developers/delivery.ts'
import { transactionStatus } from '../enumerations.ts'
import { anyObject, count, enumeration, instant, listOf, nullable, text, textOf } from '../fields.ts'
import { splitResult, splitResultView } from '../marketplace/split-result.ts'
import { chargeback, chargebackView } from './chargeback.ts'
import { med, medView } from './med.ts'
import { refund, refundView } from './refund.ts'
import { type Today, transaction } from './transaction.ts'

const timelineStep = namedObject(
  'TimelineStep',
  'One step of a transaction’s history, including steps without a webhook.',
  {
    id: textOf('The transaction’s id and the version, as `txn_….3`.'),
    type: textOf('What happened.'),
    status: transactionStatus,
    version: count('The transaction’s version from then on.'),
    actor: Type.Object(
      {
        kind: described(
          enumeration('KEY', 'PERSON', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR', 'PROVIDER'),
          'KEY: a request. CLOCK: its time came. PROVIDER: a bank or acquirer answered.',
        ),
        id: described(text, 'Which one, where it has an id.'),
      },
      { description: 'Who caused it.' },
    ),
    at: described(instant, 'When it happened.'),
    data: described(anyObject, 'Details of the step: amounts, codes, reasons.'),
  },
)

const timelineStepView = (transactionId: string, step: TimelineStep): Static<typeof timelineStep> => ({
  id: `${transactionId}.${step.version}`,
  type: step.type,
  status: step.status,
  version: step.version,
  actor: step.actor,
  at: isoInstant(step.atMs),
  data: step.data,
})

/** The parts of a transaction that lists leave out. */
export const detail = Type.Object({
  events: listOf(timelineStep, 'Its whole history, oldest first.'),
  refunds: listOf(refund, 'Its refunds.'),
  chargebacks: listOf(chargeback, 'Its chargebacks.'),
  meds: listOf(med, 'Its MEDs.'),
  split: nullable(splitResult, 'How it is divided, where a rule was named.'),
  receivables: listOf(receivable, 'When its money settles, for each party.'),
  webhooks: listOf(webhook, 'What became of the events about it.'),
})

/** The fields that are added when a transaction is shown alone. */
export const detailView = ({
  transaction,
  deliveries,
  settledAt,
  nowMs,
}: TransactionDetail): Static<typeof detail> => ({
  events: transaction.timeline.map((step) => timelineStepView(transaction.id, step)),
  refunds: transaction.reversals.refunds.map((refund) => refundView(transaction, refund, nowMs)),
  chargebacks: transaction.reversals.chargebacks.map((chargeback) => chargebackView(transaction, chargeback)),
  meds: transaction.reversals.meds.map((med) => medView(transaction, med)),
  split: transaction.split && splitResultView(transaction, transaction.split),
  receivables: transaction.receivables.map((receivable) => {
    const settledAtMs = receivable.settlementId === null ? undefined : settledAt[receivable.settlementId]
    return receivableView(transaction.id, receivable, settledAtMs ?? null)
  }),
  webhooks: deliveries.map(webhookView),
})

/** All that the view of a transaction alone depends on. The time counts by its date, which a boleto's price goes by, and by what can be refunded. */
export const shownIn = (
  { transaction, deliveries, settledAt }: TransactionDetail,
  today: Today,
  withImage = false,
): readonly [Transaction, ...unknown[]] => [
  transaction,
  withImage,
  today.date,
  refundableCents(transaction, today.nowMs),
  ...deliveries,
  ...Object.values(settledAt),
]

/** A transaction of any kind, shown alone. */
export const transactionDetail = namedObject('TransactionDetail', 'A transaction with its history.', {
  ...transaction.properties,
  ...detail.properties,
})
