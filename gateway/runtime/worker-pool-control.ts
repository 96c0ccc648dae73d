import { codecVersion } from '../../persistence/codec/layout.ts'
import { version } from '../base/version.ts'
import type { KeyUses } from '../identity/key-uses.ts'
import type { ClusterControl, ControlRequest, EndingWay, ReplicaStatus } from '../link/cluster/control.ts'
import type { WorkerPool } from './worker-pool.ts'

/** One worker's answer to `status` (`gateway/runtime/worker-node.ts`). */
type WorkerStatus = {
  readonly shards: readonly ReplicaStatus[]
  /** The nodes that are alive, including this one. */
  readonly nodes: readonly {
    readonly node: string
    readonly isDraining: boolean
    readonly isUnfit: boolean
    readonly reads: number
  }[]
  readonly clockAheadMs: number
  /** The shards that it fetches from other nodes. */
  readonly joining: readonly number[]
}
type Handed = { readonly problem: string | null } | null

/** Answers for the whole node: sends an operator's request to every worker and merges their answers into one. */
export const workerPoolControl = (
  pool: Pick<WorkerPool, 'ask'>,
  self: { readonly node: string; readonly incarnation: string; readonly workers: number },
  keyUses: Pick<KeyUses, 'hear'>,
  keyLog: ClusterControl['keyLog'],
  /** Ends this process, soon. */
  end: (way: EndingWay) => void,
): ClusterControl => {
  const ask = (request: ControlRequest): Promise<readonly unknown[]> =>
    pool.ask((ack) => ({ type: 'control', request, ack }))

  const control: ClusterControl = {
    status: async () => {
      const answers = (await ask({ type: 'status' })) as readonly WorkerStatus[]
      const { nodes, clockAheadMs } = answers[0]!
      return {
        ...self,
        version,
        reads: codecVersion,
        isDraining: nodes.some(({ node, isDraining }) => node === self.node && isDraining),
        isUnfit: nodes.some(({ node, isUnfit }) => node === self.node && isUnfit),
        clockAheadMs,
        peers: nodes
          .filter(({ node }) => node !== self.node)
          .map(({ node, reads }) => ({ node, isAlive: true, reads })),
        joining: answers.flatMap(({ joining }) => joining).sort((a, b) => a - b),
        shards: answers.flatMap(({ shards }) =>
          shards.map(({ shard, owner, epoch, applied, load }) => ({ shard, owner, epoch, applied, load })),
        ),
      }
    },
    drain: async (forGood) => {
      await ask({ type: 'drain', forGood })
    },
    end: async (incarnation, way) => {
      const { isDraining, shards } = await control.status()
      if (incarnation !== self.incarnation) return { ok: false, reason: 'it has started anew since' }
      if (!isDraining) return { ok: false, reason: 'it is not drained' }
      const owned = shards.filter(({ owner }) => owner === self.node).length
      if (owned > 0) return { ok: false, reason: `it still owns ${owned} shards` }
      end(way)
      return { ok: true }
    },
    keyLog,
    hearKeyUses: keyUses.hear,
    handOver: async (shard, node) => {
      const answers = (await ask({ type: 'handOver', shard, node })) as readonly Handed[]
      const handed = answers.find((answer) => answer !== null)
      if (handed === undefined) return { ok: false, reason: `no worker hosts shard ${shard}` }
      return handed.problem === null ? { ok: true } : { ok: false, reason: handed.problem }
    },
  }
  return control
}
