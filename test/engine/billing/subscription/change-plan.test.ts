import t from 'tap'
import type { ChangePlan } from '../../../../engine/billing/subscription/commands.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { isProblem } from '../../../../gateway/api/route.ts'
import { changePlanRoute } from '../../../../gateway/routes/billing/subscriptions/change-plan.ts'
import { listener, typesOf } from '../../story.ts'
import { opened, type World } from '../../world.ts'
import { aCoupon, stateOf } from '../catalog.ts'
import {
  aCardOf,
  aPlanChange,
  aRetry,
  aSubscription,
  byPix,
  chargeOf,
  everyMethod,
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

/** What the route answers to a change. */
const answers = async (world: World, command: ChangePlan): Promise<any> => {
  const reply = await world.execute(command)
  if (!reply.accepted) return reply.rejection
  const { action } = changePlanRoute
  if (action.kind !== 'command') throw new Error('a change of plan is a command')
  const outcome = action.view(reply, { isPreview: command.isPreview } as never, {} as never)
  return isProblem(outcome) ? outcome : (outcome as { readonly body: object }).body
}

const dearer = { name: 'More', amountCents: toCents(9900) }

/** Of 4900 from 1 December on; the clock shows the 17th: 15 of 31 days are left. */
const inDecember = async (world: World, change: Parameters<typeof aSubscription>[1] = {}) => {
  await toNoonOf(world, '2026-12-01')
  const { id } = await subscribed(world, {}, change)
  if (change.method === 'PIX') await pays(world, id)
  await toNoonOf(world, '2026-12-17')
  return id
}

t.test('a dearer plan is charged for the days that are left, to the centavo', async (t) => {
  const world = await opened()
  const id = await inDecember(world)
  const more = await planned(world, dearer)
  const before = subscriptionOf(world, id)
  const preview = await answers(world, aPlanChange(id, more.id, { isPreview: true }))
  const proration = {
    creditAmount: '2371',
    chargeAmount: '4790',
    netAmount: '2419',
    daysRemaining: 15,
    daysInPeriod: 31,
  }
  t.match(preview, { preview: true, invoice: null, proration, subscription: { planId: before.planId } })
  t.strictSame(subscriptionOf(world, id), before, 'a preview changes nothing')
  const hear = listener(world)
  const answer = await answers(world, aPlanChange(id, more.id))
  t.match(answer, {
    preview: false,
    proration,
    subscription: { planId: more.id, currentPeriodEnd: '2027-01-01', anchorDate: '2026-12-01' },
    invoice: {
      kind: 'PRORATION',
      status: 'PAID',
      totalAmount: '2419',
      lines: [
        { type: 'PRORATION_CREDIT', amount: '-2371' },
        { type: 'PRORATION_CHARGE', amount: '4790' },
      ],
    },
  })
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.approved', 'subscription.paid'])
  await toNoonOf(world, '2027-01-01')
  t.match(lastInvoice(world, id), { kind: 'CYCLE', totalCents: 9900, cycle: 2, periodStart: '2027-01-01' })
})

t.test('a second upgrade credits the plan that is held, not what was charged last', async (t) => {
  const world = await opened()
  const id = await inDecember(world)
  const more = await planned(world, dearer)
  const most = await planned(world, { amountCents: toCents(19_900) })
  await world.execute(aPlanChange(id, more.id))
  const { proration } = await answers(world, aPlanChange(id, most.id))
  t.match(proration, { creditAmount: '4790', chargeAmount: '9629', netAmount: '4839' })
})

t.test('a plan of other cycles begins today, and costs its whole price less what is left', async (t) => {
  const world = await opened()
  const id = await inDecember(world)
  const year = await planned(world, { interval: 'YEAR', amountCents: toCents(90_000) })
  const answer = await answers(world, aPlanChange(id, year.id))
  t.match(answer, {
    proration: { creditAmount: '2371', chargeAmount: '90000', netAmount: '87629' },
    subscription: {
      anchorDate: '2026-12-17',
      currentPeriodStart: '2026-12-17',
      currentPeriodEnd: '2027-12-17',
      cyclesBilled: 0,
    },
  })
  await toNoonOf(world, '2027-12-17')
  t.strictSame(told(invoicesOf(world, id)).at(-1), '1 2027-12-17 2028-12-17 due 2027-12-17 PAID')
})

t.test('a card that is declined leaves the plan as it was', async (t) => {
  const world = await opened()
  const id = await inDecember(world, withCard('tok_test_recurring_expires'))
  const more = await planned(world, dearer)
  const before = subscriptionOf(world, id)
  const hear = listener(world)
  const answer = await answers(world, aPlanChange(id, more.id))
  t.match(answer, {
    status: 402,
    code: 'PAYMENT_DECLINED',
    extra: { failureReason: 'EXPIRED_CARD', transactionId: /^txn_/ },
  })
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.failed'])
  t.match(subscriptionOf(world, id), {
    status: 'ACTIVE',
    planId: before.planId,
    pendingChange: null,
    unpaid: [],
    latestInvoice: { status: 'VOID' },
  })
})

t.test('by PIX the change waits for its invoice, and is dropped with the charge', async (t) => {
  const world = await opened()
  const id = await inDecember(world, byPix)
  const more = await planned(world, dearer)
  const answer = await answers(world, aPlanChange(id, more.id))
  t.match(answer, {
    subscription: { pendingChange: { planId: more.id, expiresAt: '2026-12-19T03:00:00.000Z' } },
    invoice: { status: 'OPEN', attempts: [{ payment: { pix: { copyPaste: /^0002/ } } }] },
    proration: { netAmount: '2419' },
  })
  t.match(await answers(world, aPlanChange(id, more.id)), { reason: 'INVOICE_OPEN' })
  await toNoonOf(world, '2026-12-20')
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', plan: { name: 'Pro' }, pendingChange: null })
  await world.execute(aPlanChange(id, more.id))
  await pays(world, id)
  t.match(subscriptionOf(world, id), { planId: more.id, pendingChange: null, status: 'ACTIVE' })
})

t.test(
  'a change whose invoice is tried again by hand waits as long as the new charge can be paid',
  async (t) => {
    const world = await opened()
    const id = await inDecember(world, byPix)
    const more = await planned(world, { ...dearer, methods: everyMethod })
    await world.execute(aPlanChange(id, more.id))
    const invoiceId = lastInvoice(world, id).id
    const waitsUntil = () => new Date(subscriptionOf(world, id).pendingChange!.expiresAtMs!).toISOString()
    const expires = () => world.transaction(chargeOf(world, id)).expiresAtMs
    t.equal(waitsUntil(), '2026-12-19T03:00:00.000Z')
    await toNoonOf(world, '2026-12-18')
    await world.execute(aRetry(invoiceId))
    // The 19th is a Saturday: it can be paid until the end of Monday.
    t.equal(waitsUntil(), '2026-12-22T03:00:00.000Z')
    t.equal(expires(), subscriptionOf(world, id).pendingChange!.expiresAtMs)
    await world.execute(aRetry(invoiceId, { method: 'BOLETO' }))
    // Due on Monday 21; two business days to clear.
    t.equal(waitsUntil(), '2026-12-24T03:00:00.000Z')
    await toNoonOf(world, '2026-12-23')
    t.match(subscriptionOf(world, id), { plan: { name: 'Pro' }, pendingChange: { planId: more.id } })
    await toNoonOf(world, '2026-12-24')
    t.match(subscriptionOf(world, id), { plan: { name: 'Pro' }, pendingChange: null })
    t.match(lastInvoice(world, id), { status: 'VOID' })
  },
)

t.test('a change that is tried by a card waits for its acquirer only', async (t) => {
  const world = await opened()
  const id = await inDecember(world, byPix)
  const more = await planned(world, dearer)
  await world.execute(aPlanChange(id, more.id))
  const by = (token: string) =>
    world.execute(aRetry(lastInvoice(world, id).id, { method: 'CREDIT_CARD', card: aCardOf(token) }))
  await by('tok_test_processing')
  t.match(subscriptionOf(world, id), { pendingChange: { planId: more.id, expiresAtMs: null } })
  await world.advance('PT5S')
  t.match(subscriptionOf(world, id), { planId: more.id, pendingChange: null, method: 'CREDIT_CARD' })
})

t.test('a cheaper plan waits for the period to end; the current one clears it', async (t) => {
  const world = await opened()
  const id = await inDecember(world)
  const less = await planned(world, { amountCents: toCents(900) })
  const { planId } = subscriptionOf(world, id)
  t.equal((await answers(world, aPlanChange(id, planId))).reason, 'SAME_PLAN')
  const answer = await answers(world, aPlanChange(id, less.id))
  t.match(answer, {
    proration: null,
    invoice: null,
    subscription: { planId, scheduledChange: { planId: less.id, effectiveOn: '2027-01-01' } },
  })
  t.match(await answers(world, aPlanChange(id, planId)), { subscription: { scheduledChange: null } })
  await world.execute(aPlanChange(id, less.id))
  await toNoonOf(world, '2027-01-01')
  t.match(subscriptionOf(world, id), { planId: less.id, scheduledChange: null })
  t.match(lastInvoice(world, id), { totalCents: 900, planId: less.id, cycle: 2 })
})

t.test('now, a cheaper plan gives a credit that the next invoices take off', async (t) => {
  const world = await opened()
  const id = await inDecember(world)
  const less = await planned(world, { amountCents: toCents(900) })
  const answer = await answers(world, aPlanChange(id, less.id, { effective: 'NOW' }))
  // 4900 and 900 for 15 of 31 days: 2371 and 435.
  t.match(answer, { proration: { netAmount: '-1936' }, subscription: { creditBalance: '1936' } })
  await toNoonOf(world, '2027-01-01')
  t.match(lastInvoice(world, id), {
    totalCents: 0,
    creditAppliedCents: 900,
    status: 'PAID',
    attempts: [],
    lines: [{ cents: 900 }, { type: 'CREDIT', cents: -900 }],
  })
  t.equal(subscriptionOf(world, id).creditCents, 1036)
})

t.test('an invoice that was issued ahead is void, and issued anew with the plan to come', async (t) => {
  const world = await opened()
  const id = await inDecember(world, byPix)
  const less = await planned(world, { amountCents: toCents(900) })
  await toNoonOf(world, '2026-12-30')
  t.match(lastInvoice(world, id), { totalCents: 4900, status: 'OPEN' })
  await world.execute(aPlanChange(id, less.id))
  await world.advance('PT1S')
  t.strictSame(told(invoicesOf(world, id)).slice(1), [
    '2 2027-01-01 2027-02-01 due 2027-01-01 VOID',
    '2 2027-01-01 2027-02-01 due 2027-01-01 OPEN',
  ])
  t.match(lastInvoice(world, id), { totalCents: 900, planId: less.id })
  await pays(world, id)
  await toNoonOf(world, '2027-01-01')
  t.match(subscriptionOf(world, id), { planId: less.id, scheduledChange: null, cyclesBilled: 2 })
})

t.test('in a trial the plan is swapped, and the trial stays', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, { trialDays: 10 })
  const more = await planned(world, dearer)
  t.match(await answers(world, aPlanChange(id, more.id)), {
    proration: null,
    invoice: null,
    subscription: { status: 'TRIALING', planId: more.id, trialEndsAt: '2026-11-30' },
  })
  await toNoonOf(world, '2026-11-30')
  t.match(lastInvoice(world, id), { totalCents: 9900, planId: more.id })
})

