import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { emptyBalances, ledgerSum } from '../../../engine/ledger/postings.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { RequestRefund } from '../../../engine/payments/transaction/commands.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type RefundId,
  type TransactionId,
} from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { refund } from '../../../gateway/resources/payments/refund.ts'
import { transaction } from '../../../gateway/resources/payments/transaction.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aMedDecision,
  aSeed,
  booksFor,
  clockOf,
  dataOf,
  listener,
  paidPix,
  scenario,
  typesOf,
} from '../story.ts'
import {
  aBoleto,
  aCardPayment,
  aCharge,
  anUnrequestedPix,
  aPayment,
  aRefund,
  askSandbox,
  companyId,
  connectedTo,
  dayMs,
  key,
  opened,
  ours,
  refusalOf,
  type World,
} from '../world.ts'

const refundOf = ({ reversals }: Transaction, refundId: RefundId) =>
  reversals.refunds.find(({ id }) => id === refundId)!

/** The body that answers the request, after it. */
const answered = async (world: World, command: RequestRefund): Promise<any> => {
  const reply = await world.execute(command)
  const { state, reversalId, nowMs } = reply as Extract<typeof reply, { accepted: true }>
  const transaction = state as Transaction
  return refund.view(refundOf(transaction, reversalId as RefundId), transaction, nowMs)
}

const resolution = (reversalId: RefundId, result: 'COMPLETED' | 'FAILED') =>
  ({ type: 'ResolveRefund', ...ours, reversalId, result }) as const

const done: ProviderAnswer = { type: 'DONE', evidence: null }
const silent: ProviderAnswer = { type: 'SILENT' }

/** A rail that gives these answers to refunds, one after the other, and then confirms. It remembers what it was asked. */
const railOf = (...answers: readonly ProviderAnswer[]) => {
  const asked: ProviderRequest[] = []
  const left = [...answers]
  const ask = async (request: ProviderRequest): Promise<ProviderAnswer> => {
    if (request.operation !== 'REFUND') return askSandbox(request)
    asked.push(request)
    return left.shift() ?? done
  }
  return { ask, asked }
}

t.test('a whole PIX goes back in one commit with the answer of the rail, and its fee is kept', async (t) => {
  const world = await opened()
  const paid = await paidPix(world, { externalId: 'order-1' })
  const heard = listener(world)
  const refund = await answered(world, { ...aRefund(paid.id), reason: 'changed my mind' })
  t.match(refund, {
    object: 'refund',
    transactionId: paid.id,
    amount: '10000',
    status: 'COMPLETED',
    origin: 'API',
    reason: 'changed my mind',
    failureReason: null,
    feeReversedAmount: '0',
    split: [{ recipientId: null, amount: '10000' }],
    returnId: /^D99999999202611201200[A-Za-z0-9]{11}$/,
    transactionStatus: 'REFUNDED',
    refundableAmount: '0',
    failedAt: null,
  })
  t.equal(refund.createdAt, refund.completedAt)
  const refunded = world.transaction(paid.id)
  t.match(refunded, { status: 'REFUNDED', paidCents: 10_000, feeCents: 99 })
  t.strictSame(
    refunded.timeline.slice(paid.version).map(({ type, status, version }) => [type, status, version]),
    [
      ['RefundRequested', 'APPROVED', 4],
      ['ProviderCalled', 'APPROVED', 5],
      ['RefundCompleted', 'REFUNDED', 6],
    ],
    'a version for each step',
  )
  const events = heard()
  t.strictSame(typesOf(events), ['payment.refunded'])
  t.match(dataOf(events[0]), {
    id: paid.id,
    externalId: 'order-1',
    status: 'REFUNDED',
    version: 6,
    amount: '10000',
    paidAmount: '10000',
    refundedAmount: '10000',
    refundableAmount: '0',
    feeAmount: '99',
    netAmount: '9901',
  })
  t.strictSame(dataOf(events[0]).refund, refund)
  t.strictSame(world.account().balances, {
    available: -99n,
    receivable: 0n,
    blocked: 0n,
    fees: 99n,
    payer: 0n,
    recipients: 0n,
    paidOut: 0n,
  })
})

t.test('a part goes back, and the rest can follow', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const heard = listener(world)
  t.match(await answered(world, aRefund(id, 3_000)), {
    amount: '3000',
    transactionStatus: 'PARTIALLY_REFUNDED',
    refundableAmount: '7000',
  })
  t.match(await answered(world, aRefund(id, 6_999)), {
    transactionStatus: 'PARTIALLY_REFUNDED',
    refundableAmount: '1',
  })
  t.match(await answered(world, aRefund(id)), {
    amount: '1',
    transactionStatus: 'REFUNDED',
    refundableAmount: '0',
  })
  const events = heard()
  t.strictSame(typesOf(events), ['payment.refunded', 'payment.refunded', 'payment.refunded'])
  t.strictSame(
    events.map((event) => dataOf(event)).map(({ refund, refundedAmount }) => [refund.amount, refundedAmount]),
    [
      ['3000', '3000'],
      ['6999', '9999'],
      ['1', '10000'],
    ],
  )
  const returnIds = world.transaction(id).reversals.refunds.map(({ returnId }) => returnId)
  t.equal(new Set(returnIds).size, 3)
})

