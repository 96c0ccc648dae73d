import t from 'tap'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import type { CustomerId, PlanId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aBoletoPayment, listener, typesOf } from '../../story.ts'
import { account, aPayer, opened, ours, type World } from '../../world.ts'
import { aCoupon, aPolicySet, asks, stateOf } from '../catalog.ts'
import {
  aCardOf,
  anEnd,
  aPause,
  aResumption,
  aRetry,
  aSubscription,
  byBoleto,
  byPix,
  chargeOf,
  day,
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

const refused = async (world: World, command: Command) => {
  const reply = await world.execute(command)
  return reply.accepted ? null : reply.rejection
}

t.test('what a new subscription is refused for', async (t) => {
  const world = await opened()
  const plan = await planned(world, { methods: ['PIX', 'BOLETO', 'CREDIT_CARD'] })
  const cards = await planned(world, { methods: ['CREDIT_CARD'] })
  const create = (change: Parameters<typeof aSubscription>[1], planId: PlanId = plan.id) =>
    refused(world, aSubscription(planId, change))
  t.strictSame(await create({}, `pln_${'Z'.repeat(26)}` as PlanId), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'planId',
  })
  t.strictSame(await create({ customer: null, customerId: `cus_${'0'.repeat(26)}` as CustomerId }), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'customerId',
  })
  t.strictSame(await create(byPix, cards.id), {
    reason: 'METHOD_NOT_ACCEPTED',
    allowedMethods: ['CREDIT_CARD'],
  })
  t.strictSame(await create({ missingProduct: 'CARD' }), { reason: 'PRODUCT_NOT_ACTIVE', product: 'CARD' })
  const nobody = { ...aPayer, document: null, documentType: null }
  t.strictSame(await create({ ...byBoleto, customer: nobody }), { reason: 'CUSTOMER_DOCUMENT_REQUIRED' })
  t.strictSame(await create({ startOn: day('2026-11-19') }), { reason: 'START_IN_THE_PAST' })
  t.strictSame(await create({ startOn: day('2028-11-20') }), { reason: 'START_TOO_FAR', days: 730 })
  t.strictSame(await create({ couponCode: 'NONE' }), { reason: 'COUPON_INVALID', why: 'NOT_FOUND' })
  await world.execute({ type: 'EditPlan', ...ours, planId: plan.id, changes: { active: false } } as Command)
  t.strictSame(await create({}), { reason: 'PLAN_INACTIVE' })
  t.equal(world.memory.list(account, 'customer', { offset: 0, limit: 9 }).total, 0, 'nobody is registered')
})

t.test('a subscription registers its customer, or finds it by document', async (t) => {
  const world = await opened()
  const first = await subscribed(world)
  const second = await subscribed(world, {}, { customer: { ...aPayer, name: 'Ana S.' } })
  t.equal(second.customerId, first.customerId)
  t.equal(second.customer.name, 'Ana S.')
  const nobody = { ...aPayer, document: null, documentType: null }
  const third = await subscribed(world, {}, { customer: nobody })
  t.not(third.customerId, first.customerId)
  t.match(world.memory.find('customer', third.customerId)!.state, { customer: nobody })
})

t.test('one that begins later is scheduled, in trial, and then billed', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { trialDays: 7 }, { startOn: day('2026-11-25') })
  t.match(subscriptionOf(world, id), { status: 'SCHEDULED', trialEndsOn: '2026-12-02' })
  await toNoonOf(world, '2026-11-25')
  t.match(subscriptionOf(world, id), {
    status: 'TRIALING',
    period: { start: '2026-11-25', end: '2026-12-02', anchorOn: '2026-12-02' },
  })
  await toNoonOf(world, '2026-12-02')
  t.strictSame(told(invoicesOf(world, id)), ['1 2026-12-02 2027-01-02 due 2026-12-02 PAID'])
  t.equal(subscriptionOf(world, id).status, 'ACTIVE')
})

t.test('after its last cycle it is complete', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { maxCycles: 2 })
  await toNoonOf(world, '2027-01-19')
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', cyclesBilled: 2 })
  await toNoonOf(world, '2027-01-20')
  t.equal(subscriptionOf(world, id).status, 'COMPLETED')
  t.equal(invoicesOf(world, id).length, 2)
  t.match(await refused(world, anEnd(id)), { reason: 'INVALID_STATE', currentStatus: 'COMPLETED' })
})

