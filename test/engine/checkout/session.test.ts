import t from 'tap'
import { toCents } from '../../../engine/shared/money.ts'
import { aCoupon } from '../billing/catalog.ts'
import { aBoletoPayment } from '../story.ts'
import { aPayment, opened, ours, refusalOf } from '../world.ts'
import {
  aLink,
  aPaymentBy,
  aSession,
  expiring,
  linkAt,
  paying,
  payingAt,
  prolonging,
  sessionAt,
} from './page.ts'

t.test('a page is paid by PIX', async (t) => {
  const world = await opened()
  const session = aSession({}, { externalId: 'pedido-1' })
  await world.accepted(session)
  t.match(sessionAt(world, session), { status: 'OPEN', tries: [], version: 1 })
  const payment = aPaymentBy('PIX')
  await world.accepted(paying(world, session, payment))
  t.match(sessionAt(world, session), { status: 'PROCESSING', tries: [{ method: 'PIX', status: 'PENDING' }] })
  const charge = world.transaction(payment.transactionId)
  t.match(charge, {
    origin: 'CHECKOUT',
    amountCents: 10_000,
    details: {
      externalId: 'pedido-1',
      description: 'Curso de barista',
      checkout: { sessionId: session.checkoutSessionId, linkId: null, interestCents: 0 },
    },
  })
  t.equal(charge.expiresAtMs! - world.now(), 1_800_000, 'its code holds half an hour')
  await world.accepted(aPayment(charge.id))
  t.match(sessionAt(world, session), {
    status: 'COMPLETED',
    transactionId: charge.id,
    tries: [{ status: 'PAID' }],
  })
  t.equal((await refusalOf(world, paying(world, session, aPaymentBy('PIX')))).reason, 'SESSION_CLOSED')
})

t.test('a declined card leaves the page open, and another one pays it', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  await world.accepted(paying(world, session, aPaymentBy('CREDIT_CARD', 'tok_test_declined_51')))
  t.match(sessionAt(world, session), { status: 'OPEN', tries: [{ status: 'ENDED' }] })
  await world.accepted(paying(world, session, aPaymentBy('CREDIT_CARD')))
  t.match(sessionAt(world, session), {
    status: 'COMPLETED',
    tries: [{ status: 'ENDED' }, { status: 'PAID' }],
  })
})

t.test('a page whose card is only authorized is completed', async (t) => {
  const world = await opened()
  const session = aSession({ captures: false })
  await world.accepted(session)
  const payment = aPaymentBy('CREDIT_CARD')
  await world.accepted(paying(world, session, payment))
  t.equal(world.transaction(payment.transactionId).status, 'AUTHORIZED')
  t.equal(sessionAt(world, session).status, 'COMPLETED')
})

t.test('at most one charge can be paid: another method cancels the one before', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  const [first, second] = [aPaymentBy('PIX'), aPaymentBy('CRYPTO')]
  await world.accepted(paying(world, session, first))
  await world.accepted(paying(world, session, second))
  t.equal(world.transaction(first.transactionId).status, 'CANCELLED')
  t.equal(world.transaction(second.transactionId).status, 'PENDING')
  const third = aPaymentBy('PIX')
  await world.accepted(paying(world, session, third))
  await world.accepted(aPayment(third.transactionId))
  t.equal(sessionAt(world, session).status, 'COMPLETED')
  await world.accepted(aPayment(first.transactionId))
  t.equal(world.transaction(first.transactionId).status, 'CANCELLED', 'the old code is returned')
  t.equal(world.account().balances.available + world.account().balances.receivable > 0n, true)
})

t.test('a boleto stays the charge of its page until its bank can cancel it', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  const boleto = aPaymentBy('BOLETO')
  await world.accepted(paying(world, session, boleto))
  t.match(await refusalOf(world, paying(world, session, aPaymentBy('PIX'))), {
    reason: 'PAYMENT_UNDER_WAY',
    method: 'BOLETO',
    untilMs: world.now() + 1_800_000,
  })
  await world.advance('PT31M')
  await world.accepted(paying(world, session, aPaymentBy('PIX')))
  t.equal(world.transaction(boleto.transactionId).status, 'CANCELLED')
})