t.test(
  'of a card the percentage of the fee goes back with every part, and the last takes the rest',
  async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aCardPayment())
    t.equal(world.transaction(id).feeCents, 319)
    // 3333 · 319 / 10000 = 106.3; 3333 · 213 / 6667 = 106.5; the rest.
    t.match(await answered(world, aRefund(id, 3_333)), { feeReversedAmount: '106', returnId: null })
    t.match(await answered(world, aRefund(id, 3_333)), { feeReversedAmount: '106' })
    const heard = listener(world)
    t.match(await answered(world, aRefund(id)), { feeReversedAmount: '107', transactionStatus: 'REFUNDED' })
    t.match(dataOf(heard()[0]), { feeAmount: '0', netAmount: '10000', refundedAmount: '10000' })
    t.strictSame(world.account().balances, {
      available: 0n,
      receivable: 0n,
      blocked: 0n,
      fees: 0n,
      payer: 0n,
      recipients: 0n,
      paidOut: 0n,
    })
    t.strictSame(world.account().schedule, {}, 'nothing is settled of what went back')
  },
)

/** Refunds these thousandths of what is left, one after the other, and then the rest. */
const refundInParts = async (world: World, id: TransactionId, thousandths: readonly number[]) => {
  for (const part of thousandths) {
    const wanted = Math.floor((leftOf(world.transaction(id)) * part) / 1000)
    const commands = wanted === 0 ? [] : [aRefund(id, wanted)]
    for (const command of commands) await world.accepted(command)
    requireSound(world, id)
  }
  await world.accepted(aRefund(id))
  requireSound(world, id)
}

const leftOf = ({ paidCents, reversals }: Transaction): number =>
  reversals.refunds.reduce<number>((left, { amountCents }) => left - amountCents, paidCents)

/** Throws where the books, the schedule or an instalment say something that the payments do not. */
const requireSound = (world: World, id: TransactionId): void => {
  const { balances, schedule } = world.account()
  assert.deepStrictEqual(balances, booksFor(world))
  assert.equal(ledgerSum(balances), 0n)
  const scheduled = Object.values(schedule).flatMap((month) => Object.values(month))
  const net = scheduled.reduce((sum, { grossCents, feeCents }) => sum + grossCents - feeCents, 0)
  assert.equal(BigInt(net), balances.receivable, 'what is scheduled is what is receivable')
  for (const { grossCents, feeCents } of world.transaction(id).receivables)
    assert.ok(grossCents >= 0 && feeCents >= 0, 'no instalment gives more than it has')
}

const thousandths = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 6 })
const amounts = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1_000_000 }))

t.test('any parts of a PIX land on what one whole refund leaves', async (t) => {
  await fc.assert(
    fc.asyncProperty(amounts, thousandths, async (amount, parts) => {
      const world = await opened()
      const { id, feeCents } = await paidPix(world, { amountCents: toCents(amount) })
      await refundInParts(world, id, parts)
      assert.equal(world.transaction(id).status, 'REFUNDED')
      assert.equal(world.transaction(id).feeCents, feeCents)
      assert.equal(world.account().balances.available, BigInt(-feeCents))
    }),
    { numRuns: 60 },
  )
  t.pass('60 payments')
})

t.test('any parts of a card payment do, however many instalments are in the balance already', async (t) => {
  const installments = fc.integer({ min: 1, max: 12 })
  await fc.assert(
    fc.asyncProperty(amounts, installments, thousandths, fc.integer({ min: 0, max: 5 }), async (...drawn) => {
      const [amount, installments, parts, months] = drawn
      const world = await opened()
      const { id } = await world.accepted(aCardPayment({ installments }, { amountCents: toCents(amount) }))
      await world.advance(`P${months * 33}D`)
      await refundInParts(world, id, parts)
      assert.equal(world.transaction(id).status, 'REFUNDED')
      assert.equal(world.transaction(id).feeCents, 0)
      await world.advance('P1Y')
      requireSound(world, id)
      const nothing = emptyBalances
      assert.deepStrictEqual(world.account().balances, nothing)
      assert.deepStrictEqual(world.account().schedule, {})
    }),
    { numRuns: 60 },
  )
  t.pass('60 payments')
})

t.test('a chargeback that was won in between leaves no trace in what is refunded', async (t) => {
  const days = (max: number) => fc.integer({ min: 0, max })
  const life = fc.record({
    amount: fc.integer({ min: 2, max: 1_000_000 }),
    installments: fc.integer({ min: 1, max: 12 }),
    before: days(100),
    share: fc.integer({ min: 1, max: 1000 }),
    defended: days(9),
    decided: days(29),
    parts: thousandths,
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ amount, installments, before, share, defended, decided, parts }) => {
      const world = await opened()
      const { id } = await world.accepted(aCardPayment({ installments }, { amountCents: toCents(amount) }))
      await world.accepted(aRefund(id, 1))
      await world.advance(`P${before}D`)
      const disputed = Math.max(1, Math.floor(((amount - 1) * share) / 1000))
      await world.accepted(aChargeback(id, disputed))
      requireSound(world, id)
      const reversalId = world.transaction(id).reversals.chargebacks[0]!.id
      await world.advance(`P${defended}D`)
      await world.accepted({ type: 'DisputeChargeback', ...ours, reversalId, text: 'x'.repeat(20) })
      await world.advance(`P${decided}D`)
      requireSound(world, id)
      await world.accepted({ type: 'ResolveChargeback', ...ours, reversalId, result: 'WON' })
      requireSound(world, id)
      await refundInParts(world, id, parts)
      await world.advance('P2Y')
      requireSound(world, id)
      const nothing = emptyBalances
      assert.deepStrictEqual(world.account().balances, nothing)
      assert.deepStrictEqual(world.account().schedule, {})
    }),
    { numRuns: 80 },
  )
  t.pass('80 payments')
})

