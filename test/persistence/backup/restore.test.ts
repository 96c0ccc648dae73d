import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Directory, DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { applyEntry } from '../../../engine/engine.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import { listedKinds } from '../../../engine/registry.ts'
import { type AccountId, accountIdOf, companyIdOf } from '../../../engine/shared/ids.ts'
import { shardOf } from '../../../gateway/link/router.ts'
import { readAbout } from '../../../persistence/backup/about.ts'
import { BackupRefusal } from '../../../persistence/backup/refusal.ts'
import { type RestoreRequest, restoreBackup } from '../../../persistence/backup/restore.ts'
import { readRecord } from '../../../persistence/cluster/directory-record.ts'
import { hasReplica } from '../../../persistence/cluster/log-folder.ts'
import { openReplicaStore, wholeUpTo } from '../../../persistence/cluster/replica-store.ts'
import { pack } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { json, text } from '../../../persistence/codec/layout.ts'
import { openBatch, sealBatch } from '../../../persistence/codec/sealed-batch.ts'
import { hasEnvironment, openEnvironment } from '../../../persistence/disk/environment.ts'
import { claimDataDirectory } from '../../../persistence/home/data-directory.ts'
import { shardPathIn } from '../../../persistence/home/parts.ts'
import { idOf } from '../../../persistence/index/tables.ts'
import { journalOn, openJournal } from '../../../persistence/journal/journal.ts'
import { openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore, openStore } from '../../../persistence/snapshot/store.ts'
import { newDataDir } from '../../e2e/service.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { backUp, openUsedDirectory, startMs, type TimedFact } from '../used-directory.ts'
import { openUsedLog } from '../used-log.ts'

const noMetrics = { commits: 0, entries: 0, bytes: 0 }

let records = 0

const restore = (t: Test, from: readonly string[], until: RestoreRequest['until'], verify = true) =>
  restoreBackup({ path: join(newDataDir(t), 'restored'), from, until, verify }, peer)

const peer = {
  shardOf,
  newRecordId: () => String(++records),
  onProgress: () => undefined,
  signal: new AbortController().signal,
}

/** The states that entries lead to, from the first one on. */
const statesAfter = (entries: readonly Entry[]): readonly string[] => {
  const journal = memoryJournal(entryLayout)
  for (const entry of entries) journal.append(entry)
  journal.flush()
  const memory = openMemory(emptyStore(), journal)
  for (const [n, entry] of entries.entries()) applyEntry(memory, n + 1, entry)
  return statesIn(memory, entries)
}

const statesIn = (memory: StoredMemory, entries: readonly Entry[]): readonly string[] => {
  const states: string[] = []
  const add = (state: unknown) => states.push(pack(state).toString('base64url'))
  for (const accountId of new Set(entries.map(({ accountId }) => accountId))) {
    add(memory.find('account', accountId))
    for (const kind of listedKinds) {
      const table = memory.tableOf(accountId, kind)
      for (let row = 0; row < (table?.rows.count ?? 0); row++)
        add(memory.find(kind, idOf({ table: table!, row })))
    }
  }
  return states
}

/** What a restored shard has: its entries, and the states that its snapshot and the entries behind it lead to. */
const restoredShard = async (shardPath: string) => {
  const journal = hasReplica(shardPath)
    ? openReplicaJournal(join(shardPath, 'log'))
    : openJournal(join(shardPath, 'journal'), entryLayout, noMetrics)
  const statePath = join(shardPath, 'state')
  const store = hasEnvironment(statePath) ? openStore(statePath, () => 0) : emptyStore()
  const entries = [...journal.replay(0)].map(({ record }) => record)
  const memory = openMemory(store, journal)
  for (const { sequence, record } of journal.replay(store.sequence())) applyEntry(memory, sequence, record)
  const states = statesIn(memory, entries)
  const found = { entries, states, snapshot: store.sequence() }
  await store.close()
  await journal.close()
  return found
}

/** The entries in a node's copy of a log, whose records must form an unbroken chain. */
const openReplicaJournal = (path: string) => {
  const store = openReplicaStore(path)
  if (wholeUpTo(store.read).head !== store.position().head) throw new Error(`${path} is no unbroken chain`)
  const write = () => Promise.reject(new Error('it is only read'))
  const { batches, close } = store
  return journalOn<Entry>({ batches, batchBytesMax: 0, write, close }, entryLayout, noMetrics)
}

