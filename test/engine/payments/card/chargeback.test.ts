import t from 'tap'
import { publicEventsOf } from '../../../../engine/events/events-of-entry.ts'
import type { Chargeback, Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import { addDays, type CalendarDate, dateIn, endOfDay } from '../../../../engine/shared/calendar.ts'
import type { ChargebackId, TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aSeed, clockOf } from '../../story.ts'
import { aCancellation, aCardPayment, aCharge, account, aPayment, aRefund, opened } from '../../world.ts'
import {
  aCapture,
  aCardCancellation,
  aChargeback,
  aClockReset,
  aDefense,
  aRefundResolution,
  aVerdict,
  books,
  heard,
  receivablesOf,
  rowsOf,
  type World,
} from './commands.ts'

const day = 86_400_000
const zone = 'America/Sao_Paulo'

const today = (world: World): CalendarDate => dateIn(zone, clockOf(world))

/** Opens one, and answers it. */
const disputed = async (world: World, id: TransactionId, amount: number | null = null): Promise<Chargeback> =>
  (await world.accepted(aChargeback(id, amount))).reversals.chargebacks[0]!

/** The payment's only chargeback, as it is. */
const chargebackOf = (world: World, id: TransactionId): Chargeback =>
  world.transaction(id).reversals.chargebacks[0]!

const nothing = { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 }

t.test('opened by the issuer: the payment is disputed, and what it brings is blocked', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const before = world.told.length
  const reply = await world.execute(aChargeback(id, null, 'PRODUCT_NOT_RECEIVED'))
  const { chargebackId, payment } = opening(reply)
  t.match(payment, { status: 'CHARGEBACK', version: 4, paidCents: 10_000, feeCents: 319 })
  t.strictSame(payment.reversals.chargebacks, [
    {
      id: chargebackId,
      amountCents: 10_000,
      reasonCode: '13.1',
      reason: 'PRODUCT_NOT_RECEIVED',
      status: 'OPEN',
      lostReason: null,
      statusBefore: 'APPROVED',
      feeCents: 319,
      defense: null,
      openedAtMs: world.now(),
      defenseDueAtMs: Date.UTC(2026, 11, 1, 3) - 1,
      resolvedAtMs: null,
      updatedAtMs: world.now(),
    },
  ])
  t.strictSame(heard(world, before), ['payment.chargeback v4 CHARGEBACK'])
  const [event] = publicEventsOf(world.told.at(-1)!, 0)
  t.match(event, { subject: { object: 'transaction', reversalId: chargebackId } })
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 9681, fees: 319, payer: -10_000 })
  t.strictSame(rowsOf(payment.receivables), ['CREDIT 1/1 SUSPENDED 10000-319 2026-12-21'])
})

const opening = (reply: Awaited<ReturnType<World['execute']>>) => {
  const { state, reversalId } = reply as Extract<typeof reply, { accepted: true }>
  return { payment: state as Transaction, chargebackId: reversalId as ChargebackId }
}

t.test('only of what is captured, once, and not of more than is left of it', async (t) => {
  const world = await opened()
  const authorized = await world.accepted(aCardPayment({ captures: false }))
  t.equal(await world.refused(aChargeback(authorized.id)), 'INVALID_STATE')
  const declined = await world.accepted(aCardPayment({ token: 'tok_test_declined_51' }))
  t.equal(await world.refused(aChargeback(declined.id)), 'INVALID_STATE')
  const refunded = await world.accepted(aCardPayment())
  await world.accepted(aRefund(refunded.id))
  t.equal(await world.refused(aChargeback(refunded.id)), 'INVALID_STATE')
  const pix = await world.accepted(aCharge())
  await world.accepted(aPayment(pix.id))
  t.equal(await world.refused(aChargeback(pix.id)), 'NOT_FOUND')
  t.equal(await world.refused(aChargeback('txn_nobody' as TransactionId)), 'NOT_FOUND')
  const { id } = await world.accepted(aCardPayment())
  await world.accepted(aRefund(id, 3000))
  t.match(await world.execute(aChargeback(id, 7001)), {
    rejection: { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: 7000 },
  })
  t.match(await disputed(world, id), { amountCents: 7000, statusBefore: 'PARTIALLY_REFUNDED' })
  t.equal(await world.refused(aChargeback(id, 1)), 'INVALID_STATE')
})

