import t from 'tap'
import type { PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import type { Mandate } from '../../../engine/billing/mandate/mandate.ts'
import type { MandateRequest } from '../../../engine/billing/mandate/mandate-request.ts'
import type { Subscription } from '../../../engine/billing/subscription/subscription.ts'
import type { OpenSession, Payment } from '../../../engine/checkout/commands.ts'
import type { Offer } from '../../../engine/checkout/offer.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { SubscriptionId, TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { aCoupon, anEdit, aPlan } from '../billing/catalog.ts'
import { aDecision, anOutcome } from '../billing/subscription/mandated.ts'
import { invoicesOf } from '../billing/subscription/subscribing.ts'
import { aConnect, live, liveAccount, openLive } from '../connections/live.ts'
import { anArrival, registered } from '../payments/pix/bank/at-bank.ts'
import { aPayer, aPayment, newWorld, opened, ours, refusalOf, type World } from '../world.ts'
import { aLink, aPaymentBy, aSession, payer, paying, payingAt, sessionAt } from './page.ts'

/** A plan, and a page that sells it. */
const selling = async (
  world: World,
  terms: Partial<PlanTerms> = {},
  offer: Partial<Offer> = {},
  by: typeof ours | typeof live = ours,
) => {
  const plan = { ...aPlan({ methods: ['PIX', 'CREDIT_CARD'], ...terms }), ...by }
  await world.accepted(plan)
  const sold = { mode: 'SUBSCRIPTION', planId: plan.planId, ...offer } as const
  const session = { ...aSession(sold, { amountCents: toCents(0) }), ...by }
  await world.accepted(session)
  return { plan, session, sold }
}

const byPix = (customer: Payment['customer'] = aPayer): Payment => ({ ...aPaymentBy('PIX'), customer })

const mandateAt = (world: World, session: Pick<OpenSession, 'checkoutSessionId'>): Mandate => {
  const { mandateId } = sessionAt(world, session).tries.at(-1)!
  return world.memory.find('mandate', mandateId!)!.state
}
const subscriptionAt = (world: World, id: SubscriptionId | null): Subscription | undefined =>
  id === null ? undefined : world.memory.find('subscription', id)?.state

const leaving = ({ checkoutSessionId }: Pick<OpenSession, 'checkoutSessionId'>, accountId = ours.accountId) =>
  ({ type: 'LeaveTry', accountId, by: payer, checkoutSessionId }) as const

const codeOf = (world: World, id: TransactionId) => pixOf(world.transaction(id))!.copyPaste

t.test('one code pays the first invoice and authorizes those that follow', async (t) => {
  const world = await opened()
  const { session } = await selling(world, { setupFeeCents: toCents(1000) })
  const payment = byPix()
  await world.accepted(paying(world, session, payment))
  const offered = mandateAt(world, session)
  t.match(offered, {
    journey: 'QR_WITH_PAYMENT',
    status: 'CREATED',
    transactionId: payment.transactionId,
    txid: pixOf(world.transaction(payment.transactionId))!.txid,
    amountCents: 4900,
    startOn: '2026-12-20',
    customer: { document: aPayer.document },
    contract: offered.subscriptionId.slice(4),
    calls: [],
  })
  t.equal(codeOf(world, payment.transactionId), offered.copyPaste, 'the request waited for it')
  t.equal(subscriptionAt(world, offered.subscriptionId), undefined, 'nobody is subscribed before they pay')
  await world.accepted(aPayment(payment.transactionId))
  const { subscriptionId } = sessionAt(world, session)
  t.equal(subscriptionId, offered.subscriptionId, 'what is authorized is what the payment has begun')
  t.match(subscriptionAt(world, subscriptionId), {
    status: 'ACTIVE',
    mandate: { id: offered.id, status: 'CREATED' },
  })
  await world.accepted(aDecision(offered.id))
  await world.advance('P27D')
  t.match(mandateAt(world, session).charges, [{ amountCents: 4900, dueOn: '2026-12-20' }])
  await world.accepted(anOutcome(offered.id, 'PAID'))
  t.match(
    invoicesOf(world, subscriptionId!).map(({ status }) => status),
    ['PAID', 'PAID'],
  )
})

t.test(
  'an authorization that comes before its payment counts once that is here, and not without',
  async (t) => {
    const world = await opened()
    const { session } = await selling(world)
    const payment = byPix()
    await world.accepted(paying(world, session, payment))
    const { id, subscriptionId } = mandateAt(world, session)
    await world.accepted(aDecision(id))
    t.equal(subscriptionAt(world, subscriptionId), undefined)
    await world.accepted(aPayment(payment.transactionId))
    t.match(subscriptionAt(world, subscriptionId), { mandate: { id, status: 'ACTIVE' } })
  },
)

t.test(
  'a page that is left takes its mandate with it: of two codes, each belongs to its own subscription',
  async (t) => {
    const world = await opened()
    const { session } = await selling(world)
    const first = byPix()
    await world.accepted(paying(world, session, first))
    const before = mandateAt(world, session)
    await world.accepted(aDecision(before.id))
    await world.accepted(leaving(session))
    const ended = () => world.memory.find('mandate', before.id)!.state
    t.match(ended(), { isEnding: true, status: 'CANCELLED', closedBy: 'RECEIVER', calls: [] })
    t.equal(sessionAt(world, session).status, 'OPEN')
    const second = byPix()
    await world.accepted(paying(world, session, second))
    const after = mandateAt(world, session)
    t.not(after.id, before.id)
    t.not(after.subscriptionId, before.subscriptionId)
    // The old code is paid from another phone: its money goes back, and nothing begins.
    await world.execute(aPayment(first.transactionId))
    t.match(world.transaction(first.transactionId).status, 'CANCELLED')
    t.equal(subscriptionAt(world, before.subscriptionId), undefined)
    t.match(await refusalOf(world, aDecision(before.id)), { reason: 'INVALID_STATE' })
    await world.accepted(aPayment(second.transactionId))
    t.equal(sessionAt(world, session).subscriptionId, after.subscriptionId)
    t.equal(subscriptionAt(world, before.subscriptionId), undefined)
  },
)

t.test('a page that nobody pays leaves no mandate behind', async (t) => {
  const world = await opened()
  const { session } = await selling(world)
  await world.accepted(paying(world, session, byPix()))
  const { id, subscriptionId } = mandateAt(world, session)
  await world.advance('P2D')
  t.equal(sessionAt(world, session).status, 'EXPIRED')
  t.match(world.memory.find('mandate', id)!.state, {
    isEnding: true,
    status: 'CANCELLED',
    calls: [],
    charges: [],
  })
  t.equal(subscriptionAt(world, subscriptionId), undefined)
  t.equal(world.memory.lookup('customer', ours.accountId, aPayer.document!).length, 0)
})

t.test('of two who pay one code, the first subscribes and the second gets the money back', async (t) => {
  const world = await opened()
  const { session } = await selling(world)
  const payment = byPix()
  await world.accepted(paying(world, session, payment))
  const { id, subscriptionId } = mandateAt(world, session)
  await world.accepted(aPayment(payment.transactionId))
  const { balances } = world.account()
  await world.execute(aPayment(payment.transactionId))
  t.strictSame(world.account().balances, balances)
  t.equal(world.memory.list(ours.accountId, 'subscription', { offset: 0, limit: 9 }).states.length, 1)
  t.match(subscriptionAt(world, subscriptionId), { mandate: { id } })
})

t.test('two payers at one link have a mandate each', async (t) => {
  const world = await opened()
  const { sold } = await selling(world)
  const link = aLink({}, sold)
  await world.accepted(link)
  const [one, other] = [byPix(), byPix({ ...aPayer, name: 'Rui', document: '16899535009' })]
  for (const payment of [one, other]) await world.accepted(payingAt(link, payment))
  for (const payment of [other, one]) await world.accepted(aPayment(payment.transactionId))
  const { states } = world.memory.list(ours.accountId, 'subscription', { offset: 0, limit: 9 })
  t.equal(states.length, 2)
  for (const { id, mandate, customer } of states)
    t.match(world.memory.find('mandate', mandate!.id)!.state, {
      subscriptionId: id,
      customer: { document: customer.document },
    })
})

t.test(
  'what the page promised is what is authorized, whatever becomes of the plan or takes off of the price',
  async (t) => {
    const world = await opened()
    const { session, plan } = await selling(world)
    await world.accepted(anEdit(plan.planId, { amountCents: toCents(9_900) }))
    await world.accepted(paying(world, session, byPix()))
    t.match(mandateAt(world, session), { amountCents: 4900, minCents: null })
    const coupon = aCoupon({ percentBps: 5000, cycles: 2 })
    await world.accepted(coupon)
    const { sold } = await selling(world)
    const reduced = aSession(sold, { amountCents: toCents(0), couponCode: coupon.coupon.code })
    await world.accepted(reduced)
    await world.accepted(paying(world, reduced, byPix()))
    t.match(mandateAt(world, reduced), { amountCents: null, minCents: 4900 })
  },
)

t.test('a code that only pays is shown where nothing can be authorized, or nothing is to be', async (t) => {
  const world = await opened()
  for (const [terms, offer, customer] of [
    [{}, { pixAutomatic: false }, aPayer],
    [{ interval: 'CUSTOM', intervalCount: 10 }, {}, aPayer],
    [{ maxCycles: 1 }, {}, aPayer],
    [{}, {}, { ...aPayer, document: null, documentType: null }],
  ] as const) {
    const { session } = await selling(world, terms, offer)
    const payment = byPix(customer)
    await world.accepted(paying(world, session, payment))
    t.equal(sessionAt(world, session).tries[0]!.mandateId, undefined, JSON.stringify([terms, offer]))
    await world.accepted(aPayment(payment.transactionId))
    t.match(subscriptionAt(world, sessionAt(world, session).subscriptionId), {
      status: 'ACTIVE',
      mandate: null,
    })
  }
  const { plan } = await selling(world, { interval: 'CUSTOM', intervalCount: 10 })
  const wanted = aSession({ mode: 'SUBSCRIPTION', planId: plan.planId, pixAutomatic: true })
  t.match(await refusalOf(world, wanted), { reason: 'PIX_AUTOMATIC_UNAVAILABLE', lacks: 'INTERVAL' })
  const byCard = aSession({ ...(await selling(world)).sold, methods: ['CREDIT_CARD'] })
  await world.accepted(byCard)
  await world.accepted(paying(world, byCard, { ...aPaymentBy('CREDIT_CARD'), customer: aPayer }))
  t.equal(sessionAt(world, byCard).tries[0]!.mandateId, undefined)
})

/** A shop in Production whose bank has mandates, and answers as a test says. */
const atBank = async () => {
  const asked: string[] = []
  const bank = {
    answers: { REGISTER: registered } as Readonly<Record<string, ProviderAnswer | typeof registered>>,
    mandates: async (_: MandateRequest): Promise<AnyAnswer> => ({ type: 'SILENT' }),
  }
  const world = newWorld(
    async (request: ProviderRequest) => {
      asked.push(request.operation)
      const answer = bank.answers[request.operation] ?? { type: 'SILENT' }
      return typeof answer === 'function' ? answer(request) : answer
    },
    ...([undefined, undefined, undefined, undefined] as const),
    (request) => {
      asked.push(request.operation)
      return bank.mandates(request)
    },
  )
  await openLive(world)
  await world.execute(aConnect({ offers: ['REFUND', 'PIX_AUTOMATIC'] }))
  const pass = async (ms: number): Promise<void> => {
    world.pass(ms)
    do {
      world.shard.tick()
      await world.settle()
    } while (world.shard.timerBacklog() === 'NOW')
  }
  const { session } = await selling(world, {}, { methods: ['PIX'] }, live)
  return { world, bank, asked, pass, session }
}

const atLive = { accountId: liveAccount } as const

t.test(
  'a payment by the plain code begins a subscription whose mandate is called off once it is made',
  async (t) => {
    const { world, bank, asked, pass, session } = await atBank()
    const payment = byPix()
    await world.accepted(paying(world, session, payment, atLive))
    await world.settle()
    const { id, subscriptionId } = mandateAt(world, session)
    const charge = world.transaction(payment.transactionId)
    t.equal(charge.status, 'PENDING')
    await world.accepted(anArrival(charge, { amountCents: charge.amountCents }))
    t.match(subscriptionAt(world, subscriptionId), { status: 'ACTIVE', mandate: { id, status: 'CREATED' } })
    bank.mandates = async ({ operation }) => ({
      type: 'DONE',
      ...(operation === 'MANDATE_CREATE'
        ? { idRec: 'RR1', copyPaste: 'made late' }
        : { idRec: null, copyPaste: null }),
    })
    await pass(6_000)
    t.ok(asked.includes('MANDATE_CANCEL'), 'its payer could never have authorized it')
    t.match(subscriptionAt(world, subscriptionId), {
      mandate: { id, status: 'CANCELLED', closedBy: 'RECEIVER' },
    })
    t.equal(pixOf(world.transaction(payment.transactionId))!.copyPaste === 'made late', false)
  },
)

t.test(
  'a bank has to say that a code was not paid before there is another code, another price or an end',
  async (t) => {
    const { world, bank, asked, pass, session } = await atBank()
    bank.mandates = async () => ({ type: 'DONE', idRec: 'RR2', copyPaste: 'both' })
    const payment = byPix()
    await world.accepted(paying(world, session, payment, atLive))
    await world.settle()
    t.equal(codeOf(world, payment.transactionId), 'both')
    t.match(await refusalOf(world, paying(world, session, byPix(), atLive)), { reason: 'PAYMENT_UNDER_WAY' })
    const discounting = {
      type: 'DiscountSession',
      accountId: liveAccount,
      by: payer,
      couponCode: null,
    } as const
    t.match(await refusalOf(world, { ...discounting, checkoutSessionId: session.checkoutSessionId }), {
      reason: 'PAYMENT_UNDER_WAY',
    })
    t.notOk(asked.includes('CANCEL'), 'what is refused calls nobody')
    const { id, subscriptionId } = mandateAt(world, session)
    await world.execute({ type: 'ExpireSession', ...live, checkoutSessionId: session.checkoutSessionId })
    t.match(sessionAt(world, session), { status: 'PROCESSING', isOver: true })
    t.match(world.memory.find('mandate', id)!.state, { isEnding: false })
    const charge = world.transaction(payment.transactionId)
    await world.accepted(anArrival(charge, { amountCents: charge.amountCents }))
    t.match(sessionAt(world, session), { status: 'COMPLETED', subscriptionId })
    await pass(1000)
    t.match(subscriptionAt(world, subscriptionId), { mandate: { id, status: 'CREATED' } })
  },
)
