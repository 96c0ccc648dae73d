import t from 'tap'
import { knownConnection, railConnectionOf } from '../../../engine/connections/rail-connection.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { account, newWorld, ours, refusalOf } from '../world.ts'
import { aConnect, aRailConnection, connectedWorld, connectionIdOf, live, liveState } from './live.ts'

const [first, second] = [connectionIdOf(1), connectionIdOf(2)]

const aChange = (
  state: 'ACTIVE' | 'SUSPENDED' | 'RETIRED',
  revision: number,
  connectionId = first,
): Command => ({
  type: 'ChangeRail',
  ...live,
  connectionId,
  state,
  revision,
})

t.test(
  'an account that never had a connection has none, like those stored before there were any',
  async (t) => {
    const world = await connectedWorld()
    t.notOk('rails' in liveState(world))
    t.equal(railConnectionOf(liveState(world), 'PIX'), null)
    t.equal(knownConnection(liveState(world), first), null)
  },
)

t.test('what is new goes by the active connection of its rail', async (t) => {
  const world = await connectedWorld({})
  t.strictSame(railConnectionOf(liveState(world), 'PIX'), aRailConnection())
  t.equal(railConnectionOf(liveState(world), 'BOLETO'), null, 'no other rail')
  t.equal(await refusalOf(world, aChange('SUSPENDED', 2)), 'accepted')
  t.equal(railConnectionOf(liveState(world), 'PIX'), null)
  t.match(
    knownConnection(liveState(world), first),
    { state: 'SUSPENDED' },
    'it still finishes what is its own',
  )
  await world.execute(aChange('ACTIVE', 3))
  t.match(railConnectionOf(liveState(world), 'PIX'), { connectionId: first, state: 'ACTIVE' })
})

t.test('the fallback is used only while the primary one is not active', async (t) => {
  const world = await connectedWorld({ connectionId: second, role: 'FALLBACK' }, {})
  const used = () => railConnectionOf(liveState(world), 'PIX')?.connectionId ?? null
  t.equal(used(), first)
  await world.execute(aChange('SUSPENDED', 2))
  t.equal(used(), second)
  await world.execute(aChange('SUSPENDED', 2, second))
  t.equal(used(), null)
})

t.test('one that replaces another is used even where the former was not retired yet', async (t) => {
  const world = await connectedWorld({}, { connectionId: second })
  t.equal(railConnectionOf(liveState(world), 'PIX')?.connectionId, second)
})

t.test('the same again changes nothing, and neither does what is older', async (t) => {
  const world = await connectedWorld({ revision: 4 })
  const appended = world.journal.appended()
  for (const command of [
    aConnect({ revision: 4 }),
    aConnect({ revision: 3, pixKey: 'x' }),
    aChange('SUSPENDED', 4),
  ])
    t.equal(await refusalOf(world, command), 'accepted')
  t.equal(world.journal.appended(), appended)
  await world.execute(aConnect({ revision: 5, pixKey: 'other' }))
  t.match(liveState(world).rails, [{ pixKey: 'other', revision: 5 }])
  t.equal(liveState(world).rails?.length, 1)
})

t.test('what is retired never comes back', async (t) => {
  const world = await connectedWorld({})
  await world.execute(aChange('RETIRED', 2))
  const appended = world.journal.appended()
  for (const command of [aChange('ACTIVE', 3), aConnect({ revision: 4 })]) await world.execute(command)
  t.equal(world.journal.appended(), appended)
  t.match(liveState(world).rails, [{ state: 'RETIRED' }])
})

t.test('a connection that the account does not have cannot be changed', async (t) => {
  const world = await connectedWorld()
  const missing = { reason: 'NOT_FOUND', resource: 'connection' }
  t.strictSame(await refusalOf(world, aChange('ACTIVE', 1)), missing)
})

t.test('an account of the Sandbox reaches no bank', async (t) => {
  const world = newWorld()
  await world.open()
  const command = { ...aConnect(), ...ours }
  t.strictSame(await refusalOf(world, command), { reason: 'NOT_FOUND', resource: 'connection' })
  t.notOk('rails' in world.memory.find('account', account)!.state)
})

t.test('connections come back from the journal as they were', async (t) => {
  const world = await connectedWorld(
    { terms: { PIX: { percentBps: 40, fixedCents: 0 as never } } },
    { connectionId: second },
  )
  await world.execute(aChange('RETIRED', 7))
  const left = [...world.journal.replay(0)].map(({ record }) => record)
  const after = newWorld(undefined, undefined, left)
  t.strictSame(liveState(after), liveState(world))
  t.match(liveState(after).rails, [{ state: 'RETIRED', revision: 7 }, { connectionId: second }])
})
