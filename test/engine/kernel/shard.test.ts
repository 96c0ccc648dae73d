import t from 'tap'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import { emptyBalances, ledgerSum } from '../../../engine/ledger/postings.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { plainProfile } from '../profile.ts'
import {
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayer,
  aPayment,
  key,
  newWorld,
  opened,
} from '../world.ts'

t.test('a charge is CREATED and PENDING in one commit, and told in that order', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  t.equal(charge.status, 'PENDING')
  t.equal(charge.version, 2)
  t.equal(charge.expiresAtMs, world.now() + 3_600_000)
  t.match(pixOf(charge)!.txid, /^[A-Za-z0-9]{32}$/)
  const events = publicEventsOf(world.told.at(-1)!, 0)
  t.strictSame(
    events.map(({ type }) => type),
    ['payment.created', 'payment.pending'],
  )
  const [created, pending] = events.map(({ subject }) =>
    subject.object === 'transaction' ? subject.transaction : null,
  )
  t.equal(created?.status, 'CREATED')
  t.equal(created?.version, 1)
  t.equal(pending?.version, 2)
})

t.test('nothing is answered before it is on disk, refusals and reads included', async (t) => {
  const world = await opened()
  const command = aCharge()
  const answers: string[] = []
  const created = world.shard.execute(command).then(() => answers.push('created'))
  const refused = world.shard.execute({
    ...aPayment(command.transactionId),
    amountCents: toCents(1),
  } as never)
  const read = world.shard.query({
    type: 'FindTransaction',
    accountId: account,
    transactionId: command.transactionId,
    family: null,
  })
  void refused.then(() => answers.push('refused'))
  void read.then(() => answers.push('read'))
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(answers, [], 'nothing yet')
  t.equal(world.told.length, 1, 'only the opening of the account was told')
  world.journal.flush()
  await Promise.all([created, refused, read])
  t.strictSame(answers.sort(), ['created', 'read', 'refused'])
})

t.test('paying approves, keeps the books at zero, and tells in the order of the specification', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  const paid = await world.accepted(aPayment(id))
  t.equal(paid.status, 'APPROVED')
  t.equal(paid.feeCents, 99)
  t.strictSame(
    publicEventsOf(world.told.at(-1)!, 0).map(({ type }) => type),
    ['pix.received', 'payment.approved', 'settlement.processing', 'settlement.completed'],
  )
  const { balances } = world.memory.find('account', account)!.state as Account
  t.equal(ledgerSum(balances), 0n)
  t.strictSame(balances, { ...emptyBalances, available: 9901n, fees: 99n, payer: -10_000n })
})

t.test(
  'a second payment and one after expiry or cancellation go back, and nobody hears of money',
  async (t) => {
    const world = await opened()
    const twice = await world.accepted(aCharge())
    await world.accepted(aPayment(twice.id))
    const again = await world.accepted(aPayment(twice.id))
    t.equal(again.status, 'APPROVED')
    t.equal(again.version, 4)
    t.strictSame(publicEventsOf(world.told.at(-1)!, 0), [])
    const cancelled = await world.accepted(aCharge())
    await world.accepted(aCancellation(cancelled.id))
    await world.accepted(aPayment(cancelled.id))
    const late = await world.accepted(aCharge())
    world.pass(3_600_000)
    await world.accepted(aPayment(late.id))
    const { states } = world.memory.list(account, 'received', { offset: 0, limit: 10 })
    t.strictSame(
      states.map(({ returnReason }) => returnReason).sort(),
      ['DUPLICATE_PAYMENT', 'PAID_AFTER_CANCELLATION', 'PAID_AFTER_EXPIRY', null].sort(),
    )
    const { balances } = world.memory.find('account', account)!.state as Account
    t.equal(balances.payer, -1990n, 'only the first payment is booked')
  },
)

t.test('a charge that is past its time is expired before anything else happens to it', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ terms: { method: 'PIX', expiresInSeconds: 60, due: null } }))
  world.pass(59_999)
  t.equal(world.memory.find('transaction', id)?.state.status, 'PENDING')
  world.pass(1)
  t.equal(await world.refused(aCancellation(id)), 'INVALID_STATE')
  t.equal(world.memory.find('transaction', id)?.state.status, 'EXPIRED')
})

