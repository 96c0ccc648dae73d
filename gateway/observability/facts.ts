import { Counter, type Registry } from 'prom-client'
import type { Subscription, SubscriptionFact } from '../../engine/billing/subscription/subscription.ts'
import type { CardGuardFact } from '../../engine/checkout/card-guard.ts'
import type { CheckoutSessionFact } from '../../engine/checkout/session.ts'
import type { AnyFact } from '../../engine/kernel/registry.ts'
import type { FlushedEntry, Step } from '../../engine/kernel/step.ts'
import type { TransactionFact } from '../../engine/payments/transaction/facts.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { type Environment, environmentOf } from '../../engine/shared/ids.ts'
import { deliveryStatuses } from '../../engine/webhooks/delivery.ts'
import { keptBy } from './kept-by.ts'
import { talliedCounter } from './tallies.ts'

/**
 * Counts what happens to the companies' money. Takes the entries that this process decided once they are on disk, each once:
 * neither a restart, nor a follower, nor a repeated request counts anything again. The books are in the journal; these are
 * counters, which start at 0 with the process.
 */
export const countFacts = (registers: Registry[]): ((entry: FlushedEntry) => void) => {
  const counters = openCounters(registers)
  // Present from the start, so that the first one shows as an increase.
  for (const environment of ['SANDBOX', 'PRODUCTION'] satisfies Environment[])
    for (const status of finished) counters.deliveries(environment)(status)
  return ({ accountId, steps }) => {
    const environment = environmentOf(accountId)
    for (const step of steps) countStep(counters, step, environment)
  }
}

type FactCounters = ReturnType<typeof openCounters>

const openCounters = (registers: Registry[]) => {
  const charges = countAndSum(registers, {
    count: ['payments_charges_total', 'Charges that came to a status, by method.'],
    sum: [
      'payments_charge_amount_centavos_total',
      'Amounts of the charges that came to a status: what was asked, or what was paid where something was.',
    ],
  })
  const declines = new Counter({
    name: 'payments_charges_declined_total',
    help: 'Charges that were declined or failed, by method and reason.',
    labelNames: ['environment', 'method', 'reason'],
    registers,
  })
  const refunds = countAndSum(registers, {
    count: ['payments_refunds_total', 'Refunds that came to a status, by the method of the charge.'],
    sum: ['payments_refund_amount_centavos_total', 'Amounts of the refunds that came to a status.'],
  })
  const disputes = new Counter({
    name: 'payments_disputes_total',
    help: 'Chargebacks and MEDs that came to a status.',
    labelNames: ['environment', 'kind', 'status'],
    registers,
  })
  const invoices = countAndSum(registers, {
    count: [
      'payments_subscription_invoices_total',
      'Invoices of subscriptions that were billed or paid, and payments of them that failed.',
    ],
    sum: ['payments_subscription_invoice_amount_centavos_total', 'Amounts of these invoices.'],
  })
  const newDeliveryTally = talliedCounter(registers, {
    name: 'payments_webhook_deliveries_finished_total',
    help: 'Webhook deliveries that are finished, by their last status.',
    labelNames: ['environment', 'status'],
  })
  const deliveries = keptBy((environment: Environment) =>
    keptBy((status: string) => newDeliveryTally({ environment, status })),
  )
  const parked = new Counter({
    name: 'payments_timers_parked_total',
    help: 'Due work that could not be done, by what was due: an error of the service.',
    labelNames: ['due'],
    registers,
  })
  const payerMails = new Counter({
    name: 'payments_payer_mails_total',
    help: 'Mails to payers that were asked for (SENT), reminders (REMINDED), and payers who unsubscribed (UNSUBSCRIBED).',
    labelNames: ['environment', 'kind'],
    registers,
  })
  const sessions = new Counter({
    name: 'payments_checkout_sessions_total',
    help: 'Sessions of pages where payers pay that were opened, paid, or expired.',
    labelNames: ['environment', 'status'],
    registers,
  })
  const pageDeclines = new Counter({
    name: 'payments_checkout_declines_total',
    help: 'Cards that were declined at pages where payers pay.',
    labelNames: ['environment'],
    registers,
  })
  const blockedCards = new Counter({
    name: 'payments_checkout_blocked_total',
    help: 'Cards that met a limit at pages where payers pay, and went to no acquirer.',
    labelNames: ['environment', 'reason'],
    registers,
  })
  return {
    charges,
    declines,
    refunds,
    disputes,
    invoices,
    deliveries,
    parked,
    payerMails,
    sessions,
    pageDeclines,
    blockedCards,
  }
}

