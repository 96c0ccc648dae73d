import Type from 'typebox'
import type { Receivable } from '../../../engine/ledger/receivable.ts'
import type { Agenda, ListedReceivables } from '../../../engine/payments/transaction/queries.ts'
import type { AgendaDay, ScheduledSum } from '../../../engine/payments/transaction/scheduled.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { paymentMethod, providerId } from '../enumerations.ts'
import {
  amountOf,
  brlField,
  count,
  date,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectField,
  shareFields,
  textOf,
} from '../fields.ts'
import { listFields } from '../list.ts'
import { part, resource, same, schemasOf } from '../resource.ts'

/**
 * A receivable of a transaction (decisions, section 16), shown with the transaction's id and when its batch ran, or null if it has not: a
 * scheduled receivable is settled with its batch.
 */
export const receivable = resource<Receivable, [string, number | null]>(
  'Receivable',
  'Money that settles on a day: one for each party and instalment.',
).with({
  id: [textOf('Its id, `rcv_…`.'), same],
  ...objectField('receivable'),
  transactionId: [textOf('The transaction that it belongs to.'), (_, transactionId) => transactionId],
  installment: [count('Which instalment, from 1.'), same],
  installments: [count('How many there are.'), same],
  recipientId: [described(nullableText, 'Whose it is; null is the company.'), same],
  type: [
    described(
      choice('CREDIT', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL', 'REFUND_REVERSAL'),
      'CREDIT: money that comes. REFUND, CHARGEBACK: taken back after it had settled. CHARGEBACK_REVERSAL: given back by a won chargeback. REFUND_REVERSAL: given back by a won contest of a MED.',
    ),
    same,
  ],
  status: [
    described(
      choice('SCHEDULED', 'SETTLED', 'SUSPENDED', 'CANCELLED'),
      'SUSPENDED: a chargeback is open. CANCELLED: nothing is left of it.',
    ),
    (own, _, batchAtMs) => (isSettledBy(own, batchAtMs) ? 'SETTLED' : own.status),
  ],
  ...shareFields('Before the fee.', 'The fee.'),
  expectedOn: [described(date, 'The day on which it settles.'), same],
  settledAt: [
    nullableField(instant, 'When it settled.'),
    (own, _, batchAtMs) => instantOrNull(isSettledBy(own, batchAtMs) ? batchAtMs : own.settledAtMs),
  ],
  settlementId: [described(nullableText, 'The settlement that it was part of, `set_…`.'), same],
})

/** A receivable in a list, with what the list can be filtered by. */
const listedReceivable = namedObject(
  'ListedReceivable',
  'A receivable that settles with the batch of its day.',
  {
    ...schemasOf(receivable.fields),
    method: paymentMethod,
    providerId,
  },
)

/** Shows a receivable of a list. */
export const listedReceivableView = ({
  receivable: own,
  transaction: { id, method, providerId },
  settledAtMs,
}: ListedReceivables['rows'][number]) => ({ ...receivable.view(own, id, settledAtMs), method, providerId })

const scheduledSum = part<ScheduledSum>().with({
  count: [count('How many receivables.'), same],
  grossAmount: [amountOf('Sum of `grossAmount`.'), ({ grossCents }) => String(grossCents)],
  feeAmount: [amountOf('Sum of `feeAmount`.'), ({ feeCents }) => String(feeCents)],
  netAmount: [amountOf('Sum of `netAmount`.'), ({ grossCents, feeCents }) => String(grossCents - feeCents)],
})

/** A page of receivables, with the sums over all pages. */
export const receivableList = named(
  'ListedReceivableList',
  Type.Object({
    ...listFields(listedReceivable),
    totals: described(scheduledSum.schema, 'Over all pages.'),
  }),
)

/** The sums of a list. */
export const scheduledSumView = scheduledSum.view

const agendaPart = part<AgendaDay['parts'][number]>().with({
  method: [paymentMethod, same],
  providerId: [providerId, same],
  ...scheduledSum.fields,
})

const agendaDay = part<AgendaDay>().with({
  date: [date, same],
  ...scheduledSum.fields,
  parts: [
    listOf(agendaPart.schema, 'The same by payment method and provider.'),
    ({ parts }) => parts.map(agendaPart.view),
  ],
})

/** What comes on which day (decisions, section 16). */
export const agenda = resource<Agenda>(
  'ReceivablesAgenda',
  'What the batches of some days bring into the balance, with what had come with those that have run.',
).with({
  ...objectField('receivables_agenda'),
  from: [described(date, 'First day.'), same],
  to: [described(date, 'Last day.'), same],
  timezone: [textOf('The company’s time zone, in which days are counted.'), ({ timeZone }) => timeZone],
  currency: brlField,
  totals: [described(scheduledSum.schema, 'All days together.'), ({ totals }) => scheduledSum.view(totals)],
  days: [
    listOf(agendaDay.schema, 'The days on which something comes, the earliest first.'),
    ({ days }) => days.map(agendaDay.view),
  ],
})

const isSettledBy = ({ status }: Receivable, batchAtMs: number | null): boolean =>
  status === 'SCHEDULED' && batchAtMs !== null