t.test('of two refunds at once, while the rail is silent, one is PROCESSING and one refused', async (t) => {
  const world = await opened(railOf(silent).ask)
  const { id } = await paidPix(world)
  const heard = listener(world)
  const commands = [aRefund(id), aRefund(id)] as const
  const replies = commands.map((command) => world.shard.execute(command))
  await world.settle()
  const [first, second] = await Promise.all(replies)
  t.match(first, { accepted: true, reversalId: commands[0].refundId })
  t.strictSame(second, {
    accepted: false,
    rejection: { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: 0 },
  })
  const transaction = world.transaction(id)
  t.match(refund.view(refundOf(transaction, commands[0].refundId), transaction, clockOf(world)), {
    status: 'PROCESSING',
    transactionStatus: 'APPROVED',
    refundableAmount: '0',
    completedAt: null,
    returnId: null,
  })
  t.strictSame(typesOf(heard()), [], 'nobody hears of money that has not moved')
  t.match(world.account().balances, { available: -99n, blocked: 10_000n, payer: -10_000n })
  await world.advance('PT5S')
  t.strictSame(typesOf(heard()), ['payment.refunded'])
  t.match(world.account().balances, { available: -99n, blocked: 0n, payer: 0n })
  t.equal(world.transaction(id).status, 'REFUNDED')
})

t.test('two parts at once both go where they fit', async (t) => {
  const world = await opened(railOf(silent, silent).ask)
  const { id } = await paidPix(world)
  const replies = [aRefund(id, 6_000), aRefund(id, 4_000), aRefund(id, 1)].map((command) =>
    world.shard.execute(command),
  )
  await world.settle()
  t.match(await Promise.all(replies), [{ accepted: true }, { accepted: true }, { accepted: false }])
  await world.advance('PT5S')
  const { status, reversals } = world.transaction(id)
  t.equal(status, 'REFUNDED')
  t.strictSame(
    reversals.refunds.map(({ status }) => status),
    ['COMPLETED', 'COMPLETED'],
  )
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('before the rail has answered nobody is answered', async (t) => {
  let answer: (answer: ProviderAnswer) => void = () => undefined
  const held = new Promise<ProviderAnswer>((resolve) => {
    answer = resolve
  })
  const world = await opened(() => held)
  const { id } = await paidPix(world)
  const answers: string[] = []
  const first = world.shard.execute(aRefund(id, 6_000))
  void first.then(() => answers.push('first'))
  const settled = world.settle()
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(world.transaction(id).reversals.refunds[0]!.status, 'PROCESSING')
  t.strictSame(answers, [])
  const second = world.shard.execute(aRefund(id, 4_001))
  world.journal.flush()
  t.match(await second, { accepted: false, rejection: { refundableCents: 4_000 } })
  t.strictSame(answers, [])
  answer(done)
  await settled
  t.match(await first, { accepted: true, state: { status: 'PARTIALLY_REFUNDED' } })
})

t.test('a silent rail is asked again with the same reference, ever more seldom', async (t) => {
  const rail = railOf(silent, silent, silent, silent, silent, silent, silent)
  const world = await opened(rail.ask)
  const { id } = await paidPix(world)
  t.match(await answered(world, aRefund(id, 1_000)), { status: 'PROCESSING' })
  await world.advance('PT2H')
  t.equal(rail.asked.length, 8)
  t.equal(new Set(rail.asked.map(({ reference }) => reference)).size, 1)
  t.strictSame(
    rail.asked.map(({ asked }) => asked),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  t.strictSame(
    rail.asked.slice(1).map(({ nowMs }, n) => (nowMs - rail.asked[n]!.nowMs) / 1000),
    [5, 15, 60, 180, 600, 600, 600],
  )
  t.match(world.transaction(id), { status: 'PARTIALLY_REFUNDED', calls: [] })
})

t.test('more than can be refunded is refused with what can', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const exceeds = (refundableCents: number) => ({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents })
  t.strictSame(await refusalOf(world, aRefund(id, 10_001)), exceeds(10_000))
  await world.accepted(aRefund(id, 9_999))
  t.strictSame(await refusalOf(world, aRefund(id, 2)), exceeds(1))
  await world.accepted(aRefund(id, 1))
  const allowedStatuses = ['APPROVED', 'PARTIALLY_REFUNDED']
  for (const amount of [null, 1])
    t.strictSame(await refusalOf(world, aRefund(id, amount)), {
      reason: 'INVALID_STATE',
      currentStatus: 'REFUNDED',
      allowedStatuses,
    })
  const part = await world.accepted(aCardPayment({ captures: false }))
  t.match(await refusalOf(world, aRefund(part.id)), { reason: 'INVALID_STATE', currentStatus: 'AUTHORIZED' })
  await world.accepted({
    type: 'CaptureCharge',
    ...ours,
    transactionId: part.id,
    amountCents: toCents(4_000),
  })
  t.strictSame(await refusalOf(world, aRefund(part.id, 4_001)), exceeds(4_000), 'of what was captured')
})

t.test('a PIX can be refunded for 90 days from its payment, a card for 180 from its capture', async (t) => {
  const world = await opened()
  const pending = await world.accepted(
    aCharge({ terms: { method: 'PIX', expiresInSeconds: 86_400, due: null } }),
  )
  const card = await world.accepted(aCardPayment({ captures: false }))
  await world.advance('PT20H')
  const pix = await world.accepted(aPayment(pending.id))
  await world.accepted({ type: 'CaptureCharge', ...ours, transactionId: card.id, amountCents: null })
  const cases = [
    [pix.id, 90],
    [card.id, 180],
  ] as const
  for (const [id, days] of cases) {
    const lastMs = world.transaction(id).approvedAtMs! + days * dayMs
    await world.execute({ type: 'AdvanceClock', ...ours, step: { toMs: lastMs } })
    await world.accepted(aRefund(id, 1))
    await world.execute({ type: 'AdvanceClock', ...ours, step: { toMs: lastMs + 1 } })
    t.strictSame(await refusalOf(world, aRefund(id, 1)), {
      reason: 'REFUND_WINDOW_EXPIRED',
      what: 'REFUND',
      days,
    })
  }
})

t.test('a refund that was asked for in time is completed after the window', async (t) => {
  const world = await opened(railOf(silent).ask)
  const { id } = await paidPix(world)
  await world.advance('P90D')
  t.match(await answered(world, aRefund(id)), { status: 'PROCESSING' })
  await world.advance('P1D')
  t.equal(world.transaction(id).status, 'REFUNDED')
})

t.test('boletos and crypto do not go back through the API', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto())
  t.strictSame(await refusalOf(world, aRefund(boleto.id)), {
    reason: 'REFUND_NOT_SUPPORTED',
    method: 'BOLETO',
  })
  await world.execute(aBoletoPayment(boleto.id))
  t.match(await refusalOf(world, aRefund(boleto.id)), { reason: 'REFUND_NOT_SUPPORTED' })
  const crypto = await world.accepted(aSeed({ method: 'CRYPTO', currency: 'USDT' }))
  t.strictSame(await refusalOf(world, aRefund(crypto.id)), {
    reason: 'REFUND_NOT_SUPPORTED',
    method: 'CRYPTO',
  })
})

