import { addDays, addMonths, type CalendarDate, dateIn } from '../../../engine/shared/calendar.ts'
import { expecting, grouped, sumOf } from '../rows.ts'
import { shareProblems } from '../shares.ts'
import type { Books } from './books.ts'
import { couponCycles } from './kinds.ts'

/** What has to hold of a shop's subscriptions whenever its clock stands still, from what the API says of them alone. */
export const billingProblems = (books: Books): readonly string[] => {
  const { subscriptions, invoices, charges, divided, transfers, nowMs } = books
  const invoicesOf = grouped(invoices, 'subscriptionId')
  const chargesOf = grouped(charges, 'invoiceId')
  const today = dateIn(zone, nowMs)
  return [
    ...subscriptions.flatMap((subscription) => {
      const own = (invoicesOf.get(subscription.id) ?? []).toSorted((a, b) => a.cycle - b.cycle)
      return [...periodProblems(subscription, own, today), ...discountProblems(subscription, own)].map(
        (problem) => `${subscription.metadata.name} (${subscription.status}): ${problem}`,
      )
    }),
    ...invoices.flatMap((invoice) => collectionProblems(invoice, chargesOf.get(invoice.id) ?? [])),
    ...numberProblems(invoices),
    ...couponProblems(books),
    ...overviewProblems(books),
    ...shareProblems(divided, transfers),
  ]
}

const zone = 'America/Sao_Paulo'

/** A cycle invoice for each period from the anchor on, in order, and for every one that is due. */
const periodProblems = (subscription: any, invoices: readonly any[], today: CalendarDate): string[] => {
  const { plan, method, status, startAt, trialEndsAt, anchorDate, cyclesBilled } = subscription
  const problems: string[] = []
  const expect = expecting(problems)
  const planned = trialEndsAt ?? startAt
  const firstPaidAt = invoices[0]?.paidAt
  const paidOn = firstPaidAt ? dateIn(zone, Date.parse(firstPaidAt)) : planned
  expect('the anchor', anchorDate, paidOn > planned ? paidOn : planned)
  const start = (n: number): CalendarDate =>
    plan.interval === 'WEEK' ? addDays(anchorDate, 7 * n) : addMonths(anchorDate, n)
  const periods = invoices.map(({ cycle, periodStart, periodEnd }) => `${cycle}: ${periodStart} ${periodEnd}`)
  expect(
    'periods',
    periods,
    periods.map((_, n) => `${n + 1}: ${start(n)} ${start(n + 1)}`),
  )
  expect('the count of cycles', cyclesBilled, invoices.filter(({ status }) => status !== 'VOID').length)
  if (status !== 'ACTIVE' && status !== 'PAST_DUE') return problems
  const isIssued = (n: number): boolean =>
    n === 0 ||
    (start(n - 1) <= today && addDays(start(n), -leadDays[method as keyof typeof leadDays]) <= today)
  let due = 0
  while (isIssued(due) && due < (plan.maxCycles ?? Number.POSITIVE_INFINITY)) due++
  expect('the number of invoices', invoices.length, due)
  return problems
}

/** Days before a period on which its invoice is issued (decisions, section 20). */
const leadDays = { CREDIT_CARD: 0, PIX: 3, BOLETO: 7 } as const

/** A coupon takes its part of the first cycles that somebody has to pay, and of no other. */
const discountProblems = ({ couponId, discountCyclesLeft }: any, invoices: readonly any[]): string[] => {
  const problems: string[] = []
  const expect = expecting(problems)
  const valid = invoices.filter(({ status }) => status !== 'VOID')
  const isDiscounted = valid.map(({ discountAmount }) => discountAmount !== '0')
  expect(
    'discounted',
    isDiscounted,
    isDiscounted.map((_, n) => couponId !== null && n < couponCycles),
  )
  const left = Math.max(0, couponCycles - valid.length)
  expect('cycles with a discount to come', discountCyclesLeft, couponId === null ? null : left)
  return problems
}

