import { join } from 'node:path'
import type { Entry } from '../../engine/kernel/entry.ts'
import { unpackRecord } from '../../persistence/cluster/record.ts'
import { openReplicaStore } from '../../persistence/cluster/replica-store.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { shardPathIn } from '../../persistence/home/parts.ts'
import { openReadLog } from '../../persistence/verify/log.ts'
import type { TestNode } from './cluster.ts'
import type { Receiver } from './receiver.ts'

/** Compares the logs of a shard on nodes that have ended, record by record, and tells what their entries must not hold. */
export const logProblems = (
  holders: readonly Pick<TestNode, 'dataDir'>[],
  shard: number,
  receiver: Receiver,
): string[] => {
  const paths = holders.map(({ dataDir }) => shardPathIn(dataDir)(shard))
  return [
    ...differences(paths, shard),
    ...entryProblems(paths[0]!, receiver).map((problem) => `shard ${shard}: ${problem}`),
  ]
}

/** Who ended last has written last: claims and renewals, but no entries. */
const differences = (paths: readonly string[], shard: number): string[] => {
  const stores = paths.map((path) => openReplicaStore(join(path, 'log')))
  const ends = stores.map((store) => store.position().applied)
  const problems: string[] = []
  const bases = stores.map((store) => store.base().applied)
  for (let sequence = Math.min(...bases) + 1; sequence <= Math.max(...ends); sequence++) {
    // A node that has dropped a record has its entries.
    const records = stores.filter((_, n) => bases[n]! < sequence).map((store) => store.read(sequence))
    const first = records.find((record) => record !== null)!
    if (records.some((record) => record !== null && !record.equals(first)))
      problems.push(`shard ${shard}: record ${sequence} differs among the nodes`)
    if (records.includes(null) && unpackRecord(first).record.count > 0)
      problems.push(`shard ${shard}: record ${sequence} is not on every node`)
  }
  for (const store of stores) void store.close()
  return problems
}

/** A delivery is planned once, whoever owns the shard, and its attempts follow each other. */
const entryProblems = (path: string, receiver: Receiver): string[] => {
  const place = { path: join(path, 'log'), identity: null, kind: 'REPLICA', isInUse: false } as const
  const log = openReadLog(place, entryLayout)
  if ('text' in log) return [log.text]
  const problems: string[] = []
  const keys = new Set<string>()
  const attempts = new Map<string, number[]>()
  for (const { record } of log.journal.replay(0)) {
    const { accountId, idempotency, events } = record as Entry
    for (const event of events) {
      if (event.type === 'ChargeCreated') {
        const key = `${accountId} ${idempotency!.key}`
        if (keys.has(key)) problems.push(`${key} made two charges`)
        keys.add(key)
      }
      if (event.type === 'DeliveryScheduled') {
        if (attempts.has(event.id)) problems.push(`${event.id} was planned twice`)
        attempts.set(event.id, [])
      }
      if (event.type === 'AttemptRecorded') attempts.get(event.id)!.push(event.outcome.startedAtMs)
    }
  }
  for (const [id, startedAtMs] of attempts) {
    // An owner that is followed by another may have one under way, which both of them then make.
    const early = startedAtMs.filter((atMs, n) => n > 0 && atMs < startedAtMs[n - 1]! + firstRetryMs)
    if (early.length > 1) problems.push(`the attempts of ${id} do not wait for each other: ${startedAtMs}`)
    if (startedAtMs.length > (receiver.tries.get(id) ?? 0))
      problems.push(`${id} has ${startedAtMs.length} attempts, and ${receiver.tries.get(id)} were made`)
  }
  void log.source.close()
  return problems
}

const firstRetryMs = 30_000