t.test('a debit card is refunded like a credit card', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aSeed({ method: 'DEBIT_CARD' }))
  t.match(await answered(world, aRefund(id)), {
    status: 'COMPLETED',
    feeReversedAmount: '199',
    returnId: null,
  })
})

t.test(
  'the scenario of an empty balance refuses every refund; otherwise the Sandbox does not look',
  async (t) => {
    const world = await opened()
    const empty = await paidPix(world, scenario('insufficient_balance'))
    t.strictSame(await refusalOf(world, aRefund(empty.id, 1)), { reason: 'INSUFFICIENT_BALANCE' })
    const card = await world.accepted(aCardPayment({}, scenario('insufficient_balance')))
    t.strictSame(await refusalOf(world, aRefund(card.id)), { reason: 'INSUFFICIENT_BALANCE' })
    const whole = await paidPix(world)
    await world.accepted(aRefund(whole.id))
    const again = await paidPix(world)
    await world.accepted(aRefund(again.id))
    t.equal(world.account().balances.available, 9_901n - 198n)
  },
)

t.test('in Production a PIX goes back only out of the balance that is there', async (t) => {
  const world = await opened(undefined, undefined, [], connectedTo('PIX'))
  const live = accountIdOf(companyId, 'PRODUCTION')
  const profile = { ...world.account().profile, environment: 'PRODUCTION' } as const
  await world.execute({ type: 'OpenAccount', accountId: live, by: key, profile })
  const target = { accountId: live } as const
  const balances = () => world.memory.find('account', live)!.state.balances
  const charge = aCharge({ ...target, amountCents: toCents(10_000), ...scenario('insufficient_balance') })
  await world.accepted(charge)
  const { transactionId: id } = charge
  await world.accepted({ ...aPayment(id), ...target })
  const refund = (amount: number | null) => ({ ...aRefund(id, amount), ...target })
  t.equal(balances().available, 9_901n)
  t.strictSame(await refusalOf(world, refund(null)), { reason: 'INSUFFICIENT_BALANCE' }, 'the fee was kept')
  t.strictSame(await refusalOf(world, refund(9_902)), { reason: 'INSUFFICIENT_BALANCE' })
  t.match(await answered(world, refund(9_901)), { status: 'COMPLETED' }, 'and no scenario counts')
  t.equal(balances().available, 0n)
  const other = aCharge({ ...target, amountCents: toCents(10_000) })
  await world.accepted(other)
  await world.accepted({ ...aPayment(other.transactionId), ...target })
  t.match(await answered(world, refund(null)), { amount: '99', transactionStatus: 'REFUNDED' })
  t.equal(ledgerSum(balances()), 0n)
})