const countTransaction = (
  { refunds, disputes, charges, declines }: FactCounters,
  event: TransactionFact,
  after: Transaction,
  environment: Environment,
): void => {
  const { method, status, timeline, amountCents, paidCents, failureReason } = after
  if ('refundId' in event) {
    const refund = after.reversals.refunds.find(({ id }) => id === event.refundId)!
    refunds(refund.amountCents, environment, method, refund.status)
  }
  const dispute = disputeIn(event)
  if (dispute !== null) disputes.inc({ environment, ...dispute })
  // Winning a chargeback returns a charge to its previous status, which was counted before.
  if (timeline.at(-2)?.status === status || event.type === 'ChargebackWon') return
  charges(paidCents || amountCents, environment, method, status)
  if (status === 'DECLINED' || status === 'FAILED')
    declines.inc({ environment, method, reason: failureReason! })
}

const countSubscription = (
  { invoices }: FactCounters,
  event: SubscriptionFact,
  { method }: Subscription,
  environment: Environment,
): void => {
  const count = (status: string, cents: number) => invoices(cents, environment, method, status)
  if (event.type === 'SubscriptionBilled') count('BILLED', event.totalCents)
  if (event.type === 'SubscriptionPaid') count('PAID', event.amountCents)
  if (event.type === 'SubscriptionPaymentFailed') count('FAILED', event.amountCents)
}

const countCheckout = (
  { sessions, pageDeclines, blockedCards }: FactCounters,
  event: CheckoutSessionFact | CardGuardFact,
  environment: Environment,
): void => {
  if (event.type === 'SessionOpened') sessions.inc({ environment, status: 'OPEN' })
  if (event.type === 'SessionCompleted') sessions.inc({ environment, status: 'COMPLETED' })
  if (event.type === 'SessionExpired') sessions.inc({ environment, status: 'EXPIRED' })
  if (event.type === 'CardJudged' && event.isDeclined) pageDeclines.inc({ environment })
  if (event.type === 'LimitMet') blockedCards.inc({ environment, reason: event.limit })
}

const countStep = (counters: FactCounters, { event, after }: Step, environment: Environment): void => {
  // Seeded lists of a Sandbox are not things that happened.
  if (event.type === 'TransactionSeeded') return
  if (event.type === 'TimerParked') {
    counters.parked.inc({ due: event.due })
    return
  }
  if (event.type === 'PayerMailCounted') counters.payerMails.inc({ environment, kind: event.counted })
  if (event.actor === 'checkoutSession' || event.actor === 'cardGuard')
    countCheckout(counters, event, environment)
  if (event.actor === 'transaction') countTransaction(counters, event, after as Transaction, environment)
  if (event.actor === 'subscription') countSubscription(counters, event, after as Subscription, environment)
  const status = lastStatusIn(event)
  if (status !== null) counters.deliveries(environment)(status).count += 1
}

const finished = deliveryStatuses.filter((status) => status !== 'PENDING' && status !== 'RETRYING')

/** The final status of a delivery, if the event ends it. */
const lastStatusIn = (event: AnyFact): string | null => {
  if (event.type === 'DeliveryCancelled') return 'CANCELLED'
  if (event.type !== 'AttemptRecorded' || event.status === 'RETRYING') return null
  return event.status
}

const disputeIn = (event: TransactionFact): { readonly kind: string; readonly status: string } | null => {
  if (event.type === 'MedClosed') return { kind: 'MED', status: event.result }
  return disputeFacts[event.type] ?? null
}

const disputeFacts: Readonly<Partial<Record<TransactionFact['type'], ReturnType<typeof disputeIn>>>> = {
  ChargebackOpened: { kind: 'CHARGEBACK', status: 'OPEN' },
  ChargebackDisputed: { kind: 'CHARGEBACK', status: 'UNDER_REVIEW' },
  ChargebackWon: { kind: 'CHARGEBACK', status: 'WON' },
  ChargebackLost: { kind: 'CHARGEBACK', status: 'LOST' },
  MedOpened: { kind: 'MED', status: 'OPEN' },
}

type Described = readonly [name: string, help: string]

/**
 * Two counters kept together: how many, and how many centavos. They are turned into metrics only when read: adding to a
 * prom-client counter with labels takes 0.4 µs, and a charge passes through two statuses while its request waits.
 */
const countAndSum = (
  registers: Registry[],
  { count, sum }: { readonly count: Described; readonly sum: Described },
) => {
  const tallies: Tally[] = []
  const addCounter = ([name, help]: Described, of: 'count' | 'cents'): void => {
    new Counter({
      name,
      help,
      labelNames: ['environment', 'method', 'status'],
      registers,
      collect() {
        this.reset()
        for (const { labels, [of]: value } of tallies) this.inc(labels, value)
      },
    })
  }
  addCounter(count, 'count')
  addCounter(sum, 'cents')
  const tallyOf = keptBy((environment: Environment) =>
    keptBy((method: string) =>
      keptBy((status: string) => {
        const tally: Tally = { labels: { environment, method, status }, count: 0, cents: 0 }
        tallies.push(tally)
        return tally
      }),
    ),
  )
  return (amountCents: number, environment: Environment, method: string, status: string): void => {
    const tally = tallyOf(environment)(method)(status)
    tally.count += 1
    tally.cents += amountCents
  }
}

type Tally = { readonly labels: Readonly<Record<string, string>>; count: number; cents: number }