t.test('what is due in an account is done before what somebody asks for, whoever it is', async (t) => {
  for (const kind of ['KEY', 'PERSON', 'SANDBOX'] as const) {
    const world = await opened()
    const { id } = await world.accepted(aCharge())
    world.pass(3_600_000)
    const asked = await world.accepted(aCharge({ by: { kind, id: 'asker' } }))
    t.equal(world.transaction(id).status, 'EXPIRED', kind)
    const order = world.told.slice(-2).map(({ steps }) => steps[0]!.event.id)
    t.strictSame(order, [id, asked.id], `${kind}: in this order`)
  }
})

t.test('the clock of a Sandbox runs every due job at its own time, in order', async (t) => {
  const world = await opened()
  const second = await world.accepted(
    aCharge({ terms: { method: 'PIX', expiresInSeconds: 7200, due: null } }),
  )
  const first = await world.accepted(aCharge())
  const start = world.now()
  const advance = (by: string) =>
    world.execute({ type: 'AdvanceClock', accountId: account, by: key, step: { by } })
  await advance('PT3H')
  const expired = world.told.slice(-4).flatMap(({ steps }) => steps.map(({ event }) => event))
  const expiries = expired.filter(({ type }) => type === 'ChargeExpired')
  t.strictSame(
    expiries.map((event) => event.id),
    [first.id, second.id],
  )
  t.equal(world.memory.find('transaction', first.id)?.state.expiredAtMs, start + 3_600_000)
  t.equal(world.memory.find('transaction', second.id)?.state.expiredAtMs, start + 7_200_000)
  t.equal(
    await world.refused({ type: 'AdvanceClock', accountId: account, by: key, step: { toMs: start } }),
    'CLOCK_CANNOT_GO_BACK',
  )
  t.equal(
    await world.refused({ type: 'AdvanceClock', accountId: account, by: key, step: { by: 'P3Y' } }),
    'CLOCK_STEP_TOO_LONG',
  )
})

t.test('one idempotency key is one effect: replayed as it was, refused for anything else', async (t) => {
  const world = await opened()
  const idempotency = { key: 'order-1', fingerprint: 'a' }
  const first = await world.execute(aCharge({ idempotency }))
  t.ok(first.accepted)
  const charge = await world.accepted(aCharge({ idempotency }))
  t.equal(charge.id, first.accepted && (first.state as { id: string }).id)
  await world.accepted(aPayment(charge.id))
  const replay = await world.execute(aCharge({ idempotency }))
  t.match(replay, { accepted: true, replayed: true, state: { status: 'PENDING' } })
  t.equal(
    await world.refused(aCharge({ idempotency: { key: 'order-1', fingerprint: 'b' } })),
    'IDEMPOTENCY_KEY_REUSED',
  )
  world.pass(24 * 3_600_000)
  const next = await world.accepted(aCharge({ idempotency }))
  t.not(next.id, charge.id, 'after 24 hours the key is new again')
})

t.test('a refused command leaves its key free', async (t) => {
  const world = await opened()
  const idempotency = { key: 'k', fingerprint: 'a' }
  const past = { method: 'PIX', expiresInSeconds: null, due: { date: '2026-11-19' as never } } as const
  t.equal(await world.refused(aCharge({ idempotency, terms: past })), 'DUE_DATE_IN_THE_PAST')
  t.ok(await world.accepted(aCharge({ idempotency: { key: 'k', fingerprint: 'b' } })))
})

t.test(
  'a fact that is impossible never reaches the journal: a shard that stops over it comes back',
  async (t) => {
    const world = await opened()
    const charge = aCharge()
    await world.accepted(charge)
    const entries = world.journal.appended()
    await t.rejects(world.execute(charge), { message: 'invariant broken: a transaction is created once' })
    t.equal(world.journal.appended(), entries)
    t.equal((await world.accepted(aPayment(charge.transactionId))).status, 'APPROVED')
  },
)

