import assert from 'node:assert/strict'
import t from 'tap'
import type { Answers, Command } from '../../../engine/kernel/registry.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { DeliveryId, RefundId, TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { eventBody } from '../../../gateway/events/body.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { aSubscription, planned } from '../billing/subscription/subscribing.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aMedDecision,
  booksFor,
  clockOf,
  listener,
  scenario,
  transactionsOf,
} from '../story.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayer,
  aPayment,
  aRefund,
  askSandbox,
  dayMs,
  opened,
  ours,
  seeded,
  type World,
} from '../world.ts'

const day = (text: string): CalendarDate => text as CalendarDate

/** A world with something of everything that waits for the clock. Ids follow from the order, so that two worlds are equal. */
const populated = async () => {
  const world = await opened()
  const heard = listener(world)
  let ids = 0
  const numbered = <Numbered extends Command>(command: Numbered): Numbered => ({
    ...command,
    transactionId: `txn_${String(++ids).padStart(26, '0')}`,
  })
  const created = async (command: Command): Promise<TransactionId> =>
    (await world.accepted(numbered(command))).id
  const refunded = (id: TransactionId, amount: number | null = null) =>
    world.accepted({ ...aRefund(id, amount), refundId: `rfd_${String(++ids).padStart(26, '0')}` as RefundId })
  const paid = async (change: Parameters<typeof aCharge>[0] = {}): Promise<TransactionId> => {
    const id = await created(aCharge({ amountCents: toCents(10_000), customer: aPayer, ...change }))
    await world.accepted(aPayment(id))
    return id
  }

  for (const name of ['paid', 'paid_twice', 'paid_late', 'never_paid', 'med', 'none'])
    await created(aCharge(scenario(name)))
  await created(
    aCharge({ terms: { method: 'PIX', expiresInSeconds: null, due: { date: day('2027-06-12') } } }),
  )
  await created(aCharge({ origin: 'DEPOSIT', ...scenario('paid') }))
  await created(anUnrequestedPix())
  await refunded(await paid(), 2_500)
  await refunded(await paid(scenario('refund_slow')))
  await refunded(await paid(scenario('refund_fails')))
  const contested = await paid()
  await world.accepted(aMed(contested, 4_000))
  const rejected = await paid()
  await world.accepted(aMed(rejected))
  await world.accepted(aMedDecision(world.transaction(rejected).reversals.meds[0]!.id, 'REJECTED'))
  await world.accepted(aCancellation(await created(aCharge())))

  for (const name of ['paid', 'paid_overdue', 'never_paid', 'none'])
    await created(aBoleto({ dueDate: day('2026-12-25') }, scenario(name)))
  await created(aBoleto({ dueDate: day('2027-02-06') }))
  const clearing = await created(aBoleto())
  await world.accepted(aBoletoPayment(clearing, { clearing: 'NEXT_BUSINESS_DAY' }))

  for (const installments of [1, 2, 3, 7, 12])
    await created(aCardPayment({ installments }, { amountCents: toCents(9_999 + installments) }))
  for (const token of [
    'tok_test_processing',
    'tok_test_processing_declined',
    'tok_test_timeout',
    'tok_test_chargeback',
  ])
    await created(aCardPayment({ token, installments: 3 }))
  await refunded(await created(aCardPayment({ token: 'tok_test_refund_slow', installments: 2 })), 3_333)
  await refunded(await created(aCardPayment({ token: 'tok_test_refund_fails', installments: 2 })))
  await refunded(await created(aCardPayment({ installments: 12 })), 5_001)
  await created(aCardPayment({ captures: false }))
  const captured = await created(aCardPayment({ captures: false, installments: 4 }))
  await world.accepted({
    type: 'CaptureCharge',
    ...ours,
    transactionId: captured,
    amountCents: toCents(7_777),
  })
  for (const text of ['winning_evidence ......', 'losing_evidence ......', 'nothing of the kind ......']) {
    const disputed = await created(aCardPayment({ installments: 6 }))
    await world.accepted(aChargeback(disputed, 6_000))
    const reversalId = world.transaction(disputed).reversals.chargebacks[0]!.id
    await world.accepted({ type: 'DisputeChargeback', ...ours, reversalId, text })
  }
  await world.accepted(aChargeback(await created(aCardPayment({ installments: 2 }))))
  return { world, heard }
}