t.test('paused and resumed within its period, nothing has changed', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world)
  await world.execute(aPause(id))
  t.match(subscriptionOf(world, id), { status: 'PAUSED', pausedFrom: 'ACTIVE' })
  t.match(await refused(world, aPause(id)), {
    reason: 'INVALID_STATE',
    currentStatus: 'PAUSED',
    allowedStatuses: ['TRIALING', 'ACTIVE', 'PAST_DUE'],
  })
  await toNoonOf(world, '2026-12-10')
  await world.execute(aResumption(id))
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', pausedAtMs: null, period: { end: '2026-12-20' } })
  t.equal(invoicesOf(world, id).length, 1)
  t.match(await refused(world, aResumption(id)), { reason: 'INVALID_STATE' })
})

t.test('paused beyond its period, a new one begins on the day on which it is resumed', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world)
  await world.execute(aPause(id))
  await toNoonOf(world, '2027-01-05')
  t.equal(invoicesOf(world, id).length, 1, 'what is paused is not billed')
  const hear = listener(world)
  await world.execute(aResumption(id))
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.approved', 'subscription.paid'])
  t.strictSame(told(invoicesOf(world, id)).at(-1), '2 2027-01-05 2027-02-05 due 2027-01-05 PAID')
  t.match(subscriptionOf(world, id), {
    status: 'ACTIVE',
    cyclesBilled: 2,
    period: { anchorOn: '2027-01-05' },
  })
})

t.test('a trial that is paused keeps the days that it had left', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { trialDays: 10 })
  await toNoonOf(world, '2026-11-23')
  await world.execute(aPause(id))
  await toNoonOf(world, '2026-12-23')
  await world.execute(aResumption(id))
  t.match(subscriptionOf(world, id), { status: 'TRIALING', trialEndsOn: '2026-12-30' })
  await toNoonOf(world, '2026-12-30')
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', period: { anchorOn: '2026-12-30' } })
})

t.test('while it is paused the dunning waits; an invoice that is open can be paid', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await toNoonOf(world, '2026-12-21')
  t.equal(subscriptionOf(world, id).status, 'PAST_DUE')
  await world.execute(aPause(id))
  await toNoonOf(world, '2027-01-10')
  t.match(lastInvoice(world, id), { status: 'PAST_DUE', attempts: { length: 1 } })
  await world.execute(aResumption(id))
  t.equal(subscriptionOf(world, id).status, 'PAST_DUE')
  t.equal(lastInvoice(world, id).dunning!.nextAtMs, Date.parse('2027-01-16T12:00:00Z'), '20 days later')
  const invoiceId = lastInvoice(world, id).id
  await world.execute(aRetry(invoiceId, { card: aCardOf('tok_test_approved') }))
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', card: { token: 'tok_test_approved' } })
})

t.test('one that was suspended is active again when its invoice is paid, at its next cycle', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await toNoonOf(world, '2027-03-05')
  t.match(subscriptionOf(world, id), { status: 'SUSPENDED', period: { number: 1, end: '2027-01-20' } })
  await world.execute(aRetry(lastInvoice(world, id).id, { card: aCardOf('tok_test_approved') }))
  t.match(subscriptionOf(world, id), {
    status: 'ACTIVE',
    period: { number: 3, start: '2027-02-20', end: '2027-03-20', anchorOn: '2026-11-20', invoiceId: null },
  })
  await toNoonOf(world, '2027-03-20')
  t.strictSame(told(invoicesOf(world, id)).at(-1), '3 2027-03-20 2027-04-20 due 2027-03-20 PAID')
})

t.test('resumed without that, it leaves the invoice behind and begins a new cycle', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await toNoonOf(world, '2027-03-05')
  const [, left] = invoicesOf(world, id)
  await world.execute(aResumption(id))
  t.match(invoicesOf(world, id)[1], { id: left!.id, status: 'UNCOLLECTIBLE' })
  t.match(subscriptionOf(world, id), { status: 'PAST_DUE', period: { anchorOn: '2027-03-05' } })
  await world.execute(aRetry(lastInvoice(world, id).id, { card: aCardOf('tok_test_approved') }))
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', unpaid: [{ id: left!.id, isLeft: true }] })
})

t.test('cancelled at once, nobody owes anything', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const hear = listener(world)
  await world.execute(anEnd(id))
  t.strictSame(typesOf(hear()), ['payment.failed'])
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', cancelReason: 'too dear', unpaid: [] })
  t.match(lastInvoice(world, id), { status: 'VOID', attempts: [{ status: 'CANCELLED' }] })
  t.equal(world.transaction(chargeOf(world, id)).status, 'CANCELLED')
})

