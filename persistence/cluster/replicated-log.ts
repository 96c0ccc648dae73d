import type { Entry } from '../../engine/kernel/entry.ts'
import type { AnyFact } from '../../engine/kernel/registry.ts'
import { bounds } from '../base/bounds.ts'
import { asWrittenIn } from '../codec/entry.ts'
import type { Layout } from '../codec/layout.ts'
import { orClose } from '../disk/environment.ts'
import { setAside } from '../disk/set-aside.ts'
import { type JournalMetrics, journalOn } from '../journal/journal.ts'
import { checkLog } from './check.ts'
import { logIn } from './log-folder.ts'
import type { ReplicaEvents, ReplicaOptions } from './open-replica.ts'
import { openReplica } from './replica.ts'
import { openReplicaStore } from './replica-store.ts'
import type { ShardLog, ShardLogEvents } from './shard-log.ts'

export type ReplicatedLogOptions = Omit<ReplicaOptions, 'store' | 'on'> & {
  /** The shard's folder. */
  readonly path: string
  readonly metrics: JournalMetrics
  readonly layout: Layout<Entry>
  /** The version of entries that every node of the cluster reads. */
  readonly writtenVersion: () => number
  readonly on: Pick<ReplicaEvents, 'owner' | 'lost' | 'forked' | 'trouble'>
}

/** A shard's replicated log: its journal is written through the replica, and receives other owners' entries. */
export const openReplicatedLog = (
  { path, metrics, layout, writtenVersion, on, ...options }: ReplicatedLogOptions,
  events: ShardLogEvents,
): ShardLog => {
  const store = openReplicaStore(logIn(path))
  const hole = orClose(store, store.dropFromHole)
  if (hole !== null)
    on.trouble(
      `this node’s disk lacks record ${hole} of the log: that and what follows are fetched again`,
      null,
    )
  const entries = journalOn<Entry>(
    {
      batches: store.batches,
      batchBytesMax: bounds.logValueBytesMax,
      write: async (batches) => {
        for (const { first, count, bytes } of batches) await replica.write(first, bytes, count)
      },
      close: async () => undefined,
    },
    layout,
    metrics,
    writtenVersion,
  )
  const journal = { ...entries, asWritten: (fact: AnyFact) => asWrittenIn(writtenVersion(), fact) }
  const replica = openReplica({
    ...options,
    store,
    on: {
      ...on,
      entries: (last) => {
        journal.follow(last)
        events.entries()
      },
      owner: (change) => {
        on.owner(change)
        events.owner()
      },
      lost: (reason) => {
        on.lost(reason)
        events.lost()
      },
      broken: events.broken,
    },
  })
  return { journal, replica, check: (isStopped) => checkLog(store, isStopped), close: replica.close }
}

/** Sets a closed log aside in a shard's folder, so that it is fetched again; resolves to its new path. */
export const setLogAside = (path: string): Promise<string> => setAside(logIn(path))
