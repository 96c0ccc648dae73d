import { doesWayOffer, type Way, wayOf } from '../../connections/way.ts'
import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { pixOf } from '../../payments/methods/pix/pix.ts'
import type { Transaction } from '../../payments/transaction/transaction.ts'
import { type CalendarDate, dateIn } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import type { MandateId, PlanId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { policyFor } from '../catalog/dunning.ts'
import { cycleLengthOf, firstPeriodAfter, periodStart } from '../catalog/periods.ts'
import type { PlanTerms } from '../catalog/plan.ts'
import { changeSubscription } from '../subscription/change.ts'
import type { OfferMandate } from '../subscription/commands.ts'
import { isFinal, type Subscription } from '../subscription/subscription.ts'
import { callBank, newMandateCall } from './call.ts'
import {
  heldOf,
  isMandateOpen,
  type Mandate,
  type OfferedMandate,
  type Periodicity,
  type WantedMandate,
} from './mandate.ts'

/** The bank's words for how often; null for an interval that mandates do not have. */
export const periodicityOf = (plan: Pick<PlanTerms, 'interval' | 'intervalCount'>): Periodicity | null => {
  if (plan.interval === 'CUSTOM') return null
  const length = cycleLengthOf(plan)
  if ('days' in length) return length.days === 7 ? 'SEMANAL' : null
  return byMonths[length.months] ?? null
}

const byMonths: Readonly<Record<number, Periodicity>> = {
  1: 'MENSAL',
  3: 'TRIMESTRAL',
  6: 'SEMESTRAL',
  12: 'ANUAL',
}

/** Whether the provider of this way has mandates. */
export const offersMandates = (draft: Draft, way: Way): boolean =>
  doesWayOffer(draft.context.institution, draft.account().id, 'PIX', way, 'PIX_AUTOMATIC')

/** Why no mandate can be offered; null if one can. */
export const mandateRefusal = (
  draft: Draft,
  plan: Pick<PlanTerms, 'interval' | 'intervalCount'>,
  { document }: Pick<Customer, 'document'>,
): Rejection | null =>
  mandateOfferRefusal(draft, plan) ?? (document === null ? { reason: 'CUSTOMER_DOCUMENT_REQUIRED' } : null)

/** Why no mandate can be offered for a plan, by any payer. */
export const mandateOfferRefusal = (
  draft: Draft,
  plan: Pick<PlanTerms, 'interval' | 'intervalCount'>,
): Rejection | null => {
  const way = wayOf(draft.context.institution, draft.account(), 'PIX')
  if (way === null || !offersMandates(draft, way))
    return { reason: 'PIX_AUTOMATIC_UNAVAILABLE', lacks: 'PROVIDER' }
  return periodicityOf(plan) === null ? { reason: 'PIX_AUTOMATIC_UNAVAILABLE', lacks: 'INTERVAL' } : null
}

/** Whether the code that offers it also pays a charge, so that it waits for one. */
const needsCharge = ({ journey }: WantedMandate): boolean =>
  journey === 'QR_WITH_PAYMENT' || journey === 'OPTIONAL'

/** Offers the mandate that a subscription is to have, unless its code also pays a charge and there is none yet. */
export const offerAlone = (draft: Draft, subscription: Subscription, by: Initiator): void => {
  const { pixAutomatic } = subscription
  if (pixAutomatic !== null && !needsCharge(pixAutomatic)) offer(draft, subscription, pixAutomatic, null, by)
}

/** Offers it by the code of a charge that was issued for an invoice. */
export const offerWithCharge = (draft: Draft, transaction: Transaction, by: Initiator): void => {
  const subscription = draft.find('subscription', transaction.subscriptionId!)!
  const { pixAutomatic } = subscription
  if (pixAutomatic === null || !needsCharge(pixAutomatic) || transaction.method !== 'PIX') return
  offer(draft, subscription, pixAutomatic, transaction, by)
}

const offer = (
  draft: Draft,
  subscription: Subscription,
  { journey, payerAccount, idempotency }: WantedMandate,
  transaction: Transaction | null,
  by: Initiator,
): void => {
  const { context } = draft
  const { id: subscriptionId, timeZone, plan, planId, customer, discount, createdAtMs } = subscription
  const isAwaited = createdAtMs === context.nowMs && subscription.mandate === null
  const dates = datesOf(subscription, dateIn(timeZone, context.nowMs))
  const mandate = offered(
    draft,
    { subscriptionId, plan, planId, customer, isFixed: discount === null, ...dates },
    { journey, payerAccount, transaction, isAwaited, idempotency: isAwaited ? idempotency : null },
    by,
  )
  // What was possible when it was requested may not be by now: the subscription then goes on by QR code.
  if (mandate === null) return
  const changes = { mandate: heldOf(mandate), pixAutomatic: null }
  changeSubscription(draft, subscriptionId, by, 'MandateChanged', changes)
}

/** A subscription that begins once a charge is paid. */
export type Beginning = {
  readonly plan: PlanTerms
  readonly planId: PlanId
  readonly customer: Customer
  readonly hasDiscount: boolean
  /** Whether a request waits for the code. */
  readonly isAwaited: boolean
}

/**
 * Offers a mandate by the code of a charge that begins a subscription, under an id that is reserved for it: the payment of this charge, and of no other, begins the
 * subscription that the payer authorizes. Null where none can be offered, or nothing would be charged by it.
 */
export const offerForBeginning = (
  draft: Draft,
  { plan, planId, customer, hasDiscount, isAwaited }: Beginning,
  transaction: Transaction,
  by: Initiator,
): Mandate | null => {
  if (plan.maxCycles === 1 || customer.document === null) return null
  const { timeZone } = draft.account().profile
  const today = dateIn(timeZone, draft.context.nowMs)
  const period = { number: 0, anchorOn: today }
  const dates = datesOf({ plan, period, cyclesBilled: 1, startOn: today, trialEndsOn: null }, today)
  const subscriptionId = contextId(draft.context, 'sub')
  return offered(
    draft,
    { subscriptionId, plan, planId, customer, isFixed: !hasDiscount, ...dates },
    { journey: 'QR_WITH_PAYMENT', payerAccount: null, transaction, isAwaited, idempotency: null },
    by,
  )
}

/** What a mandate is about. */
type Terms = Pick<OfferedMandate, 'subscriptionId' | 'customer' | 'startOn' | 'endOn'> & {
  readonly plan: PlanTerms
  readonly planId: PlanId
  readonly isFixed: boolean
}

/** How it is offered. */
type Asking = Pick<OfferedMandate, 'journey' | 'payerAccount'> &
  Pick<WantedMandate, 'idempotency'> & {
    readonly transaction: Transaction | null
    readonly isAwaited: boolean
  }

/** Adds an offer with the call that makes it; null where the provider has no mandates, or none so often. */
const offered = (
  draft: Draft,
  { subscriptionId, plan, planId, customer, isFixed, startOn, endOn }: Terms,
  { journey, payerAccount, transaction, isAwaited, idempotency }: Asking,
  by: Initiator,
): Mandate | null => {
  const { context } = draft
  const account = draft.account()
  const way = wayOf(context.institution, account, 'PIX')
  const periodicity = periodicityOf(plan)
  if (way === null || periodicity === null || !offersMandates(draft, way)) return null
  const id = contextId(context, 'mdt')
  const mandate: OfferedMandate = {
    accountId: account.id,
    subscriptionId,
    timeZone: account.profile.timeZone,
    providerId: way.providerId,
    connectionId: way.connectionId,
    journey,
    payerAccount,
    contract: subscriptionId.slice(subscriptionId.indexOf('_') + 1),
    object: plan.name.slice(0, 35),
    customer,
    periodicity,
    startOn,
    endOn,
    amountCents: isFixed ? plan.amountCents : null,
    minCents: isFixed ? null : plan.amountCents,
    allowsRetries: policyFor(account.dunning, planId).enabled,
    txid: transaction === null ? null : pixOf(transaction)!.txid,
    transactionId: transaction?.id ?? null,
  }
  const call = newMandateCall(draft, { id, callsMade: 0 }, { operation: 'MANDATE_CREATE', idempotency })
  draft.add({ type: 'MandateOffered', by, mandate, call, isAwaited, ...factOf(draft, 'mandate', id) })
  return draft.find('mandate', id)!
}

/** The first and the last day on which it is charged. A first invoice that is there already is not collected by it. */
const datesOf = (
  {
    plan,
    period,
    cyclesBilled,
    startOn,
    trialEndsOn,
  }: Pick<Subscription, 'plan' | 'cyclesBilled' | 'startOn' | 'trialEndsOn'> & {
    readonly period: Pick<Subscription['period'], 'number' | 'anchorOn'>
  },
  today: CalendarDate,
): { readonly startOn: CalendarDate; readonly endOn: CalendarDate | null } => {
  const isBegun = period.number >= 0
  const anchor = isBegun ? period.anchorOn : (trialEndsOn ?? startOn)
  const next = isBegun ? Math.max(period.number + 1, firstPeriodAfter(anchor, plan, today)) : 0
  const left = plan.maxCycles === null ? null : plan.maxCycles - cyclesBilled
  return {
    startOn: periodStart(anchor, plan, next),
    // A cycle that is billed late is due after its first day.
    endOn: left === null ? null : periodStart(anchor, plan, next + Math.max(1, left)),
  }
}

/** Ends the mandate of a subscription: nothing more is charged by it. */
export const withdrawMandate = (draft: Draft, { mandate }: Pick<Subscription, 'mandate'>): void => {
  if (mandate !== null) stopMandate(draft, mandate.id)
}

/** Ends a mandate: nothing more is charged by it. */
export const stopMandate = (draft: Draft, id: MandateId): void => {
  const held = draft.find('mandate', id)
  if (held === undefined || !isMandateOpen(held)) return
  draft.add({ type: 'MandateEnding', ...factOf(draft, 'mandate', id) })
  endAtBank(draft, id)
}

/** Calls the bank to end it, once it has an id there. */
export const endAtBank = (draft: Draft, id: MandateId): void => {
  if (draft.find('mandate', id)!.idRec !== null) callBank(draft, id, { operation: 'MANDATE_CANCEL' })
}

/** Ends a mandate whose terms no longer are those of the subscription, and lets a new one be offered: the bank changes none (rails, section 4). */
export const renewMandate = (draft: Draft, subscription: Subscription, by: Initiator): void => {
  const { id, mandate: shown, plan, method } = subscription
  const held = shown === null ? undefined : draft.find('mandate', shown.id)
  if (held === undefined || !isMandateOpen(held)) return
  const isSame =
    periodicityOf(plan) === held.periodicity &&
    (held.amountCents === null
      ? held.minCents! <= plan.amountCents && subscription.discount !== null
      : held.amountCents === plan.amountCents)
  if (isSame) return
  withdrawMandate(draft, subscription)
  if (method !== 'PIX' || periodicityOf(plan) === null) return
  const { payerAccount } = held
  const journey = payerAccount === null ? 'OPTIONAL' : 'NOTIFICATION'
  const pixAutomatic: WantedMandate = { journey, payerAccount, idempotency: null }
  changeSubscription(draft, id, by, 'MandateChanged', { pixAutomatic })
  offerAlone(draft, draft.find('subscription', id)!, by)
}

/** Offers a mandate once more to a payer who asks for it: by a code that holds it alone, since what is due has codes of its own. */
export const offerMandateAnew = (
  draft: Draft,
  subscription: Subscription,
  { by }: OfferMandate,
): Rejection | null => {
  const { id, status, method, mandate, plan, customer } = subscription
  // A subscription whose merchant never wanted one has none.
  const isEnding = isFinal(subscription) || subscription.cancelAtPeriodEnd
  if (isEnding || method !== 'PIX' || mandate === null || isOffered(draft, mandate.id))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: [] }
  const refusal = mandateRefusal(draft, plan, customer)
  if (refusal !== null) return refusal
  const pixAutomatic: WantedMandate = { journey: 'QR', payerAccount: null, idempotency: null }
  changeSubscription(draft, id, by, 'MandateChanged', { pixAutomatic })
  offerAlone(draft, draft.find('subscription', id)!, by)
  return null
}

const isOffered = (draft: Draft, id: MandateId): boolean => isMandateOpen(draft.find('mandate', id)!)
