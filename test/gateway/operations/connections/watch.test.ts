import { Registry } from 'prom-client'
import t from 'tap'
import { railConnectionOf } from '../../../../engine/connections/rail-connection.ts'
import { connectionMetrics } from '../../../../gateway/observability/connection-metrics.ts'
import { openRails } from '../../../../gateway/operations/connections/rails.ts'
import {
  type ConnectionWatchOptions,
  openConnectionWatch,
} from '../../../../gateway/operations/connections/watch.ts'
import { openRailConnections } from '../../../../gateway/providers/rail-connections.ts'
import { liveState } from '../../../engine/connections/live.ts'
import { companyId } from '../../../engine/world.ts'
import { aMadeUpBank, someSettings } from '../../providers/made-up-bank.ts'
import { newOperator } from '../operator.ts'

const dayMs = 86_400_000

/** A service with an active connection that is looked after. */
const watched = async (isOwn = () => true) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  const { operate, world, directory, commit } = operator
  const place = { company: companyId, environment: 'production' }
  const { id } = await operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
  })
  await operate('connections verify', { id })
  await operate('connections activate', { id })
  const changes: unknown[] = []
  const { health } = openRailConnections({ ...operator.tools, directory })
  const options: ConnectionWatchOptions = {
    ...{
      directory,
      commit,
      health,
      ownership: async () => isOwn,
      realNow: world.now,
      rails: openRails(operator.railsOptions),
    },
    onChange: (connection, works, detail) => changes.push([connection.id, works, detail]),
    onTrouble: (error) => operator.faults.push((error as Error).message),
  }
  return { ...operator, id, watch: openConnectionWatch(options), options, changes }
}

t.test(
  'what a person had a connection say is known at once, and reported as what a look finds',
  async (t) => {
    const { id, watch, changes, directory } = await watched()
    const connection = directory.connections.byId.get(id)!
    const fails = { works: false, detail: '401', certificateEndsAtMs: null }
    watch.note(connection, connection.credentials, fails)
    t.match(watch.standingOf(id), { works: false, detail: '401', askedAtMs: Number })
    t.strictSame(changes, [[id, false, '401']])
    watch.note(connection, { ...connection.credentials, certificate: null }, { ...fails, works: true })
    t.match(
      watch.standingOf(id),
      { works: true },
      'a certificate that is read later is of the same credentials',
    )
    watch.note(connection, { ...connection.credentials, sealed: {} }, fails)
    t.match(watch.standingOf(id), { works: null, detail: null }, 'of other credentials nothing is known')
    t.equal(watch.standingOf('con_00000000000000000000000000' as typeof id), null)
  },
)

t.test(
  'what a draft said when it was tried is shown before it is in use, and not after its end',
  async (t) => {
    const { watch, changes, operate, directory } = await watched()
    const place = { company: companyId, environment: 'production' }
    const settings = { ...someSettings, pixKey: 'other@example.com' }
    const draft = { ...place, provider: 'made-up-bank', settings, role: 'fallback' }
    const { id } = await operate('connections create', draft)
    const connection = directory.connections.byId.get(id)!
    t.equal(watch.standingOf(id), null, 'it was not tried')
    watch.note(connection, connection.credentials, { works: false, detail: '401', certificateEndsAtMs: null })
    t.match(watch.standingOf(id), { works: false, detail: '401', askedAtMs: Number })
    t.strictSame(changes, [], 'no alarm is raised for what is not in use')
    await operate('connections retire', { id })
    t.equal(watch.standingOf(id), null)
  },
)

t.test(
  'an address that its bank has not taken is shown by every node, until the bank takes it',
  async (t) => {
    const { id, watch, options, operate, facts, directory } = await watched()
    await watch.noteHooks(id, 'pix: the address is not reached')
    t.match(watch.standingOf(id), { hooksProblem: 'pix: the address is not reached', works: null })
    t.match(await operate('connections list', {}), { data: [{ id, problem: null }] }, 'there is no port')
    // Another node has the directory, but neither asks this bank nor gives it an address.
    const other = openConnectionWatch({ ...options, ownership: async () => () => false })
    t.match(other.standingOf(id), { hooksProblem: 'pix: the address is not reached' })
    await other.tick()
    t.match(
      other.standingOf(id),
      { hooksProblem: 'pix: the address is not reached' },
      'and is reminded of it',
    )
    const noted = () => facts.filter(({ type }) => type === 'ConnectionAddressNoted').length
    await watch.noteHooks(id, 'pix: the address is not reached')
    t.equal(noted(), 1, 'the same is said once')
    const before = directory.connections.byId.get(id)
    await Promise.all([watch.noteHooks(id, null), watch.noteHooks(id, null)])
    t.equal(noted(), 2)
    t.match(other.standingOf(id), { hooksProblem: null })
    t.equal(directory.connections.byId.get(id), before, 'its account has nothing to learn of it')
  },
)

