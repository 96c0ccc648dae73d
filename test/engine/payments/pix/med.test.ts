import t from 'tap'
import { pixOf } from '../../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer } from '../../../../engine/payments/provider.ts'
import { accountIdOf, type CompanyId, type MedId, type TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { noPayee } from '../../../../gateway/resources/payments/fiscal.ts'
import { med } from '../../../../gateway/resources/payments/med.ts'
import { transaction } from '../../../../gateway/resources/payments/transaction.ts'
import {
  aBoletoPayment,
  aMed,
  aMedDecision,
  booksFor,
  clockOf,
  dataOf,
  listener,
  paidPix,
  scenario,
  typesOf,
} from '../../story.ts'
import {
  aBoleto,
  aCardPayment,
  aCharge,
  anUnrequestedPix,
  aPayment,
  aRefund,
  askSandbox,
  dayMs,
  key,
  opened,
  ours,
  refusalOf,
  type World,
} from '../../world.ts'

const medsOf = (world: World, id: TransactionId) => world.transaction(id).reversals.meds

/** The newest MED of a transaction, as the detail shows it. */
const seen = (world: World, id: TransactionId): any => {
  const transaction = world.transaction(id)
  return med.view(transaction.reversals.meds.at(-1)!, transaction)
}

const contested = async (world: World, id: TransactionId, amount: number | null = null): Promise<MedId> => {
  await world.accepted(aMed(id, amount))
  return medsOf(world, id).at(-1)!.id
}

const advanceToMs = (world: World, toMs: number) =>
  world.execute({ type: 'AdvanceClock', ...ours, step: { toMs } })

t.test('a contested PIX is blocked and stays APPROVED; the merchant hears what and how long', async (t) => {
  const world = await opened()
  const paid = await paidPix(world, { externalId: 'order-1' })
  await paidPix(world)
  const heard = listener(world)
  await world.accepted({ ...aMed(paid.id, 4_000), reason: 'OPERATIONAL_FAILURE' })
  const events = heard()
  t.strictSame(typesOf(events), ['pix.med_opened'])
  t.strictSame(dataOf(events[0]), {
    id: medsOf(world, paid.id)[0]!.id,
    object: 'med',
    transactionId: paid.id,
    endToEndId: pixOf(paid)!.payment!.endToEndId,
    amount: '4000',
    blockedAmount: '4000',
    returnedAmount: '0',
    reason: 'OPERATIONAL_FAILURE',
    status: 'OPEN',
    result: null,
    details: null,
    rootEndToEndId: null,
    openedAt: '2026-11-20T12:00:00.000Z',
    analysisDueAt: '2026-11-21T12:00:00.000Z',
    defense: null,
    contestUntil: null,
    contest: null,
    closedAt: null,
    externalId: 'order-1',
  })
  const open = world.transaction(paid.id)
  t.match(open, { status: 'APPROVED', version: paid.version + 1 })
  t.match(transaction.view(open, { payee: noPayee } as never), {
    disputedAmount: '4000',
    refundedAmount: '0',
  })
  t.match(world.account().balances, { available: 15_802n, blocked: 4_000n })
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('by default all that is left of it is contested, for fraud', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  await paidPix(world)
  await world.accepted(aRefund(id, 2_500))
  await contested(world, id)
  t.match(seen(world, id), { amount: '7500', blockedAmount: '7500', reason: 'FRAUD' })
})

t.test('never more is blocked than the balance has', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  await contested(world, id)
  t.match(seen(world, id), { amount: '10000', blockedAmount: '9901' }, 'the fee is gone')
  t.match(world.account().balances, { available: 0n, blocked: 9_901n })
  const third = await paidPix(world, { amountCents: toCents(1) })
  await contested(world, third.id)
  t.match(seen(world, third.id), { amount: '1', blockedAmount: '0' }, 'a PIX that was all fee')
})

t.test('of a balance below zero nothing is blocked, and nothing can be returned', async (t) => {
  const world = await opened()
  const gone = await paidPix(world)
  const { id } = await paidPix(world, { amountCents: toCents(50) })
  await world.accepted(aRefund(gone.id))
  t.equal(world.account().balances.available, -50n)
  const reversalId = await contested(world, id)
  t.match(seen(world, id), { amount: '50', blockedAmount: '0' })
  t.strictSame(await refusalOf(world, aMedDecision(reversalId, 'ACCEPTED', 1)), {
    reason: 'REFUND_EXCEEDS_BALANCE',
    refundableCents: 0,
  })
  const heard = listener(world)
  await world.accepted(aMedDecision(reversalId, 'ACCEPTED'))
  t.strictSame(typesOf(heard()), ['pix.med_closed'], 'no refund of nothing')
  t.match(seen(world, id), { status: 'CLOSED', result: 'ACCEPTED', returnedAmount: '0' })
  t.match(world.transaction(id), { status: 'APPROVED', reversals: { refunds: [gone].slice(1) } })
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('it can be opened for 80 days after the payment', async (t) => {
  const world = await opened()
  const early = await paidPix(world)
  const late = await paidPix(world)
  await advanceToMs(world, early.approvedAtMs! + 80 * dayMs)
  t.equal(await world.refused(aMed(early.id)), 'accepted', 'to the last millisecond')
  await advanceToMs(world, early.approvedAtMs! + 80 * dayMs + 1)
  t.strictSame(await refusalOf(world, aMed(late.id)), {
    reason: 'REFUND_WINDOW_EXPIRED',
    what: 'MED',
    days: 80,
  })
})

t.test('the days count from the payment, not from the charge', async (t) => {
  const world = await opened()
  const terms = { method: 'PIX', expiresInSeconds: null, due: { date: '2027-01-04' as never } } as const
  const { id } = await world.accepted(aCharge({ terms }))
  await world.advance('P30D')
  await world.accepted(aPayment(id))
  await world.advance('P80D')
  t.equal(await world.refused(aMed(id)), 'accepted')
})

t.test('one is open at a time; after it another may follow', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const first = await contested(world, id, 1_000)
  t.strictSame(await refusalOf(world, aMed(id, 1_000)), { reason: 'DISPUTE_OPEN', disputeId: first })
  await world.accepted(aMedDecision(first, 'REJECTED'))
  const second = await contested(world, id, 1_000)
  t.not(second, first)
  t.strictSame(
    medsOf(world, id).map(({ status }) => status),
    ['CLOSED', 'OPEN'],
  )
})

t.test('what is not a paid PIX cannot be contested, nor more than is left of one', async (t) => {
  const world = await opened()
  const card = await world.accepted(aCardPayment())
  const boleto = await world.accepted(aBoleto())
  await world.execute(aBoletoPayment(boleto.id))
  for (const { id } of [card, boleto])
    t.strictSame(await refusalOf(world, aMed(id)), { reason: 'NOT_FOUND', resource: 'transaction' })
  const pending = await world.accepted(aCharge())
  const allowedStatuses = ['APPROVED', 'PARTIALLY_REFUNDED']
  t.strictSame(await refusalOf(world, aMed(pending.id)), {
    reason: 'INVALID_STATE',
    currentStatus: 'PENDING',
    allowedStatuses,
  })
  const gone = await paidPix(world)
  await world.accepted(aRefund(gone.id))
  t.match(await refusalOf(world, aMed(gone.id)), { reason: 'INVALID_STATE', currentStatus: 'REFUNDED' })
  const { id } = await paidPix(world)
  await world.accepted(aRefund(id, 1))
  t.strictSame(await refusalOf(world, aMed(id, 10_000)), {
    reason: 'REFUND_EXCEEDS_BALANCE',
    refundableCents: 9_999,
  })
  t.match(await refusalOf(world, aMedDecision('med_nobody' as MedId, 'REJECTED')), { resource: 'med' })
})

t.test('what is on its way as a refund cannot be contested, too', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world, scenario('refund_slow'))
  await world.accepted(aRefund(id, 7_000))
  t.match(await refusalOf(world, aMed(id, 3_001)), { refundableCents: 3_000 })
  const whole = await paidPix(world, scenario('refund_slow'))
  await world.accepted(aRefund(whole.id))
  t.match(await refusalOf(world, aMed(whole.id)), { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: 0 })
  await paidPix(world)
  const reversalId = await contested(world, id)
  t.match(seen(world, id), { amount: '3000' })
  await world.advance('PT5S')
  t.equal(world.transaction(id).status, 'PARTIALLY_REFUNDED', 'the refund is completed meanwhile')
  await world.accepted(aMedDecision(reversalId, 'ACCEPTED'))
  t.equal(world.transaction(id).status, 'REFUNDED')
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('accepted whole: what was blocked goes back as a refund of the MED, told after it', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world, { externalId: 'order-1' })
  await paidPix(world)
  const reversalId = await contested(world, id)
  const { version } = world.transaction(id)
  const heard = listener(world)
  await world.advance('P1D')
  await world.accepted(aMedDecision(reversalId, 'ACCEPTED'))
  const events = heard()
  t.strictSame(typesOf(events), ['pix.med_closed', 'payment.refunded'])
  t.match(dataOf(events[0]), {
    id: reversalId,
    externalId: 'order-1',
    status: 'CLOSED',
    result: 'ACCEPTED',
    returnedAmount: '10000',
    closedAt: '2026-11-21T12:00:00.000Z',
  })
  t.match(dataOf(events[1]), {
    id,
    status: 'REFUNDED',
    refundedAmount: '10000',
    refundableAmount: '0',
    feeAmount: '99',
    version: version + 3,
    refund: {
      amount: '10000',
      status: 'COMPLETED',
      origin: 'MED',
      feeReversedAmount: '0',
      returnId: /^D99999999202611211200[A-Za-z0-9]{11}$/,
      transactionStatus: 'REFUNDED',
    },
  })
  t.strictSame(
    world
      .transaction(id)
      .timeline.slice(version)
      .map(({ type, status }) => [type, status]),
    [
      ['MedClosed', 'APPROVED'],
      ['RefundRequested', 'APPROVED'],
      ['RefundCompleted', 'REFUNDED'],
    ],
  )
  t.strictSame(world.account().balances, {
    available: 9_802n,
    receivable: 0n,
    blocked: 0n,
    fees: 198n,
    payer: -10_000n,
    recipients: 0n,
    paidOut: 0n,
  })
})

