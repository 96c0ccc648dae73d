import type { Receivable, Reversal } from '../../../../engine/ledger/receivable.ts'
import type { FailureDetail, TransactionStatus } from '../../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, list, nullable, number, record, repeatedText, since, text } from '../../layout.ts'
import { dateLayout, initiator, schedule } from '../shared.ts'

/** Layouts that facts of several methods share. */
export const factHead = { id: repeatedText<TransactionId>(), by: initiator, atMs: number() }
export const answerHead = { ...factHead, callId: text() }
/** The call that a fact of before could not answer. */
export const callIdSince14 = since(14, nullable(text()), null)

export const receivablesLayout = list(
  record<Receivable>({
    id: text(),
    type: enumeration({ CREDIT: 1, REFUND: 2, CHARGEBACK: 3, CHARGEBACK_REVERSAL: 4, REFUND_REVERSAL: 5 }),
    recipientId: nullable(text()),
    installment: number(),
    installments: number(),
    status: enumeration({ SCHEDULED: 1, SETTLED: 2, SUSPENDED: 3, CANCELLED: 4 }),
    grossCents: number(),
    feeCents: number(),
    expectedOn: dateLayout,
    settledAtMs: nullable(number()),
    settlementId: nullable(text()),
  }),
)

export const reversalLayout = record<Reversal>({
  receivables: receivablesLayout,
  amountCents: number(),
  feeCents: number(),
  scheduledCents: number(),
  settledCents: number(),
  schedule,
})

export const failureDetailLayout = record<FailureDetail>({
  providerCode: nullable(text()),
  message: text(),
  retryable: bool,
})

export const transactionStatusLayout = enumeration<TransactionStatus>({
  CREATED: 1,
  PENDING: 2,
  PROCESSING: 3,
  AUTHORIZED: 4,
  APPROVED: 5,
  DECLINED: 6,
  FAILED: 7,
  CANCELLED: 8,
  EXPIRED: 9,
  PARTIALLY_REFUNDED: 10,
  REFUNDED: 11,
  CHARGEBACK: 12,
})