t.test('cancelled at the end of its period it runs until then', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world)
  await world.execute(anEnd(id, { atPeriodEnd: true }))
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', cancelAtPeriodEnd: true })
  await toNoonOf(world, '2026-12-19')
  t.equal(subscriptionOf(world, id).status, 'ACTIVE')
  await toNoonOf(world, '2026-12-20')
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', cancelReason: 'too dear' })
  t.equal(invoicesOf(world, id).length, 1)
})

t.test('while an acquirer is asked about a card nothing is cancelled or tried again', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, withCard('tok_test_timeout'))
  t.match(subscriptionOf(world, id), { status: 'PENDING' })
  const [attempt] = lastInvoice(world, id).attempts
  const running = { reason: 'ATTEMPT_IN_PROGRESS', attemptId: attempt!.id }
  t.strictSame(await refused(world, anEnd(id)), running)
  t.strictSame(await refused(world, aRetry(lastInvoice(world, id).id)), running)
  await world.advance('PT20M')
  t.match(lastInvoice(world, id), { status: 'PAST_DUE', attempts: [{ failureReason: 'ACQUIRER_TIMEOUT' }] })
  t.equal(await refused(world, anEnd(id)), null)
})

t.test('a retry replaces the charge before it, and moves nothing of the schedule', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const invoiceId = lastInvoice(world, id).id
  const first = chargeOf(world, id)
  await world.execute(aRetry(invoiceId))
  t.equal(world.transaction(first).status, 'CANCELLED')
  t.match(lastInvoice(world, id), {
    status: 'OPEN',
    attempts: [{ status: 'CANCELLED' }, { status: 'PENDING', trigger: 'MANUAL' }],
  })
  await toNoonOf(world, '2026-11-24')
  const { dunning } = lastInvoice(world, id)
  await world.execute(aRetry(invoiceId, { card: aCardOf('tok_test_declined_51'), method: 'CREDIT_CARD' }))
  t.match(lastInvoice(world, id), { status: 'PAST_DUE', dunning })
  t.equal(subscriptionOf(world, id).method, 'PIX', 'a card that does not pay is not kept')
  t.match(await refused(world, aRetry(`inv_${'0'.repeat(26)}` as never)), { reason: 'NOT_FOUND' })
  await world.execute(aRetry(invoiceId, { card: aCardOf('tok_test_approved'), method: 'CREDIT_CARD' }))
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', method: 'CREDIT_CARD' })
  t.match(await refused(world, aRetry(invoiceId)), { reason: 'INVALID_STATE', currentStatus: 'PAID' })
})

t.test('money that comes for an invoice that is void becomes a credit', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byBoleto)
  await world.execute(aBoletoPayment(chargeOf(world, id), { clearing: 'NEXT_BUSINESS_DAY' }))
  await world.execute(anEnd(id))
  t.match(lastInvoice(world, id), { status: 'VOID' })
  await toNoonOf(world, '2026-11-24')
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', creditCents: 4900 })
})

t.test('a boleto that clears late is waited for', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byBoleto)
  // Due on Monday 23: on Wednesday 25 it fails, and is paid that evening.
  await toNoonOf(world, '2026-11-25')
  await world.execute(aBoletoPayment(chargeOf(world, id), { clearing: 'NEXT_BUSINESS_DAY' }))
  await world.advance('PT13H')
  t.match(lastInvoice(world, id), { status: 'OPEN', attempts: [{ status: 'PENDING' }] })
  await toNoonOf(world, '2026-11-26')
  t.match(lastInvoice(world, id), { status: 'PAID' })
  t.equal(subscriptionOf(world, id).status, 'ACTIVE')
})

t.test('of a hundred who redeem the last ten of a coupon, ten do', async (t) => {
  const world = await opened()
  const plan = await planned(world)
  const coupon = aCoupon({ maxRedemptions: 10, maxRedemptionsPerCustomer: null })
  await world.execute(coupon)
  const replies = await Promise.all(
    Array.from({ length: 100 }, () =>
      world.execute(aSubscription(plan.id, { ...byPix, couponCode: coupon.coupon.code })),
    ),
  )
  const won = replies.filter(({ accepted }) => accepted)
  t.equal(won.length, 10)
  t.ok(replies.every((reply) => reply.accepted || reply.rejection.reason === 'COUPON_INVALID'))
  const counted = () => world.memory.find('coupon', coupon.couponId)!.state.redemptionsCount
  t.equal(counted(), 10)
  const [first, second] = won.map((reply) => stateOf<Subscription>(reply).id)
  await pays(world, first!)
  await world.execute(anEnd(first!))
  t.equal(counted(), 10, 'it was paid once')
  await world.execute(anEnd(second!))
  t.equal(counted(), 9)
  t.equal(subscriptionOf(world, second!).couponId, null)
})

