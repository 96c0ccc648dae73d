import type { Account } from '../../ledger/account.ts'
import { dateIn } from '../../shared/calendar.ts'
import type { SubscriberId, SubscriptionId } from '../../shared/ids.ts'
import type { Invoice } from '../invoice/invoice.ts'
import type { Subscriber } from '../subscriber/subscriber.ts'
import { isFinal, type Subscription } from '../subscription/subscription.ts'
import { shareOf, subscriberIdOf } from './count.ts'
import type { Revenue } from './figures.ts'

/**
 * Walks over all subscriptions and reports where the figures kept by `countRecurring` differ. For `payments verify` and
 * tests. What is overdue is read from the invoices themselves.
 */
export const recurringProblems = (
  account: Account,
  subscriptions: Iterable<Subscription>,
  invoices: Iterable<Invoice>,
  subscribers: Iterable<Subscriber>,
): string[] => {
  const all = newTally()
  const days = newTally()
  const each = new Map<SubscriberId, Tally>()
  /** Owners of subscriptions that are not final: only their invoices count as overdue. */
  const owners = new Map<SubscriptionId, Tally>()
  for (const subscription of subscriptions) {
    const { status, timeZone, createdAtMs, cancelledAtMs } = subscription
    const own = tallyIn(each, subscriberIdOf(subscription.customerId))
    if (!isFinal(subscription)) owners.set(subscription.id, own)
    const { active, served, revenue } = shareOf(subscription)
    all.add(status)
    days.add(`created on ${dateIn(timeZone, createdAtMs)}`)
    if (status === 'CANCELLED') days.add(`cancelled on ${dateIn(timeZone, cancelledAtMs!)}`)
    own.add('subscriptions')
    own.add('active', active)
    own.add('served', served)
    if (revenue === null) continue
    for (const tally of [all, own])
      tally.add(revenueName(`${revenue.interval} ${revenue.intervalCount}`), revenue.cents)
  }
  let lastNumber = 0
  for (const { number, status, subscriptionId, totalCents } of invoices) {
    lastNumber = Math.max(lastNumber, number)
    const own = owners.get(subscriptionId)
    if (own === undefined || (status !== 'PAST_DUE' && status !== 'UNCOLLECTIBLE')) continue
    if (own.of('overdue invoices') === 0n) all.add('overdue customers')
    for (const tally of [all, own]) {
      tally.add('overdue invoices')
      tally.add('overdue centavos', totalCents)
    }
  }
  // A reset Sandbox keeps counting invoices, so without any invoice left the number proves nothing.
  if (lastNumber > 0) all.add('last invoice', lastNumber)
  const problems = differences(account.id, keptByAccount(account, lastNumber > 0), all)
  problems.push(...dayProblems(account, days))
  for (const subscriber of subscribers) {
    problems.push(...differences(subscriber.id, keptBySubscriber(subscriber), tallyIn(each, subscriber.id)))
    each.delete(subscriber.id)
  }
  for (const id of each.keys()) problems.push(`${id}: has subscriptions, and is not there`)
  return problems
}

const keptByAccount = ({ recurring }: Account, hasInvoices: boolean): Tally => {
  const kept = newTally()
  for (const [status, count] of Object.entries(recurring.statuses)) kept.add(status, count)
  addRevenue(kept, recurring.revenue)
  kept.add('overdue invoices', recurring.overdueInvoices)
  kept.add('overdue centavos', recurring.overdueCents)
  kept.add('overdue customers', recurring.overdueCustomers)
  if (hasInvoices) kept.add('last invoice', recurring.invoicesIssued)
  return kept
}

const keptBySubscriber = (subscriber: Subscriber): Tally => {
  const kept = newTally()
  kept.add('subscriptions', subscriber.subscriptions)
  kept.add('active', subscriber.activeSubscriptions)
  kept.add('served', subscriber.servedSubscriptions)
  addRevenue(kept, subscriber.revenue)
  kept.add('overdue invoices', subscriber.overdueInvoices)
  kept.add('overdue centavos', subscriber.overdueCents)
  return kept
}

/**
 * Checks the kept days. A Sandbox clock that was put back reaches days that were dropped before, so those may count
 * fewer.
 */
const dayProblems = ({ id, profile, recurring }: Account, walked: Tally): string[] =>
  Object.entries(recurring.days).flatMap(([date, { created, cancelled }]) =>
    Object.entries({ created, cancelled }).flatMap(([what, count]) => {
      const name = `${what} on ${date}`
      const expected = Number(walked.of(name))
      const mayBeFewer = profile.environment === 'SANDBOX' && count < expected
      return count === expected || mayBeFewer ? [] : [difference(id, name, count, expected)]
    }),
  )

/** Numbers by name. */
type Tally = {
  readonly add: (name: string, count?: number | bigint) => void
  readonly of: (name: string) => bigint
  readonly names: () => readonly string[]
}

const newTally = (): Tally => {
  const counts = new Map<string, bigint>()
  const of = (name: string): bigint => counts.get(name) ?? 0n
  return {
    add: (name, count = 1) => void counts.set(name, of(name) + BigInt(count)),
    of,
    names: () => [...counts.keys()],
  }
}

const tallyIn = (tallies: Map<SubscriberId, Tally>, id: SubscriberId): Tally => {
  const tally = tallies.get(id) ?? newTally()
  tallies.set(id, tally)
  return tally
}

const addRevenue = (tally: Tally, revenue: Revenue): void => {
  for (const [cycle, cents] of Object.entries(revenue)) tally.add(revenueName(cycle), cents)
}

const revenueName = (cycle: string): string => `revenue of ${cycle}`

const differences = (id: string, kept: Tally, walked: Tally): string[] =>
  [...new Set([...kept.names(), ...walked.names()])]
    .filter((name) => kept.of(name) !== walked.of(name))
    .map((name) => difference(id, name, kept.of(name), walked.of(name)))

const difference = (id: string, name: string, kept: number | bigint, walked: number | bigint): string =>
  `${id}: ${name}: ${kept} is kept, a walk says ${walked}`
