import t from 'tap'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import { subscription } from '../../../../gateway/resources/billing/subscription.ts'
import { dataOf, listener, typesOf } from '../../story.ts'
import { opened, ours } from '../../world.ts'
import { stateOf } from '../catalog.ts'
import {
  aCardOf,
  aRetry,
  aSubscription,
  byBoleto,
  byPix,
  chargeOf,
  invoicesOf,
  lastInvoice,
  pays,
  planned,
  subscribed,
  subscriptionOf,
  told,
  toNoonOf,
  withCard,
} from './subscribing.ts'

t.test('a card pays the first invoice at once', async (t) => {
  const world = await opened()
  const plan = await planned(world, { setupFeeCents: 1000 as never })
  const hear = listener(world)
  const subscription = stateOf<Subscription>(await world.execute(aSubscription(plan.id)))
  const events = hear()
  t.strictSame(typesOf(events), [
    'subscription.created',
    'payment.created',
    'payment.approved',
    'subscription.paid',
  ])
  t.match(dataOf(events[0]), { id: subscription.id, status: 'PENDING', latestInvoice: null })
  t.match(dataOf(events[2]), {
    origin: 'SUBSCRIPTION',
    product: 'RECURRING',
    kind: 'SUBSCRIPTION',
    subscriptionId: subscription.id,
  })
  t.match(dataOf(events[3]), {
    id: subscription.id,
    status: 'ACTIVE',
    amount: '5900',
    invoice: { number: 'INV-000001', cycle: 1, totalAmount: '5900', periodEnd: '2026-12-20' },
  })
  t.match(subscription, {
    status: 'ACTIVE',
    cyclesBilled: 1,
    period: { number: 0, start: '2026-11-20', end: '2026-12-20' },
    latestInvoice: { status: 'PAID' },
    unpaid: [],
  })
  t.match(lastInvoice(world, subscription.id), {
    lines: [
      { type: 'PLAN', cents: 4900 },
      { type: 'SETUP_FEE', cents: 1000 },
    ],
    totalCents: 5900,
    paidCents: 5900,
    status: 'PAID',
    attempts: [{ trigger: 'AUTOMATIC', status: 'SUCCEEDED' }],
  })
})

t.test('while an acquirer is silent the newest invoice names the charge that it is asked for', async (t) => {
  const world = await opened()
  const made = await subscribed(world, {}, withCard('tok_test_processing'))
  const transactionId = chargeOf(world, made.id)
  t.equal(world.transaction(transactionId).status, 'PROCESSING')
  t.match(subscription.view(made).latestInvoice, {
    status: 'OPEN',
    payment: { transactionId, pix: null, boleto: null },
  })
  await world.advance('PT5S')
  t.match(subscriptionOf(world, made.id), {
    status: 'ACTIVE',
    latestInvoice: { status: 'PAID', transactionId },
  })
})

t.test('the newest invoice shows no code of a charge that another one has followed', async (t) => {
  for (const token of ['tok_test_processing', 'tok_test_declined_51']) {
    const world = await opened()
    const { id } = await subscribed(world, {}, byPix)
    await world.execute(aRetry(lastInvoice(world, id).id, { method: 'CREDIT_CARD', card: aCardOf(token) }))
    t.strictSame(subscription.view(subscriptionOf(world, id)).latestInvoice!.payment, {
      transactionId: chargeOf(world, id),
      pix: null,
      boleto: null,
    })
  }
})

t.test('a card is charged on the first day of every cycle, counted from the anchor', async (t) => {
  const world = await opened()
  await world.advance('P72D')
  const subscription = await subscribed(world)
  t.equal(subscription.startOn, '2027-01-31')
  const hear = listener(world)
  await toNoonOf(world, '2027-06-01')
  t.strictSame(told(invoicesOf(world, subscription.id)), [
    '1 2027-01-31 2027-02-28 due 2027-01-31 PAID',
    '2 2027-02-28 2027-03-31 due 2027-02-28 PAID',
    '3 2027-03-31 2027-04-30 due 2027-03-31 PAID',
    '4 2027-04-30 2027-05-31 due 2027-04-30 PAID',
    '5 2027-05-31 2027-06-30 due 2027-05-31 PAID',
  ])
  t.strictSame(
    typesOf(hear())
      .filter((type) => !type.startsWith('settlement'))
      .slice(0, 6),
    [
      'payment.created',
      'payment.approved',
      'subscription.paid',
      'payment.created',
      'payment.approved',
      'subscription.paid',
    ],
  )
})

