import type { Static } from 'typebox'
import type { Receivable } from '../../../engine/ledger/receivable.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import {
  amountOf,
  count,
  date,
  enumeration,
  grossAndNet,
  instant,
  instantOrNull,
  nullable,
  objectName,
  text,
  textOf,
} from '../fields.ts'

/** A receivable of a transaction (decisions, section 16). */
export const receivable = namedObject(
  'Receivable',
  'Money that settles on a day: one for each party and instalment.',
  {
    id: textOf('Its id, `rcv_…`.'),
    object: objectName('receivable'),
    transactionId: textOf('The transaction that it belongs to.'),
    installment: count('Which instalment, from 1.'),
    installments: count('How many there are.'),
    recipientId: described(text, 'Whose it is; null is the company.'),
    type: described(
      enumeration('CREDIT', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL', 'REFUND_REVERSAL'),
      'CREDIT: money that comes. REFUND, CHARGEBACK: taken back after it had settled. CHARGEBACK_REVERSAL: given back by a won chargeback. REFUND_REVERSAL: given back by a won contest of a MED.',
    ),
    status: described(
      enumeration('SCHEDULED', 'SETTLED', 'SUSPENDED', 'CANCELLED'),
      'SUSPENDED: a chargeback is open. CANCELLED: nothing is left of it.',
    ),
    grossAmount: amountOf('Before the fee.'),
    feeAmount: amountOf('The fee.'),
    netAmount: amountOf('`grossAmount` less `feeAmount`.'),
    expectedOn: described(date, 'The day on which it settles.'),
    settledAt: nullable(instant, 'When it settled.'),
    settlementId: described(text, 'The settlement that it was part of, `set_…`.'),
  },
)

type View = Static<typeof receivable>

/** A receivable. `batchAtMs` is when its batch ran, or null if it has not; a scheduled receivable is settled with its batch. */
export const receivableView = (
  transactionId: string,
  receivable: Receivable,
  batchAtMs: number | null,
): View => {
  const isSettled = receivable.status === 'SCHEDULED' && batchAtMs !== null
  return {
    id: receivable.id,
    object: 'receivable',
    transactionId,
    installment: receivable.installment,
    installments: receivable.installments,
    recipientId: receivable.recipientId,
    type: receivable.type,
    status: isSettled ? 'SETTLED' : receivable.status,
    expectedOn: receivable.expectedOn,
    settledAt: instantOrNull(isSettled ? batchAtMs : receivable.settledAtMs),
    settlementId: receivable.settlementId,
    ...grossAndNet(receivable),
  }
}