const restoredFacts = async (path: string): Promise<readonly DirectoryFact[]> => {
  const directory = join(path, 'directory')
  if (!hasReplica(shardPathIn(path)(0))) {
    const journal = openJournal<DirectoryFact>(directory, json(), noMetrics)
    const facts = [...journal.replay(0)].map(({ record }) => record)
    await journal.close()
    return facts
  }
  const journal = openJournal<string>(directory, text(), noMetrics)
  const facts = [...journal.replay(0)].map(({ record }) => readRecord(record).fact)
  await journal.close()
  return facts
}

/** What in a directory and its shards refers to something that is not there. */
const danglingIn = (
  { companies, endpoints, opened }: Directory,
  shards: readonly (readonly Entry[])[],
): string[] => {
  const revisions = new Map<AccountId, number>()
  for (const event of shards.flat().flatMap(({ events }) => events))
    if (event.actor === 'account' && 'profile' in event) revisions.set(event.id, event.profile.revision)
  const dangling: string[] = []
  for (const [accountId, revision] of revisions)
    if ((companies.get(companyIdOf(accountId))?.revision ?? 0) < revision)
      dangling.push(`${accountId} of no company`)
  for (const [companyId, revision] of opened)
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const)
      if ((revisions.get(accountIdOf(companyId, environment)) ?? 0) < revision)
        dangling.push(`${companyId} has no ${environment} account of revision ${revision}`)
  for (const { id, companyId, environment, hearsAfter } of endpoints.values())
    if ((hearsAfter ?? 0) > shards[shardOf(accountIdOf(companyId, environment), shards.length)]!.length)
      dangling.push(`${id} hears too late`)
  return dangling
}

/** The entries before the first that was decided later. */
const until = (entries: readonly Entry[], atMs: number): readonly Entry[] => {
  const end = entries.findIndex((entry) => entry.atMs > atMs)
  return end === -1 ? entries : entries.slice(0, end)
}

const seed = Number(process.env.SEED ?? 15)

/** What the journals have in the end. */
type Live = { readonly shards: readonly (readonly Entry[])[]; readonly facts: readonly TimedFact[] }

/** Restores backups to moments, each of which must be what a replay of the live entries up to there is. */
const restoreToMoments = async (t: Test, from: readonly string[], live: Live, moments: readonly number[]) => {
  const seen = { snapshots: 0, cut: 0, extended: 0 }
  for (const [n, atMs] of moments.entries()) {
    const restored = await restore(t, from, { kind: 'TIME', atMs }, n === 0)
    if (n === 0) t.strictSame(restored.problems, [])
    const shardPath = shardPathIn(restored.path)
    const shards: (readonly Entry[])[] = []
    for (const [shard, entries] of live.shards.entries()) {
      const expected = until(entries, atMs)
      const found = await restoredShard(shardPath(shard))
      t.equal(restored.shards[shard]!.entries, expected.length)
      t.strictSame(found.entries, expected, `shard ${shard}: the ${expected.length} entries up to there`)
      t.strictSame(found.states, statesAfter(expected), 'and the states that they lead to')
      seen.snapshots += Number(found.snapshot > 0)
      seen.cut += Number(expected.length < entries.length)
      shards.push(found.entries)
    }
    const facts = await restoredFacts(restored.path)
    t.strictSame(danglingIn(facts.reduce(evolveDirectory, newDirectory()), shards), [])
    const other = facts.findIndex((fact, n) => JSON.stringify(fact) !== JSON.stringify(live.facts[n]?.fact))
    const end = other === -1 ? facts.length : other
    if (end === live.facts.findIndex((fact) => (fact.atMs ?? 0) > atMs)) continue
    seen.extended += 1
    const shorter = facts.slice(0, end - 1).reduce(evolveDirectory, newDirectory())
    t.ok(
      danglingIn(shorter, shards).some((problem) => problem.endsWith('of no company')),
      'the directory ends there, or as soon as it knows every company',
    )
  }
  return seen
}