const endMs = Date.UTC(2027, 10, 20, 12)

const advanceToMs = async (world: World, toMs: number): Promise<void> => {
  const reply = await world.execute({ type: 'AdvanceClock', ...ours, step: { toMs } })
  assert.ok(reply.accepted)
}

/** Everything that the account has in the end; and what was told, in order, but for its place in the journal. */
const outcomeOf = ({ world, heard }: Awaited<ReturnType<typeof populated>>) => {
  const all = { offset: 0, limit: 10_000 }
  return {
    account: world.account(),
    transactions: transactionsOf(world),
    received: world.memory.list(account, 'received', all).states,
    customers: world.memory.list(account, 'customer', all).states,
    batches: world.memory.list(account, 'batch', all).states,
    told: heard().map((event) => ({
      ...JSON.parse(eventBody(event, 'SANDBOX', noPayee).toString('utf8')),
      id: null,
    })),
  }
}

type Outcome = ReturnType<typeof outcomeOf>

/** Steps of a millisecond to some weeks, none of them where anything is due. */
const steps = (seed: number): readonly number[] => {
  const random = seeded(seed)
  const times: number[] = []
  let atMs = Date.UTC(2026, 10, 20, 12)
  while (atMs < endMs) {
    const size = [1, 1000, 3_600_000, dayMs, 20 * dayMs][random() % 5]!
    atMs += 1 + (random() % size)
    times.push(Math.min(atMs, endMs))
  }
  return times
}

const oneJump = async (): Promise<Outcome> => {
  const populace = await populated()
  await advanceToMs(populace.world, endMs)
  return outcomeOf(populace)
}

t.test('one jump of a year and many small steps come to the same, told in the same order', async (t) => {
  const jumped = await oneJump()
  t.ok(jumped.told.length > 150, 'a year in which much happens')
  for (const seed of [1, 2]) {
    const populace = await populated()
    for (const toMs of steps(seed)) await advanceToMs(populace.world, toMs)
    t.strictSame(outcomeOf(populace), jumped)
  }
})

t.test('it is the same with questions and ticks between the steps', async (t) => {
  const jumped = await oneJump()
  const populace = await populated()
  const { world } = populace
  for (const toMs of steps(3)) {
    await advanceToMs(world, toMs)
    world.shard.tick()
    const asked = world.shard.query({ type: 'FindAccount', accountId: account })
    await world.settle()
    await asked
  }
  t.strictSame(outcomeOf(populace), jumped)
})

t.test('a clock that is set back runs what is left at its time, and nothing again', async (t) => {
  const jumped = await oneJump()
  const populace = await populated()
  const { world } = populace
  for (const months of [1, 3, 6]) {
    await world.advance(`P${months}M`)
    await world.execute({ type: 'ResetClock', ...ours })
    t.equal(clockOf(world), world.now())
    world.shard.tick()
  }
  await advanceToMs(world, endMs)
  t.strictSame(outcomeOf(populace), jumped)
})

t.test('every job runs once, and in the order of its time', async (t) => {
  const { told, transactions } = await oneJump()
  const steps = told.map(({ type, data }) => `${type} ${data.id} ${data.version ?? data.status}`)
  t.equal(new Set(steps).size, steps.length, 'nothing is told twice')
  const times = told.map(({ createdAt }) => createdAt)
  t.strictSame(times, [...times].sort())
  for (const { id, version, timeline } of transactions) {
    t.strictSame(
      timeline.map((step) => step.version),
      Array.from({ length: version }, (_, n) => n + 1),
      id,
    )
    const at = timeline.map(({ atMs }) => atMs)
    t.strictSame(
      at,
      [...at].sort((a, b) => a - b),
      id,
    )
  }
  const payments = told.filter(({ type }) => type === 'payment.approved')
  t.equal(new Set(payments.map(({ data }) => data.id)).size, payments.length, 'approved once each')
})

