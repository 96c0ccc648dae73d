import type { Deciders } from '../kernel/decider.ts'
import type { CatalogCommand } from './catalog/catalog-commands.ts'
import { createCoupon, editCoupon, removeCoupon } from './catalog/decide-coupon.ts'
import { removeDunningPolicy, setDunningPolicy } from './catalog/decide-dunning.ts'
import { createPlan, editPlan, removePlan } from './catalog/decide-plan.ts'
import { dunInvoice } from './invoice/dun.ts'
import { retryInvoice } from './invoice/retry.ts'
import { billSubscription } from './subscription/bill.ts'
import { changePlan } from './subscription/change-plan.ts'
import type { SubscriptionCommand } from './subscription/commands.ts'
import { createSubscription } from './subscription/create.ts'
import { cancelSubscription, pauseSubscription, resumeSubscription } from './subscription/life.ts'

/** Deciders for the catalog, subscriptions and invoices. */
export const billingDeciders: Deciders<CatalogCommand | SubscriptionCommand> = {
  CreatePlan: (draft, command) => createPlan(command, draft),
  EditPlan: (draft, command) => editPlan(command, draft),
  RemovePlan: (draft, command) => removePlan(command, draft),
  CreateCoupon: (draft, command) => createCoupon(command, draft),
  EditCoupon: (draft, command) => editCoupon(command, draft),
  RemoveCoupon: (draft, command) => removeCoupon(command, draft),
  SetDunningPolicy: (draft, command) => setDunningPolicy(command, draft),
  RemoveDunningPolicy: (draft, command) => removeDunningPolicy(command, draft),
  CreateSubscription: createSubscription,
  BillSubscription: (draft, { subscriptionId, by }) => {
    const subscription = draft.find('subscription', subscriptionId)
    if (subscription === undefined) return { reason: 'NOT_FOUND', resource: 'subscription' }
    return billSubscription(draft, subscription, by)
  },
  PauseSubscription: pauseSubscription,
  ResumeSubscription: resumeSubscription,
  CancelSubscription: cancelSubscription,
  ChangePlan: changePlan,
  DunInvoice: (draft, { invoiceId, by }) => {
    const invoice = draft.find('invoice', invoiceId)
    if (invoice === undefined) return { reason: 'NOT_FOUND', resource: 'invoice' }
    return dunInvoice(draft, invoice, by)
  },
  RetryInvoice: retryInvoice,
}
