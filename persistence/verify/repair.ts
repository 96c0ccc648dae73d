import { randomInt } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Entry } from '../../engine/kernel/entry.ts'
import { hasReplica } from '../cluster/log-folder.ts'
import { entryLayoutWith } from '../codec/entry.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { setAside } from '../disk/set-aside.ts'
import { makeJournal } from '../home/data-directory.ts'
import { identityAt, identityFile, writeIdentity } from '../journal/identity.ts'
import type { SnapshotChanges } from '../snapshot/snapshot.ts'
import { openStore, type Store } from '../snapshot/store.ts'
import type { Finding, Repair } from './finding.ts'
import { openReadLog, type ReadLog } from './log.ts'
import { replayBounds, replayInto } from './replay-into.ts'
import { readSnapshot } from './snapshot.ts'

/**
 * Repairs what can be repaired in a locked data directory, and touches nothing else. Returns what was done, in
 * words. An interrupted repair can be repeated.
 */
export const repairAll = async (problems: readonly Finding[]): Promise<readonly string[]> => {
  const wanted = new Map<string, Repair>()
  for (const { repair } of problems) if (repair !== null) wanted.set(JSON.stringify(repair), repair)
  const repairs = [...wanted.values()].sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of))
  const done: string[] = []
  for (const repair of repairs) {
    const text = await mend(repair)
    if (text !== null) done.push(text)
  }
  return done
}

/** Snapshots come last, because they are made from the repaired journals. */
const order: readonly Repair['of'][] = ['IDENTITY', 'LOG', 'SNAPSHOT']

/** Does a repair and describes it; null if it is impossible. */
const mend = async (repair: Repair): Promise<string | null> => {
  switch (repair.of) {
    case 'IDENTITY':
      writeIdentity(repair.path, repair.identity)
      return `${join(repair.path, identityFile)} is written again`
    case 'LOG':
      return fetchAgain(repair.path, repair.identity)
    case 'SNAPSHOT':
      return remakeSnapshot(repair.shardPath)
  }
}

const fetchAgain = async (path: string, identity: string): Promise<string> => {
  const aside = hasEnvironment(path) ? await setAside(path) : null
  await makeJournal(path, identity)
  // The start would discard a snapshot of entries that are not there yet.
  if (basename(path) === 'log') rmSync(join(dirname(path), 'state'), { recursive: true, force: true })
  const before = aside === null ? '' : `; what was there is ${aside}`
  return `${path} is empty, and the node fetches it again from the cluster${before}`
}

/** Makes the snapshot again. The new one replaces the old when it is on disk; a start in between makes its own. */
const remakeSnapshot = async (shardPath: string): Promise<string | null> => {
  const isReplica = hasReplica(shardPath)
  const path = join(shardPath, isReplica ? 'log' : 'journal')
  const statePath = join(shardPath, 'state')
  const kind = isReplica ? 'REPLICA' : 'OWN'
  let isSealed = false
  const layout = entryLayoutWith({
    toSeal: () => null,
    toOpen: () => {
      isSealed = true
      return null
    },
  })
  const log = openReadLog({ path, identity: null, kind, isInUse: false }, layout)
  if ('text' in log) return null
  try {
    const damaged = await log.journal.damagedRanges(identityAt(path), () => undefined)
    if (damaged.length > 0) return null
    const end = log.journal.appended()
    // A name with a dot would be a file's for lmdb-js.
    const newPath = `${statePath}-new`
    if (end > 0) await writeSnapshot(shardPath, newPath, log, () => isSealed)
    rmSync(statePath, { recursive: true, force: true })
    if (end > 0) renameSync(newPath, statePath)
    return isSealed
      ? `${statePath} is empty, and the next start makes it again from the journal, with the keys of payers`
      : `${statePath} is made again from the journal, up to entry ${end}`
  } finally {
    log.source.close()
  }
}

/** Where a part of the journal is sealed, which is not read here, the snapshot has only how far the outboxes had come. */
const writeSnapshot = async (
  shardPath: string,
  path: string,
  { journal }: ReadLog<Entry>,
  isSealed: () => boolean,
): Promise<void> => {
  const end = journal.appended()
  const before = await readSnapshot(shardPath, async ({ store: { seed, progress } }) => ({ seed, progress }))
  const seed = before.seed || randomInt(2 ** 32)
  const { published, streamed } = before.progress
  const progress = {
    published: Math.min(published, end),
    streamed: streamed === null ? null : Math.min(streamed, end),
  }
  const openNew = (): Store => {
    rmSync(path, { recursive: true, force: true })
    return openStore(path, () => seed)
  }
  const store = openNew()
  const memory = await replayInto(store, journal, replayBounds)
  if (!isSealed())
    await store.write(memory.takeSnapshot(end), progress, journal.batchAt(end).seal.toString('base64url'))
  await store.close()
  if (!isSealed()) return
  const empty = openNew()
  await empty.write(nothing, progress)
  await empty.close()
}

const nothing: SnapshotChanges = {
  sequence: 0,
  accounts: [],
  cleared: [],
  tableSnapshots: [],
  dropped: [],
  keys: { recent: null, dropped: [], sealed: null, runs: [], replaced: [] },
}