t.test('of a partial capture at most what was captured', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  await world.accepted(aCapture(id, 4000))
  t.equal(await world.refused(aChargeback(id, 4001)), 'REFUND_EXCEEDS_BALANCE')
  t.match(await disputed(world, id), { amountCents: 4000 })
})

t.test('until 180 days after the capture, to the millisecond', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const late = await world.accepted(aCardPayment())
  const other = await world.accepted(aCardPayment())
  world.pass(6 * day)
  await world.accepted(aCapture(id))
  world.pass(174 * day)
  t.match(await disputed(world, other.id), { status: 'OPEN' })
  world.pass(1)
  t.match(await world.execute(aChargeback(late.id)), {
    rejection: { reason: 'REFUND_WINDOW_EXPIRED', what: 'CHARGEBACK', days: 180 },
  })
  world.pass(6 * day - 1)
  t.match(await disputed(world, id), { status: 'OPEN' })
})

t.test('a defense is taken until the end of the tenth day, once', async (t) => {
  const world = await opened()
  const first = await world.accepted(aCardPayment())
  const second = await world.accepted(aCardPayment())
  const inTime = await disputed(world, first.id)
  const late = await disputed(world, second.id)
  const dueAtMs = endOfDay(zone, addDays(today(world), 10)) - 1
  t.equal(inTime.defenseDueAtMs, dueAtMs)
  world.pass(dueAtMs - world.now())
  const before = world.told.length
  const { payment } = opening(await world.execute(aDefense(inTime.id, 'signed on delivery, see here')))
  t.match(payment, { status: 'CHARGEBACK', version: 5 })
  t.match(payment.reversals.chargebacks, [
    { status: 'UNDER_REVIEW', defense: { text: 'signed on delivery, see here', submittedAtMs: dueAtMs } },
  ])
  t.strictSame(heard(world, before), [], 'a defense is told to nobody')
  t.match(await world.execute(aDefense(inTime.id)), {
    rejection: { reason: 'INVALID_STATE', currentStatus: 'UNDER_REVIEW', allowedStatuses: ['OPEN'] },
  })
  world.pass(1)
  t.match(await world.execute(aDefense(late.id)), {
    rejection: { reason: 'DEFENSE_WINDOW_CLOSED', defenseDueAtMs: dueAtMs },
  })
  t.equal(await world.refused(aDefense(inTime.id)), 'INVALID_STATE', 'the first defense came in time')
  t.match(chargebackOf(world, second.id), { status: 'LOST', lostReason: 'NO_DEFENSE' })
})

t.test('without a defense it is lost when the time for one is over', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { defenseDueAtMs } = await disputed(world, id)
  const before = world.told.length
  await world.execute({ type: 'AdvanceClock', accountId: account, by, step: { toMs: defenseDueAtMs } })
  t.equal(chargebackOf(world, id).status, 'OPEN')
  await world.advance('PT1S')
  t.match(chargebackOf(world, id), {
    status: 'LOST',
    lostReason: 'NO_DEFENSE',
    resolvedAtMs: defenseDueAtMs + 1,
    defense: null,
  })
  t.strictSame(heard(world, before), ['payment.chargeback v5 CHARGEBACK'])
  t.strictSame(books(t, world), nothing)
  t.match(world.transaction(id), { status: 'CHARGEBACK', feeCents: 0 })
})

const by = { kind: 'KEY', id: 'key_1' } as const

t.test('defended but not decided for thirty days, it is lost', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { id: chargebackId } = await disputed(world, id)
  await world.advance('P3D')
  await world.accepted(aDefense(chargebackId))
  await world.advance('P29DT23H59M59S')
  t.equal(chargebackOf(world, id).status, 'UNDER_REVIEW')
  await world.advance('PT1S')
  t.match(chargebackOf(world, id), { status: 'LOST', lostReason: 'DEFENSE_REJECTED' })
  t.strictSame(books(t, world), nothing)
})