t.test('in Production what is reserved for one refund does not fund another', async (t) => {
  const world = await opened(railOf(silent).ask, undefined, [], connectedTo('PIX'))
  const live = accountIdOf(companyId, 'PRODUCTION')
  const target = { accountId: live } as const
  const profile = { ...world.account().profile, environment: 'PRODUCTION' } as const
  await world.execute({ type: 'OpenAccount', ...target, by: key, profile })
  const ids = [aCharge(target), aCharge(target)].map(({ transactionId }) => transactionId)
  for (const transactionId of ids) {
    await world.accepted(aCharge({ ...target, transactionId, amountCents: toCents(10_000) }))
    await world.accepted({ ...aPayment(transactionId), ...target })
  }
  const [first, second] = ids as [TransactionId, TransactionId]
  t.match(await answered(world, { ...aRefund(first), ...target }), { status: 'PROCESSING' })
  t.strictSame(await refusalOf(world, { ...aRefund(second), ...target }), { reason: 'INSUFFICIENT_BALANCE' })
  t.match(await answered(world, { ...aRefund(second, 9_802), ...target }), { status: 'COMPLETED' })
})

t.test('a slow refund is PROCESSING for five seconds, and then completed', async (t) => {
  for (const make of [
    (world: World) => paidPix(world, scenario('refund_slow')),
    (world: World) => world.accepted(aCardPayment({}, scenario('refund_slow'))),
    (world: World) => world.accepted(aCardPayment({ token: 'tok_test_refund_slow' })),
  ]) {
    const world = await opened()
    const { id, version } = await make(world)
    const heard = listener(world)
    const refund = await answered(world, aRefund(id, 4_000))
    t.match(refund, {
      status: 'PROCESSING',
      transactionStatus: 'APPROVED',
      refundableAmount: '6000',
      completedAt: null,
    })
    t.strictSame(world.account().balances, booksFor(world))
    await world.execute({ type: 'AdvanceClock', ...ours, step: { toMs: world.now() + 4_999 } })
    t.match(world.transaction(id), { status: 'APPROVED' })
    t.strictSame(heard(), [])
    await world.advance('PT1S')
    const events = heard()
    t.strictSame(typesOf(events), ['payment.refunded'])
    t.match(dataOf(events[0]).refund, { id: refund.id, status: 'COMPLETED', amount: '4000' })
    const { status, updatedAtMs, timeline } = world.transaction(id)
    t.equal(status, 'PARTIALLY_REFUNDED')
    t.equal(updatedAtMs, world.now() + 5_000)
    t.strictSame(
      timeline.slice(version).map(({ type }) => type),
      ['RefundRequested', 'ProviderCalled', 'ProviderSilent', 'ProviderCalledAgain', 'RefundCompleted'],
    )
    t.strictSame(world.account().balances, booksFor(world))
  }
})

t.test(
  'a refund that fails gives back what it reserved, is an extra event, and may be tried again',
  async (t) => {
    for (const make of [
      (world: World) => paidPix(world, scenario('refund_fails')),
      (world: World) => world.accepted(aCardPayment({ token: 'tok_test_refund_fails' })),
    ]) {
      const world = await opened()
      const { id } = await make(world)
      const before = world.account().balances
      const heard = listener(world)
      const asked = await answered(world, aRefund(id))
      t.match(asked, { status: 'PROCESSING', refundableAmount: '0' })
      t.strictSame(world.account().balances, booksFor(world))
      await world.advance('PT5S')
      const transaction = world.transaction(id)
      t.match(heard(), [
        {
          type: 'payment.refund_failed',
          subject: { transaction: { version: transaction.version }, reversalId: asked.id },
        },
      ])
      t.match(refund.view(refundOf(transaction, asked.id), transaction, clockOf(world)), {
        status: 'FAILED',
        failureReason: 'REFUSED_BY_PROVIDER',
        failedAt: '2026-11-20T12:00:05.000Z',
        completedAt: null,
        transactionStatus: 'APPROVED',
        refundableAmount: '10000',
      })
      t.equal(transaction.timeline.at(-1)!.type, 'RefundFailed')
      t.equal(transaction.timeline.at(-1)!.version, transaction.version)
      t.strictSame(world.account().balances, before)
      t.match(await answered(world, aRefund(id, 1)), { status: 'PROCESSING' })
      await world.advance('P1D')
      t.strictSame(
        world.transaction(id).reversals.refunds.map(({ status }) => status),
        ['FAILED', 'FAILED'],
      )
      t.strictSame(world.account().balances, before)
    }
  },
)

