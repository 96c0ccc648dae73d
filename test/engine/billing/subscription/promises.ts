import type { Invoice } from '../../../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import type { Service } from '../../properties/service.ts'
import { account } from '../../world.ts'

/** What has to hold of subscriptions whatever happens, from their states and the facts that made them. */
export const lifeProblems = (
  service: Service,
  subscriptions: readonly Subscription[],
  invoices: readonly Invoice[],
  transactions: readonly Transaction[],
): string[] => [
  ...invoices.flatMap((invoice) => invoiceProblems(invoice, transactions)),
  ...subscriptions.flatMap((subscription) =>
    subscriptionProblems(
      subscription,
      invoices.filter(({ subscriptionId }) => subscriptionId === subscription.id),
    ),
  ),
  ...periodProblems(service),
  ...attemptProblems(service),
  ...couponProblems(service, subscriptions),
]

const invoiceProblems = (invoice: Invoice, transactions: readonly Transaction[]): string[] => {
  const problems: string[] = []
  const { id, lines, totalCents, status, paidCents, attempts } = invoice
  const sum = lines.reduce((sum, { cents }) => sum + cents, 0)
  if (sum !== totalCents) problems.push(`${id}: its lines sum up to ${sum}, not ${totalCents}`)
  if (totalCents < 0) problems.push(`${id}: its total is ${totalCents}`)
  if (paidCents !== (status === 'PAID' ? totalCents : 0)) problems.push(`${id}: ${status}, paid ${paidCents}`)
  const charges = transactions.filter(({ invoiceId }) => invoiceId === id)
  const live = charges.filter(({ status }) => ['CREATED', 'PENDING', 'PROCESSING'].includes(status))
  const approved = charges.filter(({ status }) => status === 'APPROVED')
  if (live.length > 1) problems.push(`${id}: ${live.length} live charges`)
  if (live.some(({ status }) => status === 'PENDING') && (status === 'PAID' || status === 'VOID'))
    problems.push(`${id}: ${status}, and its charge can be paid`)
  if (status === 'PAID' && totalCents > 0 && approved.length === 0) problems.push(`${id}: PAID by no charge`)
  if (status !== 'PAID' && status !== 'VOID' && approved.length > 0)
    problems.push(`${id}: ${status}, but it is paid`)
  if (attempts.some(({ number }, n) => number !== n + 1)) problems.push(`${id}: attempts are not counted`)
  const charged = attempts.filter(({ transactionId }) => transactionId !== null).length
  if (charged !== charges.length) problems.push(`${id}: ${charged} attempts, ${charges.length} charges`)
  return problems
}

const subscriptionProblems = (subscription: Subscription, invoices: readonly Invoice[]): string[] => {
  const problems: string[] = []
  const { id, status, unpaid, creditCents, wasPaid, cyclesBilled, discountCyclesLeft } = subscription
  const say = (problem: string) => problems.push(`${id} (${status}): ${problem}`)
  if (creditCents < 0) say(`its credit is ${creditCents}`)
  if (cyclesBilled < 0 || (discountCyclesLeft ?? 0) < 0) say('counts below zero')
  const payable = invoices
    .filter(({ status }) => status !== 'PAID' && status !== 'VOID')
    .map(({ id, status, totalCents }) => `${id} ${status} ${totalCents}`)
  const known = unpaid.map(({ id, status, totalCents }) => `${id} ${status} ${totalCents}`)
  if (payable.sort().join() !== known.sort().join()) say(`knows of ${known}, not of ${payable}`)
  const late = unpaid.filter(({ status, isLeft }) => status !== 'OPEN' && !isLeft)
  if (status === 'ACTIVE' && late.length > 0) say('has overdue invoices')
  if (status === 'PAST_DUE' && late.length === 0) say('has nothing overdue')
  if (status === 'PENDING' && wasPaid) say('was paid')
  if (wasPaid !== invoices.some(({ status }) => status === 'PAID')) say(`wasPaid is ${wasPaid}`)
  if (status === 'CANCELLED' || status === 'COMPLETED') {
    if (unpaid.some(({ status }) => status !== 'UNCOLLECTIBLE')) say('somebody still owes something')
  }
  if (status === 'TRIALING' && invoices.length > 0) say('is billed in its trial')
  const newest = invoices.at(-1)
  const shown = subscription.latestInvoice
  if (newest?.id !== shown?.id || newest?.status !== shown?.status)
    say(`shows ${shown?.id} ${shown?.status}, not ${newest?.id} ${newest?.status}`)
  return problems
}

/** Cycle invoices follow each other without a gap and without an overlap, but where a period began anew. */
const periodProblems = (service: Service): string[] => {
  const problems: string[] = []
  const ends = new Map<string, string>()
  const starts = new Map<
    string,
    { readonly subscriptionId: string; readonly start: string; readonly end: string }
  >()
  for (const { steps } of service.told()) {
    for (const { event, after } of steps) {
      switch (event.type) {
        case 'InvoiceIssued': {
          const { subscriptionId, kind, periodStart: start, periodEnd: end } = event.invoice
          if (kind !== 'CYCLE') break
          const last = ends.get(subscriptionId)
          if (last !== undefined && last !== start)
            problems.push(`${subscriptionId}: a cycle from ${start} follows one until ${last}`)
          if (start >= end) problems.push(`${subscriptionId}: a cycle from ${start} until ${end}`)
          ends.set(subscriptionId, end)
          starts.set(event.id, { subscriptionId, start, end })
          break
        }
        case 'InvoiceVoided': {
          const voided = starts.get(event.id)
          if (voided !== undefined && ends.get(voided.subscriptionId) === voided.end)
            ends.set(voided.subscriptionId, voided.start)
          break
        }
        case 'SubscriptionResumed': {
          // A new period may begin today.
          const { ahead, status } = after as Subscription
          if (ahead === null && status !== 'TRIALING') ends.delete(event.id)
          break
        }
        case 'PlanChangeApplied':
        case 'PeriodStarted': {
          const { period, ahead } = after as Subscription
          // After a rest the plan changes before the period does.
          const isOpen = event.type === 'PlanChangeApplied' && !ends.has(event.id)
          if (period.number >= 0 && !isOpen) ends.set(event.id, (ahead ?? period).end)
          break
        }
        default:
      }
    }
  }
  return problems
}

