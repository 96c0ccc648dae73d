import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { unreachable } from '../../shared/assert.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { DunningPolicy } from '../catalog/dunning.ts'
import { changeSubscription } from '../subscription/change.ts'
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
  draft.add({ type: 'InvoiceMarkedUncollectible', ...factOf(draft, 'invoice', invoiceId) })
  const changes = {
    unpaid: marked(subscription.unpaid, invoiceId, { status: 'UNCOLLECTIBLE' }),
    latestInvoice: latest(subscription, invoiceId, { status: 'UNCOLLECTIBLE' }),
  }
  const isOver = isFinal(subscription) || subscription.status === 'SUSPENDED'
  const action = isOver ? 'KEEP_PAST_DUE' : policy.finalAction
  switch (action) {
    case 'SUSPEND':
      changeSubscription(draft, subscriptionId, by, 'SubscriptionSuspended', {
        status: 'SUSPENDED',
        ...changes,
      })
      return
    case 'KEEP_PAST_DUE':
      changeSubscription(draft, subscriptionId, by, 'CollectionStopped', changes)
      return
    case 'CANCEL':
      changeSubscription(draft, subscriptionId, by, 'CollectionStopped', changes)
      closeSubscription(draft, subscriptionId, 'DUNNING_EXHAUSTED', by)
      return
    default:
      unreachable(action)
  }
}