t.test('what a change refuses', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const more = await planned(world, dearer)
  const refusal = async (command: ChangePlan) => (await answers(world, command)).reason
  t.match(await answers(world, aPlanChange(id, more.id)), {
    reason: 'INVALID_STATE',
    currentStatus: 'PENDING',
  })
  await pays(world, id)
  t.match(await answers(world, aPlanChange(id, `pln_${'Z'.repeat(26)}` as never)), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'planId',
  })
  const cards = await planned(world, { methods: ['CREDIT_CARD'] })
  t.match(await answers(world, aPlanChange(id, cards.id)), {
    reason: 'METHOD_NOT_ACCEPTED',
    allowedMethods: ['CREDIT_CARD'],
  })
  await toNoonOf(world, '2026-12-23')
  t.equal(subscriptionOf(world, id).status, 'PAST_DUE')
  t.equal(await refusal(aPlanChange(id, more.id)), 'INVOICE_OPEN')
  t.match(await answers(world, aPlanChange(id, more.id, { effective: 'PERIOD_END' })), {
    subscription: { scheduledChange: { planId: more.id, effectiveOn: '2027-01-20' } },
  })
})

t.test('a coupon of the old plan is taken into the reckoning while it still applies', async (t) => {
  const world = await opened()
  await toNoonOf(world, '2026-12-01')
  const coupon = aCoupon({ percentBps: 1000, duration: 'FOREVER', cycles: null })
  await world.execute(coupon)
  const plan = await planned(world)
  const { id } = stateOf<Subscription>(
    await world.execute(aSubscription(plan.id, { couponCode: coupon.coupon.code })),
  )
  t.match(lastInvoice(world, id), { totalCents: 4410, discountCents: 490, couponId: coupon.couponId })
  await toNoonOf(world, '2026-12-17')
  const more = await planned(world, dearer)
  // 4410 and 8910 for 15 of 31 days.
  t.match(await answers(world, aPlanChange(id, more.id)), {
    proration: { creditAmount: '2134', chargeAmount: '4311', netAmount: '2177' },
  })
})
