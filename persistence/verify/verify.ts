/**
 * Checks a data directory: reads every byte, replays every journal, and compares the result with the snapshots and
 * the ledger. It reads the files itself, because LMDB must not map damaged ones.
 */

import { join } from 'node:path'
import { companyIdOf } from '../../engine/shared/ids.ts'
import { newProgressReporter, type WorkProgress } from '../base/progress.ts'
import { hasReplica } from '../cluster/log-folder.ts'
import type { DataDirectory, StoredDirectory } from '../home/data-directory.ts'
import { DataDirectoryRefusal } from '../home/manifest.ts'
import { isBackup } from '../home/marker.ts'
import { masterKeyCheck, readMasterKey } from '../home/master-key.ts'
import { olderParts } from '../home/part-ends.ts'
import { foreignFolders, journalsOf } from '../home/parts.ts'
import { openSource } from '../home/source.ts'
import { verifyDirectory } from './directory.ts'
import { type Finding, finding, todoOf } from './finding.ts'
import { inTurns, threadsFor, verifyInThread } from './in-threads.ts'
import type { LogPlace, Since } from './log.ts'
import { type ShardToVerify, verifyShard } from './shard.ts'

export type VerifyReport = {
  readonly shards: number
  readonly entries: number
  readonly transactions: number
  /** A digest of each shard's states according to its journal, where all of it was replayed: equal on equal nodes. */
  readonly digests: readonly string[]
  /** Every damage, one a line, with the remedy. */
  readonly problems: readonly string[]
}

export type OnProgress = (progress: WorkProgress) => void

/**
 * Reads every byte of the shards of a data directory at rest, replays each journal from its first entry and compares: states
 * and columns with those of the snapshot and its tail, the ledger (sums to zero, and agrees with transactions, recipients and
 * transfers), recipients' balances (exact to the centavo), subscription figures (equal to a walk over them), and the sums of a scan
 * with the states. Changes nothing, not even a lock file.
 */
export const verifyDataDirectory = async (
  data: Pick<DataDirectory, 'shards' | 'shardPath'>,
  onProgress: OnProgress = () => undefined,
): Promise<VerifyReport> => {
  const { report } = await verifyShards(data, (number) => placeOf(data.shardPath(number)), onProgress)
  return { ...report, problems: report.problems.map(({ text }) => text) }
}

/** A report whose problems carry their repairs. */
export type StoredReport = Omit<VerifyReport, 'problems'> & { readonly problems: readonly Finding[] }

/** What to check of the shards, and how. */
export type VerifyOptions = {
  /** Where each shard's log ended at an earlier check; null to read and replay all of it. */
  readonly since?: readonly Since[] | null
  /** How many shards are checked at once; null as it is worth it. */
  readonly threads?: number | null
}

/**
 * Verifies a whole data directory, also one that a running service writes: its shards, the identities of its
 * journals, companies, keys and endpoints, and whether the master key is the one that sealed the secrets. Since an earlier check it reads
 * what is behind that, all snapshots and the directory, and replays what a start would.
 */
export const verifyStoredDirectory = async (
  data: StoredDirectory,
  masterKeyFile: string,
  onProgress: OnProgress = () => undefined,
  options: VerifyOptions = {},
): Promise<StoredReport> => {
  const { path, manifest, manifestProblem, isInUse } = data
  const [, ...journals] = journalsOf(manifest)
  const kind = manifest.home === null ? 'OWN' : 'REPLICA'
  const ownPlace = (number: number): LogPlace => {
    const { path: below, identity } = journals[number]!
    return { path: join(path, below), identity, kind, isInUse }
  }
  const { report, accounts } = await verifyShards(data, ownPlace, onProgress, options)
  // Companies come before their accounts, so the directory is read after the shards.
  const { directory, problems } = await verifyDirectory(data).catch((error: unknown) => ({
    directory: null,
    problems: [finding(`${join(path, 'directory')} cannot be verified: ${(error as Error).message}`)],
  }))
  const unknown =
    directory === null || kind === 'REPLICA'
      ? []
      : [...new Set(accounts.map(companyIdOf))].filter((company) => !directory.companies.has(company))
  return {
    ...report,
    problems: [
      ...(manifestProblem === null ? problemsOfMasterKey(data, masterKeyFile) : [finding(manifestProblem)]),
      ...foreignFolders(path, manifest).map((text) => finding(text)),
      ...(kind === 'OWN' ? problemsOfAge(data) : []),
      ...problems,
      ...unknown.map((company) =>
        finding(`${join(path, 'directory')} lacks company ${company}, which has accounts; ${todoOf(null)}`),
      ),
      ...report.problems,
    ],
  }
}

/** The parts that are older copies than the rest. */
const problemsOfAge = ({ path, manifest }: StoredDirectory): readonly Finding[] => {
  const journals = journalsOf(manifest).map((journal) => journal.path)
  const older = olderParts(path, journals, (environment, look) => {
    const source = openSource(environment)
    try {
      return source.glance(() => look(source.shelf()))
    } finally {
      source.close()
    }
  })
  return older.map((text) => finding(text))
}

/** Checks the master key. A backup may be without it, which is kept apart then; so may a node, whose cluster shares one. */
const problemsOfMasterKey = (
  { path, manifest: { id, home, masterKeyCheck: check } }: StoredDirectory,
  file: string,
): readonly Finding[] => {
  try {
    const key = readMasterKey(file)
    if (key === null)
      return home !== null || isBackup(path)
        ? []
        : [
            finding(
              `${file} is missing, and no start opens the secrets without it: put it back, or name it with MASTER_KEY_FILE`,
            ),
          ]
    if (masterKeyCheck(key, id) === check) return []
    return [finding(`${file} is not the key that sealed the secrets: put that one back`)]
  } catch (error) {
    if (error instanceof DataDirectoryRefusal) return [finding(`${error.message}: put the right one back`)]
    throw error
  }
}

const verifyShards = async (
  { shards, shardPath }: Pick<DataDirectory, 'shards' | 'shardPath'>,
  placeOf: (number: number) => LogPlace,
  onProgress: OnProgress,
  { since = null, threads = null }: VerifyOptions = {},
) => {
  const all: readonly ShardToVerify[] = Array.from({ length: shards }, (_, number) => ({
    shardPath: shardPath(number),
    number,
    place: placeOf(number),
    since: since?.[number] ?? null,
  }))
  const atOnce = threads ?? threadsFor(all)
  const verify = atOnce === 1 ? verifyShard : verifyInThread
  const reports = await inTurns(all, atOnce, (shard) => {
    const { number } = shard
    return verify(
      shard,
      newProgressReporter((stretch) => onProgress({ shard: number, shards, ...stretch })),
    )
  })
  const sumOf = (count: 'entries' | 'transactions'): number =>
    reports.reduce((sum, report) => sum + report[count], 0)
  const report: StoredReport = {
    shards,
    entries: sumOf('entries'),
    transactions: sumOf('transactions'),
    digests: since === null ? reports.map(({ digest }) => digest) : [],
    problems: reports.flatMap(({ problems }) => problems),
  }
  return { report, accounts: reports.flatMap(({ accounts }) => accounts) }
}

/** The place of a shard's journal, or of a node's copy of its log. */
const placeOf = (shardPath: string): LogPlace => {
  const isReplica = hasReplica(shardPath)
  const path = join(shardPath, isReplica ? 'log' : 'journal')
  return { path, identity: null, kind: isReplica ? 'REPLICA' : 'OWN', isInUse: false }
}
