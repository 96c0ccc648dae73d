import type { CalendarDate } from '../shared/calendar.ts'
import type { ReceivableId, RecipientId, SettlementId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { ScheduleChange } from './account.ts'

/** Money of a transaction that is on its way into the balance, or out of it again. */
export type Receivable = {
  readonly id: ReceivableId
  readonly type: 'CREDIT' | 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL'
  /** Whose part of the payment it is; null is the company. */
  readonly recipientId: RecipientId | null
  readonly installment: number
  readonly installments: number
  /**
   * A SCHEDULED one is settled as soon as its settlement is: a batch is one fact of the account and does not touch the
   * transactions in it (see `receivables.ts`).
   */
  readonly status: 'SCHEDULED' | 'SETTLED' | 'SUSPENDED' | 'CANCELLED'
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly expectedOn: CalendarDate
  readonly settledAtMs: number | null
  readonly settlementId: SettlementId | null
}

/** What a party gave of what went back. */
export type RefundShare = { readonly recipientId: RecipientId | null; readonly amountCents: Cents }

/** What taking an amount back does to the receivables of a transaction, and to the account. */
export type Reversal = {
  /** All of the transaction's, as they are afterwards. */
  readonly receivables: readonly Receivable[]
  readonly amountCents: Cents
  /** The part of the amount that comes out of the fee. */
  readonly feeCents: Cents
  /** What was not in the balance yet, net of fee. */
  readonly scheduledCents: Cents
  /** What was already in the balance, net of fee. */
  readonly settledCents: Cents
  readonly schedule: readonly ScheduleChange[]
}
