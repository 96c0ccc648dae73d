import t from 'tap'
import { publicEventsOf } from '../../../../engine/events/events-of-entry.ts'
import type { PublicEvent } from '../../../../engine/kernel/event-types.ts'
import type { Brand } from '../../../../engine/ledger/card-rates.ts'
import { batchAtMs } from '../../../../engine/ledger/schedule.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  isBusinessDay,
  nextBusinessDay,
} from '../../../../engine/shared/calendar.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { clockOf } from '../../story.ts'
import { aBoleto, aCardPayment, aCharge, account, aPayment, aRefund, key, opened } from '../../world.ts'
import {
  aCapture,
  aCardCancellation,
  aSettling,
  books,
  heard,
  receivablesOf,
  rowsOf,
  type World,
} from './commands.ts'

const zone = 'America/Sao_Paulo'
const hour = 3_600_000
const day = 24 * hour

const today = (world: World): CalendarDate => dateIn(zone, clockOf(world))
const to = (world: World, toMs: number) =>
  world.execute({ type: 'AdvanceClock', accountId: account, by: key, step: { toMs } })

/** A card payment of so many centavos. */
const paid = (world: World, amount: number, installments = 1) =>
  world.accepted(aCardPayment({ installments }, { amountCents: toCents(amount) }))

const nothing = { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 }

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The settlements that were told since, with the moment of each. */
const settlements = (world: World, since: number) =>
  world.told
    .slice(since)
    .flatMap((entry) => publicEventsOf(entry, 0))
    .flatMap(({ type, subject, atMs }: PublicEvent) =>
      subject.object === 'settlement' && type === 'settlement.completed'
        ? [{ ...subject.settlement, atMs }]
        : [],
    )

t.test('instalments: the first ones take the centavos that are left, each a part of the fee', async (t) => {
  const world = await opened()
  const three = await paid(world, 10_000, 3)
  t.equal(three.feeCents, 399)
  t.strictSame(rowsOf(three.receivables), [
    'CREDIT 1/3 SCHEDULED 3334-133 2026-12-21',
    'CREDIT 2/3 SCHEDULED 3333-133 2027-01-19',
    'CREDIT 3/3 SCHEDULED 3333-133 2027-02-18',
  ])
  const twelve = await paid(world, 1000, 12)
  t.equal(twelve.feeCents, 46)
  t.strictSame(
    twelve.receivables.map(({ grossCents, feeCents }) => `${grossCents}-${feeCents}`),
    ['84-4', '84-4', '84-4', '84-4', '83-4', '83-4', '83-4', '83-4', '83-4', '83-4', '83-3', '83-3'],
  )
})

t.test('every brand and number of instalments adds up: amounts, fees, dates in order', async (t) => {
  const world = await opened()
  const brands: readonly Brand[] = ['VISA', 'MASTERCARD', 'ELO', 'AMEX', 'HIPERCARD', 'OTHER']
  const fees: Record<Brand, readonly [number, number, number]> = {
    VISA: [319, 399, 459],
    MASTERCARD: [319, 399, 459],
    ELO: [369, 449, 509],
    AMEX: [399, 479, 539],
    HIPERCARD: [369, 449, 509],
    OTHER: [399, 479, 539],
  }
  for (const brand of brands) {
    for (let installments = 1; installments <= 12; installments++) {
      const card = { token: 'x', tokenFingerprint: 'f', brand, last4: '4242', bin: null, holderName: null }
      const terms = { method: 'CREDIT_CARD', installments, captures: true, card } as const
      const payment = await world.accepted(aCharge({ amountCents: toCents(12_347), terms }))
      const bps = fees[brand][installments === 1 ? 0 : installments <= 6 ? 1 : 2]
      const what = `${brand} ${installments}x`
      t.equal(payment.feeCents, Math.floor((12_347 * bps * 2 + 10_000) / 20_000), what)
      t.equal(sum(payment.receivables.map(({ grossCents }) => grossCents)), 12_347, what)
      t.equal(sum(payment.receivables.map(({ feeCents }) => feeCents)), payment.feeCents, what)
      t.strictSame(
        payment.receivables.map(({ expectedOn }) => expectedOn),
        Array.from({ length: installments }, (_, n) => nextBusinessDay(addDays(today(world), 30 * (n + 1)))),
        what,
      )
    }
  }
  books(t, world)
})