t.test('accepted in part: the rest of what was blocked is free again', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const reversalId = await contested(world, id, 6_000)
  t.strictSame(await refusalOf(world, aMedDecision(reversalId, 'ACCEPTED', 6_001)), {
    reason: 'REFUND_EXCEEDS_BALANCE',
    refundableCents: 6_000,
  })
  const heard = listener(world)
  await world.accepted(aMedDecision(reversalId, 'ACCEPTED', 2_000))
  const events = heard()
  t.strictSame(typesOf(events), ['pix.med_closed', 'payment.refunded'])
  t.match(dataOf(events[0]), { amount: '6000', blockedAmount: '6000', returnedAmount: '2000' })
  t.match(dataOf(events[1]), { status: 'PARTIALLY_REFUNDED', refund: { amount: '2000' } })
  t.strictSame(world.account().balances, {
    available: 7_901n,
    receivable: 0n,
    blocked: 0n,
    fees: 99n,
    payer: -8_000n,
    recipients: 0n,
    paidOut: 0n,
  })
  t.match(await refusalOf(world, aRefund(id, 8_001)), { refundableCents: 8_000 })
  await world.accepted(aRefund(id))
  t.equal(world.transaction(id).status, 'REFUNDED')
  t.strictSame(world.account().balances, booksFor(world))
})