t.test('a boleto that was handed out can be paid after the time of its page', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  const boleto = aPaymentBy('BOLETO')
  await world.accepted(paying(world, session, boleto))
  await world.advance('P2D')
  t.equal(sessionAt(world, session).status, 'PROCESSING')
  await world.accepted(aBoletoPayment(boleto.transactionId))
  t.equal(sessionAt(world, session).status, 'COMPLETED')
})

t.test('the time of a page cancels its PIX, and money that comes later goes back', async (t) => {
  const world = await opened()
  const session = aSession({ pixExpiresInSeconds: 86_400 }, { lifeMs: 600_000 })
  await world.accepted(session)
  const payment = aPaymentBy('PIX')
  await world.accepted(paying(world, session, payment))
  await world.advance('PT10M')
  t.equal(sessionAt(world, session).status, 'EXPIRED')
  const { status } = world.transaction(payment.transactionId)
  t.ok(status === 'EXPIRED' || status === 'CANCELLED', status)
  const before = world.account().balances
  await world.accepted(aPayment(payment.transactionId))
  t.strictSame(world.account().balances, before, 'returned')
  t.equal(sessionAt(world, session).status, 'EXPIRED')
})

t.test('a PIX that expires with time left leaves the page open, and an open page expires', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  await world.accepted(paying(world, session, aPaymentBy('PIX')))
  await world.advance('PT31M')
  t.match(sessionAt(world, session), { status: 'OPEN', tries: [{ failureReason: 'CHARGE_EXPIRED' }] })
  await world.advance('P1D')
  t.equal(sessionAt(world, session).status, 'EXPIRED')
  t.match(await refusalOf(world, expiring(session)), { reason: 'INVALID_STATE', currentStatus: 'EXPIRED' })
})

t.test('the merchant ends a page; a card that is being decided decides', async (t) => {
  const world = await opened()
  const [waiting, deciding] = [aSession(), aSession()]
  await world.accepted(waiting)
  await world.accepted(deciding)
  const pix = aPaymentBy('PIX')
  await world.accepted(paying(world, waiting, pix))
  await world.accepted(expiring(waiting))
  t.equal(sessionAt(world, waiting).status, 'EXPIRED')
  t.equal(world.transaction(pix.transactionId).status, 'CANCELLED')
  await world.accepted(paying(world, deciding, aPaymentBy('CREDIT_CARD', 'tok_test_processing')))
  await world.accepted(expiring(deciding))
  t.match(sessionAt(world, deciding), { status: 'PROCESSING', isOver: true })
  t.equal((await refusalOf(world, paying(world, deciding, aPaymentBy('PIX')))).reason, 'SESSION_CLOSED')
  await world.advance('PT1H')
  t.match(sessionAt(world, deciding).status, /COMPLETED|EXPIRED/)
})

t.test('the same form sent twice makes one charge', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  const [first, again] = [aPaymentBy('PIX'), aPaymentBy('PIX')].map((payment) =>
    paying(world, session, payment),
  )
  await world.accepted(first!)
  t.equal((await refusalOf(world, again!)).reason, 'PAGE_OUTDATED')
  t.equal(sessionAt(world, session).tries.length, 1)
  const link = aLink()
  await world.accepted(link)
  const atLink = payingAt(link, aPaymentBy('PIX'))
  for (let n = 0; n < 2; n++) await world.accepted(atLink)
  t.equal(sessionAt(world, atLink).tries.length, 1)
})