t.test('days are counted from the capture, in the zone of the company', async (t) => {
  const world = await opened()
  // 23:30 on Friday the 20th in São Paulo, the 21st in UTC.
  world.pass(14 * hour + hour / 2)
  t.equal(new Date(world.now()).toISOString(), '2026-11-21T02:30:00.000Z')
  const authorized = await world.accepted(aCardPayment({ captures: false }))
  const now = await paid(world, 100)
  t.strictSame(rowsOf(now.receivables), ['CREDIT 1/1 SCHEDULED 100-3 2026-12-21'], '20 December is a Sunday')
  world.pass(hour)
  const later = await world.accepted(aCapture(authorized.id, 100))
  t.strictSame(
    rowsOf(later.receivables),
    ['CREDIT 1/1 SCHEDULED 100-3 2026-12-21'],
    '21 November and 30 days',
  )
  const [first] = now.receivables
  const [second] = later.receivables
  t.equal(second!.settlementId, first!.settlementId, 'one settlement for a day and method')
})

t.test('holidays are no business days: a batch waits for the next one', async (t) => {
  const world = await opened()
  // 30 days after it is Monday of Carnival: the next business day is Ash Wednesday.
  await to(world, Date.UTC(2027, 0, 9, 15))
  const carnival = await paid(world, 100)
  t.strictSame(rowsOf(carnival.receivables), ['CREDIT 1/1 SCHEDULED 100-3 2027-02-10'])
  await to(world, Date.UTC(2027, 1, 24, 15))
  const goodFriday = await paid(world, 100)
  t.strictSame(rowsOf(goodFriday.receivables), ['CREDIT 1/1 SCHEDULED 100-3 2027-03-29'])
})

t.test('a batch runs at six in the morning of its day, and tells what came with it', async (t) => {
  const world = await opened()
  const first = await paid(world, 10_000)
  await paid(world, 501)
  const before = world.told.length
  const sixMs = Date.UTC(2026, 11, 21, 9)
  await to(world, sixMs - 1)
  t.strictSame(books(t, world), { available: 0, receivable: 10_166, blocked: 0, fees: 335, payer: -10_501 })
  t.strictSame(heard(world, before), [])
  await to(world, sixMs)
  t.strictSame(books(t, world), { available: 10_166, receivable: 0, blocked: 0, fees: 335, payer: -10_501 })
  t.strictSame(heard(world, before), ['settlement.processing 10166 of 2', 'settlement.completed 10166 of 2'])
  t.match(settlements(world, before), [
    {
      method: 'CREDIT_CARD',
      grossCents: 10_501,
      feeCents: 335,
      receivablesCount: 2,
      transactionId: null,
      date: '2026-12-21',
      createdAtMs: sixMs,
      completedAtMs: sixMs,
    },
  ])
  const [row] = await receivablesOf(world, first.id)
  t.match(row, { status: 'SETTLED', settledAtMs: sixMs, settlementId: settlements(world, before)[0]!.id })
  t.equal(world.transaction(first.id).version, first.version, 'the payments in it are not touched')
})

