import type { Plan, PlanTerms } from '../../../../engine/billing/catalog/plan.ts'
import type { Invoice } from '../../../../engine/billing/invoice/invoice.ts'
import type { BillingCard } from '../../../../engine/billing/payment-means.ts'
import type {
  CancelSubscription,
  ChangePlan,
  CreateSubscription,
  RetryInvoice,
} from '../../../../engine/billing/subscription/commands.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import type { Reply } from '../../../../engine/kernel/reply.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import type { InvoiceId, PlanId, SubscriptionId, TransactionId } from '../../../../engine/shared/ids.ts'
import { advanceTo } from '../../story.ts'
import { account, aPayer, ours, type World } from '../../world.ts'
import { aPlan, stateOf } from '../catalog.ts'

/** Subscriptions as tests make and look at them. The clock starts at noon UTC of 20 November 2026, a Friday. */
export const aCardOf = (token: string): BillingCard => ({
  token,
  tokenFingerprint: token,
  brand: 'VISA',
  last4: '4242',
  bin: null,
  holderName: null,
})

let subscriptions = 0
export const aSubscription = (
  planId: PlanId,
  change: Partial<CreateSubscription> = {},
): CreateSubscription => ({
  type: 'CreateSubscription',
  ...ours,
  subscriptionId: `sub_${String(++subscriptions).padStart(26, '0')}` as SubscriptionId,
  planId,
  customerId: null,
  customer: aPayer,
  method: 'CREDIT_CARD',
  card: aCardOf('tok_test_approved'),
  couponCode: null,
  startOn: null,
  metadata: {},
  missingProduct: null,
  ...change,
})

export const byPix = { method: 'PIX', card: null } as const
export const byBoleto = { method: 'BOLETO', card: null } as const
export const withCard = (token: string) => ({ card: aCardOf(token) })

export const everyMethod = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const

/** A plan of 4900 a month that takes every method. */
export const planned = async (world: World, terms: Partial<PlanTerms> = {}): Promise<Plan> =>
  stateOf<Plan>(await world.execute(aPlan({ methods: everyMethod, ...terms })))

export const subscribed = async (
  world: World,
  terms: Partial<PlanTerms> = {},
  change: Partial<CreateSubscription> = {},
): Promise<Subscription> => {
  const plan = await planned(world, terms)
  return stateOf<Subscription>(await world.execute(aSubscription(plan.id, change)))
}

export const aPause = (subscriptionId: SubscriptionId): Command => ({
  type: 'PauseSubscription',
  ...ours,
  subscriptionId,
})
export const aResumption = (subscriptionId: SubscriptionId): Command => ({
  type: 'ResumeSubscription',
  ...ours,
  subscriptionId,
})
export const anEnd = (
  subscriptionId: SubscriptionId,
  change: Partial<CancelSubscription> = {},
): CancelSubscription => ({
  type: 'CancelSubscription',
  ...ours,
  subscriptionId,
  reason: 'too dear',
  atPeriodEnd: false,
  ...change,
})
export const aPlanChange = (
  subscriptionId: SubscriptionId,
  planId: PlanId,
  change: Partial<ChangePlan> = {},
): ChangePlan => ({
  type: 'ChangePlan',
  ...ours,
  subscriptionId,
  planId,
  effective: 'AUTO',
  isPreview: false,
  ...change,
})
export const aRetry = (invoiceId: InvoiceId, change: Partial<RetryInvoice> = {}): RetryInvoice => ({
  type: 'RetryInvoice',
  ...ours,
  invoiceId,
  method: null,
  card: null,
  missingProduct: null,
  ...change,
})

export const subscriptionOf = (world: World, id: SubscriptionId): Subscription =>
  world.memory.find('subscription', id)!.state

/** Its invoices, oldest first. */
export const invoicesOf = (world: World, id: SubscriptionId): readonly Invoice[] =>
  world.memory.lookup('invoice', account, id).map(({ state }) => state)

export const lastInvoice = (world: World, id: SubscriptionId): Invoice => invoicesOf(world, id).at(-1)!

/** The charge of the newest attempt at its newest invoice. */
export const chargeOf = (world: World, id: SubscriptionId): TransactionId =>
  lastInvoice(world, id).attempts.at(-1)!.transactionId!

/** Its newest invoice's charge is paid, by PIX or boleto. */
export const pays = async (world: World, id: SubscriptionId): Promise<Reply> => {
  const transactionId = chargeOf(world, id)
  const { method } = world.transaction(transactionId)
  return method === 'PIX'
    ? world.execute({ type: 'ReceivePix', ...ours, transactionId, amountCents: null, payer: null })
    : world.execute({
        type: 'PayBoleto',
        ...ours,
        transactionId,
        amountCents: null,
        paidAtMs: null,
        clearing: 'IMMEDIATE',
      })
}

/** A date as a test writes it. */
export const day = (text: string): CalendarDate => text as CalendarDate

/** The clock, forward to noon in São Paulo of that day. */
export const toNoonOf = (world: World, date: string): Promise<Reply> =>
  advanceTo(world, `${date}T15:00:00Z`) as Promise<Reply>

/** What a list of invoices comes to: cycle, period, due date, status. */
export const told = (invoices: readonly Invoice[]): readonly string[] =>
  invoices.map(
    ({ cycle, periodStart, periodEnd, dueDate, status }) =>
      `${cycle} ${periodStart} ${periodEnd} due ${dueDate} ${status}`,
  )
