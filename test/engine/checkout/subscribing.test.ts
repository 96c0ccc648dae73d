import t from 'tap'
import type { PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import type { Invoice } from '../../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../../engine/billing/subscription/subscription.ts'
import type { OpenSession, Payment } from '../../../engine/checkout/commands.ts'
import type { Offer } from '../../../engine/checkout/offer.ts'
import type { CustomerId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aCoupon, anEdit, aPlan, aPlanRemoval } from '../billing/catalog.ts'
import { aBoletoPayment } from '../story.ts'
import { aPayer, aPayment, opened, ours, refusalOf, type World } from '../world.ts'
import { aLink, aPaymentBy, aSession, expiring, linkAt, paying, payingAt, sessionAt } from './page.ts'

/** A world with a plan, and a page that sells it. */
const selling = async (
  terms: Partial<PlanTerms> = {},
  offer: Partial<Offer> = {},
  change: Partial<OpenSession['session'] & Pick<OpenSession, 'couponCode'>> = {},
) => {
  const world = await opened()
  const plan = aPlan({ methods: ['PIX', 'BOLETO', 'CREDIT_CARD'], ...terms })
  await world.accepted(plan)
  const sold = { mode: 'SUBSCRIPTION', planId: plan.planId, ...offer } as const
  const session = aSession(sold, { amountCents: toCents(0), ...change })
  await world.accepted(session)
  return { world, plan, session, sold }
}

/** What a payer types who subscribes. */
const subscribing = (method: Payment['method'], token?: string): Payment => ({
  ...aPaymentBy(method, token),
  customer: aPayer,
})

const subscriptionAt = (world: World, session: { checkoutSessionId: string }): Subscription =>
  world.memory.find('subscription', sessionAt(world, session).subscriptionId!)!.state

const invoicesOf = (world: World, { id }: Subscription): readonly Invoice[] =>
  world.memory.lookup('invoice', ours.accountId, id).map(({ state }) => state)

const customersIn = (world: World): number =>
  world.memory.lookup('customer', ours.accountId, aPayer.document!).length

for (const method of ['PIX', 'BOLETO', 'CREDIT_CARD'] as const)
  t.test(`a page begins a subscription once it is paid by ${method}, and no sooner`, async (t) => {
    const { world, plan, session } = await selling({ setupFeeCents: toCents(1000) })
    t.equal(sessionAt(world, session).amountCents, 5900, 'the first invoice, with the setup fee')
    t.match(await refusalOf(world, paying(world, session, aPaymentBy('PIX'))), {
      reason: 'REFERENCE_NOT_FOUND',
      field: 'customer',
    })
    const declined = subscribing('CREDIT_CARD', 'tok_test_declined_51')
    await world.accepted(paying(world, session, declined))
    const payment = subscribing(method)
    if (method !== 'CREDIT_CARD') {
      await world.accepted(paying(world, session, payment))
      t.equal(world.transaction(payment.transactionId).amountCents, 5900)
      t.equal(sessionAt(world, session).subscriptionId, null)
      t.equal(customersIn(world), 0)
      t.equal(world.account().recurring.invoicesIssued, 0)
      await world.accepted(
        method === 'PIX' ? aPayment(payment.transactionId) : aBoletoPayment(payment.transactionId),
      )
      if (method === 'BOLETO') await world.advance('P3D')
    } else await world.accepted(paying(world, session, payment))
    t.equal(customersIn(world), 1)
    const seen = [1, 2, 3, 4, 5]
      .map((back) => world.events(back))
      .find((types) => types.includes('checkout.completed'))
    const subscription = subscriptionAt(world, session)
    t.match(subscription, {
      status: 'ACTIVE',
      planId: plan.planId,
      method,
      card: method === 'CREDIT_CARD' ? { last4: '4242', token: 'tok_test_approved' } : null,
      customer: { name: aPayer.name },
      unpaid: [],
      cyclesBilled: 1,
      wasPaid: true,
      latestInvoice: { status: 'PAID', transactionId: payment.transactionId },
    })
    const [invoice, ...others] = invoicesOf(world, subscription)
    t.match(invoice, {
      status: 'PAID',
      totalCents: 5900,
      paidCents: 5900,
      attempts: [{ status: 'SUCCEEDED', transactionId: payment.transactionId }],
    })
    t.equal(others.length, 0)
    t.match(sessionAt(world, session), { status: 'COMPLETED', transactionId: payment.transactionId })
    t.strictSame(
      seen?.filter((type) => /^(payment|subscription|checkout)/.test(type)),
      ['payment.approved', 'subscription.created', 'subscription.paid', 'checkout.completed'],
    )
    await world.advance('P32D')
    t.equal(invoicesOf(world, subscriptionAt(world, session)).length, 2, 'the next cycle is billed')
  })

t.test('a trial begins with a card that is verified, and given back', async (t) => {
  const { world, session } = await selling({}, { trialDays: 7 })
  t.match(sessionAt(world, session), { amountCents: 0, offer: { methods: ['CREDIT_CARD'] } })
  t.match(await refusalOf(world, paying(world, session, subscribing('PIX'))), {
    reason: 'SESSION_METHOD_NOT_OFFERED',
    allowed: ['CREDIT_CARD'],
  })
  await world.accepted(paying(world, session, subscribing('CREDIT_CARD', 'tok_test_declined_51')))
  t.match(sessionAt(world, session), { status: 'OPEN', subscriptionId: null })
  const payment = subscribing('CREDIT_CARD')
  await world.accepted(paying(world, session, payment))
  t.match(world.transaction(payment.transactionId), { amountCents: 100, status: 'CANCELLED' })
  t.match(sessionAt(world, session), { status: 'COMPLETED', tries: [{}, { status: 'PAID', totalCents: 0 }] })
  t.match(subscriptionAt(world, session), { status: 'TRIALING', method: 'CREDIT_CARD', wasPaid: false })
  await world.advance('P8D')
  t.match(subscriptionAt(world, session), {
    status: 'ACTIVE',
    latestInvoice: { status: 'PAID', totalCents: 4900 },
  })
})

t.test('what the page promised stands, whatever becomes of its plan', async (t) => {
  const { world, plan, session } = await selling()
  const payment = subscribing('PIX')
  await world.accepted(paying(world, session, payment))
  await world.accepted(anEdit(plan.planId, { amountCents: toCents(99_900) }))
  await world.accepted(aPlanRemoval(plan.planId))
  t.match(world.memory.find('plan', plan.planId)!.state, { active: false, isRemoved: false })
  await world.accepted(aPayment(payment.transactionId))
  t.match(subscriptionAt(world, session), { status: 'ACTIVE', plan: { amountCents: 4900 } })
})

t.test('a plan that is deactivated or removed before a payer pays begins nothing', async (t) => {
  const { world, plan, session, sold } = await selling()
  await world.accepted(anEdit(plan.planId, { active: false }))
  t.equal((await refusalOf(world, paying(world, session, subscribing('PIX')))).reason, 'PLAN_INACTIVE')
  t.equal((await refusalOf(world, aSession(sold))).reason, 'PLAN_INACTIVE')
  await world.accepted(aPlanRemoval(plan.planId))
  t.equal((await refusalOf(world, paying(world, session, subscribing('PIX')))).reason, 'PLAN_INACTIVE')
  t.match(await refusalOf(world, aSession(sold)), { reason: 'REFERENCE_NOT_FOUND', field: 'planId' })
})

t.test('the coupon of a page becomes that of its subscription, and is counted once', async (t) => {
  const coupon = aCoupon({ maxRedemptions: 2, maxRedemptionsPerCustomer: 2, percentBps: 5000, cycles: 2 })
  const { world, plan, session, sold } = await selling()
  await world.accepted({ ...coupon, coupon: { ...coupon.coupon, planIds: [plan.planId] } })
  const { code } = coupon.coupon
  const paidWith = async () => {
    const one = aSession(sold, { couponCode: code })
    await world.accepted(one)
    const payment = subscribing('PIX')
    await world.accepted(paying(world, one, payment))
    t.equal(world.transaction(payment.transactionId).amountCents, 2450)
    await world.accepted(aPayment(payment.transactionId))
    return one
  }
  const first = await paidWith()
  t.match(subscriptionAt(world, first), {
    couponId: coupon.couponId,
    discount: { percentBps: 5000 },
    discountCyclesLeft: 1,
  })
  t.equal(world.memory.find('coupon', coupon.couponId)!.state.redemptionsCount, 1)
  const late = aSession(sold, { couponCode: code })
  await world.accepted(late)
  await paidWith()
  t.match(await refusalOf(world, paying(world, late, subscribing('PIX'))), {
    reason: 'COUPON_INVALID',
    why: 'EXHAUSTED',
  })
  t.equal(sessionAt(world, session).status, 'OPEN')
})

t.test('a first cycle that a coupon pays verifies the card', async (t) => {
  const coupon = aCoupon({ percentBps: 10_000 })
  const { world, sold } = await selling()
  await world.accepted(coupon)
  const session = aSession(sold, { couponCode: coupon.coupon.code })
  await world.accepted(session)
  t.equal(
    (await refusalOf(world, paying(world, session, subscribing('PIX')))).reason,
    'SESSION_METHOD_NOT_OFFERED',
  )
  await world.accepted(paying(world, session, subscribing('CREDIT_CARD')))
  t.match(subscriptionAt(world, session), {
    status: 'ACTIVE',
    latestInvoice: { totalCents: 0, status: 'PAID' },
  })
})

t.test('a page that is over while the acquirer decides: what it says is what counts', async (t) => {
  const { world, session } = await selling()
  const payment = subscribing('CREDIT_CARD', 'tok_test_processing')
  await world.accepted(paying(world, session, payment))
  await world.accepted(expiring(session))
  t.match(sessionAt(world, session), { status: 'PROCESSING', isOver: true, subscriptionId: null })
  await world.advance('P1D')
  const { status, subscriptionId } = sessionAt(world, session)
  t.equal(status === 'COMPLETED', subscriptionId !== null)
})

t.test('money for a page that has expired goes back, and begins nothing', async (t) => {
  const { world, session } = await selling()
  const payment = subscribing('PIX')
  await world.accepted(paying(world, session, payment))
  await world.accepted(expiring(session))
  await world.accepted(aPayment(payment.transactionId))
  t.match(sessionAt(world, session), { status: 'EXPIRED', subscriptionId: null })
  t.equal(world.account().recurring.invoicesIssued, 0)
})

t.test('a registered customer subscribes, and a link sells a plan to many', async (t) => {
  const world = await opened()
  const plan = aPlan()
  await world.accepted(plan)
  const sold = { mode: 'SUBSCRIPTION', planId: plan.planId } as const
  const registered = {
    type: 'RegisterCustomer',
    ...ours,
    customerId: `cus_${'7'.repeat(26)}` as CustomerId,
    customer: aPayer,
    externalId: null,
    metadata: {},
  } as const
  await world.accepted(registered)
  const session = aSession(sold, { customerId: registered.customerId })
  await world.accepted(session)
  const payment = aPaymentBy('PIX')
  await world.accepted(paying(world, session, payment))
  await world.accepted(aPayment(payment.transactionId))
  t.equal(subscriptionAt(world, session).customerId, registered.customerId)

  const link = aLink({}, sold)
  await world.accepted(link)
  t.match(linkAt(world, link).price, { mode: 'FIXED', amountCents: 4900 })
  await world.accepted(anEdit(plan.planId, { amountCents: toCents(9900) }))
  for (let n = 0; n < 2; n++) {
    const at = payingAt(link, subscribing('PIX'))
    await world.accepted(at)
    await world.accepted(aPayment(at.payment.transactionId))
    t.match(subscriptionAt(world, at), { plan: { amountCents: 4900 } })
  }
  t.match(linkAt(world, link), { paymentsCount: 2, paidCents: 9800n })
  t.match(
    await refusalOf(world, {
      type: 'EditLink',
      ...ours,
      paymentLinkId: link.paymentLinkId,
      changes: { price: { mode: 'FIXED', amountCents: toCents(1) } },
    }),
    { reason: 'LINK_IN_USE', field: 'amount' },
  )
})
