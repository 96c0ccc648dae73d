import type { Journal } from '../../engine/kernel/ports.ts'
import { bounds } from '../base/bounds.ts'
import { appendAfter, type FollowedStream } from './followed-stream.ts'
import type { ClusterLog } from './log.ts'
import type { ClusterRefusal } from './refusal.ts'

/**
 * Compares a stream's end with the journal that follows it, and returns the sequence where both end, or only the
 * stream. A stream that ends before the journal has lost acknowledged records, for example in a power loss of all its
 * servers. They are put back byte for byte, each on condition that the stream ends right before it; several nodes may
 * do so at once.
 *
 * Throws the error from `forked` when a record differs; any other error is a reason to try again.
 */
export const putBack = async (
  followed: FollowedStream,
  journal: Journal<string>,
  log: ClusterLog,
  forked: (sequence: number) => ClusterRefusal,
): Promise<number> => {
  const { manager, stream } = followed
  const streamEnd = (await manager.streams.info(stream)).state.last_seq
  const end = journal.appended()
  const shared = Math.min(streamEnd, end)
  if (shared > 0) {
    const stored = await manager.streams.getMessage(stream, { seq: shared })
    // A newly elected leader may not know its end yet.
    if (stored === null) throw new Error(`record ${shared} of ${stream} cannot be read`)
    if (stored.string() !== journal.at(shared)) throw forked(shared)
  }
  if (streamEnd >= end) return streamEnd
  log.error(
    { stream, streamEnd, end },
    'the NATS servers lost records that they had acknowledged: they are put back from this node’s disk',
  )
  for (let sequence = streamEnd; sequence < end; sequence++)
    await appendAfter(followed, sequence, journal.at(sequence + 1), bounds.natsTimeoutMs)
  log.info({ stream, streamEnd, end }, 'what was missing in the stream is there again')
  return end
}
