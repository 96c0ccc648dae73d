import { createHash } from 'node:crypto'
import { applyEntry } from '../../engine/engine.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { appendTo } from '../base/append-to.ts'
import type { ProgressReporter } from '../base/progress.ts'
import { entryLayout } from '../codec/entry.ts'
import { openMemory, type StoredMemory } from '../shard/memory.ts'
import type { Store } from '../snapshot/store.ts'
import { countActors, differences } from './compare.ts'
import { type Finding, finding, todoOf } from './finding.ts'
import type { ReadJournal } from './journal.ts'
import { type LogPlace, openReadLog, type ReadLog, type Since, verifyLog } from './log.ts'
import {
  openScratchStore,
  type ReplayBounds,
  replayBounds,
  replayedStates,
  replayInto,
} from './replay-into.ts'
import { type ReadSnapshot, readSnapshot } from './snapshot.ts'
import { sumProblems } from './sums.ts'
import { newTransactionWalk } from './transaction-walk.ts'

export type ShardReport = {
  readonly entries: number
  readonly transactions: number
  /** A digest of the states according to the journal. */
  readonly digest: string
  readonly accounts: readonly AccountId[]
  readonly problems: readonly Finding[]
}

/**
 * Checks all bytes of a shard, then replays its journal and compares. The snapshot is read first, and the journal
 * up to its end at that moment, so that neither lacks what the other has, whatever the service writes meanwhile. A
 * journal with damaged entries is not replayed.
 */
export const verifyShard: VerifyShard = (shard, reporter) =>
  verified(shard, reporter).catch((error: unknown) => reportOfFailure(shard, error as Error))

/** What is said of a shard with unforeseen damage, which must not keep the others from being checked. */
export const reportOfFailure = ({ number }: ShardToVerify, { message }: Error): ShardReport => ({
  ...nothing,
  problems: [finding(`shard ${number} cannot be verified: ${message}`)],
})

export type VerifyShard = (shard: ShardToVerify, reporter: ProgressReporter) => Promise<ShardReport>

/** Where a shard is, and the journal that belongs there. */
export type ShardToVerify = {
  readonly shardPath: string
  readonly number: number
  readonly place: LogPlace
  /** Null to check and replay all of it. */
  readonly since: Since | null
  readonly bounds?: ReplayBounds
}

const verified: VerifyShard = ({ shardPath, number, place, since, bounds = replayBounds }, reporter) =>
  readSnapshot(shardPath, async (snapshot) => {
    const repair = { of: 'SNAPSHOT', shardPath } as const
    const opened = openReadLog(place, entryLayout)
    const { store, damages } = snapshot
    const loaded = damages.length > 0 || 'text' in opened ? null : loadedFrom(store, opened.journal)
    const trouble = typeof loaded === 'string' ? [loaded] : []
    const problems = [...damages, ...trouble].map((damage) =>
      finding(`${snapshot.path} ${damage}; ${todoOf(repair)}`, repair),
    )
    if ('text' in opened) return { ...nothing, problems: [...problems, opened] }
    try {
      const { journal } = opened
      const bytes = await verifyLog(opened, reporter, since)
      appendTo(problems, bytes.problems)
      const entries = journal.appended() - (since?.entries ?? 0)
      if (!bytes.isWhole) return { ...nothing, entries: Math.max(0, entries), problems }
      const memory = typeof loaded === 'string' ? null : loaded
      const foreign = memory !== null ? problemOfPlace(snapshot, opened, shardPath) : null
      if (foreign !== null) problems.push(foreign)
      const stored = foreign === null ? memory : null
      if (since !== null) return { ...continued(journal, store, stored), entries, problems }
      const report = await replayAndCompare(journal, store, stored, reporter, bounds)
      problems.push(
        ...report.differences.map((text) => finding(`shard ${number}: ${text}`, repair)),
        ...report.others.map((text) => finding(`shard ${number}: ${text}`)),
      )
      return { ...report, problems }
    } catch (error) {
      problems.push(finding(`shard ${number} cannot be replayed: ${(error as Error).message}`))
      return { ...nothing, problems }
    } finally {
      opened.source.close()
    }
  })