t.test('a jump over a year runs every batch once, in order, each at its own six o’clock', async (t) => {
  const world = await opened()
  const payments: TransactionId[] = []
  for (const installments of [12, 1, 6, 3]) {
    payments.push((await paid(world, 9_999, installments)).id)
    await world.advance('P1D')
  }
  const booked = books(t, world)
  const before = world.told.length
  await world.advance('P2Y')
  const told = settlements(world, before)
  const rows = (await Promise.all(payments.map((id) => receivablesOf(world, id)))).flat()
  t.equal(rows.length, 22)
  const days = [...new Set(rows.map(({ expectedOn }) => expectedOn))].sort()
  t.strictSame(
    told.map(({ date }) => date),
    days,
  )
  for (const settlement of told) {
    t.ok(isBusinessDay(settlement.date))
    t.equal(settlement.atMs, batchAtMs(zone, settlement.date))
    t.equal(new Date(settlement.atMs - 3 * hour).getUTCHours(), 6, 'in São Paulo')
    const inIt = rows.filter(({ settlementId }) => settlementId === settlement.id)
    t.equal(settlement.receivablesCount, inIt.length)
    t.equal(settlement.grossCents, sum(inIt.map(({ grossCents }) => grossCents)))
    t.equal(settlement.feeCents, sum(inIt.map(({ feeCents }) => feeCents)))
    for (const row of inIt)
      t.match(row, { status: 'SETTLED', settledAtMs: settlement.atMs, expectedOn: settlement.date })
  }
  t.strictSame(books(t, world), { ...booked, available: booked.receivable, receivable: 0 })
  const after = world.told.length
  await world.advance('P1Y')
  t.strictSame(heard(world, after), [], 'nothing is left to settle')
})

t.test('a service that was down over several batches runs them when it is back', async (t) => {
  const world = await opened()
  await paid(world, 9_999, 4)
  const before = world.told.length
  world.pass(100 * day)
  world.shard.tick()
  await world.settle()
  t.strictSame(
    settlements(world, before).map(({ date }) => date),
    ['2026-12-21', '2027-01-19', '2027-02-18'],
  )
  t.strictSame(books(t, world), { available: 7200, receivable: 2400, blocked: 0, fees: 399, payer: -9999 })
})

t.test('methods settle apart: PIX and boleto at once, cards by their days', async (t) => {
  const world = await opened()
  await paid(world, 1000)
  const pix = await world.accepted(aCharge({ amountCents: toCents(1000) }))
  const before = world.told.length
  await world.accepted(aPayment(pix.id))
  const boleto = await world.accepted(aBoleto())
  await world.accepted({
    type: 'PayBoleto',
    accountId: account,
    by: key,
    transactionId: boleto.id,
    amountCents: null,
    paidAtMs: null,
    clearing: 'IMMEDIATE',
  })
  t.strictSame(
    settlements(world, before).map(({ method, transactionId }) => [method, transactionId]),
    [
      ['PIX', pix.id],
      ['BOLETO', boleto.id],
    ],
  )
  t.match(books(t, world), { available: 990 + 9500 - 299, receivable: 968 })
})

t.test('the Sandbox settles one payment now, and its batches go on without it', async (t) => {
  const world = await opened()
  const first = await paid(world, 10_000, 3)
  const second = await paid(world, 3000, 2)
  await world.advance('P32D')
  const before = world.told.length
  const { version } = world.transaction(first.id)
  const settled = await world.accepted(aSettling(first.id))
  t.match(settled, { status: 'APPROVED', version: version + 1 })
  t.strictSame(heard(world, before), ['settlement.processing 6400 of 2', 'settlement.completed 6400 of 2'])
  const [settlement] = settlements(world, before)
  t.match(settlement, {
    transactionId: first.id,
    grossCents: 6666,
    feeCents: 266,
    date: '2026-12-22',
    createdAtMs: clockOf(world),
  })
  t.strictSame(
    (await receivablesOf(world, first.id)).map(({ status }) => status),
    ['SETTLED', 'SETTLED', 'SETTLED'],
  )
  t.strictSame(books(t, world), {
    available: 9601 + 1440,
    receivable: 1440,
    blocked: 0,
    fees: 399 + 120,
    payer: -13_000,
  })
  const again = world.told.length
  await world.accepted(aSettling(first.id))
  t.strictSame(heard(world, again), [], 'nothing is left of it')
  await world.advance('P2M')
  t.strictSame(heard(world, again), ['settlement.processing 1440 of 1', 'settlement.completed 1440 of 1'])
  t.equal(await world.refused(aSettling('txn_nobody' as TransactionId)), 'NOT_FOUND')
  t.match(await world.accepted(aRefund(first.id)), { status: 'REFUNDED', feeCents: 0 })
  t.match(await world.accepted(aRefund(second.id)), { status: 'REFUNDED', feeCents: 0 })
  t.strictSame(books(t, world), nothing)
})