t.test('a connection that stops working is reported once, and once more when it works', async (t) => {
  const { id, bank, watch, changes, operate } = await watched()
  t.match(watch.standings(), [{ connection: { id }, works: null, certificateEndsAtMs: null }])
  await watch.tick()
  t.match(watch.standings(), [{ works: true }])
  t.strictSame(changes, [])
  bank.health = ({ settings }) => ({
    works: false,
    detail: `unknown ${settings.clientSecret}`,
    certificateEndsAtMs: null,
  })
  await watch.tick()
  await watch.tick()
  t.strictSame(changes, [[id, false, 'unknown …']], 'without its secret')
  t.match(watch.standings(), [{ works: false }])
  bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: null })
  await operate('connections rotate', { id, settings: { clientSecret: 'the next secret' } })
  t.match(watch.standings(), [{ works: null }], 'what was known is of other credentials')
  await watch.tick()
  t.match(watch.standings(), [{ works: true }])
})

t.test(
  'money stops coming in by a certificate that has ended, until the credentials are rotated',
  async (t) => {
    const { id, bank, watch, world, operate, facts } = await watched()
    const endsAtMs = world.now() + dayMs
    bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: endsAtMs })
    await watch.tick()
    t.match(watch.standings(), [{ certificateEndsAtMs: endsAtMs, connection: { state: 'ACTIVE' } }])
    world.pass(dayMs)
    await watch.tick()
    await watch.tick()
    t.match(watch.standings(), [{ connection: { state: 'SUSPENDED', suspension: 'CERTIFICATE_EXPIRED' } }])
    t.equal(facts.filter(({ type }) => type === 'ConnectionSuspended').length, 1)
    t.match(facts.findLast(({ type }) => type === 'ConnectionSuspended')?.audit, {
      actor: { kind: 'CLOCK' },
      action: 'connections suspend',
    })
    t.equal(railConnectionOf(liveState(world), 'PIX'), null)
    t.match(liveState(world).rails, [{ state: 'SUSPENDED' }], 'what came by it is still refunded by it')
    const settings = { clientSecret: 'the next secret' }
    await t.rejects(operate('connections rotate', { id, settings }), /has expired/, 'by the same certificate')
    bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: world.now() + dayMs })
    t.match(await operate('connections rotate', { id, settings }), { status: 'ACTIVE' })
    t.equal(railConnectionOf(liveState(world), 'PIX')?.connectionId, id)
  },
)

t.test(
  'a connection that cannot be opened does not work, and one in trouble holds up no other',
  async (t) => {
    const { bank, watch, id, changes, world, faults } = await watched()
    bank.onOpen = () => {
      throw new Error('no')
    }
    await watch.tick()
    t.strictSame(changes, [[id, false, null]])
    bank.onOpen = () => undefined
    bank.health = () => {
      throw new Error('odd')
    }
    world.pass(30_000)
    faults.length = 0
    await watch.tick()
    t.strictSame(faults, ['odd'])
  },
)

t.test('a bank that does not answer is not asked a second time meanwhile', async (t) => {
  const { bank, watch } = await watched()
  let asked = 0
  let answers: () => void = () => undefined
  const silent = new Promise<void>((resolve) => {
    answers = resolve
  })
  bank.health = (() => {
    asked += 1
    return silent.then(() => ({ works: true, detail: null, certificateEndsAtMs: null }))
  }) as never
  const ticks = [watch.tick(), watch.tick()]
  await new Promise(setImmediate)
  t.equal(asked, 1)
  answers()
  await Promise.all(ticks)
  t.match(watch.standings(), [{ works: true }])
  await watch.tick()
  t.equal(asked, 2)
})

t.test('metrics say what works, what is active, and how long certificates last', async (t) => {
  const registry = new Registry()
  const one = { connection: 'con_1', provider: 'efi', works: true, isActive: true, certificateDays: 6.5 }
  let shown = [
    one,
    { ...one, connection: 'con_2', works: null, isActive: false, certificateDays: null },
  ] as any[]
  connectionMetrics([registry], () => shown)
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  t.strictSame(await samples(), [
    'payments_provider_connection_works{connection="con_1",provider="efi"} 1',
    'payments_provider_connection_active{connection="con_1",provider="efi"} 1',
    'payments_provider_connection_active{connection="con_2",provider="efi"} 0',
    'payments_provider_certificate_days{connection="con_1",provider="efi"} 6.5',
  ])
  shown = []
  t.strictSame(await samples(), [], 'one that is retired has none')
})

t.test(
  'of several nodes the owner of the shard asks the bank, and a node that takes it over asks soon',
  async (t) => {
    let isOwner = false
    const { bank, watch } = await watched(() => isOwner)
    let asked = 0
    bank.health = () => {
      asked += 1
      return { works: true, detail: null, certificateEndsAtMs: null }
    }
    await watch.tick()
    await watch.tickNew()
    t.equal(asked, 0)
    t.match(watch.standings(), [{ works: null }])
    isOwner = true
    await watch.tickNew()
    await watch.tickNew()
    t.equal(asked, 1, 'what is known is not asked before its time')
    t.match(watch.standings(), [{ works: true }])
    isOwner = false
    await watch.tickNew()
    t.match(watch.standings(), [{ works: null }], 'another node knows it')
  },
)
