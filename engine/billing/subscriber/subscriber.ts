import type { ActorDefinition } from '../../kernel/actor.ts'
import { assert } from '../../shared/assert.ts'
import type { Customer } from '../../shared/customer.ts'
import type { AccountId, CustomerId, SubscriberId } from '../../shared/ids.ts'
import { type Revenue, type RevenueChange, revenueWith } from '../figures/figures.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly subscriber: Subscriber
  }
  interface ActorFacts {
    readonly subscriber: SubscriberFact
  }
}

/** Sums over the subscriptions that a customer has or had (decisions, section 25). */
export type Subscriber = {
  readonly id: SubscriberId
  readonly accountId: AccountId
  readonly customerId: CustomerId
  readonly customer: Customer
  readonly subscriptions: number
  readonly activeSubscriptions: number
  /** Active, late or in trial. */
  readonly servedSubscriptions: number
  readonly revenue: Revenue
  readonly overdueInvoices: number
  readonly overdueCents: bigint
  readonly firstSubscribedAtMs: number
}

/** What one command changed in the customer's subscriptions, as differences. */
export type SubscriberFact = {
  readonly actor: 'subscriber'
  readonly type: 'SubscriberCounted'
  readonly id: SubscriberId
  readonly atMs: number
  /** The customer, present with the first subscription only. */
  readonly first: Pick<Subscriber, 'accountId' | 'customerId' | 'customer'> | null
  readonly subscriptions: number
  readonly active: number
  readonly served: number
  readonly revenue: readonly RevenueChange[]
  readonly overdueInvoices: number
  readonly overdueCents: number
}

export type SubscriberStatus = 'ACTIVE' | 'PAST_DUE' | 'INACTIVE'

/** PAST_DUE with any overdue invoice, otherwise ACTIVE while a subscription is served. */
export const subscriberStatusOf = ({
  overdueInvoices,
  servedSubscriptions,
}: Subscriber): SubscriberStatus => {
  if (overdueInvoices > 0) return 'PAST_DUE'
  return servedSubscriptions > 0 ? 'ACTIVE' : 'INACTIVE'
}

export const subscriberKind: ActorDefinition<Subscriber, SubscriberFact> = {
  prefix: 'sbr',
  evolve: (state, event) => {
    const subscriber = state ?? begun(event)
    return {
      ...subscriber,
      subscriptions: subscriber.subscriptions + event.subscriptions,
      activeSubscriptions: subscriber.activeSubscriptions + event.active,
      servedSubscriptions: subscriber.servedSubscriptions + event.served,
      revenue: revenueWith(subscriber.revenue, event.revenue),
      overdueInvoices: subscriber.overdueInvoices + event.overdueInvoices,
      overdueCents: subscriber.overdueCents + BigInt(event.overdueCents),
    }
  },
  createdAtMs: ({ firstSubscribedAtMs }) => firstSubscribedAtMs,
  label: subscriberStatusOf,
}

const begun = ({ id, atMs, first }: SubscriberFact): Subscriber => {
  assert(first !== null, 'a first subscription says whose it is')
  return {
    id,
    subscriptions: 0,
    activeSubscriptions: 0,
    servedSubscriptions: 0,
    revenue: {},
    overdueInvoices: 0,
    overdueCents: 0n,
    firstSubscribedAtMs: atMs,
    ...first,
  }
}
