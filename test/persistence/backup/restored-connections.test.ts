import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  accountOfConnection,
  type CompanyConnection,
  isUnapplied,
  railConnectionIn,
} from '../../../engine/companies/connection.ts'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { shardOf } from '../../../gateway/link/router.ts'
import { type RestoreRequest, restoreBackup } from '../../../persistence/backup/restore.ts'
import { json } from '../../../persistence/codec/layout.ts'
import { openJournal } from '../../../persistence/journal/journal.ts'
import { newDataDir } from '../../e2e/service.ts'
import { connectionIdOf } from '../../engine/connections/live.ts'
import { openUsedDirectory, startMs } from '../used-directory.ts'

const id = connectionIdOf(1)
const noMetrics = { commits: 0, entries: 0, bytes: 0 }

/** Backups of a service with a connection that was activated and, later, retired. The clock of the directory is ahead of that of the shards. */
const connected = async (
  t: Test,
  aheadMs: number,
  then: 'ConnectionRetired' | 'ConnectionVerified' | 'ConnectionRotated' = 'ConnectionRetired',
) => {
  const world = await openUsedDirectory(t, 21)
  await world.load(60)
  const [companyId] = world.companies()
  const atMs = startMs
  const connection: CompanyConnection = {
    ...{ id, companyId: companyId!, environment: 'PRODUCTION', provider: 'made-up-bank', rails: ['PIX'] },
    ...{ offers: [], role: 'PRIMARY', state: 'VERIFIED', suspension: null, former: null, requested: null },
    credentials: { settings: { pixKey: 'key' }, sealed: {}, certificate: null },
    sealedHookToken: 'v2.token',
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  const head = {
    accountId: accountOfConnection(connection),
    by: { kind: 'OPERATOR', id: null },
  } as const
  await world.append({ type: 'ConnectionCreated', connection }, atMs)
  const beforeMs = world.now()
  await world.changeConnection(
    (atMs) => ({ type: 'ConnectionActivated', id, atMs }),
    {
      type: 'ConnectRail',
      ...head,
      connection: { ...railConnectionIn({ ...connection, state: 'ACTIVE' })!, revision: 2 },
    },
    aheadMs,
  )
  await world.append({ type: 'ConnectionApplied', id, revision: 2, atMs: world.now() }, null)
  const activeMs = world.now()
  await world.changeConnection(
    (atMs) =>
      then === 'ConnectionRotated'
        ? { type: then, id, credentials: connection.credentials, formerUntilMs: atMs + 1, atMs }
        : { type: then, id, certificate: null, atMs },
    {
      type: 'ChangeRail',
      ...head,
      connectionId: id,
      state: then === 'ConnectionRetired' ? 'RETIRED' : 'ACTIVE',
      revision: 3,
    },
    aheadMs,
  )
  await world.append({ type: 'ConnectionApplied', id, revision: 3, atMs: world.now() }, null)
  const retiredMs = world.now()
  world.pass(10_000)
  await world.load(40)
  const { path } = await world.backup()
  await world.close()
  const shard = shardOf(head.accountId, world.shards)
  const entries = world.entries()[shard]!
  return { path, shard, entries, beforeMs, activeMs, retiredMs }
}

/** What a restored directory says of the connections. */
const restoredTo = async (t: Test, from: string, until: RestoreRequest['until']) => {
  const { path, connections: reported } = await restoreBackup(
    { path: join(newDataDir(t), 'restored'), from: [from], until, verify: false },
    { shardOf, newRecordId: () => 'rec', onProgress: () => undefined, signal: new AbortController().signal },
  )
  const journal = openJournal<DirectoryFact>(join(path, 'directory'), json(), noMetrics)
  const facts = [...journal.replay(0)].map(({ record }) => record)
  await journal.close()
  const { connections } = facts.reduce(evolveDirectory, newDirectory())
  const connection = connections.byId.get(id)!
  return {
    connection,
    reported,
    applied: connections.applied.get(id),
    isUnapplied: isUnapplied(connections, connection),
  }
}

t.test('a restored directory knows what the accounts know, whatever its clock said', async (t) => {
  const { path, beforeMs, activeMs, retiredMs } = await connected(t, 300)
  const active = await restoredTo(t, path, { kind: 'TIME', atMs: activeMs })
  t.match(
    active.connection,
    { state: 'SUSPENDED', suspension: 'DATA_RESTORED', revision: 3 },
    'the backup knows that it was retired later, so a person looks before money comes by it',
  )
  const retired = await restoredTo(t, path, { kind: 'TIME', atMs: retiredMs })
  t.match(retired.connection, { state: 'RETIRED', revision: 3 }, 'retired by a clock that was ahead')
  const before = await restoredTo(t, path, { kind: 'TIME', atMs: beforeMs })
  t.match(before, { connection: { state: 'VERIFIED' }, isUnapplied: false })
})

t.test('one that nobody stopped later goes on', async (t) => {
  const { path, retiredMs } = await connected(t, 0, 'ConnectionVerified')
  const found = await restoredTo(t, path, { kind: 'TIME', atMs: retiredMs - 1000 })
  t.match(found, { connection: { state: 'ACTIVE', revision: 2 }, isUnapplied: false })
})

t.test('credentials that the backups know to have been replaced later are doubted', async (t) => {
  const { path, activeMs, retiredMs } = await connected(t, 0, 'ConnectionRotated')
  const before = await restoredTo(t, path, { kind: 'TIME', atMs: activeMs })
  const doubted = { state: 'SUSPENDED', suspension: 'CREDENTIALS_OUTDATED' }
  t.match(before.connection, { ...doubted, revision: 3, credentialsRevision: 3 })
  t.match(before.reported, [{ id, provider: 'made-up-bank', ...doubted }], 'the restore says so')
  const after = await restoredTo(t, path, { kind: 'TIME', atMs: retiredMs })
  t.match(after.connection, { state: 'ACTIVE', credentialsRevision: 3 })
  t.match(after.reported, [{ id, state: 'ACTIVE', suspension: null }])
  const whole = await restoredTo(t, path, { kind: 'END' })
  t.match(whole.reported, [{ id, state: 'ACTIVE', suspension: null }])
})

t.test('and brings the accounts what entries that are gone had brought', async (t) => {
  const { path, shard, entries } = await connected(t, 0)
  const untilBefore = (type: 'RailConnected' | 'RailChanged'): RestoreRequest['until'] => {
    const index = entries.findIndex(({ events }) => events.some((event) => event.type === type))
    t.ok(index > 0)
    return { kind: 'SEQUENCES', entries: new Map([[shard, index]]) }
  }
  const unchanged = await restoredTo(t, path, untilBefore('RailChanged'))
  t.match(unchanged, { connection: { state: 'RETIRED' }, applied: 2, isUnapplied: true })
  const unconnected = await restoredTo(t, path, untilBefore('RailConnected'))
  t.match(unconnected, { connection: { state: 'RETIRED' }, applied: 0, isUnapplied: true })
})