t.test(
  'rejected by the merchant or cancelled by the payer: nothing moves, but the version does',
  async (t) => {
    const world = await opened()
    for (const result of ['REJECTED', 'CANCELLED'] as const) {
      const { id } = await paidPix(world)
      const before = world.account().balances
      const reversalId = await contested(world, id)
      const { version } = world.transaction(id)
      const heard = listener(world)
      // An amount means nothing beside these results.
      await world.accepted(aMedDecision(reversalId, result, 500))
      const events = heard()
      t.strictSame(typesOf(events), ['pix.med_closed'])
      t.match(dataOf(events[0]), { status: 'CLOSED', result, returnedAmount: '0' })
      t.match(world.transaction(id), { status: 'APPROVED', version: version + 1 })
      t.match(transaction.view(world.transaction(id), { payee: noPayee } as never), { disputedAmount: '0' })
      t.strictSame(world.account().balances, before)
      t.strictSame(await refusalOf(world, aMedDecision(reversalId, 'ACCEPTED')), {
        reason: 'INVALID_STATE',
        currentStatus: 'CLOSED',
        allowedStatuses: ['OPEN'],
      })
      t.equal(await world.refused(aRefund(id)), 'accepted', 'it can be refunded again')
    }
  },
)

t.test('nobody decides within seven days: it is accepted', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  await paidPix(world)
  await world.accepted(aRefund(id, 1_000))
  await contested(world, id, 5_000)
  const dueAtMs = clockOf(world) + 7 * dayMs
  await advanceToMs(world, dueAtMs - 1)
  t.match(seen(world, id), { status: 'OPEN' })
  const heard = listener(world)
  await advanceToMs(world, dueAtMs)
  t.strictSame(typesOf(heard()), ['pix.med_closed', 'payment.refunded'])
  t.match(seen(world, id), {
    status: 'CLOSED',
    result: 'ACCEPTED',
    returnedAmount: '5000',
    closedAt: '2026-11-27T12:00:00.000Z',
  })
  const { status, timeline } = world.transaction(id)
  t.equal(status, 'PARTIALLY_REFUNDED')
  t.match(timeline.at(-1)!.actor, { kind: 'CLOCK', id: null })
  await world.advance('P1Y')
  t.strictSame(heard(), [], 'once')
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('while it is open nothing of the payment is refunded', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const reversalId = await contested(world, id, 1)
  for (const amount of [null, 1, 9_999, 99_999])
    t.strictSame(await refusalOf(world, aRefund(id, amount)), {
      reason: 'DISPUTE_OPEN',
      disputeId: reversalId,
    })
  await world.accepted(aMedDecision(reversalId, 'CANCELLED'))
  t.equal(await world.refused(aRefund(id)), 'accepted')
})