t.test('the text of a defense decides it in Sandbox after five seconds', async (t) => {
  const world = await opened()
  const outcome = async (text: string): Promise<string> => {
    const { id } = await world.accepted(aCardPayment())
    const { id: chargebackId } = await disputed(world, id)
    await world.accepted(aDefense(chargebackId, text))
    await world.advance('PT4S')
    const { status: before } = chargebackOf(world, id)
    await world.advance('PT1S')
    const { status, lostReason } = chargebackOf(world, id)
    return `${before} ${status} ${lostReason} ${world.transaction(id).status}`
  }
  t.equal(await outcome('here: winning_evidence.'), 'UNDER_REVIEW WON null APPROVED')
  t.equal(await outcome('losing_evidence, sadly'), 'UNDER_REVIEW LOST DEFENSE_REJECTED CHARGEBACK')
  t.equal(await outcome('Winning Evidence of ours'), 'UNDER_REVIEW UNDER_REVIEW null CHARGEBACK')
})

t.test('the network decides only what is defended, and only once', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { id: chargebackId } = await disputed(world, id)
  t.equal(await world.refused(aVerdict(chargebackId, 'WON')), 'INVALID_STATE')
  t.equal(await world.refused(aVerdict(chargebackId, 'LOST')), 'INVALID_STATE')
  await world.accepted(aDefense(chargebackId))
  t.match(await world.execute(aVerdict(chargebackId, 'WON')), { accepted: true, reversalId: chargebackId })
  t.equal(await world.refused(aVerdict(chargebackId, 'LOST')), 'INVALID_STATE')
  t.equal(await world.refused(aDefense(chargebackId)), 'INVALID_STATE')
  t.equal(await world.refused(aVerdict('cbk_nobody' as ChargebackId, 'WON')), 'NOT_FOUND')
  t.equal(await world.refused(aDefense('cbk_nobody' as ChargebackId)), 'NOT_FOUND')
  t.match(await world.advance('P2M'), { accepted: true })
  t.equal(chargebackOf(world, id).status, 'WON', 'its time limits are over')
})

t.test('won before its batch, everything is as it was, and comes on its day', async (t) => {
  const world = await opened()
  const payment = await world.accepted(aCardPayment())
  const booked = books(t, world)
  const { id: chargebackId } = await disputed(world, payment.id)
  await world.accepted(aDefense(chargebackId))
  const before = world.told.length
  const won = await world.accepted(aVerdict(chargebackId, 'WON'))
  t.match(won, { status: 'APPROVED', version: 6, feeCents: 319, paidCents: 10_000 })
  t.match(won.reversals.chargebacks, [{ status: 'WON', resolvedAtMs: world.now(), lostReason: null }])
  t.strictSame(heard(world, before), ['payment.chargeback v6 APPROVED'])
  t.strictSame(books(t, world), booked)
  t.strictSame(rowsOf(won.receivables), ['CREDIT 1/1 SCHEDULED 10000-319 2026-12-21'])
  await world.advance('P32D')
  t.strictSame(books(t, world), { available: 9681, receivable: 0, blocked: 0, fees: 319, payer: -10_000 })
})

t.test('won after its day, what was suspended comes with the next batch', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.advance('P28D')
  const { id: chargebackId } = await disputed(world, id)
  await world.advance('P5D')
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 9681, fees: 319, payer: -10_000 })
  await world.accepted(aDefense(chargebackId))
  const won = await world.accepted(aVerdict(chargebackId, 'WON'))
  t.equal(today(world), '2026-12-23')
  t.strictSame(rowsOf(won.receivables), ['CREDIT 1/1 SCHEDULED 10000-319 2026-12-24'])
  await world.advance('P1D')
  t.strictSame(books(t, world), { available: 9681, receivable: 0, blocked: 0, fees: 319, payer: -10_000 })
})

t.test('opened after its batch, the balance is debited, and credited again when it is won', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.advance('P32D')
  const booked = books(t, world)
  t.strictSame(booked, { available: 9681, receivable: 0, blocked: 0, fees: 319, payer: -10_000 })
  const { id: chargebackId } = await disputed(world, id)
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 9681, fees: 319, payer: -10_000 })
  await world.accepted(aDefense(chargebackId))
  await world.accepted(aVerdict(chargebackId, 'WON'))
  t.strictSame(books(t, world), booked)
  t.strictSame(rowsOf(await receivablesOf(world, id)), [
    'CREDIT 1/1 SETTLED 10000-319 2026-12-21',
    'CHARGEBACK 1/1 SETTLED 10000-319 2026-12-22',
    'CHARGEBACK_REVERSAL 1/1 SETTLED 10000-319 2026-12-22',
  ])
})