t.test('after a year nothing waits, and the books show what the payments say', async (t) => {
  const { world } = await populated()
  await advanceToMs(world, endMs)
  const { balances, schedule } = world.account()
  t.strictSame(balances, booksFor(world))
  t.equal(ledgerSum(balances), 0n)
  t.strictSame([balances.receivable, balances.blocked], [0n, 0n])
  t.strictSame(schedule, {})
  const left = transactionsOf(world).filter(
    ({ status, calls }) => calls.length > 0 || /^(CREATED|PENDING|PROCESSING|AUTHORIZED)$/.test(status),
  )
  t.strictSame(left, [])
  await world.advance('P2Y')
  t.strictSame(world.account().balances, balances)
})

t.test('a service that was away for a year catches up with what was due', async (t) => {
  for (const awayDays of [20, 70, 366]) {
    const { world } = await populated()
    world.pass(awayDays * dayMs)
    for (let ticks = 0; ticks < 20; ticks++) {
      world.shard.tick()
      await world.settle()
    }
    t.strictSame(world.account().balances, booksFor(world), `${awayDays} days`)
    await world.advance('P1Y')
    t.strictSame(world.account().balances, booksFor(world), `${awayDays} days, and a year`)
    t.match(world.account(), { schedule: {}, balances: { receivable: 0n, blocked: 0n } })
  }
})

t.test('a chargeback that is won after several instalments were due brings them in one batch', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ installments: 3 }))
  await world.advance('P25D')
  await world.accepted(aChargeback(id))
  const reversalId = world.transaction(id).reversals.chargebacks[0]!.id
  await world.advance('P10D')
  await world.accepted({ type: 'DisputeChargeback', ...ours, reversalId, text: 'x'.repeat(20) })
  await world.advance('P29D')
  const heard = listener(world)
  await world.accepted({ type: 'ResolveChargeback', ...ours, reversalId, result: 'WON' })
  t.equal(world.transaction(id).status, 'APPROVED')
  t.strictSame(world.account().balances, booksFor(world))
  await world.advance('P5D')
  t.match(
    heard().map(({ type, subject }) => [type, subject]),
    [
      ['payment.chargeback', {}],
      ['settlement.processing', {}],
      ['settlement.completed', { settlement: { receivablesCount: 2, grossCents: 6_667 } }],
    ],
  )
  await world.advance('P1Y')
  t.strictSame(world.account().balances, {
    available: 9_601n,
    receivable: 0n,
    blocked: 0n,
    fees: 399n,
    payer: -10_000n,
    recipients: 0n,
    paidOut: 0n,
  })
})

t.test('nobody is asked at one time and answers at a later one, whichever turn asked', async (t) => {
  let tick = (): unknown => undefined
  const world = await opened((request) => {
    // The clock of real time runs on while somebody moves this one: it fires what is due, too.
    tick()
    return askSandbox(request)
  })
  tick = () => world.shard.tick()
  const { id: planId } = await planned(world)
  for (let count = 0; count < 3; count++) await world.execute(aSubscription(planId))
  await world.advance('P1M15D')
  const charges = transactionsOf(world)
  t.equal(charges.length, 6)
  for (const { createdAtMs, approvedAtMs } of charges)
    t.equal(approvedAtMs, createdAtMs, new Date(createdAtMs).toISOString())
})

