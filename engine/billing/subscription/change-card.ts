import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { isRetryLimitReached } from '../invoice/card-retries.ts'
import { changeSubscription } from './change.ts'
import type { ChangeCard } from './commands.ts'
import { isFinal, type Subscription, subscriptionStatuses } from './subscription.ts'

/** Takes another card for what comes. What is open stays open: its payer pays it, or the next attempt does. */
export const changeCard = (
  draft: Draft,
  subscription: Subscription,
  { card, by }: ChangeCard,
): Rejection | null => {
  const { id, status, plan } = subscription
  if (isFinal(subscription))
    return {
      reason: 'INVALID_STATE',
      currentStatus: status,
      allowedStatuses: subscriptionStatuses.filter((one) => !isFinal({ status: one })),
    }
  if (!plan.methods.includes('CREDIT_CARD'))
    return { reason: 'METHOD_NOT_ACCEPTED', allowedMethods: plan.methods }
  if (isRetryLimitReached(draft, card.tokenFingerprint)) return { reason: 'RETRY_LIMIT_REACHED' }
  changeSubscription(draft, id, by, 'PaymentMeansChanged', { method: 'CREDIT_CARD', card })
  return null
}
