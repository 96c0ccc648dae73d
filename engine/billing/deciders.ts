import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { CatalogCommand } from './catalog/catalog-commands.ts'
import { createCoupon, editCoupon, removeCoupon } from './catalog/decide-coupon.ts'
import { removeDunningPolicy, setDunningPolicy } from './catalog/decide-dunning.ts'
import { createPlan, editPlan, removePlan } from './catalog/decide-plan.ts'
import { dunInvoice } from './invoice/dun.ts'
import type { Invoice } from './invoice/invoice.ts'
import { retryInvoice } from './invoice/retry.ts'
import type { MandateCommand } from './mandate/commands.ts'
import type { Mandate } from './mandate/mandate.ts'
import {
  callMandateAgain,
  playMandate,
  playMandateCharge,
  reportMandate,
  reportMandateCharge,
  runMandate,
} from './mandate/observe.ts'
import { offerMandateAnew } from './mandate/offer.ts'
import { recordMandateAnswer } from './mandate/record.ts'
import { billSubscription } from './subscription/bill.ts'
import { changeCard } from './subscription/change-card.ts'
import { changePlan } from './subscription/change-plan.ts'
import type { DunInvoice, RetryInvoice, SubscriptionCommand } from './subscription/commands.ts'
import { createSubscription } from './subscription/create.ts'
import { cancelSubscription, pauseSubscription, resumeSubscription } from './subscription/life.ts'
import type { Subscription } from './subscription/subscription.ts'

/** Deciders for the catalog, subscriptions and invoices. */
export const billingDeciders: Deciders<CatalogCommand | SubscriptionCommand | MandateCommand> = {
  CreatePlan: createPlan,
  EditPlan: editPlan,
  RemovePlan: removePlan,
  CreateCoupon: createCoupon,
  EditCoupon: editCoupon,
  RemoveCoupon: removeCoupon,
  SetDunningPolicy: setDunningPolicy,
  RemoveDunningPolicy: removeDunningPolicy,
  CreateSubscription: createSubscription,
  BillSubscription: ofSubscription(billSubscription),
  PauseSubscription: ofSubscription(pauseSubscription),
  ResumeSubscription: ofSubscription(resumeSubscription),
  CancelSubscription: ofSubscription(cancelSubscription),
  ChangePlan: ofSubscription(changePlan),
  ChangeCard: ofSubscription(changeCard),
  OfferMandate: ofSubscription(offerMandateAnew),
  DunInvoice: ofInvoice(dunInvoice),
  RetryInvoice: ofInvoice(retryInvoice),
  RecordMandateAnswer: ofMandate(recordMandateAnswer),
  CallMandateAgain: ofMandate(callMandateAgain),
  RunMandate: ofMandate(runMandate),
  ReportMandate: reportMandate,
  ReportMandateCharge: reportMandateCharge,
  PlayMandate: ofMandate(playMandate),
  PlayMandateCharge: ofMandate(playMandateCharge),
}

/** A decider for commands about an existing mandate; refuses with NOT_FOUND when there is none. */
function ofMandate<Decided extends Extract<MandateCommand, { readonly mandateId: unknown }>>(
  decide: (draft: Draft, mandate: Mandate, command: Decided) => Rejection | null,
): Decider<Decided> {
  return (draft, command) => {
    const mandate = draft.find('mandate', command.mandateId)
    return mandate === undefined
      ? { reason: 'NOT_FOUND', resource: 'mandate' }
      : decide(draft, mandate, command)
  }
}

/** A decider for commands about an existing subscription; refuses with NOT_FOUND when there is none. */
function ofSubscription<Decided extends Extract<SubscriptionCommand, { readonly subscriptionId: unknown }>>(
  decide: (draft: Draft, subscription: Subscription, command: Decided) => Rejection | null,
): Decider<Decided> {
  return (draft, command) => {
    const subscription = draft.find('subscription', command.subscriptionId)
    if (subscription === undefined) return { reason: 'NOT_FOUND', resource: 'subscription' }
    return decide(draft, subscription, command)
  }
}

/** A decider for commands about an existing invoice; refuses with NOT_FOUND when there is none. */
function ofInvoice<Decided extends DunInvoice | RetryInvoice>(
  decide: (draft: Draft, invoice: Invoice, command: Decided) => Rejection | null,
): Decider<Decided> {
  return (draft, command) => {
    const invoice = draft.find('invoice', command.invoiceId)
    return invoice === undefined
      ? { reason: 'NOT_FOUND', resource: 'invoice' }
      : decide(draft, invoice, command)
  }
}