t.test('lost after its batch, the money and the fee are gone', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.advance('P32D')
  const { id: chargebackId } = await disputed(world, id)
  await world.accepted(aDefense(chargebackId))
  const before = world.told.length
  const lost = await world.accepted(aVerdict(chargebackId, 'LOST'))
  t.match(lost, { status: 'CHARGEBACK', feeCents: 0, paidCents: 10_000 })
  t.match(lost.reversals.chargebacks, [{ status: 'LOST', lostReason: 'DEFENSE_REJECTED' }])
  t.strictSame(heard(world, before), ['payment.chargeback v6 CHARGEBACK'])
  t.strictSame(books(t, world), nothing)
  t.equal(await world.refused(aRefund(id)), 'INVALID_STATE')
  t.equal(await world.refused(aChargeback(id)), 'INVALID_STATE')
})

/** Three instalments of which the first is settled, with half of the payment disputed. */
const halfDisputed = async () => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 3 }))
  await world.advance('P32D')
  const { id: chargebackId } = await disputed(world, id, 5000)
  return { world, id, chargebackId }
}

t.test('half of three instalments: what is settled is debited, what is scheduled suspended', async (t) => {
  const { world, id } = await halfDisputed()
  t.strictSame(rowsOf(await receivablesOf(world, id)), [
    'CREDIT 1/3 SETTLED 3334-133 2026-12-21',
    'CREDIT 2/3 SCHEDULED 1666-66 2027-01-19',
    'CREDIT 3/3 SCHEDULED 1667-67 2027-02-18',
    'CREDIT 2/3 SUSPENDED 1667-67 2027-01-19',
    'CREDIT 3/3 SUSPENDED 1666-66 2027-02-18',
    'CHARGEBACK 1/3 SETTLED 1667-67 2026-12-22',
  ])
  t.strictSame(books(t, world), {
    available: 1601,
    receivable: 3200,
    blocked: 4800,
    fees: 399,
    payer: -10_000,
  })
})

t.test('half of three instalments, lost: the other half still comes', async (t) => {
  const { world, id } = await halfDisputed()
  await world.advance('P11D')
  t.match(world.transaction(id), { status: 'CHARGEBACK', feeCents: 199 })
  t.strictSame(books(t, world), { available: 1601, receivable: 3200, blocked: 0, fees: 199, payer: -5000 })
  await world.advance('P3M')
  t.strictSame(books(t, world), { available: 4801, receivable: 0, blocked: 0, fees: 199, payer: -5000 })
  t.strictSame(rowsOf(await receivablesOf(world, id)), [
    'CREDIT 1/3 SETTLED 3334-133 2026-12-21',
    'CREDIT 2/3 SETTLED 1666-66 2027-01-19',
    'CREDIT 3/3 SETTLED 1667-67 2027-02-18',
    'CREDIT 2/3 CANCELLED 1667-67 2027-01-19',
    'CREDIT 3/3 CANCELLED 1666-66 2027-02-18',
    'CHARGEBACK 1/3 SETTLED 1667-67 2026-12-22',
  ])
})

t.test(
  'half of three instalments, won: all of it comes, and can be refunded to the last centavo',
  async (t) => {
    const { world, id, chargebackId } = await halfDisputed()
    await world.accepted(aDefense(chargebackId))
    await world.accepted(aVerdict(chargebackId, 'WON'))
    t.strictSame(books(t, world), {
      available: 3201,
      receivable: 6400,
      blocked: 0,
      fees: 399,
      payer: -10_000,
    })
    await world.advance('P1M')
    t.strictSame(books(t, world), {
      available: 6401,
      receivable: 3200,
      blocked: 0,
      fees: 399,
      payer: -10_000,
    })
    await world.accepted(aRefund(id, 3333))
    books(t, world)
    await world.advance('P2M')
    const refunded = await world.accepted(aRefund(id))
    t.match(refunded, { status: 'REFUNDED', feeCents: 0 })
    t.strictSame(books(t, world), nothing)
  },
)

t.test('after a partial refund a win gives back the status before', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.accepted(aRefund(id, 1000))
  const booked = books(t, world)
  const { id: chargebackId } = await disputed(world, id, 4000)
  await world.accepted(aDefense(chargebackId))
  t.match(await world.accepted(aVerdict(chargebackId, 'WON')), { status: 'PARTIALLY_REFUNDED' })
  t.strictSame(books(t, world), booked)
  t.match(await world.accepted(aRefund(id)), { status: 'REFUNDED' })
  t.strictSame(books(t, world), nothing)
})

