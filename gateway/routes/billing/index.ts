// Routes of recurring billing: plans, coupons, policies for unpaid invoices, subscriptions and their invoices.
import type { Route } from '../../api/route.ts'
import { createCouponRoute, editCouponRoute, listCouponsRoute, removeCouponRoute } from './coupons.ts'
import { getDunningRoute, removeDunningPolicyRoute, setDunningPolicyRoute } from './dunning.ts'
import { getInvoiceRoute, listInvoicesRoute, retryInvoiceRoute } from './invoices.ts'
import { createPlanRoute, editPlanRoute, getPlanRoute, listPlansRoute, removePlanRoute } from './plans.ts'
import { getRecurringOverviewRoute, listSubscribersRoute } from './recurring.ts'
import { changePlanRoute } from './subscriptions/change-plan.ts'
import {
  cancelSubscriptionRoute,
  pauseSubscriptionRoute,
  resumeSubscriptionRoute,
} from './subscriptions/change-subscription.ts'
import { createSubscriptionRoute } from './subscriptions/create-subscription.ts'
import { getSubscriptionRoute, listSubscriptionsRoute } from './subscriptions/read-subscriptions.ts'
import { validateCouponRoute } from './validate-coupon.ts'

/** What subscriptions are made of. */
export const planRoutes: readonly Route[] = [
  createPlanRoute,
  listPlansRoute,
  getPlanRoute,
  editPlanRoute,
  removePlanRoute,
  createCouponRoute,
  listCouponsRoute,
  validateCouponRoute,
  editCouponRoute,
  removeCouponRoute,
  getDunningRoute,
  setDunningPolicyRoute,
  removeDunningPolicyRoute,
]

/** Subscriptions, their invoices and their figures. */
export const subscriptionRoutes: readonly Route[] = [
  getRecurringOverviewRoute,
  listSubscribersRoute,
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  pauseSubscriptionRoute,
  resumeSubscriptionRoute,
  cancelSubscriptionRoute,
  changePlanRoute,
  listInvoicesRoute,
  getInvoiceRoute,
  retryInvoiceRoute,
]