/** Ten random moments, and one at which an account is open whose company was made later, as another clock says. */
const momentsOf = (
  { shards, facts }: Live,
  endMs: number,
  random: (below: number) => number,
): readonly number[] => {
  const madeMs = new Map(
    facts.flatMap(({ fact }) =>
      fact.type === 'CompanyCreated' ? [[fact.company.id, fact.company.createdAtMs] as const] : [],
    ),
  )
  const isEarly = ({ accountId, atMs, events: [event] }: Entry): boolean =>
    event?.type === 'AccountOpened' && atMs > startMs + 400 && madeMs.get(companyIdOf(accountId))! > atMs
  const early = shards[0]!.find(isEarly)!
  return [early.atMs, ...Array.from({ length: 10 }, () => startMs + 400 + random(endMs - startMs - 400))]
}

const entriesIn = (logs: readonly { readonly entries: number }[]): number =>
  logs.reduce((sum, { entries }) => sum + entries, 0)

t.test('backups made under load and beside packing are restored to any moment', async (t) => {
  const world = await openUsedDirectory(t, seed)
  await world.load(700)
  await world.pack()
  const [full] = await Promise.all([world.backup(), world.load(500), world.pack()])
  const [first] = await Promise.all([world.backup(full.path), world.load(500)])
  await world.pack()
  const [second] = await Promise.all([world.backup(first.path), world.load(100)])
  t.match([full.kind, first.kind, second.kind], ['FULL', 'INCREMENT', 'INCREMENT'])
  t.match([full.problems, first.problems, second.problems], [[], [], []])
  t.ok(first.bytes < full.bytes)
  await world.close()

  const from = [second.path, full.path, first.path]
  const whole = await restore(t, from, { kind: 'END' })
  t.strictSame(whole.from, [full.path, first.path, second.path], 'in whatever order they are named')
  const parts = [...full.shards, ...first.shards, ...second.shards]
  t.equal(entriesIn(whole.shards), entriesIn(parts), 'each entry is in one of them')
  t.strictSame(whole.problems, [])
  const live = { shards: world.entries(), facts: world.facts }
  const seen = await restoreToMoments(t, from, live, momentsOf(live, second.pointMs, world.random))
  t.ok(seen.snapshots > 0 && seen.cut > 10 && seen.extended > 0, JSON.stringify(seen))

  await t.test('and so are those of a node of a cluster', async (t) => {
    const log = await openUsedLog(t, seed, live.shards, live.facts)
    await log.load(8000)
    await log.pack()
    const [full] = await Promise.all([log.backup(), log.load(4000), log.pack()])
    const [increment] = await Promise.all([log.backup(full.path), log.load(100_000)])
    await log.close()
    t.ok(increment.shards.every(({ entries, records }) => entries > 0 && records! > 0))
    const from = [full.path, increment.path]
    const whole = await restore(t, from, { kind: 'END' })
    t.equal(entriesIn(whole.shards), entriesIn([...full.shards, ...increment.shards]))
    const seen = await restoreToMoments(t, from, live, momentsOf(live, increment.pointMs, log.random))
    t.ok(seen.cut > 10, JSON.stringify(seen))
    const changed = spoiled(t, increment.path, (copy) =>
      changeLast(join(copy, 'shards/00/log/data.mdb'), '"kind"'),
    )
    await t.rejects(restore(t, [full.path, changed], { kind: 'END' }), {
      constructor: BackupRefusal,
      message: /spoiled\/shards\/00\/log record \d+ is damaged: use another copy of that backup$/,
    })
  })
})

t.test('some shards are restored to an entry, and the others to their end', async (t) => {
  const world = await openUsedDirectory(t, seed + 1)
  await world.load(150)
  const full = await world.backup()
  await world.close()
  const [here, there] = world.entries()
  const entries = 3
  const restored = await restore(t, [full.path], { kind: 'SEQUENCES', entries: new Map([[0, entries]]) })
  t.strictSame(restored.problems, [])
  const shardPath = shardPathIn(restored.path)
  const shards = [(await restoredShard(shardPath(0))).entries, (await restoredShard(shardPath(1))).entries]
  t.strictSame(shards, [here!.slice(0, entries), there])
  const facts = await restoredFacts(restored.path)
  t.strictSame(
    facts.slice(0, world.facts.length),
    world.facts.map(({ fact }) => fact),
    'the directory has all of its facts',
  )
  t.ok(facts.length > world.facts.length, 'and those that take back what it says of entries that are gone')
  t.strictSame(danglingIn(facts.reduce(evolveDirectory, newDirectory()), shards), [])
})