t.test('refunded before any batch, instalments shrink and their settlements with them', async (t) => {
  const world = await opened()
  const { id } = await paid(world, 10_000, 3)
  const once = await world.accepted(aRefund(id, 1000))
  t.match(once, { status: 'PARTIALLY_REFUNDED', feeCents: 359 })
  t.match(once.reversals.refunds, [{ amountCents: 1000, feeReversedCents: 40 }])
  t.strictSame(rowsOf(once.receivables), [
    'CREDIT 1/3 SCHEDULED 3000-119 2026-12-21',
    'CREDIT 2/3 SCHEDULED 3000-120 2027-01-19',
    'CREDIT 3/3 SCHEDULED 3000-120 2027-02-18',
  ])
  t.strictSame(books(t, world), { available: 0, receivable: 8641, blocked: 0, fees: 359, payer: -9000 })
  const before = world.told.length
  const all = await world.accepted(aRefund(id))
  t.match(all, { status: 'REFUNDED', feeCents: 0 })
  t.strictSame(heard(world, before), ['payment.refunded v9 REFUNDED'])
  t.strictSame(
    all.receivables.map(({ status, grossCents, feeCents }) => `${status} ${grossCents}-${feeCents}`),
    ['CANCELLED 0-0', 'CANCELLED 0-0', 'CANCELLED 0-0'],
  )
  t.strictSame(books(t, world), nothing)
  t.strictSame(world.account().schedule, {})
  await world.advance('P1Y')
  t.strictSame(heard(world, before), ['payment.refunded v9 REFUNDED'], 'no batch without receivables')
})

t.test('refunded between batches: what is settled leaves the balance, what is not shrinks', async (t) => {
  const world = await opened()
  const { id } = await paid(world, 10_000, 3)
  await world.advance('P32D')
  const once = await world.accepted(aRefund(id, 5000))
  t.match(once, { status: 'PARTIALLY_REFUNDED', feeCents: 199 })
  t.strictSame(rowsOf(once.receivables), [
    'CREDIT 1/3 SETTLED 3334-133 2026-12-21',
    'CREDIT 2/3 SCHEDULED 1666-66 2027-01-19',
    'CREDIT 3/3 SCHEDULED 1667-67 2027-02-18',
    'REFUND 1/3 SETTLED 1667-67 2026-12-22',
  ])
  t.strictSame(books(t, world), { available: 1601, receivable: 3200, blocked: 0, fees: 199, payer: -5000 })
  await world.advance('P28D')
  t.strictSame(books(t, world), { available: 3201, receivable: 1600, blocked: 0, fees: 199, payer: -5000 })
  await world.accepted(aRefund(id, 4999))
  books(t, world)
  await world.advance('P2M')
  t.match(await world.accepted(aRefund(id)), { status: 'REFUNDED', feeCents: 0 })
  t.strictSame(books(t, world), nothing)
})

t.test('the balance may go below zero, and the next batch fills it', async (t) => {
  const world = await opened()
  const old = await paid(world, 10_000)
  await world.advance('P32D')
  const pix = await world.accepted(aCharge({ amountCents: toCents(100) }))
  await world.accepted(aPayment(pix.id))
  await world.accepted({ ...aRefund(pix.id), amountCents: toCents(100) })
  t.strictSame(books(t, world), { available: 9680, receivable: 0, blocked: 0, fees: 320, payer: -10_000 })
  await world.accepted(aRefund(old.id))
  t.strictSame(books(t, world), { available: -1, receivable: 0, blocked: 0, fees: 1, payer: 0 })
  await paid(world, 1000)
  await world.advance('P40D')
  t.strictSame(books(t, world), { available: 967, receivable: 0, blocked: 0, fees: 33, payer: -1000 })
})