t.test('while it is open nothing is refunded, by no route', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { id: chargebackId } = await disputed(world, id, 1)
  const refusal = { rejection: { reason: 'DISPUTE_OPEN', disputeId: chargebackId } }
  t.match(await world.execute(aRefund(id, 1)), refusal)
  t.match(await world.execute(aCardCancellation(id)), refusal)
  t.equal(await world.refused(aCancellation(id)), 'INVALID_STATE')
  await world.accepted(aDefense(chargebackId))
  t.match(await world.execute(aRefund(id)), refusal)
  t.match(await world.execute(aCardCancellation(id)), refusal)
  await world.accepted(aVerdict(chargebackId, 'WON'))
  t.match(await world.accepted(aRefund(id)), { status: 'REFUNDED' })
  t.strictSame(books(t, world), nothing)
})

t.test('once it is lost there is nothing to cancel', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { id: chargebackId } = await disputed(world, id, 1)
  await world.accepted(aDefense(chargebackId))
  await world.accepted(aVerdict(chargebackId, 'LOST'))
  const rejection = { reason: 'INVALID_STATE', currentStatus: 'CHARGEBACK' }
  t.match(await world.execute(aCardCancellation(id)), { accepted: false, rejection })
  t.match(await world.execute(aRefund(id)), { accepted: false, rejection })
})

t.test('what refunds on their way may have returned is not taken until it is known', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
  const first = (await world.accepted(aRefund(id, 2000))).reversals.refunds[0]!
  const second = (await world.accepted(aRefund(id, 3000))).reversals.refunds[1]!
  const before = world.told.length
  const payment = await world.accepted(aChargeback(id))
  t.equal(payment.status, 'CHARGEBACK')
  t.match(payment.reversals.chargebacks, [{ amountCents: 5_000, disputedCents: 10_000 }])
  for (const refund of payment.reversals.refunds) t.equal(refund.status, 'PROCESSING')
  const { id: chargebackId } = chargebackOf(world, id)
  await world.accepted(aDefense(chargebackId))
  t.equal(await world.refused(aVerdict(chargebackId, 'LOST')), 'OPERATION_IN_PROGRESS')
  t.equal(await world.refused(aRefund(id, 1)), 'DISPUTE_OPEN')

  const made = await world.accepted(aRefundResolution(first.id, 'COMPLETED'))
  t.match(made.reversals.chargebacks, [{ amountCents: 5_000, disputedCents: 8_000 }])
  t.equal(made.status, 'CHARGEBACK')
  const not = await world.accepted(aRefundResolution(second.id, 'FAILED'))
  t.match(not.reversals.chargebacks, [{ amountCents: 8_000, disputedCents: 8_000 }])
  t.match(not.reversals.refunds, [
    { status: 'COMPLETED' },
    { status: 'FAILED', failureReason: 'DISPUTE_OPENED' },
  ])
  t.strictSame(
    heard(world, before).map((line) => line.replace(/ v\d+/, '')),
    ['payment.chargeback CHARGEBACK', 'payment.refunded CHARGEBACK', 'payment.refund_failed CHARGEBACK'],
  )
  await world.accepted(aVerdict(chargebackId, 'LOST'))
  const { fees, payer, blocked, receivable, available } = world.account().balances
  t.strictSame(
    [fees, payer, blocked, receivable, available],
    [0n, 0n, 0n, 0n, 0n],
    'the buyer has it all, once',
  )
})

t.test('a refund that was made of all that is disputed closes it: the buyer is repaid once', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
  const refund = (await world.accepted(aRefund(id))).reversals.refunds[0]!
  const open = await world.accepted(aChargeback(id))
  t.match(open.reversals.chargebacks, [{ status: 'OPEN', amountCents: 0, disputedCents: 10_000 }])
  const closed = await world.accepted(aRefundResolution(refund.id, 'COMPLETED'))
  t.match(closed, { status: 'REFUNDED' })
  t.match(closed.reversals.chargebacks, [{ status: 'WON', amountCents: 0, disputedCents: 0 }])
  t.strictSame(books(t, world), nothing)
  t.match(await world.advance('P1Y'), { accepted: true })
  t.equal(world.transaction(id).status, 'REFUNDED')
})

