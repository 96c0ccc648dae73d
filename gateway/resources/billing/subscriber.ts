import type { Static } from 'typebox'
import { mrrOf } from '../../../engine/billing/figures/figures.ts'
import {
  type Subscriber,
  subscriberStatusOf as statusOf,
} from '../../../engine/billing/subscriber/subscriber.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { subscriberStatus } from '../enumerations.ts'
import { amountOf, count, instant, objectName, textOf } from '../fields.ts'
import { customer } from '../payments/customer.ts'

/** A customer with subscriptions. */
export const subscriber = namedObject('Subscriber', 'A customer with subscriptions.', {
  object: objectName('subscriber'),
  customerId: textOf('Entry in the register of customers, `cus_…`.'),
  customer,
  subscriptions: count('How many subscriptions there were.'),
  activeSubscriptions: count('How many of them are ACTIVE.'),
  mrrAmount: amountOf('Monthly value of the ACTIVE and PAST_DUE ones.'),
  overdueAmount: amountOf('What is late.'),
  firstSubscribedAt: described(instant, 'When the first one was created.'),
  status: subscriberStatus,
})

type View = Static<typeof subscriber>

/** A customer, with the value of its subscriptions and what is overdue. */
export const subscriberView = (subscriber: Subscriber): View => ({
  object: 'subscriber',
  customerId: subscriber.customerId,
  customer: subscriber.customer,
  subscriptions: subscriber.subscriptions,
  activeSubscriptions: subscriber.activeSubscriptions,
  mrrAmount: String(mrrOf(subscriber.revenue)),
  overdueAmount: String(subscriber.overdueCents),
  firstSubscribedAt: isoInstant(subscriber.firstSubscribedAtMs),
  status: statusOf(subscriber),
})
