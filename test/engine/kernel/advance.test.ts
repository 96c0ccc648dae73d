import assert from 'node:assert/strict'
import t from 'tap'
import { openShard } from '../../../engine/engine.ts'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Answers, Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { AdvanceClock } from '../../../engine/ledger/commands.ts'
import { bounds } from '../../../engine/shared/bounds.ts'
import { accountIdOf, type CompanyId, type TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import { aSubscription, byPix, planned, withCard } from '../billing/subscription/subscribing.ts'
import { plainProfile } from '../profile.ts'
import { clockOf, listener, scenario, transactionsOf } from '../story.ts'
import {
  aCardPayment,
  aCharge,
  account,
  aPayment,
  institution,
  key,
  newWorld,
  opened,
  ours,
  seeded,
  type World,
} from '../world.ts'

/** A clock that takes longer to advance than a request may, and what other requests find meanwhile. */

const answerMs = 25_000
const hourMs = 3_600_000

const anAdvance = (by: string): AdvanceClock => ({
  type: 'AdvanceClock',
  ...ours,
  step: { by },
  answerWithinMs: answerMs,
})

/** Each expires an hour after it was made, at a moment of its own: more of them than the first slice of an advance does. */
const manyCharges = async (world: World): Promise<readonly TransactionId[]> => {
  const ids: TransactionId[] = []
  for (let count = 0; count < bounds.timersPerTurn; count++) {
    ids.push((await world.accepted(aCharge())).id)
    world.pass(1_000)
  }
  return ids
}

/** Tells, and lets it come as far as it does without a tick. */
const begun = (world: World, command: Command) => {
  const told: { reply: Reply | null } = { reply: null }
  const reply = world.shard.execute(command)
  reply.then(
    (reply) => {
      told.reply = reply
    },
    () => undefined,
  )
  return { reply, told: () => told.reply }
}

const turn = async (world: World): Promise<void> => {
  world.journal.flush()
  await new Promise((resolve) => setImmediate(resolve))
}

/** Lets everything happen, and everybody hear of it. */
const settled = async (world: World): Promise<void> => {
  await world.settle()
  await turn(world)
}

const onItsWay = async () => {
  const world = await opened()
  const ids = await manyCharges(world)
  const startedMs = clockOf(world)
  const advance = begun(world, anAdvance('P1D'))
  await turn(world)
  assert.ok(world.account().advance)
  return { world, ids, advance, startedMs, targetMs: startedMs + 24 * hourMs }
}

const clockAsRead = async (world: World): Promise<Answers['FindAccount']> => {
  const asked = world.shard.query({ type: 'FindAccount', accountId: account })
  world.journal.flush()
  return (await asked) as Answers['FindAccount']
}

const expired = (world: World) => transactionsOf(world).filter(({ status }) => status === 'EXPIRED')

t.test('an advance that takes longer than its answer may is answered on its way, and goes on', async (t) => {
  const { world, ids, advance, targetMs } = await onItsWay()
  world.pass(answerMs - 1)
  world.letAnswersWait(true)
  world.shard.tick()
  await turn(world)
  t.equal(advance.told(), null)
  world.pass(1)
  world.shard.tick()
  await turn(world)
  world.letAnswersWait(false)
  const { nowMs } = world.account().advance!
  t.match(
    advance.told(),
    { accepted: true, nowMs, state: { advance: { nowMs, targetMs } } },
    'due work was held',
  )
  t.match(await clockAsRead(world), { nowMs, account: { advance: { targetMs } } })

  await settled(world)
  t.match(world.account(), { advance: null })
  t.equal(clockOf(world), targetMs)
  t.match(await clockAsRead(world), { nowMs: targetMs, account: { advance: null } })
  t.equal(expired(world).length, ids.length)
  for (const { createdAtMs, timeline } of expired(world))
    t.equal(timeline.at(-1)!.atMs, createdAtMs + hourMs, 'each at its own time')
})

t.test('one that arrives in time is answered when it has, even if nobody ticked', async (t) => {
  const world = await opened()
  await world.accepted(aCharge())
  const advance = begun(world, anAdvance('P1D'))
  t.equal(advance.told(), null, 'not before it is on disk')
  await turn(world)
  t.match(advance.told(), { accepted: true, state: { advance: null } })
  t.equal(expired(world).length, 1)
  world.pass(answerMs)
  t.equal(world.shard.timerBacklog(), 'NO')
})

t.test('while the clock advances, no other call advances it', async (t) => {
  const { world, advance, targetMs } = await onItsWay()
  const refusal = { reason: 'INVALID_STATE', currentStatus: 'ADVANCING', allowedStatuses: ['IDLE'] }
  for (const by of ['P1D', 'PT0S', 'P3Y']) {
    const again = begun(world, anAdvance(by))
    await turn(world)
    t.strictSame(again.told(), { accepted: false, rejection: refusal })
  }
  await settled(world)
  t.match(advance.told(), { accepted: true, nowMs: targetMs })
  t.equal(clockOf(world), targetMs, 'once')
})

t.test('between its jobs the clock stands, however long they take', async (t) => {
  const { world, targetMs } = await onItsWay()
  const { nowMs } = world.account().advance!
  for (let hours = 0; hours < 30; hours++) {
    world.pass(hourMs)
    t.equal((await clockAsRead(world))!.nowMs, nowMs)
  }
  await settled(world)
  for (const { createdAtMs, timeline } of expired(world)) t.equal(timeline.at(-1)!.atMs, createdAtMs + hourMs)
  t.ok(clockOf(world) > targetMs, 'it would have come further by itself, and is never behind that')
  t.equal(world.account().clockOffsetMs, 0)
})

t.test('what is asked and told meanwhile happens at the time that the clock shows', async (t) => {
  const { world, targetMs } = await onItsWay()
  const idempotency = { key: 'k', fingerprint: 'f' }
  const command = aCharge({ ...scenario('paid'), idempotency })
  const { nowMs } = world.account().advance!
  const created = begun(world, command)
  await turn(world)
  t.match(created.told(), { accepted: true, replayed: false, nowMs, state: { createdAtMs: nowMs } })
  const again = begun(world, aCharge({ ...scenario('paid'), idempotency }))
  await turn(world)
  t.match(again.told(), { accepted: true, replayed: true, state: { id: command.transactionId } })
  const old = transactionsOf(world).find(
    ({ id, status }) => status === 'PENDING' && id !== command.transactionId,
  )!
  const paid = begun(world, aPayment(old.id))
  await turn(world)
  t.match(paid.told(), { accepted: true, state: { status: 'APPROVED', approvedAtMs: nowMs } })

  const heard = listener(world)
  await settled(world)
  t.equal(clockOf(world), targetMs)
  const own = world.transaction(command.transactionId)
  t.match(own, { status: 'APPROVED', approvedAtMs: nowMs + 2_000 }, 'its scenario is part of the advance')
  const times = heard().map(({ atMs }) => atMs)
  t.strictSame(
    times,
    [...times].sort((a, b) => a - b),
    'told in the order of time',
  )
  const replayed = begun(world, aCharge({ ...scenario('paid'), idempotency }))
  await turn(world)
  t.match(replayed.told(), { replayed: true, state: { status: 'PENDING' } }, 'the answer that it had')
})

t.test('a request that asks a provider meanwhile is answered at the time of its question', async (t) => {
  const { world } = await onItsWay()
  const { nowMs } = world.account().advance!
  const command = aCardPayment()
  void world.shard.execute(command)
  for (let ticks = 0; ticks < 3; ticks++) world.shard.tick()
  t.equal(world.account().advance!.nowMs, nowMs, 'the clock stands while anybody is asked')
  t.equal(world.shard.timerBacklog(), 'NO', 'and waits to be called')
  await settled(world)
  t.match(world.transaction(command.transactionId), { status: 'APPROVED', approvedAtMs: nowMs })
  t.equal(world.account().advance, null)
})

t.test(
  'a reset ends an advance: its call is refused, and what was not due yet waits for its time',
  async (t) => {
    const { world, advance, ids } = await onItsWay()
    const done = expired(world).length
    const { reply } = begun(world, { type: 'ResetClock', ...ours })
    await turn(world)
    t.match(await reply, { accepted: true, nowMs: world.now(), state: { advance: null, clockOffsetMs: 0 } })
    t.strictSame(advance.told(), { accepted: false, rejection: { reason: 'CLOCK_RESET_MEANWHILE' } })
    await settled(world)
    world.shard.tick()
    t.equal(expired(world).length, done)
    t.ok(done > 0 && done < ids.length)
    t.equal(clockOf(world), world.now())
    await world.advance('P1D')
    t.equal(expired(world).length, ids.length, 'a later advance does the rest, and nothing again')
  },
)

t.test('a reset after its call was answered ends it, too', async (t) => {
  const { world, advance } = await onItsWay()
  world.letAnswersWait(true)
  world.pass(answerMs)
  world.shard.tick()
  world.letAnswersWait(false)
  await turn(world)
  t.match(advance.told(), { accepted: true })
  await world.execute({ type: 'ResetClock', ...ours })
  t.match(world.account(), { advance: null, clockOffsetMs: 0 })
})

t.test('a Sandbox that is cleared has nothing due: its clock arrives', async (t) => {
  for (const payment of [null, aCardPayment()]) {
    const { world, advance, targetMs } = await onItsWay()
    const asked = payment === null ? null : world.shard.execute(payment).catch(() => 'unavailable')
    world.shard.tick()
    void world.shard.execute({ type: 'ClearSandbox', ...ours })
    await settled(world)
    t.match(advance.told(), { accepted: true, nowMs: targetMs, state: { advance: null } })
    t.equal(clockOf(world), targetMs)
    if (asked !== null) t.equal(await asked, 'unavailable')
  }
})

t.test('a shard that stops says that the clock advances, once that is on disk', async (t) => {
  const { world, advance, startedMs, targetMs } = await onItsWay()
  world.shard.tick()
  world.shard.close()
  await turn(world)
  const state = { advance: { nowMs: startedMs, targetMs } }
  t.match(
    advance.told(),
    { accepted: true, nowMs: startedMs, state },
    'as of its start: the rest may be lost',
  )

  const lost = await opened()
  await manyCharges(lost)
  const { reply } = begun(lost, anAdvance('P1D'))
  lost.shard.close()
  t.ok((await reply.catch((error) => error)) instanceof ShardUnavailable, 'nobody knows whether it began')
})

/** Everything that came of a life, but for the ids that were drawn. */
const outcomeOf = (world: World) => ({
  clock: clockOf(world),
  balances: world.account().balances,
  invoices: world.memory
    .list(account, 'invoice', { offset: 0, limit: 1_000 })
    .states.map(({ number, subscriptionId, status, attempts, createdAtMs }) =>
      [number, subscriptionId, status, createdAtMs, ...attempts.map(({ status }) => status)].join(' '),
    )
    .sort(),
  charges: transactionsOf(world)
    .map(({ amountCents, timeline }) =>
      [amountCents, ...timeline.map(({ status, atMs }) => `${status} ${atMs}`)].join(' '),
    )
    .sort(),
})

const heardOf = (entries: readonly FlushedEntry[]): readonly string[] =>
  entries.flatMap((entry) => publicEventsOf(entry, 0)).map(({ type, atMs }) => `${type} ${atMs}`)

t.test(
  'after a crash at any moment the clock goes on to its target, and nothing is done twice or left out',
  async (t) => {
    const calm = await opened()
    const plan = await planned(calm, { interval: 'WEEK' })
    for (const token of ['tok_test_approved', 'tok_test_recurring_fail_2', 'tok_test_processing'])
      await calm.execute(aSubscription(plan.id, withCard(token)))
    await calm.execute(aSubscription(plan.id, { ...byPix, ...scenario('paid') }))
    for (const name of ['paid', 'paid_late', 'med']) await calm.accepted(aCharge(scenario(name)))
    await calm.accepted(aCardPayment({ installments: 2 }, { amountCents: toCents(501) }))
    const before = calm.journal.appended()
    await calm.advance('P22D')
    const expected = outcomeOf(calm)
    t.ok(expected.invoices.length > 12, 'weeks in which much happens')
    const entries = [...calm.journal.replay(0)].map(({ record }) => record)

    for (let kept = before + 1; kept < entries.length; kept++) {
      const life = newWorld(undefined, undefined, entries.slice(0, kept))
      t.equal(life.account().advance!.targetMs, expected.clock)
      t.equal(await life.refused({ type: 'AdvanceClock', ...ours, step: { by: 'P22D' } }), 'INVALID_STATE')
      await settled(life)
      t.strictSame(outcomeOf(life), expected, `killed after ${kept - before} entries`)
      const heard = heardOf([...calm.told.slice(0, kept), ...life.told])
      t.strictSame(heard, heardOf(calm.told), 'told once, in the same order')
    }
  },
)

t.test('however many accounts are due, a tick takes as long as for one, and each has its turn', async (t) => {
  const journal = memoryJournal(entryLayout)
  const memory = openMemory(emptyStore(), journal)
  /** Whoever looks at it takes a tenth of a millisecond. */
  let looks = 0
  const shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: () => Date.UTC(2026, 10, 20, 12) + Math.floor(looks++ / 10),
    stopwatch: () => Date.UTC(2026, 10, 20, 12) + looks++ / 10,
    entropy: seeded(1),
    institution,
    pause: async () => undefined,
    onFlushed: () => undefined,
    onDue: () => undefined,
  })
  const tell = async (command: Command): Promise<void> => {
    const reply = shard.execute(command)
    journal.flush()
    t.match(await reply, { accepted: true })
  }
  const accounts = Array.from({ length: 8 }, (_, n) =>
    accountIdOf(`cmp_${String(n).padStart(26, '0')}` as CompanyId, 'SANDBOX'),
  )
  for (const [n, accountId] of accounts.entries()) {
    const company = {
      name: 'Loja',
      city: 'Recife',
      timeZone: 'America/Sao_Paulo',
      environment: 'SANDBOX',
    } as const
    const profile = { ...company, ...plainProfile, companyId: `cmp_${n}` as CompanyId }
    await tell({ type: 'OpenAccount', accountId, by: key, profile })
    for (let count = 0; count < 40; count++) await tell(aCharge({ accountId }))
  }
  for (const accountId of accounts)
    void shard.execute({ type: 'AdvanceClock', accountId, by: key, step: { by: 'P1D' } })
  const left = (): readonly number[] =>
    accounts.map((accountId) => {
      const { states } = memory.list(accountId, 'transaction', { offset: 0, limit: 100 })
      return states.filter(({ status }) => status === 'PENDING').length
    })
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  let ticks = 0
  for (let before = left(); sum(before) > 0; ticks++) {
    journal.flush()
    shard.tick()
    const after = left()
    t.ok(sum(before) - sum(after) <= 10 * bounds.timersPerTickMs, `${sum(before) - sum(after)} at once`)
    t.ok(Math.max(...after) - Math.min(...after) <= 10 * bounds.timersPerTickMs, `left: ${after}`)
    before = after
  }
  t.ok(ticks > 30)
})