t.test('replaying the journal gives the same state', async (t) => {
  const world = await opened()
  const a = await world.accepted(aCharge())
  const b = await world.accepted(aCharge({ metadata: { sandboxScenario: 'paid_twice' } }))
  await world.accepted(aPayment(a.id))
  await world.execute(anUnrequestedPix())
  await world.execute({ type: 'AdvanceClock', accountId: account, by: key, step: { by: 'PT1H' } })
  const { openMemory } = await import('../../../persistence/shard/memory.ts')
  const { emptyStore } = await import('../../../persistence/snapshot/store.ts')
  const { applyEntry } = await import('../../../engine/engine.ts')
  const replayed = openMemory(emptyStore(), world.journal)
  for (const { sequence, record } of world.journal.replay(0)) applyEntry(replayed, sequence, record)
  for (const id of [a.id, b.id]) {
    t.strictSame(replayed.find('transaction', id), world.memory.find('transaction', id))
  }
  t.strictSame(replayed.find('account', account), world.memory.find('account', account))
  t.equal(
    world.memory.find('transaction', b.id)?.state.timeline.length,
    4,
    'paid twice: created, issued, paid, returned',
  )
})

t.test('a Sandbox that is cleared forgets its charges and its keys', async (t) => {
  const world = await opened()
  const idempotency = { key: 'k', fingerprint: 'a' }
  const { id } = await world.accepted(aCharge({ idempotency }))
  await world.execute({ type: 'ClearSandbox', accountId: account, by: key })
  t.equal(world.memory.find('transaction', id), undefined)
  t.equal(world.memory.list(account, 'transaction', { offset: 0, limit: 9 }).total, 0)
  const next = await world.accepted(aCharge({ idempotency }))
  t.not(next.id, id)
})

t.test('an account of another company finds nothing of ours', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge())
  const other = 'cmp_00000000000000000000000002/SANDBOX' as never
  await world.execute({
    type: 'OpenAccount',
    accountId: other,
    by: key,
    profile: {
      companyId: 'x' as never,
      environment: 'SANDBOX',
      name: 'B',
      city: 'B',
      timeZone: 'UTC',
      ...plainProfile,
    },
  })
  t.equal(await world.refused({ ...aCancellation(id), accountId: other }), 'NOT_FOUND')
  t.equal(
    await world.shard.query({ type: 'FindTransaction', accountId: other, transactionId: id, family: null }),
    null,
  )
})

t.test('a command whose facts break an invariant leaves nothing in the journal', async (t) => {
  const world = await opened()
  const command = aCharge()
  await world.accepted(command)
  const appended = world.journal.appended()
  await t.rejects(world.execute(command), /a transaction is created once/)
  t.equal(world.journal.appended(), appended, 'else the shard would break again at every recovery')
})

t.test('what breaks an invariant is not written: a recovery would stop at it for ever', async (t) => {
  const world = await opened()
  const twice = {
    type: 'RegisterCustomer',
    accountId: account,
    by: key,
    customerId: `cus_${'0'.repeat(26)}` as never,
    customer: aPayer,
    externalId: null,
    metadata: {},
  } as const
  await world.execute(twice)
  const before = world.journal.appended()
  await t.rejects(world.shard.execute(twice), /invariant broken/)
  t.equal(world.journal.appended(), before)
})

t.test('a Sandbox that is cleared leaves the calls of other companies to be made again', async (t) => {
  const world = newWorld(() => new Promise(() => undefined))
  await world.open()
  const { profile } = world.account()
  const other = 'cmp_00000000000000000000000002/SANDBOX' as never
  await world.execute({ type: 'OpenAccount', accountId: other, by: key, profile })
  for (const accountId of [account, other]) {
    void world.shard.execute(aCardPayment({}, { accountId })).catch(() => undefined)
    world.journal.flush()
  }
  t.equal([...world.memory.awaitingProvider()].length, 2)
  void world.shard.execute({ type: 'ClearSandbox', accountId: account, by: key })
  world.journal.flush()
  t.match(world.shard.unansweredCalls(), [{ accountId: other, operation: 'AUTHORIZE' }])
  t.equal([...world.memory.awaitingProvider()].length, 1)
})