t.test('a PIX is asked for three days ahead and due on the first day of the cycle', async (t) => {
  const world = await opened()
  const subscription = await subscribed(world, {}, byPix)
  t.match(subscription, { status: 'PENDING', latestInvoice: { status: 'OPEN', dueDate: '2026-11-21' } })
  t.match(subscription.latestInvoice!.payment!.copyPaste, /^000201/)
  const hear = listener(world)
  await pays(world, subscription.id)
  t.strictSame(typesOf(hear()), [
    'pix.received',
    'payment.approved',
    'subscription.paid',
    'settlement.processing',
    'settlement.completed',
  ])
  t.equal(subscriptionOf(world, subscription.id).status, 'ACTIVE')
  await toNoonOf(world, '2026-12-16')
  t.equal(invoicesOf(world, subscription.id).length, 1)
  await toNoonOf(world, '2026-12-17')
  t.match(subscriptionOf(world, subscription.id), {
    period: { number: 0 },
    ahead: { number: 1, start: '2026-12-20', end: '2027-01-20' },
    latestInvoice: { status: 'OPEN', dueDate: '2026-12-20' },
  })
  await pays(world, subscription.id)
  await toNoonOf(world, '2026-12-20')
  t.match(subscriptionOf(world, subscription.id), { status: 'ACTIVE', ahead: null, period: { number: 1 } })
})

t.test('a first invoice that is paid late moves its period and the anchor to that day', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { setupFeeCents: 100 as never }, byBoleto)
  await toNoonOf(world, '2026-11-25')
  const hear = listener(world)
  await pays(world, id)
  t.match(subscription.view(subscriptionOf(world, id)), {
    status: 'ACTIVE',
    startAt: '2026-11-20',
    anchorDate: '2026-11-25',
    currentPeriodStart: '2026-11-25',
    currentPeriodEnd: '2026-12-25',
    nextBillingAt: '2026-12-18T09:00:00.000Z',
    cyclesBilled: 1,
  })
  t.match(dataOf(hear().find(({ type }) => type === 'subscription.paid')), {
    invoice: { periodStart: '2026-11-25', periodEnd: '2026-12-25' },
  })
  t.match(lastInvoice(world, id), {
    periodStart: '2026-11-25',
    dueDate: '2026-11-23',
    lines: [
      { type: 'PLAN', periodStart: '2026-11-25', periodEnd: '2026-12-25' },
      { type: 'SETUP_FEE', periodStart: '2026-11-25', periodEnd: '2026-12-25' },
    ],
  })
  await toNoonOf(world, '2026-12-18')
  await pays(world, id)
  await toNoonOf(world, '2027-01-18')
  t.strictSame(told(invoicesOf(world, id)), [
    '1 2026-11-25 2026-12-25 due 2026-11-23 PAID',
    '2 2026-12-25 2027-01-25 due 2026-12-25 PAID',
    '3 2027-01-25 2027-02-25 due 2027-01-25 OPEN',
  ])
})

t.test('paid later than its whole first period would have lasted, nothing is left unbilled', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { interval: 'WEEK' }, withCard('tok_test_recurring_fail_4'))
  await toNoonOf(world, '2026-11-27')
  t.match(subscriptionOf(world, id), {
    status: 'ACTIVE',
    period: { number: 0, anchorOn: '2026-11-27', start: '2026-11-27', end: '2026-12-04', valueCents: 4900 },
  })
  await toNoonOf(world, '2026-12-04')
  t.strictSame(told(invoicesOf(world, id)), [
    '1 2026-11-27 2026-12-04 due 2026-11-20 PAID',
    '2 2026-12-04 2026-12-11 due 2026-12-04 PAID',
  ])
})

t.test('a trial has its end, however late what follows it is paid', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { trialDays: 10 }, byPix)
  await toNoonOf(world, '2026-12-01')
  await pays(world, id)
  t.match(subscription.view(subscriptionOf(world, id)), {
    trialEndsAt: '2026-11-30',
    anchorDate: '2026-12-01',
    currentPeriodStart: '2026-12-01',
    currentPeriodEnd: '2027-01-01',
  })
})

t.test('paid on the day on which it begins, the first period stays where it was planned', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { trialDays: 10 }, byPix)
  await toNoonOf(world, '2026-11-30')
  await pays(world, id)
  t.match(subscriptionOf(world, id), { period: { anchorOn: '2026-11-30', end: '2026-12-30' } })
})