t.test(
  'instalments with interest: the payer owes the total, and the charge says what of it is interest',
  async (t) => {
    const world = await opened()
    const installments = {
      max: 12,
      interestFreeUpTo: 2,
      monthlyRateBps: 199,
      minInstallmentCents: toCents(500),
    }
    const session = aSession({ installments })
    await world.accepted(session)
    t.equal(
      (await refusalOf(world, paying(world, session, aPaymentBy('CREDIT_CARD', 'tok_test_approved', 13))))
        .reason,
      'INSTALLMENTS_NOT_OFFERED',
    )
    t.equal(
      (await refusalOf(world, paying(world, session, aPaymentBy('PIX', '', 2)))).reason,
      'INSTALLMENTS_NOT_OFFERED',
    )
    const payment = aPaymentBy('CREDIT_CARD', 'tok_test_approved', 12)
    await world.accepted(paying(world, session, payment))
    t.match(world.transaction(payment.transactionId), {
      amountCents: 11_352,
      details: { checkout: { interestCents: 1_352 } },
    })
  },
)

t.test(
  'the last redemption of a coupon goes to one payer, and comes back where nothing is paid',
  async (t) => {
    const world = await opened()
    const coupon = aCoupon({ maxRedemptions: 1, percentBps: 1000 })
    await world.execute(coupon)
    const { code } = coupon.coupon
    const [one, two] = [aSession({}, { couponCode: code }), aSession({}, { couponCode: code })]
    await world.accepted(one)
    await world.accepted(two)
    const first = aPaymentBy('PIX')
    await world.accepted(paying(world, one, first))
    t.equal(world.transaction(first.transactionId).amountCents, 9_000)
    t.match(await refusalOf(world, paying(world, two, aPaymentBy('PIX'))), {
      reason: 'COUPON_INVALID',
      why: 'EXHAUSTED',
    })
    await world.accepted(expiring(one))
    await world.accepted(paying(world, two, aPaymentBy('PIX')))
    t.match(
      await refusalOf(world, {
        type: 'DiscountSession',
        ...ours,
        checkoutSessionId: two.checkoutSessionId,
        couponCode: 'NONE',
      }),
      { reason: 'COUPON_INVALID', why: 'NOT_FOUND' },
    )
  },
)

t.test('a link is paid by many, each on a page of their own', async (t) => {
  const world = await opened()
  const link = aLink({ externalIdPrefix: 'curso-' })
  await world.accepted(link)
  for (let n = 0; n < 3; n++) {
    const at = payingAt(link, aPaymentBy('PIX'))
    await world.accepted(at)
    t.match(world.transaction(at.payment.transactionId), {
      origin: 'LINK',
      details: { externalId: /^curso-/, checkout: { linkId: link.paymentLinkId } },
    })
    await world.accepted(aPayment(at.payment.transactionId))
    t.equal(sessionAt(world, at).status, 'COMPLETED')
  }
  t.match(linkAt(world, link), { paymentsCount: 3, paidCents: 30_000n, isUsed: true, holds: [] })
  const edit = { type: 'EditLink', ...ours, paymentLinkId: link.paymentLinkId } as const
  t.match(
    await refusalOf(world, { ...edit, changes: { price: { mode: 'FIXED', amountCents: toCents(1) } } }),
    { reason: 'LINK_IN_USE', field: 'amount' },
  )
  await world.accepted({ ...edit, changes: { title: 'Curso', active: false } })
  t.match(await refusalOf(world, payingAt(link, aPaymentBy('PIX'))), {
    reason: 'LINK_CLOSED',
    status: 'INACTIVE',
  })
})

t.test(
  'a change of a link counts for pages that are opened afterwards, and leaves the rest of its offer',
  async (t) => {
    const world = await opened()
    const link = aLink({})
    await world.accepted(link)
    const early = payingAt(link, aPaymentBy('PIX'))
    await world.accepted(early)
    const before = linkAt(world, link).offer
    const successUrl = 'https://loja.example/obrigado'
    const edit = { type: 'EditLink', ...ours, paymentLinkId: link.paymentLinkId } as const
    await world.accepted({ ...edit, changes: { offer: { successUrl, metadata: { a: '1' } } } })
    t.strictSame(linkAt(world, link).offer, { ...before, successUrl, metadata: { a: '1' } })
    const { version } = linkAt(world, link)
    await world.execute({ ...edit, changes: { offer: { successUrl } } })
    t.equal(linkAt(world, link).version, version, 'the same again changes nothing')
    const late = payingAt(link, aPaymentBy('PIX'))
    await world.accepted(late)
    t.equal(sessionAt(world, early).offer.successUrl, before.successUrl)
    t.equal(sessionAt(world, late).offer.successUrl, successUrl)
  },
)