t.test('a refund that was not made leaves all that is disputed to it', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
  const refund = (await world.accepted(aRefund(id))).reversals.refunds[0]!
  await world.accepted(aChargeback(id))
  const grown = await world.accepted(aRefundResolution(refund.id, 'FAILED'))
  t.match(grown, { status: 'CHARGEBACK' })
  t.match(grown.reversals.chargebacks, [
    { status: 'OPEN', amountCents: 10_000, disputedCents: 10_000, feeCents: 319 },
  ])
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 9681, fees: 319, payer: -10_000 })
})

t.test('won after a part was refunded, the rest is there as if nothing had been', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow', installments: 3 }))
  const refund = (await world.accepted(aRefund(id, 3_333))).reversals.refunds[0]!
  await world.accepted(aChargeback(id))
  await world.accepted(aRefundResolution(refund.id, 'COMPLETED'))
  const { id: chargebackId } = chargebackOf(world, id)
  await world.accepted(aDefense(chargebackId))
  const won = await world.accepted(aVerdict(chargebackId, 'WON'))
  t.equal(won.status, 'PARTIALLY_REFUNDED')
  const rest = (await world.accepted(aRefund(id))).reversals.refunds[1]!
  t.match(await world.accepted(aRefundResolution(rest.id, 'COMPLETED')), { status: 'REFUNDED' })
  t.strictSame(books(t, world), nothing)
})

t.test('no second one after a win', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_chargeback' }))
  await world.advance('PT5S')
  await world.accepted(aDefense(chargebackOf(world, id).id, 'this is winning_evidence'))
  await world.advance('PT5S')
  t.equal(world.transaction(id).status, 'APPROVED')
  t.match(await world.execute(aChargeback(id)), {
    rejection: { reason: 'INVALID_STATE', currentStatus: 'WON', allowedStatuses: [] },
  })
  t.match(await world.advance('P1Y'), { accepted: true })
  t.equal(world.transaction(id).reversals.chargebacks.length, 1, 'not by the token either')
})

t.test('a token opens one five seconds after the payment is approved', async (t) => {
  const world = await opened()
  const { id, createdAtMs } = await world.accepted(aCardPayment({ token: 'tok_test_chargeback' }))
  const later = await world.accepted(aCardPayment({ token: 'tok_test_chargeback', captures: false }))
  await world.advance('PT4S')
  t.equal(world.transaction(id).status, 'APPROVED')
  await world.advance('PT1S')
  t.match(chargebackOf(world, id), {
    status: 'OPEN',
    amountCents: 10_000,
    openedAtMs: createdAtMs + 5000,
  })
  t.match(world.transaction(id).timeline.at(-1), { type: 'ChargebackOpened', actor: { kind: 'SANDBOX' } })
  t.equal(world.transaction(later.id).status, 'AUTHORIZED')
  await world.accepted(aCapture(later.id, 500))
  await world.advance('PT5S')
  t.match(chargebackOf(world, later.id), { status: 'OPEN', amountCents: 500 })
  const refunded = await world.accepted(aCardPayment({ token: 'tok_test_chargeback' }))
  await world.accepted(aRefund(refunded.id))
  t.match(await world.advance('PT1M'), { accepted: true })
  t.equal(world.transaction(refunded.id).status, 'REFUNDED')
})

t.test('a clock that is set back leaves an open one open, until its own time', async (t) => {
  const world = await opened()
  await world.advance('P2M')
  const { id } = await world.accepted(aCardPayment({ installments: 2 }))
  const { id: chargebackId, defenseDueAtMs } = await disputed(world, id)
  await world.execute(aClockReset)
  world.shard.tick()
  t.equal(chargebackOf(world, id).status, 'OPEN')
  await world.accepted(aDefense(chargebackId))
  await world.advance('P31D')
  t.match(chargebackOf(world, id), { status: 'LOST' })
  t.ok(chargebackOf(world, id).resolvedAtMs! < defenseDueAtMs)
  books(t, world)
})