t.test('the Sandbox decides a refund in the place of the rail, once', async (t) => {
  const world = await opened()
  for (const [result, status, transactionStatus] of [
    ['COMPLETED', 'COMPLETED', 'REFUNDED'],
    ['FAILED', 'FAILED', 'APPROVED'],
  ] as const) {
    const { id } = await paidPix(world, scenario('refund_slow'))
    const asked = await answered(world, aRefund(id))
    const heard = listener(world)
    await world.accepted(resolution(asked.id, result))
    const transaction = world.transaction(id)
    t.match(refund.view(refundOf(transaction, asked.id), transaction, clockOf(world)), {
      status,
      transactionStatus,
    })
    t.strictSame(transaction.calls, [], 'nobody is asked any more')
    t.strictSame(await refusalOf(world, resolution(asked.id, result)), {
      reason: 'INVALID_STATE',
      currentStatus: status,
      allowedStatuses: ['PROCESSING'],
    })
    await world.advance('P1D')
    t.equal(world.transaction(id).version, transaction.version, 'the scenario has nothing left to say')
    t.strictSame(
      heard().map(({ type }) => type),
      [result === 'COMPLETED' ? 'payment.refunded' : 'payment.refund_failed'],
    )
    t.strictSame(world.account().balances, booksFor(world))
  }
  t.strictSame(await refusalOf(world, resolution('rfd_nobody' as RefundId, 'COMPLETED')), {
    reason: 'NOT_FOUND',
    resource: 'refund',
  })
})

t.test('an answer that comes after the Sandbox has decided changes nothing', async (t) => {
  let answer: (answer: ProviderAnswer) => void = () => undefined
  const held = new Promise<ProviderAnswer>((resolve) => {
    answer = resolve
  })
  const world = await opened(() => held)
  const { id } = await paidPix(world)
  const command = aRefund(id)
  const reply = world.shard.execute(command)
  const settled = world.settle()
  await new Promise((resolve) => setImmediate(resolve))
  const resolved = world.shard.execute(resolution(command.refundId, 'FAILED'))
  world.journal.flush()
  t.match(await resolved, { accepted: true })
  t.match(
    await reply,
    { accepted: true, reversalId: command.refundId },
    'who waited for the rail is answered',
  )
  const { version } = world.transaction(id)
  answer(done)
  await settled
  t.equal(world.transaction(id).version, version)
  t.match(world.account().balances, { available: 9_901n, blocked: 0n })
})

t.test('the first of several reasons to refuse is always the same', async (t) => {
  const world = await opened()
  const reason = async (command: RequestRefund): Promise<string> => (await refusalOf(world, command)).reason
  t.strictSame(await refusalOf(world, aRefund('txn_nobody' as TransactionId)), {
    reason: 'NOT_FOUND',
    resource: 'transaction',
  })
  const boleto = await world.accepted(aBoleto())
  t.equal(await reason(aRefund(boleto.id, 99_999)), 'REFUND_NOT_SUPPORTED', 'the method before the state')

  const due = { method: 'PIX', expiresInSeconds: null, due: { date: '2027-06-01' as never } } as const
  const pending = await world.accepted(aCharge({ terms: due }))
  const pix = await paidPix(world, scenario('insufficient_balance'))
  const refunded = await paidPix(world)
  await world.accepted(aRefund(refunded.id))
  const card = await world.accepted(aCardPayment({ installments: 12 }))
  t.equal(await reason(aRefund(pix.id, 10_001)), 'REFUND_EXCEEDS_BALANCE', 'the amount before the balance')
  await world.accepted(aMed(pix.id))
  t.equal(await reason(aRefund(pix.id, 10_001)), 'DISPUTE_OPEN', 'the dispute before the amount')
  await world.advance('P91D')
  t.equal(await reason(aRefund(pending.id, 99_999)), 'INVALID_STATE')
  t.equal(await reason(aRefund(refunded.id)), 'INVALID_STATE', 'the state before the window')
  const late = await paidPix(world)
  await world.advance('P89D')
  await world.accepted(aChargeback(card.id))
  await world.advance('P5D')
  t.equal(await reason(aRefund(card.id)), 'DISPUTE_OPEN', 'the dispute before state and window')
  t.equal(await reason(aRefund(late.id, 10_001)), 'REFUND_WINDOW_EXPIRED', 'the window before the amount')
  await world.advance('P30D')
  t.equal(await reason(aRefund(card.id)), 'INVALID_STATE', 'a chargeback that is lost is a state')
})

t.test('a dispute names itself', async (t) => {
  const world = await opened()
  const pix = await paidPix(world)
  await world.accepted(aMed(pix.id))
  const card = await world.accepted(aCardPayment())
  await world.accepted(aChargeback(card.id))
  const disputeIds = [
    world.transaction(pix.id).reversals.meds[0]!.id,
    world.transaction(card.id).reversals.chargebacks[0]!.id,
  ]
  t.strictSame(await refusalOf(world, aRefund(pix.id)), { reason: 'DISPUTE_OPEN', disputeId: disputeIds[0] })
  t.strictSame(await refusalOf(world, aRefund(card.id)), { reason: 'DISPUTE_OPEN', disputeId: disputeIds[1] })
})