t.test('a debit card is charged at once, and not without the answer of its bank', async (t) => {
  const world = await opened()
  const session = aSession({ methods: ['DEBIT_CARD'], threeDSecure: 'OFF', captures: false })
  await world.accepted(session)
  const asked = aPaymentBy('DEBIT_CARD')
  t.match(await refusalOf(world, paying(world, session, asked)), { reason: 'CARD_NOT_AUTHENTICATED' })
  t.match(await refusalOf(world, paying(world, session, { ...asked, installments: 2 })), {
    reason: 'INSTALLMENTS_NOT_OFFERED',
  })
  const threeDSecure = { status: 'AUTHENTICATED', eci: '05' } as const
  const answered = { ...asked, card: { ...asked.card!, threeDSecure } }
  await world.accepted(paying(world, session, answered))
  t.equal(sessionAt(world, session).status, 'COMPLETED')
  t.match(world.transaction(asked.transactionId), {
    status: 'APPROVED',
    method: 'DEBIT_CARD',
    receivables: [{ installment: 1 }],
  })
})

t.test('a limited link is never paid more often, whoever pays at once', async (t) => {
  const world = await opened()
  const link = aLink({ maxPayments: 3 })
  await world.accepted(link)
  const all = Array.from({ length: 10 }, () => payingAt(link, aPaymentBy('PIX')))
  const outcomes = await Promise.all(all.map((one) => refusalOf(world, one)))
  t.equal(outcomes.filter((one) => one === 'accepted').length, 3)
  t.ok(outcomes.slice(3).every((one) => one.reason === 'LINK_BUSY'))
  await world.accepted(expiring(all[0]!))
  const again = payingAt(link, aPaymentBy('PIX'))
  await world.accepted(again)
  for (const { payment } of [all[1]!, all[2]!, again]) await world.accepted(aPayment(payment.transactionId))
  t.match(await refusalOf(world, payingAt(link, aPaymentBy('PIX'))), {
    reason: 'LINK_CLOSED',
    status: 'EXHAUSTED',
  })
  t.match(linkAt(world, link), { paymentsCount: 3, holds: [] })
})

t.test('what the payer decides to pay has bounds', async (t) => {
  const world = await opened()
  const price = {
    mode: 'OPEN',
    minCents: toCents(100),
    maxCents: toCents(50_000),
    suggestedCents: [],
  } as const
  const link = aLink({ price })
  await world.accepted(link)
  for (const amountCents of [null, toCents(99), toCents(50_001)])
    t.match(await refusalOf(world, payingAt(link, aPaymentBy('PIX'), { amountCents })), {
      reason: 'AMOUNT_NOT_OFFERED',
    })
  const at = payingAt(link, aPaymentBy('PIX'), { amountCents: toCents(4_200) })
  await world.accepted(at)
  t.equal(world.transaction(at.payment.transactionId).amountCents, 4_200)
})

t.test('what a payer typed leaves a page that was not paid after a month', async (t) => {
  const world = await opened()
  const session = aSession()
  await world.accepted(session)
  await world.accepted(paying(world, session, { ...aPaymentBy('BOLETO'), method: 'PIX' }))
  await world.accepted(expiring(session))
  t.equal(sessionAt(world, session).customer?.name, 'Ana Souza')
  await world.advance('P31D')
  t.equal(sessionAt(world, session).customer, null)
})

