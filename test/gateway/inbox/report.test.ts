import t from 'tap'
import { newWorld } from '../../engine/world.ts'
import { aTarget, banks, listenerFor, pathOf, send } from './hooks.ts'
import { inboxFor, reportingBank } from './reporting-bank.ts'

const [one] = banks
const identity = one.issue({ commonName: 'caller 1' })
const body = JSON.stringify({ pix: ['E1'] })

t.test('a notice that comes fifty times at once is booked once, and every time told 200', async (t) => {
  const { bank, inbox, world, execute, charge, received, open, until, settled } = await inboxFor()
  inbox.sync()
  const id = await charge('tx1')
  bank.pay('E1', 'tx1')
  const { port } = await listenerFor(t, [aTarget(1, one)], execute)
  const statuses = await Promise.all(
    Array.from({ length: 50 }, () => send(port, pathOf(1), { identity, body })),
  )
  t.strictSame(statuses, Array(50).fill(200))
  await until(async () => (await open()).total === 0)
  t.equal(world.transaction(id).status, 'APPROVED')
  t.equal(received().length, 1)
  t.equal(settled.filter((what) => what === 'NOTICE TAKEN').length, 1, 'it was one notice')
  t.equal(bank.fetches.length, 1)
  const approvals = world.told.flatMap(({ steps }) =>
    steps.filter(({ event }) => event.type === 'ChargePaid'),
  )
  t.equal(approvals.length, 1)
})

t.test('a crash between the record and 200: the bank repeats, and one booking is left', async (t) => {
  const bank = reportingBank()
  bank.pay('E1', null, 500)
  bank.letBeSilent(true)
  const before = await inboxFor(bank)
  before.inbox.sync()
  const first = await listenerFor(t, [aTarget(1, one)], async (command) => {
    await before.execute(command)
    // It is on disk, and the process is gone before it could say so.
    return new Promise(() => {})
  })
  const cut = send(first.port, pathOf(1), { identity, body })
  await before.until(async () => (await before.open()).total === 1)
  before.inbox.close()

  const left = [...before.world.journal.replay(0)].map(({ record }) => record)
  const after = await inboxFor(bank, newWorld(undefined, undefined, left))
  const second = await listenerFor(t, [aTarget(1, one)], after.execute)
  t.equal(await send(second.port, pathOf(1), { identity, body }), 200)
  t.equal((await after.open()).total, 1, 'the repeat is known')
  bank.letBeSilent(false)
  after.inbox.sync()
  await after.until(async () => (await after.open()).total === 0)
  t.equal(after.received().length, 1)
  t.equal(await send(second.port, pathOf(1), { identity, body }), 200)
  t.equal((await after.open()).total, 0, 'and so is one that comes after it was booked')
  t.equal(after.received().length, 1)

  await first.listener.close(0)
  t.type(await cut, 'string', 'the first was never told anything')
})

t.test('the notice of one connection at another is a notice of that one', async (t) => {
  const { bank, inbox, execute, received, open, until } = await inboxFor()
  inbox.sync()
  bank.pay('E1', null, 500)
  const [, two] = banks
  const { port } = await listenerFor(t, [aTarget(1, one), aTarget(2, two)], execute)
  const other = two.issue({ commonName: 'caller 2' })
  t.equal(await send(port, pathOf(2), { identity: other, body }), 200)
  t.equal(await send(port, pathOf(1), { identity, body }), 200)
  await until(async () => (await open()).total === 0)
  t.equal(received().length, 1, 'the other connection has to find it at its own bank')
})
