import type { JournalMetrics } from '../journal/journal.ts'
import { askPositions } from './handover.ts'
import { openLogStream } from './log-stream.ts'
import { shardLogStream, shardLogSubject } from './names.ts'
import { type OpenMember, rankOf } from './open-member.ts'
import { sayOwned } from './owners.ts'
import { openReplicatedLog } from './replicated-log.ts'
import type { ShardLog, ShardLogEvents } from './shard-log.ts'

/** Opens a shard's log in its folder, and keeps its replica among those of the member. */
export const openMemberLog = (
  member: OpenMember,
  shard: number,
  path: string,
  metrics: JournalMetrics,
  events: ShardLogEvents,
): ShardLog => {
  const { client, manager, cluster, self, leaseMs, membership, monotonicNow, pause, log } = member
  const names = { stream: shardLogStream(cluster, shard), subject: shardLogSubject(cluster, shard) }
  const trouble = (message: string, error: unknown): void => log.warn({ shard, err: error }, message)
  let since = monotonicNow()
  /** Milliseconds since the shard's owner changed last. */
  const afterMs = (): number => {
    const before = since
    since = monotonicNow()
    return Math.round(since - before)
  }
  const known = member.knownEpochs.get(shard) ?? { epoch: 0 }
  member.knownEpochs.set(shard, known)
  const opened = openReplicatedLog(
    {
      path,
      metrics,
      layout: member.layout,
      writtenVersion: member.writtenVersion,
      self,
      leaseMs,
      monotonicNow,
      pause,
      stream: openLogStream(client, manager, names, (error) =>
        trouble('the log of a shard is not followed for now', error),
      ),
      progress: () => member.progress(shard),
      isFit: membership.isFit,
      resumedAt: membership.resumedAt,
      rank: () => rankOf(member, shard),
      known,
      positions: async () => (await askPositions(member, shard)).map(({ applied }) => applied),
      on: {
        owner: ({ epoch, reason }) => {
          log.info({ shard, epoch, reason, afterMs: afterMs() }, 'this node owns the shard')
          sayOwned(member)
        },
        lost: (reason) => log.info({ shard, reason, afterMs: afterMs() }, 'this node owns the shard no more'),
        forked: (reason) =>
          log.error(
            { shard, reason },
            'the log is not the one that this node has on disk: its replica stops',
          ),
        trouble,
      },
    },
    events,
  )
  member.replicas.set(shard, opened.replica!)
  return opened
}
