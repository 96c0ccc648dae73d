/**
 * Recurring payments: the catalog of plans and coupons, subscriptions, the invoices that collect each cycle,
 * dunning, and the figures that overviews read.
 */
import './account-part.ts'
import './catalog/catalog-commands.ts'
import './catalog/catalog-queries.ts'
import './catalog/coupon.ts'
import './catalog/plan.ts'
import './invoice/card-retries.ts'
import './invoice/invoice.ts'
import './mandate/commands.ts'
import './mandate/mandate.ts'
import './mandate/mandate-request.ts'
import './refusals.ts'
import './subscriber/subscriber.ts'
import './subscription/commands.ts'
import './subscription/publishes.ts'
import './subscription/queries.ts'
import './subscription/subscription.ts'
import { billingAccountPart } from './account-part.ts'
import { billingAnswers } from './answers.ts'
import { couponKind } from './catalog/coupon-kind.ts'
import { planKind } from './catalog/plan-kind.ts'
import { billingDeciders } from './deciders.ts'
import { cardRetryKind } from './invoice/card-retries.ts'
import { invoiceKind } from './invoice/kind.ts'
import { mandateKind } from './mandate/kind.ts'
import { subscriberKind } from './subscriber/subscriber.ts'
import { subscriptionKind } from './subscription/kind.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const billingModule = {
  kinds: {
    subscription: subscriptionKind,
    invoice: invoiceKind,
    plan: planKind,
    coupon: couponKind,
    subscriber: subscriberKind,
    cardRetries: cardRetryKind,
    mandate: mandateKind,
  },
  accountParts: {
    billing: billingAccountPart,
  },
  deciders: billingDeciders,
  answers: billingAnswers,
}
