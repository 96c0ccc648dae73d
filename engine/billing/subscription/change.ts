import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { SubscriptionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { BillingPeriod, SubscriptionChanged, SubscriptionChanges } from './subscription.ts'

/** Changes members of a subscription by one of the rare facts. */
export const changeSubscription = (
  draft: Draft,
  id: SubscriptionId,
  by: Initiator,
  type: SubscriptionChanged['type'],
  changes: SubscriptionChanges,
): void => draft.add({ type, by, changes, ...factOf(draft, 'subscription', id) })

/** Begins a period whose invoice was issued before, or which is not paid for. */
export const beginPeriod = (draft: Draft, id: SubscriptionId, by: Initiator, period: BillingPeriod): void =>
  draft.add({ type: 'PeriodStarted', by, period, ...factOf(draft, 'subscription', id) })