t.test('events count as published as far as their deliveries are surely restored', async (t) => {
  const world = await openUsedDirectory(t, seed + 2)
  await world.load(40)
  world.pass(11 * 60_000)
  await world.load(40)
  const full = await world.backup()
  await world.load(40)
  const increment = await world.backup(full.path)
  await world.close()
  const publishedIn = async (path: string): Promise<number> => {
    const store = openStore(join(shardPathIn(path)(0), 'state'), () => 0)
    await store.close()
    t.equal(store.progress.published, store.progress.streamed)
    return store.progress.published
  }
  const { published } = readAbout(increment.path).ends.shards[0]!
  t.ok(published > 0)
  const whole = await restore(t, [full.path, increment.path], { kind: 'END' }, false)
  t.equal(await publishedIn(whole.path), published, 'what the service knew at the last backup')
  const cut = await restore(
    t,
    [full.path, increment.path],
    { kind: 'TIME', atMs: increment.pointMs - 1 },
    false,
  )
  const [entries] = world.entries()
  const old = entries!.findIndex(({ atMs }) => atMs > world.now() - 11 * 60_000)
  t.equal(await publishedIn(cut.path), old, 'what is ten minutes older than the cut')
})

/** A copy of a backup, with something done to it. */
const spoiled = (t: Test, path: string, spoil: (copy: string) => void): string => {
  const copy = join(newDataDir(t), 'spoiled')
  cpSync(path, copy, { recursive: true })
  spoil(copy)
  return copy
}

/** Changes a bit in the last place of a file that has a text. */
const changeLast = (file: string, text: string): void => {
  const bytes = readFileSync(file)
  const at = bytes.lastIndexOf(text) + text.length - 1
  bytes[at] = bytes[at]! ^ 1
  writeFileSync(file, bytes)
}

/** Changes a batch of a backup's first shard, and gives it the seal that it then would have. */
const forged = async (backup: string, place: number): Promise<string> => {
  const db = openEnvironment<number>({ path: join(backup, 'shards/00/journal') })
  const values = [...db.getRange()]
  const { key, value } = values.at(place)!
  const { bytes, previous } = openBatch(value, key)!
  const changed = Buffer.from(bytes)
  changed[changed.length - 1] = changed.at(-1)! ^ 1
  await db.put(key, sealBatch(key, changed, previous))
  await db.close()
  return backup
}