t.test('the clock stops before dates have five digits of year', async (t) => {
  const world = await opened()
  world.pass(Date.UTC(8999, 0, 1) - world.now())
  t.equal(await world.refused({ type: 'AdvanceClock', ...ours, step: { by: 'P2Y' } }), 'CLOCK_STEP_TOO_LONG')
  t.equal(await world.refused({ type: 'AdvanceClock', ...ours, step: { by: 'P364D' } }), 'accepted')
  t.equal(await world.refused(aCharge()), 'accepted')
  t.equal(await world.refused(aBoleto({ dueDate: day('9004-06-01') })), 'accepted')
  t.equal(await world.refused(aCardPayment({ installments: 12 })), 'accepted')
})

t.test('it goes forward only, and at most two years at a time', async (t) => {
  const world = await opened()
  const to = (toMs: number) => world.refused({ type: 'AdvanceClock', ...ours, step: { toMs } })
  t.equal(await to(world.now()), 'accepted', 'no step at all')
  t.equal(await to(world.now() - 1), 'CLOCK_CANNOT_GO_BACK')
  t.equal(
    await world.refused({ type: 'AdvanceClock', ...ours, step: { by: 'P2Y1M' } }),
    'CLOCK_STEP_TOO_LONG',
  )
  await world.advance('P2Y')
  t.equal(new Date(clockOf(world)).toISOString(), '2028-11-20T12:00:00.000Z')
  world.pass(1_000)
  t.equal(new Date(clockOf(world)).toISOString(), '2028-11-20T12:00:01.000Z', 'and runs on from there')
})

t.test('however many charges end at once, nobody acts on one that is past its time', async (t) => {
  for (const place of [0, 150, 300, 450, 599]) {
    const world = await opened()
    const ids: TransactionId[] = []
    for (let count = 0; count < 600; count++) ids.push((await world.accepted(aCharge())).id)
    world.pass(3_600_000)
    t.match(await world.accepted(aPayment(ids[place]!)), { status: 'EXPIRED' }, 'its money goes back')
    const other = await found(world, ids[(place + 300) % 600]!)
    t.equal(other!.transaction.status, 'EXPIRED', 'nor sees it')
    for (let ticks = 0; ticks < 5; ticks++) world.shard.tick()
    const pending = transactionsOf(world).filter(({ status }) => status === 'PENDING')
    t.strictSame(pending, [])
  }
})

t.test(
  'due work waits for answers of providers that came before it, and for a disk that it would outrun',
  async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aCharge())
    const status = () => transactionsOf(world).find((transaction) => transaction.id === id)!.status
    const tick = () => {
      world.shard.tick()
      return [status(), world.shard.timerBacklog()]
    }
    const told = Array.from({ length: 1_001 }, () => world.shard.execute(aCharge()))
    world.pass(3_600_000)
    t.strictSame(tick(), ['PENDING', 'SOON'], 'nor would another tick fire it')
    await world.settle()
    await Promise.all(told)
    world.letAnswersWait(true)
    t.strictSame(tick(), ['PENDING', 'SOON'])
    world.letAnswersWait(false)
    t.equal(tick()[0], 'EXPIRED')
  },
)

const found = async (world: World, transactionId: TransactionId) => {
  const asked = world.shard.query({
    type: 'FindTransaction',
    accountId: account,
    transactionId,
    family: null,
  })
  await world.settle()
  return (await asked) as Answers['FindTransaction']
}

t.test('a look at a delivery runs nothing that is due: a tick does, and any other question', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ terms: { method: 'PIX', expiresInSeconds: 60, due: null } }))
  world.pass(61_000)
  const sequence = world.journal.appended()
  const asked = world.shard.query({
    type: 'FindDelivery',
    accountId: account,
    deliveryId: `dlv_${'0'.repeat(26)}` as DeliveryId,
  })
  await world.settle()
  t.equal(await asked, null)
  t.equal(world.journal.appended(), sequence)
  t.match(await found(world, id), { transaction: { status: 'EXPIRED' } })
})
