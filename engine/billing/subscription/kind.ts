import type { ActorDefinition } from '../../kernel/actor.ts'
import { byClock } from '../../shared/initiator.ts'
import { nextJobAtMs } from './cycle.ts'
import { evolveSubscription } from './evolve.ts'
import { subscriptionLabel } from './filters.ts'
import { subscriptionEvents } from './publishes.ts'
import { redemptionKey } from './redemption-key.ts'
import type { Subscription, SubscriptionFact } from './subscription.ts'

export const subscriptionKind: ActorDefinition<Subscription, SubscriptionFact> = {
  prefix: 'sub',
  publishes: subscriptionEvents,
  namedBy: 'subscriptionId',
  doesDueWorkFirst: true,
  evolve: evolveSubscription,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: (subscription) => ({
    status: subscription.status,
    planId: subscription.planId,
    customerId: subscription.customerId,
    method: subscription.method,
    couponId: subscription.couponId,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    cancelReason: subscription.cancelReason,
    scheduledPlanId: subscription.scheduledChange?.planId,
    metadata: subscription.metadata,
  }),
  label: subscriptionLabel,
  timer: (subscription) => {
    const dueAtMs = nextJobAtMs(subscription)
    if (dueAtMs === null) return null
    const { accountId, id: subscriptionId } = subscription
    return { dueAtMs, command: { type: 'BillSubscription', accountId, by: byClock, subscriptionId } }
  },
  lookupKeys: ({ customerId, couponId }) =>
    couponId === null ? [customerId] : [customerId, redemptionKey(couponId, customerId)],
}
