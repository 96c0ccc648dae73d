import { mrrOf } from '../../../engine/billing/figures/figures.ts'
import {
  type Subscriber,
  subscriberStatusOf as statusOf,
} from '../../../engine/billing/subscriber/subscriber.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { subscriberStatus } from '../enumerations.ts'
import { amountOf, count, instant, objectField, textOf } from '../fields.ts'
import { customer, shownCustomer } from '../payments/customer.ts'
import { resource, same } from '../resource.ts'

/** A customer with subscriptions. */
export const subscriber = resource<Subscriber>('Subscriber', 'A customer with subscriptions.').with({
  ...objectField('subscriber'),
  customerId: [textOf('Entry in the register of customers, `cus_…`.'), same],
  customer: [customer, (s) => shownCustomer(s.customer)],
  subscriptions: [count('How many subscriptions there were.'), same],
  activeSubscriptions: [count('How many of them are ACTIVE.'), same],
  mrrAmount: [amountOf('Monthly value of the ACTIVE and PAST_DUE ones.'), (s) => String(mrrOf(s.revenue))],
  overdueAmount: [amountOf('What is late.'), (s) => String(s.overdueCents)],
  firstSubscribedAt: [
    described(instant, 'When the first one was created.'),
    (s) => isoInstant(s.firstSubscribedAtMs),
  ],
  status: [subscriberStatus, (s) => statusOf(s)],
})
