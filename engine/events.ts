import type { AccountEvent, SettledBatchEvent } from './account/account.ts'
import type { Idempotency } from './commands.ts'
import type { CustomerEvent } from './customer/customer.ts'
import type { DeliveryEvent } from './delivery/delivery.ts'
import type { AccountId } from './ids.ts'
import type { InvoiceEvent } from './invoice/invoice.ts'
import type { ReceivedPixEvent } from './received/received.ts'
import type { CouponEvent } from './recurring/coupon.ts'
import type { PlanEvent } from './recurring/plan.ts'
import type { TriedCardEvent } from './recurring/tried-card.ts'
import type { RecipientEvent } from './split/recipient.ts'
import type { SplitRuleEvent } from './split/split-rule.ts'
import type { SplitTransferEvent } from './split/transfer.ts'
import type { SubscriberEvent } from './subscriber/subscriber.ts'
import type { SubscriptionEvent } from './subscription/subscription.ts'
import type { TimerPutAside } from './timer.ts'
import type { Traceparent } from './traceparent.ts'
import type { TransactionEvent } from './transaction/events.ts'

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