/** What is told of the next attempt: it is not in the past, and there is none after the last one. */
const attemptProblems = (service: Service): string[] =>
  service.told().flatMap(({ steps }) =>
    steps.flatMap(({ event }) => {
      if (event.type !== 'SubscriptionPaymentFailed' || event.nextAttemptAtMs === null) return []
      const { invoice, final, atMs, nextAttemptAtMs } = event
      return final || nextAttemptAtMs < atMs
        ? [`${invoice.id}: at ${atMs} the next attempt is told for ${nextAttemptAtMs}, final: ${final}`]
        : []
    }),
  )

const couponProblems = (service: Service, subscriptions: readonly Subscription[]): string[] =>
  service
    .memory()
    .list(account, 'coupon', { offset: 0, limit: 100 })
    .states.flatMap(({ id, redemptionsCount, maxRedemptions }) => {
      const held = subscriptions.filter(({ couponId }) => couponId === id).length
      const problems =
        held === redemptionsCount ? [] : [`${id}: ${held} hold it, ${redemptionsCount} counted`]
      return maxRedemptions !== null && held > maxRedemptions
        ? [...problems, `${id}: sold ${held}`]
        : problems
    })

/** The account's figures and its subscribers', against a walk over all subscriptions. */
export const figureProblems = (service: Service, subscriptions: readonly Subscription[]): string[] => {
  const memory = service.memory()
  const { recurring } = memory.find('account', account)!.state
  const problems: string[] = []
  const expect = (what: string, found: unknown, expected: unknown): void => {
    if (String(found) !== String(expected)) problems.push(`${what} is ${found}, a walk says ${expected}`)
  }
  const live = subscriptions.filter(({ status }) => status !== 'CANCELLED' && status !== 'COMPLETED')
  for (const status of new Set([...Object.keys(recurring.statuses), ...subscriptions.map((s) => s.status)]))
    expect(
      status,
      recurring.statuses[status as Subscription['status']] ?? 0,
      subscriptions.filter((s) => s.status === status).length,
    )
  const overdue = live.flatMap(({ unpaid }) => unpaid.filter(({ status }) => status !== 'OPEN'))
  expect('overdue invoices', recurring.overdueInvoices, overdue.length)
  expect('overdue amount', recurring.overdueCents, sum(overdue.map(({ totalCents }) => totalCents)))
  expect('revenue', inOrder(recurring.revenue), inOrder(revenueOf(live)))
  const subscribers = memory.list(account, 'subscriber', { offset: 0, limit: 100 }).states
  expect(
    'late customers',
    recurring.overdueCustomers,
    subscribers.filter((s) => s.overdueInvoices > 0).length,
  )
  for (const {
    customerId,
    subscriptions: count,
    activeSubscriptions,
    revenue,
    overdueCents,
  } of subscribers) {
    const own = subscriptions.filter((s) => s.customerId === customerId)
    const ownLive = live.filter((s) => s.customerId === customerId)
    expect(`${customerId}: subscriptions`, count, own.length)
    expect(`${customerId}: active`, activeSubscriptions, own.filter((s) => s.status === 'ACTIVE').length)
    expect(`${customerId}: revenue`, inOrder(revenue), inOrder(revenueOf(ownLive)))
    const owed = ownLive.flatMap(({ unpaid }) => unpaid.filter(({ status }) => status !== 'OPEN'))
    expect(`${customerId}: overdue`, overdueCents, sum(owed.map(({ totalCents }) => totalCents)))
  }
  expect('subscribers', subscribers.length, new Set(subscriptions.map((s) => s.customerId)).size)
  return problems
}

const revenueOf = (subscriptions: readonly Subscription[]): Record<string, bigint> => {
  const revenue: Record<string, bigint> = {}
  for (const { status, plan, discount, discountCyclesLeft } of subscriptions) {
    if (status !== 'ACTIVE' && status !== 'PAST_DUE') continue
    const isOff = discount !== null && discount.cycles !== 1 && discountCyclesLeft !== 0
    const wanted = !isOff
      ? 0
      : discount.percentBps === null
        ? discount.amountOffCents!
        : Math.floor((plan.amountCents * discount.percentBps + 5000) / 10_000)
    const key = `${plan.interval} ${plan.intervalCount}`
    revenue[key] = (revenue[key] ?? 0n) + BigInt(plan.amountCents - Math.min(wanted, plan.amountCents))
    if (revenue[key] === 0n) delete revenue[key]
  }
  return revenue
}

const inOrder = (revenue: Readonly<Record<string, bigint>>): string =>
  Object.entries(revenue)
    .map(([key, cents]) => `${key}: ${cents}`)
    .sort()
    .join(', ')

const sum = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
