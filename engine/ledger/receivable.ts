import type { CalendarDate } from '../shared/calendar.ts'
import type { ReceivableId, RecipientId, SettlementId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { ScheduleChange } from './account.ts'

/** Money of a transaction on its way into the balance, or back out of it. */
export type Receivable = {
  readonly id: ReceivableId
  readonly type: 'CREDIT' | 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL' | 'REFUND_REVERSAL'
  /** Whose share it is; null for the company. */
  readonly recipientId: RecipientId | null
  readonly installment: number
  readonly installments: number
  /**
   * A SCHEDULED receivable counts as settled once its settlement is: a batch is a single fact of the account and does
   * not touch its transactions (see `receivables.ts`).
   */
  readonly status: 'SCHEDULED' | 'SETTLED' | 'SUSPENDED' | 'CANCELLED'
  readonly grossCents: Cents
  readonly feeCents: Cents
  readonly expectedOn: CalendarDate
  readonly settledAtMs: number | null
  readonly settlementId: SettlementId | null
}

/** The amount that one party gave back. */
export type RefundShare = { readonly recipientId: RecipientId | null; readonly amountCents: Cents }

/** The effect of taking an amount back on the transaction's receivables and on the account. */
export type Reversal = {
  /** All receivables of the transaction afterwards. */
  readonly receivables: readonly Receivable[]
  readonly amountCents: Cents
  /** The part of the amount taken from the fee. */
  readonly feeCents: Cents
  /** The part that had not reached the balance yet, net of fee. */
  readonly scheduledCents: Cents
  /** The part already in the balance, net of fee. */
  readonly settledCents: Cents
  readonly schedule: readonly ScheduleChange[]
}
