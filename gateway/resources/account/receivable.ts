import type { Receivable } from '../../../engine/ledger/receivable.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  count,
  date,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  objectField,
  shareFields,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

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

const isSettledBy = ({ status }: Receivable, batchAtMs: number | null): boolean =>
  status === 'SCHEDULED' && batchAtMs !== null