t.test('the fee goes back in part with every part, and the last part takes the rest of it', async (t) => {
  const world = await opened()
  const { id } = await paid(world, 9_999)
  const parts = [3333, 1, 3332, 3333]
  const reversed: number[] = []
  for (const part of parts) {
    const { reversals, feeCents } = await world.accepted(aRefund(id, part))
    reversed.push(reversals.refunds.at(-1)!.feeReversedCents)
    t.equal(feeCents, 319 - sum(reversed))
  }
  // hup(3333·319, 9999), hup(1·213, 6666), hup(3332·213, 6665), and what is left.
  t.strictSame(reversed, [106, 0, 106, 107])
  t.strictSame(books(t, world), nothing)
})

t.test('many small refunds of many small instalments land exactly on zero', async (t) => {
  const world = await opened()
  for (const amount of [1, 2, 5, 11, 12, 13, 24, 101, 1199]) {
    const { id } = await paid(world, amount, 12)
    await world.advance('P95D')
    const part = Math.max(1, Math.floor(amount / 7))
    for (let left = amount; left > part; left -= part) {
      await world.accepted(aRefund(id, part))
      books(t, world, `${amount} with ${left - part} left`)
      await world.advance('P3D')
    }
    t.match(await world.accepted(aRefund(id)), { status: 'REFUNDED', feeCents: 0 })
    t.strictSame(books(t, world), nothing, String(amount))
  }
})

t.test(
  'two refunds at once never take more than was paid, and one that fails gives its part back',
  async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_fails' }))
    t.match(await world.accepted(aRefund(id, 6000)), { status: 'APPROVED' })
    t.match(await world.execute(aRefund(id, 4001)), {
      rejection: { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: 4000 },
    })
    await world.accepted(aRefund(id))
    t.equal(await world.refused(aRefund(id)), 'REFUND_EXCEEDS_BALANCE', 'all of it is on its way')
    t.equal(await world.refused(aCardCancellation(id)), 'REFUND_EXCEEDS_BALANCE')
    const before = world.told.length
    await world.advance('PT5S')
    t.match(world.transaction(id).reversals.refunds, [
      { amountCents: 6000, status: 'FAILED', failureReason: 'REFUSED_BY_PROVIDER' },
      { amountCents: 4000, status: 'FAILED', failureReason: 'REFUSED_BY_PROVIDER' },
    ])
    t.strictSame(heard(world, before), [
      'payment.refund_failed v12 APPROVED',
      'payment.refund_failed v13 APPROVED',
    ])
    t.match(world.transaction(id), { status: 'APPROVED', feeCents: 319, calls: [] })
    t.strictSame(books(t, world), { available: 0, receivable: 9681, blocked: 0, fees: 319, payer: -10_000 })
  },
)

t.test('a card is refunded until 180 days after its capture, to the millisecond', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  world.pass(5 * day)
  await world.accepted(aCapture(id))
  world.pass(180 * day)
  t.match(await world.accepted(aRefund(id, 1)), { status: 'PARTIALLY_REFUNDED' })
  world.pass(1)
  t.match(await world.execute(aRefund(id, 1)), {
    rejection: { reason: 'REFUND_WINDOW_EXPIRED', what: 'REFUND', days: 180 },
  })
})

t.test('a scenario says that the balance cannot fund a refund', async (t) => {
  const world = await opened()
  const metadata = { sandboxScenario: 'insufficient_balance' }
  const { id } = await world.accepted(aCardPayment({}, { metadata }))
  t.equal(await world.refused(aRefund(id)), 'INSUFFICIENT_BALANCE')
  t.equal(await world.refused(aCardCancellation(id)), 'INSUFFICIENT_BALANCE')
})
