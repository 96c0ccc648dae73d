import { SubscriptionPage } from './subscription.tsx'
import { Subscriptions } from './subscriptions.tsx'

/** Subscriptions, subscribers, or one subscription. */
export const SubscriptionsPage = ({ rest: [part] }: { rest: readonly string[] }) => {
  if (part === undefined || part === 'assinantes') return <Subscriptions part={part ?? 'assinaturas'} />
  return <SubscriptionPage key={part} id={part} />
}