t.test('when a chargeback comes, a refund on its way is inquired after and not sent any more', async (t) => {
  for (const [answer, left] of [
    [
      { type: 'DONE', evidence: null },
      { status: 'COMPLETED', taken: 6_000 },
    ],
    [
      { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'unknown' } },
      { status: 'FAILED', taken: 10_000 },
    ],
  ] as const) {
    let isHeard = false
    const asked: boolean[] = []
    const world = await opened(async (request) => {
      if (request.operation !== 'REFUND') return askSandbox(request)
      asked.push(request.onlyInquires === true)
      return isHeard ? answer : { type: 'SILENT' }
    })
    const { id } = await world.accepted(aCardPayment({ installments: 3 }))
    const refund = await answered(world, aRefund(id, 4_000))
    t.strictSame(asked, [false])
    isHeard = true
    await world.accepted(aChargeback(id))
    await world.settle()
    const disputed = world.transaction(id)
    t.strictSame(asked, [false, true], 'at once')
    t.equal(refundOf(disputed, refund.id).status, left.status)
    t.equal(disputed.reversals.chargebacks[0]!.amountCents, left.taken)
    t.strictSame(disputed.calls, [])
    t.strictSame(world.account().balances, booksFor(world))
  }
})

t.test('the key of a refund stands for its first answer, though it was PROCESSING', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world, scenario('refund_slow'))
  const idempotency = { key: 'refund-1', fingerprint: 'a' }
  const first = await world.execute({ ...aRefund(id), idempotency })
  await world.advance('PT5S')
  t.equal(world.transaction(id).status, 'REFUNDED')
  const again = await world.execute({ ...aRefund(id), idempotency })
  t.match(first, { accepted: true, replayed: false })
  t.match(again, { accepted: true, replayed: true })
  t.strictSame(bodyOf(again), bodyOf(first), 'the body is the original one')
  t.match(bodyOf(again), { status: 'PROCESSING', transactionStatus: 'APPROVED', refundableAmount: '0' })
  t.equal(world.transaction(id).reversals.refunds.length, 1)
  t.strictSame(
    await refusalOf(world, { ...aRefund(id), idempotency: { key: 'refund-1', fingerprint: 'b' } }),
    {
      reason: 'IDEMPOTENCY_KEY_REUSED',
    },
  )
})

const bodyOf = (reply: Awaited<ReturnType<World['execute']>>): any => {
  const { state, reversalId, nowMs } = reply as Extract<typeof reply, { accepted: true }>
  return refund.view(refundOf(state as Transaction, reversalId as RefundId), state as Transaction, nowMs)
}

t.test('the key of a completed refund replays it, and a refused one leaves it free', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const idempotency = { key: 'k', fingerprint: 'a' }
  t.equal(await world.refused({ ...aRefund(id, 10_001), idempotency }), 'REFUND_EXCEEDS_BALANCE')
  const first = await world.execute({ ...aRefund(id, 4_000), idempotency: { key: 'k', fingerprint: 'b' } })
  await world.accepted(aRefund(id, 1_000))
  const again = await world.execute({ ...aRefund(id, 4_000), idempotency: { key: 'k', fingerprint: 'b' } })
  t.match(again, { accepted: true, replayed: true })
  t.strictSame(bodyOf(again), bodyOf(first))
  t.match(bodyOf(again), { status: 'COMPLETED', refundableAmount: '6000' })
  await world.advance('P1Y')
  const late = await world.execute({ ...aRefund(id, 4_000), idempotency: { key: 'k', fingerprint: 'b' } })
  t.strictSame(bodyOf(late), bodyOf(first), 'also after the window, by a clock that was put forward')
})

t.test('what can be refunded is what a refund asked for now could take', async (t) => {
  const world = await opened()
  /** What is shown of a payment, and what becomes of a refund of a centavo more than is left of it. */
  const seen = async ({ id }: Pick<Transaction, 'id'>): Promise<readonly string[]> => {
    const nowMs = clockOf(world)
    const { refundableAmount } = transaction.view(world.transaction(id), { date: day, nowMs, payee: noPayee })
    return [refundableAmount, await world.refused(aRefund(id, 10_001))]
  }
  const day = '2026-11-20' as CalendarDate
  const lasting = await paidPix(world)
  t.strictSame(await seen(lasting), ['10000', 'REFUND_EXCEEDS_BALANCE'])
  await world.accepted(aMed(lasting.id))
  t.strictSame(await seen(lasting), ['0', 'DISPUTE_OPEN'])
  await world.accepted(aMedDecision(world.transaction(lasting.id).reversals.meds[0]!.id, 'REJECTED'))
  t.strictSame(await seen(lasting), ['10000', 'REFUND_EXCEEDS_BALANCE'])
  const pending = await world.accepted(aCharge())
  t.strictSame(await seen(pending), ['0', 'INVALID_STATE'])
  const boleto = await world.accepted(aBoleto())
  await world.accepted(aBoletoPayment(boleto.id))
  t.strictSame(await seen(boleto), ['0', 'REFUND_NOT_SUPPORTED'])

  const [disputed, won] = [await world.accepted(aCardPayment()), await world.accepted(aCardPayment())]
  const hear = listener(world)
  await world.accepted(aChargeback(disputed.id, 1))
  t.match(dataOf(hear()[0]), { status: 'CHARGEBACK', refundableAmount: '0' })
  t.strictSame(await seen(disputed), ['0', 'DISPUTE_OPEN'])
  await world.accepted(aChargeback(won.id))
  const reversalId = world.transaction(won.id).reversals.chargebacks[0]!.id
  const text = 'it was delivered: winning_evidence'
  await world.accepted({ ...ours, type: 'DisputeChargeback', reversalId, text })
  t.strictSame(await seen(won), ['0', 'DISPUTE_OPEN'])
  await world.advance('PT5S')
  t.strictSame(await seen(won), ['10000', 'REFUND_EXCEEDS_BALANCE'])
  await world.advance('P11D')
  t.strictSame(await seen(disputed), ['0', 'INVALID_STATE'], 'lost')

  const lastMs = (at: number, days: number) => ({
    type: 'AdvanceClock' as const,
    ...ours,
    step: { toMs: at + days * dayMs },
  })
  await world.execute(lastMs(world.transaction(lasting.id).approvedAtMs!, 90))
  t.strictSame(await seen(lasting), ['10000', 'REFUND_EXCEEDS_BALANCE'], 'on the ninetieth day')
  world.pass(1)
  t.strictSame(await seen(lasting), ['0', 'REFUND_WINDOW_EXPIRED'])
  await world.execute(lastMs(cardOf(world.transaction(won.id))!.capturedAtMs!, 180))
  t.strictSame(await seen(won), ['10000', 'REFUND_EXCEEDS_BALANCE'])
  world.pass(1)
  t.strictSame(await seen(won), ['0', 'REFUND_WINDOW_EXPIRED'])
})