t.test('a customer redeems a coupon as often as it says', async (t) => {
  const world = await opened()
  const plan = await planned(world)
  const coupon = aCoupon()
  await world.execute(coupon)
  const wanted = aSubscription(plan.id, { ...byPix, couponCode: coupon.coupon.code })
  const { id } = stateOf<Subscription>(await world.execute(wanted))
  const again = () => refused(world, aSubscription(plan.id, { couponCode: coupon.coupon.code }))
  t.strictSame(await again(), { reason: 'COUPON_INVALID', why: 'CUSTOMER_LIMIT' })
  await world.execute(anEnd(id))
  t.equal(await again(), null, 'it was given back')
})

t.test('a coupon applies to the invoices that it is for', async (t) => {
  const world = await opened()
  const plan = await planned(world, { setupFeeCents: toCents(1000) })
  const coupon = aCoupon({ percentBps: 10_000, duration: 'REPEATING', cycles: 2 })
  await world.execute(coupon)
  const { id } = stateOf<Subscription>(
    await world.execute(aSubscription(plan.id, { couponCode: coupon.coupon.code })),
  )
  await toNoonOf(world, '2027-01-20')
  t.strictSame(
    invoicesOf(world, id).map(({ totalCents, status, attempts }) => [totalCents, status, attempts.length]),
    [
      [1000, 'PAID', 1],
      [0, 'PAID', 0],
      [4900, 'PAID', 1],
    ],
  )
})

t.test('an invoice uses a coupon up, though its discount rounds to nothing', async (t) => {
  const world = await opened()
  const plan = await planned(world, { amountCents: toCents(30) })
  const coupon = aCoupon({ percentBps: 100, duration: 'REPEATING', cycles: 2 })
  await world.execute(coupon)
  const { id, discountCyclesLeft } = stateOf<Subscription>(
    await world.execute(aSubscription(plan.id, { ...byPix, couponCode: coupon.coupon.code })),
  )
  t.equal(discountCyclesLeft, 1)
  await pays(world, id)
  await toNoonOf(world, '2026-12-17')
  t.equal(subscriptionOf(world, id).discountCyclesLeft, 0)
  await world.execute(anEnd(id, { atPeriodEnd: true }))
  t.equal(subscriptionOf(world, id).discountCyclesLeft, 1, 'a void invoice gives it back')
  t.match(invoicesOf(world, id), [
    {
      status: 'PAID',
      couponId: coupon.couponId,
      discountCents: 0,
      totalCents: 30,
      lines: [{ type: 'PLAN' }],
    },
    { status: 'VOID', couponId: coupon.couponId },
  ])

  const billed = stateOf<Subscription>(
    await world.execute(
      aSubscription(plan.id, { customer: { ...aPayer, document: null }, couponCode: coupon.coupon.code }),
    ),
  )
  await toNoonOf(world, '2027-03-20')
  t.strictSame(
    invoicesOf(world, billed.id).map(({ couponId }) => couponId),
    [coupon.couponId, coupon.couponId, null, null],
  )
})

t.test('the policy decides what is done in the end', async (t) => {
  for (const [finalAction, status] of [
    ['SUSPEND', 'SUSPENDED'],
    ['CANCEL', 'CANCELLED'],
    ['KEEP_PAST_DUE', 'PAST_DUE'],
  ] as const) {
    const world = await opened()
    await world.execute(aPolicySet(null, { enabled: false, retryDays: [5], finalAction, retryHour: 14 }))
    const { id } = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
    await toNoonOf(world, '2026-12-20')
    t.match(lastInvoice(world, id), { dunning: { nextAtMs: Date.parse('2026-12-21T17:00:00Z') } })
    await world.advance('P2D')
    t.match(lastInvoice(world, id), { status: 'UNCOLLECTIBLE' })
    t.equal(subscriptionOf(world, id).status, status)
  }
})

t.test('a charge that the merchant cancels is a failed attempt', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const hear = listener(world)
  const transactionId = chargeOf(world, id)
  await world.execute({ type: 'CancelCharge', ...ours, transactionId, family: null, reason: null })
  t.strictSame(typesOf(hear()), ['payment.failed', 'subscription.failed'])
  t.match(lastInvoice(world, id), { status: 'PAST_DUE', attempts: [{ status: 'CANCELLED' }] })
})