/** The memory of a snapshot; why it cannot be loaded, as the end of a sentence, where it cannot. */
const loadedFrom = (store: Store, journal: ReadJournal<Entry>): StoredMemory | string => {
  try {
    return openMemory(store, journal, { hotStates: replayedStates, memoryBytes: replayBounds.memoryBytes })
  } catch (error) {
    return `cannot be loaded: ${(error as Error).message}`
  }
}

/** Applies the entries behind a snapshot to it, as a start does. Without one there is nothing to say before it is made again. */
const continued = (journal: ReadJournal<Entry>, store: Store, snapshot: StoredMemory | null) => {
  if (snapshot === null) return nothing
  const known = new Set([...store.accounts()].map(([id]) => id as AccountId))
  for (const { sequence, record } of journal.replay(store.sequence())) {
    known.add(record.accountId)
    applyEntry(snapshot, sequence, record)
  }
  const accounts = [...known]
  const countOf = (id: AccountId): number => snapshot.tableOf(id, 'transaction')?.rows.count ?? 0
  return { ...nothing, accounts, transactions: accounts.reduce((sum, id) => sum + countOf(id), 0) }
}

const nothing = { entries: 0, transactions: 0, digest: '', accounts: [] } as const

/** Finds a snapshot that is ahead of its journal, or belongs to another journal. */
const problemOfPlace = (
  { path, store }: ReadSnapshot,
  { place, journal }: ReadLog<Entry>,
  shardPath: string,
): Finding | null => {
  const sequence = store.sequence()
  const end = journal.appended()
  const repair = { of: 'SNAPSHOT', shardPath } as const
  if (sequence > end && place.kind === 'OWN')
    return finding(`${journal.path} ends at entry ${end}, and its snapshot at ${sequence}; ${todoOf(null)}`)
  if (sequence > end)
    return finding(
      `${path} is at entry ${sequence}, and its journal ends at ${end}; ${todoOf(repair)}`,
      repair,
    )
  if (sequence === 0 || journal.batchAt(sequence).seal.toString('base64url') === store.seal()) return null
  return finding(`${path} is of another journal; ${todoOf(repair)}`, repair)
}

/**
 * Replays the journal from its first entry, and compares with states and columns on top of the snapshot, if any.
 */
const replayAndCompare = async (
  journal: ReadJournal<Entry>,
  store: Store,
  snapshot: StoredMemory | null,
  reporter: ProgressReporter,
  bounds: ReplayBounds,
) => {
  const scratch = openScratchStore(store.seed, journal.appended(), bounds)
  try {
    const accounts = new Set<AccountId>()
    const replayed = await replayInto(scratch.store, journal, bounds, (sequence, { accountId }) => {
      accounts.add(accountId)
      if (!reporter.isDue()) return undefined
      return reporter.report({ step: 'REPLAY', done: sequence, of: journal.appended() })
    })
    return await compared(journal, accounts, replayed, store, snapshot, reporter)
  } finally {
    await scratch.close()
  }
}

const compared = async (
  journal: ReadJournal<Entry>,
  accounts: ReadonlySet<AccountId>,
  replayed: StoredMemory,
  store: Store,
  snapshot: StoredMemory | null,
  reporter: ProgressReporter,
) => {
  const digest = createHash('sha256')
  if (snapshot !== null)
    for (const { sequence, record } of journal.replay(store.sequence()))
      applyEntry(snapshot, sequence, record)
  const stored = snapshot ?? replayed
  const actors = countActors(accounts, replayed)
  let done = 0
  const onCompared = (): Promise<void> | undefined => {
    done++
    return reporter.isDue() ? reporter.report({ step: 'COMPARE', done, of: actors }) : undefined
  }
  const different: string[] = []
  const others: string[] = []
  let transactions = 0
  for (const accountId of accounts) {
    const walk = newTransactionWalk()
    appendTo(different, await differences(accountId, replayed, stored, digest, walk, onCompared))
    appendTo(others, sumProblems(accountId, replayed, stored, walk))
    transactions += replayed.tableOf(accountId, 'transaction')?.rows.count ?? 0
  }
  return {
    entries: journal.appended(),
    transactions,
    digest: digest.digest('base64url'),
    accounts: [...accounts],
    differences: different,
    others,
  }
}
