import type { Route } from '../../api/route.ts'
import { createCoupon, editCoupon, listCoupons, removeCoupon } from './coupons.ts'
import { getDunning, removeDunningPolicy, setDunningPolicy } from './dunning.ts'
import { getInvoice, listInvoices, retryInvoice } from './invoices.ts'
import { createPlan, editPlan, getPlan, listPlans, removePlan } from './plans.ts'
import { getRecurringOverview, listSubscribers } from './recurring.ts'
import { changePlan } from './subscriptions/change-plan.ts'
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from './subscriptions/change-subscription.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { getSubscription, listSubscriptions } from './subscriptions/read-subscriptions.ts'
import { validateCoupon } from './validate-coupon.ts'

/** What subscriptions are made of. */
export const planRoutes: readonly Route[] = [
  createPlan,
  listPlans,
  getPlan,
  editPlan,
  removePlan,
  createCoupon,
  listCoupons,
  validateCoupon,
  editCoupon,
  removeCoupon,
  getDunning,
  setDunningPolicy,
  removeDunningPolicy,
]

/** Subscriptions, their invoices and their figures. */
export const subscriptionRoutes: readonly Route[] = [
  getRecurringOverview,
  listSubscribers,
  createSubscription,
  listSubscriptions,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
  cancelSubscription,
  changePlan,
  listInvoices,
  getInvoice,
  retryInvoice,
]