t.test('a payer who needs more time has half as long again, once', async (t) => {
  const world = await opened()
  const session = aSession({}, { lifeMs: 600_000 })
  await world.accepted(session)
  const { expiresAtMs, version } = sessionAt(world, session)
  await world.advance('PT9M')
  await world.accepted(prolonging(session))
  const prolonged = { status: 'OPEN', expiresAtMs: expiresAtMs + 300_000, version: version + 1 }
  t.match(sessionAt(world, session), prolonged)
  await world.accepted(prolonging(session))
  t.match(sessionAt(world, session), prolonged, 'the second time nothing happens')
  await world.advance('PT5M59S')
  t.equal(sessionAt(world, session).status, 'OPEN', 'its clock is that of the new end')
  await world.advance('PT1S')
  t.equal(sessionAt(world, session).status, 'EXPIRED')
})

t.test('a code keeps its own end, and a new one takes the time that its page has now', async (t) => {
  const world = await opened()
  const session = aSession({ methods: ['PIX'] }, { lifeMs: 600_000 })
  await world.accepted(session)
  const first = aPaymentBy('PIX')
  await world.accepted(paying(world, session, first))
  const endsAtMs = world.transaction(first.transactionId).expiresAtMs!
  await world.advance('PT8M')
  await world.accepted(prolonging(session))
  t.equal(world.transaction(first.transactionId).expiresAtMs, endsAtMs)
  await world.advance('PT2M')
  t.equal(world.transaction(first.transactionId).status, 'EXPIRED')
  t.match(sessionAt(world, session), { status: 'OPEN', tries: [{ status: 'ENDED' }] })
  const second = aPaymentBy('PIX')
  await world.accepted(paying(world, session, second))
  t.equal(world.transaction(second.transactionId).expiresAtMs, endsAtMs + 300_000)
  await world.accepted(aPayment(second.transactionId))
  t.equal(sessionAt(world, session).status, 'COMPLETED')
})

t.test('what is over gets no more time, and thirty days are the most', async (t) => {
  const world = await opened()
  const [lapsed, ended, paid, boleto] = [
    aSession({}, { lifeMs: 600_000 }),
    aSession(),
    aSession(),
    aSession({}, { lifeMs: 600_000 }),
  ]
  for (const session of [lapsed, ended, paid, boleto]) await world.accepted(session)
  await world.accepted(expiring(ended))
  await world.accepted(paying(world, paid, aPaymentBy('CREDIT_CARD')))
  await world.accepted(paying(world, boleto, aPaymentBy('BOLETO')))
  await world.advance('PT10M')
  t.equal(sessionAt(world, boleto).status, 'PROCESSING', 'a boleto outlives its page')
  for (const [session, status] of [
    [lapsed, 'EXPIRED'],
    [ended, 'EXPIRED'],
    [paid, 'COMPLETED'],
    [boleto, 'EXPIRED'],
  ] as const)
    t.match(await refusalOf(world, prolonging(session)), { reason: 'SESSION_CLOSED', status })
  const days = (count: number) => count * 86_400_000
  for (const [lifeMs, wholeMs] of [
    [days(20), days(30)],
    [days(25), days(30)],
    [days(30), days(30)],
  ] as const) {
    const session = aSession({}, { lifeMs })
    await world.accepted(session)
    await world.accepted(prolonging(session))
    const { createdAtMs, expiresAtMs } = sessionAt(world, session)
    t.equal(expiresAtMs - createdAtMs, wholeMs)
  }
  t.match(await refusalOf(world, prolonging({ checkoutSessionId: 'cks_none' as never })), {
    reason: 'NOT_FOUND',
  })
})

t.test('more time is asked for in the moment in which the time is over: the end is first', async (t) => {
  const world = await opened()
  const session = aSession({}, { lifeMs: 600_000 })
  await world.accepted(session)
  world.pass(600_000)
  t.match(await refusalOf(world, prolonging(session)), { reason: 'SESSION_CLOSED', status: 'EXPIRED' })
})