t.test('a boleto is issued seven days ahead; late by two business days it has failed', async (t) => {
  const world = await opened()
  const subscription = await subscribed(world, {}, byBoleto)
  t.match(subscription, { status: 'PENDING', latestInvoice: { dueDate: '2026-11-23' } })
  t.match(subscription.latestInvoice!.payment!.barCode, /^999/)
  await pays(world, subscription.id)
  await toNoonOf(world, '2026-12-13')
  t.strictSame(told(invoicesOf(world, subscription.id)).at(-1), '2 2026-12-20 2027-01-20 due 2026-12-20 OPEN')
  // 20 December is a Sunday: it can be paid on Monday, and clear until Wednesday.
  await toNoonOf(world, '2026-12-23')
  t.equal(lastInvoice(world, subscription.id).status, 'OPEN')
  const hear = listener(world)
  await toNoonOf(world, '2026-12-24')
  t.strictSame(typesOf(hear()), ['subscription.failed'])
  t.match(lastInvoice(world, subscription.id), { status: 'PAST_DUE', dunning: { failedOn: '2026-12-24' } })
  t.equal(subscriptionOf(world, subscription.id).status, 'PAST_DUE')
  // The charge can still be paid, and pays the invoice.
  await pays(world, subscription.id)
  t.match(lastInvoice(world, subscription.id), { status: 'PAID', attempts: [{ status: 'SUCCEEDED' }] })
  t.equal(subscriptionOf(world, subscription.id).status, 'ACTIVE')
})

t.test('the dunning retries a card on the days of its policy, and then suspends', async (t) => {
  const world = await opened()
  const subscription = await subscribed(world, {}, withCard('tok_test_approved'))
  await world.execute({ type: 'PauseSubscription', ...ours, subscriptionId: subscription.id })
  await world.execute({ type: 'ResumeSubscription', ...ours, subscriptionId: subscription.id })
  const failing = await subscribed(world, {}, withCard('tok_test_recurring_fail_3'))
  const hear = listener(world)
  t.match(failing, { status: 'PENDING', latestInvoice: { status: 'PAST_DUE' } })
  t.match(lastInvoice(world, failing.id), {
    status: 'PAST_DUE',
    dunning: { failedOn: '2026-11-20', steps: 0, nextAtMs: Date.parse('2026-11-21T12:00:00Z') },
  })
  await toNoonOf(world, '2026-11-26')
  t.match(lastInvoice(world, failing.id), {
    status: 'PAID',
    attempts: [
      { trigger: 'AUTOMATIC', status: 'FAILED', failureReason: 'INSUFFICIENT_FUNDS' },
      { trigger: 'DUNNING', status: 'FAILED' },
      { trigger: 'DUNNING', status: 'FAILED' },
      { trigger: 'DUNNING', status: 'SUCCEEDED' },
    ],
  })
  t.strictSame(typesOf(hear()), [
    'payment.created',
    'payment.failed',
    'subscription.failed',
    'payment.created',
    'payment.failed',
    'subscription.failed',
    'payment.created',
    'payment.approved',
    'subscription.paid',
  ])
  t.equal(subscriptionOf(world, failing.id).status, 'ACTIVE')
})

t.test('a hard decline is not tried again; at the end of the schedule it is given up', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await toNoonOf(world, '2026-12-20')
  t.match(lastInvoice(world, id), {
    status: 'PAST_DUE',
    attempts: [{ failureReason: 'EXPIRED_CARD', retryable: false }],
    dunning: { isEnding: true, nextAtMs: Date.parse('2026-12-27T12:00:00Z') },
  })
  await toNoonOf(world, '2026-12-27')
  t.match(lastInvoice(world, id), { status: 'UNCOLLECTIBLE', attempts: { length: 1 } })
  t.equal(subscriptionOf(world, id).status, 'SUSPENDED')
  await toNoonOf(world, '2027-03-01')
  t.equal(invoicesOf(world, id).length, 2, 'nothing is billed meanwhile')
})

t.test('one that is never paid ends', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const hear = listener(world)
  await toNoonOf(world, '2026-12-20')
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', cancelReason: 'FIRST_PAYMENT_FAILED' })
  t.equal(lastInvoice(world, id).status, 'VOID')
  const events = hear()
  t.equal(typesOf(events).filter((type) => type === 'subscription.failed').length, 5)
  t.match(dataOf(events.findLast(({ type }) => type === 'subscription.failed')), {
    attemptNumber: 5,
    nextAttemptAt: null,
    final: true,
  })
})