t.test('backups that do not lead there are refused, and nothing is left', async (t) => {
  const world = await openUsedDirectory(t, seed + 3)
  await world.load(60)
  const full = await world.backup()
  await world.load(30)
  const first = await world.backup(full.path)
  await world.load(30)
  const second = await world.backup(first.path)
  const ends = readAbout(second.path).ends.shards
  await world.close()
  const foreign = await openUsedDirectory(t, seed + 4)
  await foreign.load(30)
  const other = await foreign.backup()
  await foreign.close()

  const parent = newDataDir(t)
  const refused = async (
    from: readonly string[],
    reason: RegExp,
    { path = join(parent, 'restored'), until = { kind: 'END' } as RestoreRequest['until'] } = {},
  ) => {
    const request = { path, from, until, verify: false }
    await t.rejects(
      restoreBackup(request, peer),
      { constructor: BackupRefusal, message: reason },
      String(reason),
    )
  }
  const chain = [full.path, first.path, second.path]
  await refused(
    [full.path, second.path],
    /increment is an increment that continues the backup of .*: name that one, too$/,
  )
  await refused(
    [first.path, second.path],
    /increment is an increment that continues the backup of .*full: name that one, too$/,
  )
  await refused(
    [...chain, other.path],
    /full is a backup of data directory .*, and .*full one of data directory .*: name those of one$/,
  )
  await refused([world.dataDir], /is no backup: it has no backup\.json$/)
  await refused([join(parent, 'nowhere')], /nowhere does not exist$/)
  await refused(chain, /^the backups end at .*, with .*: what came from then until .* is not in them$/, {
    until: { kind: 'TIME', atMs: second.pointMs + 1 },
  })
  await refused(chain, /^there was nothing yet at that time: the first company is of /, {
    until: { kind: 'TIME', atMs: startMs - 1000 },
  })
  await refused(chain, /^there is no shard 2: the backups have shards 0 to 1$/, {
    until: { kind: 'SEQUENCES', entries: new Map([[2, 1]]) },
  })
  await refused(
    chain,
    new RegExp(`^shard 1 ends at entry ${ends[1]!.entries} in the backups, before 10000$`),
    {
      until: { kind: 'SEQUENCES', entries: new Map([[1, 10_000]]) },
    },
  )
  await refused(chain, /full is not empty$/, { path: full.path })
  await refused(chain, /inside is in the data directory .*full: what happens to one happens to both$/, {
    path: join(full.path, 'inside'),
  })

  const changeText = (copy: string) => changeLast(join(copy, journal, 'data.mdb'), 'cmp_0')
  const journal = 'shards/00/journal'
  const damaged = /spoiled\/shards\/00\/journal is damaged at entry \d+: use another copy of that backup$/
  await refused([spoiled(t, full.path, changeText), first.path, second.path], damaged)
  await refused([full.path, spoiled(t, first.path, changeText), second.path], damaged)
  const exchanged = spoiled(t, first.path, (copy) =>
    cpSync(join(second.path, journal, 'data.mdb'), join(copy, journal, 'data.mdb')),
  )
  await refused([full.path, exchanged, second.path], damaged)
  const shorter = spoiled(t, second.path, (copy) => truncateSync(join(copy, journal, 'data.mdb'), 8192))
  await refused(
    [full.path, first.path, shorter],
    /data\.mdb is damaged: .*: use another copy of that backup$/,
  )
  const without = spoiled(t, first.path, (copy) => rmSync(join(copy, journal), { recursive: true }))
  await refused(
    [full.path, without, second.path],
    /shards\/00\/journal is missing: use another copy of that backup$/,
  )
  const about = spoiled(t, first.path, (copy) => {
    const file = join(copy, 'backup.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"entries": \d/, '"entries": 9'))
  })
  await refused([full.path, about, second.path], /backup\.json is damaged: use another copy of that backup$/)
  const changedFirst = await forged(
    spoiled(t, first.path, () => undefined),
    0,
  )
  await refused([full.path, changedFirst, second.path], damaged)
  const changedLast = await forged(
    spoiled(t, first.path, () => undefined),
    -1,
  )
  await refused(
    [full.path, changedLast, second.path],
    /spoiled\/shards\/00\/journal does not end as .*spoiled says: use another copy of that backup$/,
  )
  const renamed = spoiled(t, full.path, (copy) => writeFileSync(join(copy, journal, 'identity'), 'another\n'))
  await refused(
    [renamed, first.path, second.path],
    /journal is another journal than the one that belongs there: /,
  )
  t.strictSame(readdirSync(parent), [])
  await t.rejects(claimDataDirectory(first.path, null), /is an increment of a backup, which holds only what/)
})

t.test('an increment continues what the earlier backup ends with, or is refused', async (t) => {
  const world = await openUsedDirectory(t, seed + 5)
  await world.load(60)
  const full = await world.backup()
  await world.load(30)
  const increment = await world.backup(full.path)
  await world.close()
  const whole = await restore(t, [full.path, increment.path], { kind: 'END' }, false)
  const now = async () => ({ atMs: increment.pointMs, ends: null })
  t.match(await backUp(t, whole.path, increment.path, now), {
    problems: [],
    shards: [{ entries: 0 }, { entries: 0 }],
  })
  const cut = await restore(t, [full.path, increment.path], { kind: 'TIME', atMs: startMs + 500 }, false)
  await t.rejects(
    backUp(t, cut.path, increment.path, now),
    /(directory|journal) does not continue what .*increment ends with, because it was restored, fetched or written anew since: make a full backup$/,
  )
  const foreign = await openUsedDirectory(t, seed + 6)
  await t.rejects(
    foreign.backup(full.path),
    /full is a backup of data directory .*, and this is data directory .*: make a full one$/,
  )
  await foreign.close()
})
