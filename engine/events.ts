import type { CouponEvent } from './billing/catalog/coupon.ts'
import type { PlanEvent } from './billing/catalog/plan.ts'
import type { TriedCardEvent } from './billing/catalog/tried-card.ts'
import type { InvoiceEvent } from './billing/invoice/invoice.ts'
import type { SubscriberEvent } from './billing/subscriber/subscriber.ts'
import type { SubscriptionEvent } from './billing/subscription/subscription.ts'
import type { CustomerEvent } from './customers/customer.ts'
import type { Idempotency } from './kernel/command.ts'
import type { TimerPutAside } from './kernel/due-work.ts'
import type { AccountEvent, SettledBatchEvent } from './ledger/account.ts'
import type { ReceivedPixEvent } from './payments/received/received.ts'
import type { TransactionEvent } from './payments/transaction/events.ts'
import type { RecipientEvent } from './payouts/recipient.ts'
import type { SplitRuleEvent } from './payouts/split-rule.ts'
import type { SplitTransferEvent } from './payouts/transfer.ts'
import type { AccountId } from './shared/ids.ts'
import type { Traceparent } from './shared/traceparent.ts'
import type { DeliveryEvent } from './webhooks/delivery.ts'

/** The facts of each kind of actor that an account has many of. */
export type Facts = {
  readonly transaction: TransactionEvent
  readonly received: ReceivedPixEvent
  readonly delivery: DeliveryEvent
  readonly customer: CustomerEvent
  readonly batch: SettledBatchEvent
  readonly plan: PlanEvent
  readonly coupon: CouponEvent
  readonly recipient: RecipientEvent
  readonly splitRule: SplitRuleEvent
  readonly splitTransfer: SplitTransferEvent
  readonly subscription: SubscriptionEvent
  readonly invoice: InvoiceEvent
  readonly subscriber: SubscriberEvent
  readonly triedCard: TriedCardEvent
}

/** Every fact that a shard's journal can hold. */
export type Event = AccountEvent | Facts[keyof Facts] | TimerPutAside

/**
 * One command's facts: all of them are on disk, or none. The idempotency record is part of it, so the effect and the
 * merchant's key for it cannot come apart.
 */
export type Entry = {
  readonly accountId: AccountId
  /** Real time of the decision. */
  readonly atMs: number
  readonly events: readonly Event[]
  readonly idempotency?: Idempotency
  /** The trace of the command. */
  readonly traceparent?: Traceparent
}
