import type { TransactionDetail } from '../../../engine/payments/transaction/queries.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import type { TimelineStep, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { receivable } from '../account/receivable.ts'
import { webhook } from '../developers/delivery.ts'
import { transactionStatus } from '../enumerations.ts'
import { anyObject, count, instant, listOf, nullableField, textOf } from '../fields.ts'
import { actorSchema } from '../history-step.ts'
import { splitResult, splitResultView } from '../marketplace/split-result.ts'
import { part, resource, same } from '../resource.ts'
import { chargeback } from './chargeback.ts'
import { med } from './med.ts'
import { refund } from './refund.ts'
import { type Today, transaction } from './transaction.ts'

const timelineStep = resource<TimelineStep, [Transaction]>(
  'TimelineStep',
  'One step of a transaction’s history, including steps without a webhook.',
).with({
  id: [
    textOf('The transaction’s id and the version, as `txn_….3`.'),
    ({ version }, { id }) => `${id}.${version}`,
  ],
  type: [textOf('What happened.'), same],
  status: [transactionStatus, same],
  version: [count('The transaction’s version from then on.'), same],
  actor: [actorSchema, same],
  at: [described(instant, 'When it happened.'), ({ atMs }) => isoInstant(atMs)],
  data: [described(anyObject, 'Details of the step: amounts, codes, reasons.'), same],
})

/** The parts of a transaction that lists leave out, and that are added when it is shown alone. */
export const detail = part<TransactionDetail>().with({
  events: [
    listOf(timelineStep.schema, 'Its whole history, oldest first.'),
    ({ transaction }) => transaction.timeline.map((step) => timelineStep.view(step, transaction)),
  ],
  refunds: [
    listOf(refund.schema, 'Its refunds.'),
    ({ transaction, nowMs }) =>
      transaction.reversals.refunds.map((one) => refund.view(one, transaction, nowMs)),
  ],
  chargebacks: [
    listOf(chargeback.schema, 'Its chargebacks.'),
    ({ transaction }) => transaction.reversals.chargebacks.map((one) => chargeback.view(one, transaction)),
  ],
  meds: [
    listOf(med.schema, 'Its MEDs.'),
    ({ transaction }) => transaction.reversals.meds.map((one) => med.view(one, transaction)),
  ],
  split: [
    nullableField(splitResult, 'How it is divided, where a rule was named.'),
    ({ transaction }) => transaction.split && splitResultView(transaction, transaction.split),
  ],
  receivables: [
    listOf(receivable.schema, 'When its money settles, for each party.'),
    ({ transaction, settledAt }) =>
      transaction.receivables.map((one) =>
        receivable.view(one, transaction.id, (one.settlementId && settledAt[one.settlementId]) ?? null),
      ),
  ],
  webhooks: [
    listOf(webhook.schema, 'What became of the events about it.'),
    (t) => t.deliveries.map(webhook.view),
  ],
})

/** What this view depends on; time counts by its date (a boleto's price) and by what is refundable. */
export const shownIn = (
  { transaction, deliveries, settledAt }: TransactionDetail,
  today: Today,
  withImage = false,
): readonly [Transaction, ...unknown[]] => [
  transaction,
  withImage,
  today.date,
  refundableCents(transaction, today.nowMs),
  today.payee.cnpj,
  today.payee.institutionOf(transaction.connectionId),
  ...deliveries,
  ...Object.values(settledAt),
]

/** A transaction of any kind, shown alone. */
export const transactionDetail = namedObject('TransactionDetail', 'A transaction with its history.', {
  ...transaction.schema.properties,
  ...detail.schema.properties,
})