t.test('they are listed by status and payment, the newest first', async (t) => {
  const world = await opened()
  const first = await world.accepted(aCardPayment())
  const second = await world.accepted(aCardPayment())
  const open = await disputed(world, first.id)
  world.pass(1000)
  const defended = await disputed(world, second.id)
  await world.accepted(aDefense(defended.id))
  const listed = async (statuses: readonly Chargeback['status'][], transactionId: string | null) => {
    const { rows, total } = await world.shard.query({
      type: 'ListChargebacks',
      accountId: account,
      page: 1,
      pageSize: 10,
      asOf: null,
      from: null,
      to: null,
      statuses,
      transactionId,
    })
    t.equal(total, rows.length)
    return rows.map(({ chargeback }) => chargeback.id)
  }
  t.strictSame(await listed([], null), [defended.id, open.id])
  t.strictSame(await listed(['OPEN'], null), [open.id])
  t.strictSame(await listed(['UNDER_REVIEW', 'OPEN'], second.id), [defended.id])
  t.strictSame(await listed(['WON', 'LOST'], null), [])
})

t.test('one of a single centavo takes that centavo, and no fee with it', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 12 }, { amountCents: toCents(1000) }))
  const { feeCents } = await disputed(world, id, 1)
  t.equal(feeCents, 0)
  t.strictSame(books(t, world), { available: 0, receivable: 953, blocked: 1, fees: 46, payer: -1000 })
  await world.advance('P11D')
  t.strictSame(books(t, world), { available: 0, receivable: 953, blocked: 0, fees: 46, payer: -999 })
  await world.advance('P1Y')
  t.strictSame(books(t, world), { available: 953, receivable: 0, blocked: 0, fees: 46, payer: -999 })
})

t.test('won when the days of several instalments have passed, they come with one batch', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 3 }))
  await world.advance('P28D')
  const { id: chargebackId } = await disputed(world, id)
  await world.advance('P9D')
  await world.accepted(aDefense(chargebackId))
  await world.advance('P29D')
  t.equal(today(world), '2027-01-25')
  const before = world.told.length
  const won = await world.accepted(aVerdict(chargebackId, 'WON'))
  t.strictSame(rowsOf(won.receivables), [
    'CREDIT 1/3 SCHEDULED 3334-133 2027-01-26',
    'CREDIT 2/3 SCHEDULED 3333-133 2027-01-26',
    'CREDIT 3/3 SCHEDULED 3333-133 2027-02-18',
  ])
  t.strictSame(books(t, world), { available: 0, receivable: 9601, blocked: 0, fees: 399, payer: -10_000 })
  await world.advance('P1M')
  t.strictSame(heard(world, before), [
    'payment.chargeback v6 APPROVED',
    'settlement.processing 6401 of 2',
    'settlement.completed 6401 of 2',
    'settlement.processing 3200 of 1',
    'settlement.completed 3200 of 1',
  ])
  t.strictSame(books(t, world), { available: 9601, receivable: 0, blocked: 0, fees: 399, payer: -10_000 })
})

t.test(
  'opened while refunds are on their way, everybody is answered about what they asked for',
  async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
    await world.accepted(aRefund(id, 100))
    const wanted = [aRefund(id, 200), aRefund(id, 300)]
    const waiting = wanted.map((refund) => world.shard.execute(refund))
    const { chargebackId, payment } = opening(await world.execute(aChargeback(id)))
    t.equal(chargebackId, payment.reversals.chargebacks[0]!.id)
    for (const [n, refund] of wanted.entries())
      t.match(await waiting[n], { accepted: true, reversalId: refund.refundId })
  },
)

t.test('what was seeded long ago with the scenario has its chargeback, however late', async (t) => {
  const world = await opened()
  const metadata = { sandboxScenario: 'chargeback' }
  const seed = aSeed({ method: 'CREDIT_CARD', createdAtMs: world.now() - 300 * day, metadata })
  t.match(await world.execute(seed), { accepted: true })
  world.shard.tick()
  t.match(world.transaction(seed.transactionId), { status: 'CHARGEBACK' })
  t.match(chargebackOf(world, seed.transactionId), { status: 'OPEN', openedAtMs: world.now() })
  t.equal(await world.refused(aChargeback(seed.transactionId)), 'INVALID_STATE')
  const old = aSeed({ method: 'CREDIT_CARD', createdAtMs: world.now() - 300 * day })
  await world.execute(old)
  t.equal(await world.refused(aChargeback(old.transactionId)), 'REFUND_WINDOW_EXPIRED')
})

t.test(
  'a service that was stopped for months opens the chargebacks of its tokens when it starts',
  async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aCardPayment({ token: 'tok_test_chargeback' }))
    world.pass(200 * day)
    world.shard.tick()
    t.equal(chargebackOf(world, id).status, 'OPEN')
  },
)
