import type { Draft } from '../../kernel/draft.ts'
import { unreachable } from '../../shared/assert.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { DunningPolicy } from '../catalog/dunning.ts'
import { closeSubscription } from '../subscription/close.ts'
import { latest, marked } from '../subscription/evolve.ts'
import { isFinal } from '../subscription/subscription.ts'
import { cancelLiveCharge } from './live-charge.ts'

/** Ends dunning (decisions, section 24). A subscription that was never paid ends with it. */
export const markUncollectible = (
  draft: Draft,
  invoiceId: InvoiceId,
  policy: DunningPolicy,
  by: Initiator,
): void => {
  const { subscriptionId } = draft.find('invoice', invoiceId)!
  const subscription = draft.find('subscription', subscriptionId)!
  if (subscription.status === 'PENDING') {
    closeSubscription(draft, subscriptionId, 'FIRST_PAYMENT_FAILED', by)
    return
  }
  cancelLiveCharge(draft, invoiceId, by)
  const atMs = draft.context.nowMs
  draft.add({ actor: 'invoice', type: 'InvoiceMarkedUncollectible', id: invoiceId, atMs })
  const changes = {
    unpaid: marked(subscription.unpaid, invoiceId, { status: 'UNCOLLECTIBLE' }),
    latestInvoice: latest(subscription, invoiceId, { status: 'UNCOLLECTIBLE' }),
  }
  const fact = { actor: 'subscription', id: subscriptionId, by, atMs } as const
  if (
    isFinal(subscription) ||
    subscription.status === 'SUSPENDED' ||
    policy.finalAction === 'KEEP_PAST_DUE'
  ) {
    draft.add({ ...fact, type: 'CollectionStopped', changes })
    return
  }
  switch (policy.finalAction) {
    case 'SUSPEND':
      draft.add({ ...fact, type: 'SubscriptionSuspended', changes: { ...changes, status: 'SUSPENDED' } })
      return
    case 'CANCEL':
      draft.add({ ...fact, type: 'CollectionStopped', changes })
      closeSubscription(draft, subscriptionId, 'DUNNING_EXHAUSTED', by)
      return
    default:
      unreachable(policy.finalAction)
  }
}