t.test('while the rail is being asked, the same key is told to wait', async (t) => {
  let answer: (answer: ProviderAnswer) => void = () => undefined
  const held = new Promise<ProviderAnswer>((resolve) => {
    answer = resolve
  })
  const world = await opened(() => held)
  const { id } = await paidPix(world)
  const command = { ...aRefund(id), idempotency: { key: 'k', fingerprint: 'a' } }
  const first = world.shard.execute(command)
  const settled = world.settle()
  await new Promise((resolve) => setImmediate(resolve))
  const second = world.shard.execute(command)
  world.journal.flush()
  t.match(await second, { accepted: false, rejection: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' } })
  answer(done)
  await settled
  t.match(await first, { accepted: true, replayed: false, state: { status: 'REFUNDED' } })
  t.match(await world.execute(command), { accepted: true, replayed: true, state: { status: 'REFUNDED' } })
})

t.test('deposits and a PIX to the key go back whole, since they cost nothing', async (t) => {
  const world = await opened()
  const deposit = await paidPix(world, { origin: 'DEPOSIT' })
  const unrequested = await world.accepted(anUnrequestedPix())
  for (const { id } of [deposit, unrequested]) {
    t.equal(world.transaction(id).feeCents, 0)
    t.match(await answered(world, aRefund(id)), { status: 'COMPLETED', transactionStatus: 'REFUNDED' })
  }
  t.strictSame(world.account().balances, {
    available: 0n,
    receivable: 0n,
    blocked: 0n,
    fees: 0n,
    payer: 0n,
    recipients: 0n,
    paidOut: 0n,
  })
})

t.test('a cancelled card payment is a refund of all that is left of it', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 2 }))
  await world.accepted(aRefund(id, 2_500))
  const heard = listener(world)
  const { refundId } = aRefund(id)
  await world.accepted({
    type: 'CancelCardPayment',
    ...ours,
    transactionId: id,
    refundId,
    address: null,
    mayRefund: true,
  })
  const events = heard()
  t.strictSame(typesOf(events), ['payment.refunded'])
  t.match(dataOf(events[0]), {
    status: 'REFUNDED',
    refund: { id: refundId, amount: '7500', origin: 'CARD_CANCEL', reason: 'Cancelled by API' },
  })
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('what is not in the balance yet shrinks, what is there is taken out now', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 3 }))
  await world.advance('P35D')
  await world.accepted(aRefund(id, 5_000))
  const rows = world
    .transaction(id)
    .receivables.map(({ type, installment, status, grossCents, feeCents }) => ({
      type,
      installment,
      status,
      grossCents,
      feeCents,
    }))
  // 10,000 in three: 3334, 3333, 3333, with a fee of 399 as 133 each. Half goes back, and 200 of the fee.
  t.strictSame(rows, [
    { type: 'CREDIT', installment: 1, status: 'SETTLED', grossCents: 3334, feeCents: 133 },
    { type: 'CREDIT', installment: 2, status: 'SCHEDULED', grossCents: 1666, feeCents: 66 },
    { type: 'CREDIT', installment: 3, status: 'SCHEDULED', grossCents: 1667, feeCents: 67 },
    { type: 'REFUND', installment: 1, status: 'SETTLED', grossCents: 1667, feeCents: 67 },
  ])
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('a payment of another company is not there to be refunded', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const other = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  await openOther(world, other)
  t.equal(await world.refused({ ...aRefund(id), accountId: other }), 'NOT_FOUND')
  const slow = await paidPix(world, scenario('refund_slow'))
  const refund = await answered(world, aRefund(slow.id))
  t.equal(
    await world.refused({ ...resolution(refund.id, 'COMPLETED'), accountId: other }),
    'NOT_FOUND',
    'nor its refund to be decided',
  )
  t.equal(clockOf(world), world.now())
})

const openOther = (world: World, accountId: AccountId) =>
  world.execute({ type: 'OpenAccount', accountId, by: key, profile: world.account().profile })