t.test('the scenario opens one five seconds after the payment, once', async (t) => {
  const world = await opened()
  const { id, createdAtMs } = await world.accepted(
    aCharge({ amountCents: toCents(10_000), ...scenario('med') }),
  )
  const heard = listener(world)
  await advanceToMs(world, createdAtMs + 2_000)
  t.strictSame(typesOf(heard()).slice(0, 2), ['pix.received', 'payment.approved'])
  await advanceToMs(world, createdAtMs + 6_999)
  t.strictSame(heard(), [])
  await advanceToMs(world, createdAtMs + 7_000)
  t.strictSame(typesOf(heard()), ['pix.med_opened'])
  t.match(seen(world, id), { amount: '10000', blockedAmount: '9901', status: 'OPEN' })
  await world.accepted(aMedDecision(medsOf(world, id)[0]!.id, 'REJECTED'))
  heard()
  await world.advance('P1Y')
  t.strictSame(heard(), [])
  t.equal(medsOf(world, id).length, 1)
})

t.test('the scenario of a boleto only pays it: there is no PIX to contest', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aBoleto({}, scenario('med')))
  await world.advance('P1Y')
  t.match(world.transaction(id), { status: 'APPROVED', reversals: { meds: [] } })
})

t.test('a PIX to the key without a charge can be contested', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(anUnrequestedPix())
  const heard = listener(world)
  await contested(world, id)
  t.match(dataOf(heard()[0]), { amount: '5', blockedAmount: '5', externalId: null })
  await world.advance('P7D')
  t.equal(world.transaction(id).status, 'REFUNDED')
})

t.test('a MED of another company is not there', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const reversalId = await contested(world, id)
  const accountId = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  await world.execute({ type: 'OpenAccount', accountId, by: key, profile: world.account().profile })
  t.equal(await world.refused({ ...aMed(id), accountId }), 'NOT_FOUND')
  t.equal(await world.refused({ ...aMedDecision(reversalId, 'ACCEPTED'), accountId }), 'NOT_FOUND')
})

t.test('a PIX that is being refunded whole when the scenario would contest it is left alone', async (t) => {
  const silent: ProviderAnswer = { type: 'SILENT' }
  const answers = [silent, silent]
  const world = await opened((request) =>
    Promise.resolve(answers.shift()).then((answer) => answer ?? askSandbox(request)),
  )
  const { id } = await paidPix(world, scenario('med'))
  await world.accepted(aRefund(id))
  await world.advance('PT5S')
  t.match(world.transaction(id), { status: 'APPROVED', reversals: { meds: [] } })
  await world.advance('PT1M')
  t.match(world.transaction(id), { status: 'REFUNDED', reversals: { meds: [] } })
})

t.test('what the scenario would contest is contested though nobody was there for months', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world, scenario('med'))
  world.pass(81 * dayMs)
  world.shard.tick()
  world.journal.flush()
  t.match(seen(world, id), { status: 'OPEN' })
})
