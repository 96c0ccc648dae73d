import type { Logger } from 'pino'
import type { PartEnd } from '../../persistence/home/part-ends.ts'
import { shardJournal } from '../../persistence/home/parts.ts'
import { bounds } from '../base/bounds.ts'
import type { Storage } from './storage.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Where a shard's journal ends; null before its first entry. */
export type ShardEnd = readonly [number: number, end: PartEnd | null]

/**
 * Keeps how far the shards have come, each minute and once more when the returned function ends it. The end of the log of companies is kept
 * with each of its facts.
 */
export const watchShardEnds = (
  { data: { partEnds } }: Pick<Storage, 'data'>,
  ask: WorkerPool['ask'],
  log: Logger,
): (() => Promise<void>) => {
  if (partEnds === null) return async () => undefined
  const keep = async (): Promise<void> => {
    try {
      const ends = ((await ask((ack) => ({ type: 'ends', ack }))) as readonly (readonly ShardEnd[])[]).flat()
      partEnds.keep(
        Object.fromEntries(
          ends.flatMap(([number, end]) => (end === null ? [] : [[shardJournal(number), end]])),
        ),
        'EVERYWHERE',
      )
    } catch (error) {
      log.warn({ err: error }, 'how far the shards have come is not kept')
    }
  }
  void keep()
  const timer = setInterval(keep, bounds.partEndsKeptMs)
  return async () => {
    clearInterval(timer)
    await keep()
  }
}
