import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { UpgradeUnfinished } from '../../engine/kernel/unavailable.ts'
import { DirectoryUnavailable } from '../../persistence/cluster/directory-log.ts'
import { type JoinedNode, joinCluster } from '../../persistence/cluster/join.ts'
import { DiskFull } from '../../persistence/disk/disk-space.ts'
import { claimDataDirectory, type DataDirectory } from '../../persistence/home/data-directory.ts'
import { DataDirectoryRefusal } from '../../persistence/home/manifest.ts'
import { makeMasterKey, masterKeyCheck, readMasterKey } from '../../persistence/home/master-key.ts'
import type { DirectoryLog } from '../../persistence/journal/directory-log.ts'
import { type FactLog, openFactLog } from '../../persistence/journal/fact-log.ts'
import { hasSessionLog, openSessionLog, type SessionLog } from '../../persistence/journal/session-log.ts'
import type { ClusterSettings, Settings } from '../base/settings.ts'
import { OperationRefusal } from '../problems/refusal.ts'

/** The storage under the service, alone or as a node of a cluster. */
export type Storage = {
  readonly data: DataDirectory
  readonly masterKey: Buffer
  readonly directory: DirectoryLog
  readonly sessions: SessionLog
  /** Whether the record of sessions of this data directory was gone, or damaged and dropped. */
  readonly hasLostSessions: boolean
  /** Whether this start created the data directory, or formed the cluster. */
  readonly isFirst: boolean
  /** Null outside a cluster. */
  readonly member: (ClusterSettings & Pick<JoinedNode, 'connection'>) | null
  readonly close: () => Promise<void>
}

/** Opens the data directory, or joins the cluster, which `fail` reports a fork of. */
export async function openStorage(
  settings: Settings,
  log: Logger,
  fail: (message: string, detail: object) => void,
): Promise<Storage> {
  const { cluster, nats, dataDir, shards } = settings
  const masterKeyFile = settings.masterKeyFile ?? join(dataDir, 'master.key')
  if (cluster === null || nats === null) return openAlone(settings, masterKeyFile, log)
  const joined = await joinCluster({
    ...cluster,
    cluster: cluster.name,
    nats,
    monitorUrls: nats.monitorUrls,
    dataDir,
    masterKeyFile,
    shards,
    log,
    onFork: (err) => fail(`${err.message}; the service stops`, { err }),
  })
  return {
    ...joined,
    hasLostSessions: false,
    isFirst: joined.hasFormed,
    member: { ...cluster, connection: joined.connection },
  }
}

async function openAlone(
  { dataDir, shards, workers }: Settings,
  masterKeyFile: string,
  log: Logger,
): Promise<Storage> {
  const claimed = await claimDataDirectory(dataDir, null)
  let masterKey = readMasterKey(masterKeyFile)
  const data = await claimed.settle(shards, workers, (id) => {
    if (masterKey === null && claimed.shards !== null)
      throw new DataDirectoryRefusal(
        `${masterKeyFile} is missing, and opens the secrets of this data directory: put it back, or name it with MASTER_KEY_FILE; a backup that was made with --master-key exclude does not have it`,
      )
    masterKey ??= makeMasterKey(masterKeyFile)
    return masterKeyCheck(masterKey, id)
  })
  const directory = countedLog(openFactLog<DirectoryFact>(data.directoryPath), (end) => {
    try {
      data.partEnds?.keep({ directory: { end, seal: null } }, 'AT_THE_TOP')
    } catch (error) {
      log.warn({ err: error }, 'how far the log of companies has come is not kept')
    }
  })
  const path = join(dataDir, 'sessions')
  let hasLostSessions = !data.isNew && !hasSessionLog(path)
  const sessions = await openSessionLog(path, Date.now(), (err) => {
    hasLostSessions = true
    log.error({ err }, 'the record of sessions is damaged and dropped: people have to sign in again')
  })
  const close = async (): Promise<void> => {
    await sessions.close()
    await directory.close()
    await data.release()
  }
  return {
    ...{ data, masterKey: masterKey!, directory, sessions, hasLostSessions },
    ...{ isFirst: data.isNew, member: null, close },
  }
}

/** A log that reports the number of its facts, once it is followed and after each append. */
const countedLog = <Fact>(log: FactLog<Fact>, onEnd: (facts: number) => void): FactLog<Fact> => {
  let facts = 0
  return {
    ...log,
    follow: (onFact) => {
      const stored = log.follow((fact) => {
        facts += 1
        return onFact(fact)
      })
      facts = stored.length
      onEnd(facts)
      return stored
    },
    append: async (decide) => {
      const before = facts
      await log.append(decide)
      if (facts > before) onEnd(facts)
    },
  }
}

/** Refuses an operation whose fact cannot be recorded: with certainty, as SERVICE_UNAVAILABLE, or until an upgrade is finished. */
export const orUnavailable = (recording: Promise<void>): Promise<void> =>
  recording.catch((error: unknown) => {
    if (error instanceof UpgradeUnfinished) throw new OperationRefusal(error.message, 'UPGRADE_UNFINISHED')
    throw error instanceof DirectoryUnavailable || error instanceof DiskFull
      ? new OperationRefusal(error.message, 'SERVICE_UNAVAILABLE')
      : error
  })