/** One charge that is paid or can be, or none where nobody has to pay; each attempt has made one. */
const collectionProblems = (invoice: any, charges: readonly any[]): string[] => {
  const { number, subscriptionId, status, totalAmount, paidAmount, attemptCount, lines } = invoice
  const problems: string[] = []
  const expect = expecting(problems)
  const total = Number(totalAmount)
  expect('its lines', sumOf(lines, 'amount'), total)
  expect('attempts', attemptCount, charges.length)
  const paid = charges.filter((charge) => charge.status === 'APPROVED')
  const live = charges.filter((charge) => liveStatuses.includes(charge.status))
  expect('paid charges', paid.length, status === 'PAID' && total > 0 ? 1 : 0)
  // An invoice that is late has a charge only while it is tried again.
  expect(
    'live charges',
    live.length,
    status === 'PAST_DUE' ? Math.min(1, live.length) : status === 'OPEN' ? 1 : 0,
  )
  expect('paid', [Number(paidAmount), sumOf(paid, 'paidAmount')], status === 'PAID' ? [total, total] : [0, 0])
  const isOwn = charges.every(
    (charge) => charge.amount === totalAmount && charge.subscriptionId === subscriptionId,
  )
  expect('charges for the whole of it', isOwn, true)
  return problems.map((problem) => `${number} (${status}): ${problem}`)
}

const liveStatuses = ['CREATED', 'PENDING', 'PROCESSING', 'AUTHORIZED']

/** Numbers follow each other: none is missing, none is there twice. */
const numberProblems = (invoices: readonly any[]): string[] => {
  const numbers = invoices.map(({ number }) => number).sort()
  const wrong = numbers.find((number, n) => number !== `INV-${String(n + 1).padStart(6, '0')}`)
  return wrong === undefined ? [] : [`${wrong} is not the next number`]
}

const couponProblems = ({ coupons, subscriptions }: Books): string[] => {
  const problems: string[] = []
  for (const { id, code, redemptionsCount } of coupons)
    expecting(problems)(
      `redemptions of ${code}`,
      redemptionsCount,
      subscriptions.filter(({ couponId }) => couponId === id).length,
    )
  return problems
}

/** The figures, against a walk over all subscriptions and invoices (decisions, section 25). */
const overviewProblems = (books: Books): string[] => {
  const { subscriptions, invoices, subscribers, overview } = books
  const problems: string[] = []
  const expect = expecting(problems)
  const mrr = monthlyCents(books)
  const count = (...statuses: readonly string[]): number =>
    subscriptions.filter(({ status }) => statuses.includes(status)).length
  expect('active', overview.activeSubscriptions, count('ACTIVE'))
  expect('in trial', overview.trialingSubscriptions, count('TRIALING'))
  expect('pending', overview.pendingSubscriptions, count('PENDING'))
  expect('past due', overview.pastDueSubscriptions, count('PAST_DUE'))
  expect('paused', overview.pausedSubscriptions, count('PAUSED'))
  expect('suspended', overview.suspendedSubscriptions, count('SUSPENDED'))
  expect('MRR', overview.mrrAmount, String(mrr))
  expect('ARR', overview.arrAmount, String(12n * mrr))
  const ended = new Set(
    subscriptions.filter(({ status }) => ['CANCELLED', 'COMPLETED'].includes(status)).map(({ id }) => id),
  )
  const late = invoices.filter(
    ({ subscriptionId, status }) =>
      ['PAST_DUE', 'UNCOLLECTIBLE'].includes(status) && !ended.has(subscriptionId),
  )
  const { delinquency } = overview
  expect('late invoices', delinquency.invoices, late.length)
  expect('late amount', Number(delinquency.amount), sumOf(late, 'totalAmount'))
  expect('late customers', delinquency.customers, new Set(late.map(({ customerId }) => customerId)).size)
  expect('subscribers', subscribers.length, grouped(subscriptions, 'customerId').size)
  expect('what subscribers have', sumOf(subscribers, 'subscriptions'), subscriptions.length)
  expect('what they have active', sumOf(subscribers, 'activeSubscriptions'), count('ACTIVE'))
  expect('what they owe', sumOf(subscribers, 'overdueAmount'), sumOf(late, 'totalAmount'))
  return problems
}

/** Rounded once: a year has 52 weeks, and what a coupon takes off the next cycle is taken off. */
const monthlyCents = ({ subscriptions, coupons }: Books): bigint => {
  let yearly = 0n
  for (const { status, plan, couponId, discountCyclesLeft } of subscriptions) {
    if (status !== 'ACTIVE' && status !== 'PAST_DUE') continue
    const amount = BigInt(plan.amount)
    const { percentBps = 0 } = discountCyclesLeft > 0 ? coupons.find(({ id }) => id === couponId) : {}
    const off = (amount * BigInt(percentBps) + 5000n) / 10_000n
    yearly += (amount - off) * (plan.interval === 'WEEK' ? 52n : 12n)
  }
  return (yearly + 6n) / 12n
}