t.test('a key stands for the subscription that it made, also while the acquirer is silent', async (t) => {
  const world = await opened()
  const plan = await planned(world)
  const idempotency = { key: 'k', fingerprint: 'f' }
  const command = aSubscription(plan.id, { idempotency, ...withCard('tok_test_timeout') })
  const first = await world.execute(command)
  const again = await world.execute(aSubscription(plan.id, { idempotency, ...withCard('tok_test_timeout') }))
  t.match(again, { accepted: true, replayed: true, state: stateOf<Subscription>(first) })
  const retrying = { idempotency: { key: 'r', fingerprint: 'f' } }
  const { id } = await subscribed(world, {}, withCard('tok_test_declined_51'))
  const retried = await world.execute(aRetry(lastInvoice(world, id).id, retrying))
  const replayed = await world.execute(aRetry(lastInvoice(world, id).id, retrying))
  t.match(replayed, { accepted: true, replayed: true })
  t.strictSame(stateOf(replayed), stateOf(retried))
  t.equal(lastInvoice(world, id).attempts.length, 2)
})

t.test('cycles that were missed are billed in their order, once', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { interval: 'WEEK' })
  world.pass(29 * 86_400_000)
  world.shard.tick()
  await world.settle()
  t.strictSame(told(invoicesOf(world, id)), [
    '1 2026-11-20 2026-11-27 due 2026-11-20 PAID',
    '2 2026-11-27 2026-12-04 due 2026-12-19 PAID',
    '3 2026-12-04 2026-12-11 due 2026-12-19 PAID',
    '4 2026-12-11 2026-12-18 due 2026-12-19 PAID',
    '5 2026-12-18 2026-12-25 due 2026-12-19 PAID',
  ])
})

const listOfAll = {
  type: 'ListSubscriptions',
  accountId: account,
  page: 1,
  pageSize: 10,
  asOf: null,
  from: null,
  to: null,
  dateField: 'createdAt',
  statuses: [],
  methods: [],
  planId: null,
  customerId: null,
  search: null,
} as const

t.test('the overview tells of all subscriptions', async (t) => {
  const world = await opened()
  await subscribed(world)
  await subscribed(world, { interval: 'YEAR', amountCents: toCents(12_000) })
  const late = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await subscribed(world, {}, byPix)
  const gone = await subscribed(world)
  await toNoonOf(world, '2026-12-21')
  await world.execute(anEnd(gone.id))
  const told = await asks(world, { type: 'OverviewRecurring', accountId: account })
  t.match(told, {
    mrrCents: 4900n + 1000n + 4900n,
    figures: {
      statuses: { ACTIVE: 2, PAST_DUE: 1 },
      overdueInvoices: 1,
      overdueCents: 4900n,
      overdueCustomers: 1,
    },
    cancelledLast30Days: 2,
    activeBefore: 4,
    churnBps: 5000,
    overdueRateBps: 3333,
  })
  t.equal(subscriptionOf(world, late.id).status, 'PAST_DUE')
  // The figure leads to the list of those that it counts.
  const cancelled = (from: string | null, to: string | null = null, customerId: string | null = null) =>
    asks(world, {
      ...listOfAll,
      dateField: 'cancelledAt',
      from: from as CalendarDate | null,
      to: to as CalendarDate | null,
      customerId: customerId as CustomerId | null,
    })
  t.equal((await cancelled('2026-11-22')).total, 2)
  t.match((await cancelled('2026-12-21')).rows, [{ id: gone.id }])
  t.equal((await cancelled('2026-12-22')).total, 0)
  t.equal((await cancelled(null, '2026-12-20')).total, 1)
  t.match((await cancelled('2026-12-21', '2026-12-21', gone.customerId)).rows, [{ id: gone.id }])
})

t.test('lists go by status, plan, customer and text', async (t) => {
  const world = await opened()
  const one = await subscribed(world)
  const other = await subscribed(world, {}, byPix)
  const list = listOfAll
  const ids = async (change: object) =>
    (await asks(world, { ...list, ...change })).rows.map(({ id }) => id).sort()
  t.strictSame(await ids({}), [one.id, other.id].sort())
  t.strictSame(await ids({ statuses: ['PENDING'] }), [other.id])
  t.strictSame(await ids({ planId: one.planId }), [one.id])
  t.strictSame(await ids({ customerId: one.customerId, methods: ['PIX'] }), [other.id])
  t.strictSame(await ids({ search: 'souza', statuses: ['ACTIVE'] }), [one.id])
  t.strictSame(await ids({ customerId: one.customerId, asOf: 1 }), [])
  const invoices = { ...list, type: 'ListInvoices', subscriptionId: one.id } as const
  t.equal((await asks(world, invoices)).total, 1)
  t.equal((await asks(world, { ...invoices, subscriptionId: null, search: 'INV-000002' })).total, 1)
})
