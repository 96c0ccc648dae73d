import type { KeyId } from '../../engine/shared/ids.ts'
import type { ControlChannel } from '../../persistence/cluster/control-channel.ts'
import { bounds } from '../base/bounds.ts'
import type { Settings } from '../base/settings.ts'
import type { KeyRequest } from '../identity/key-log.ts'
import type { ControlAnswer } from '../link/cluster/control.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The newest requests of a key, the oldest first. */
type FindRequests = (keyId: KeyId) => Promise<readonly KeyRequest[]>

/** Gathers the newest requests of a key from the memory of all threads: of this node, and of every node. */
export const openKeyLogs = (
  { keyLogEntries }: Settings,
  pool: Pick<WorkerPool, 'ask'>,
  channel: ControlChannel | null,
): { readonly own: FindRequests; readonly everywhere: FindRequests } => {
  /** As many as one key has and a message between nodes holds. */
  const newestOf = (requests: readonly KeyRequest[]): readonly KeyRequest[] =>
    keyLogEntries === 0
      ? []
      : requests
          .toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1))
          .slice(-Math.min(keyLogEntries, bounds.keyRequestsAtOnce))

  const own: FindRequests = async (keyId) =>
    newestOf(((await pool.ask((ack) => ({ type: 'keyLog', keyId, ack }))) as KeyRequest[][]).flat())

  return {
    own,
    everywhere: async (keyId) => {
      const answers =
        (await channel?.askAll({ type: 'keyLog', keyId }, bounds.keyUsesWaitMs, () => false)) ?? []
      const reported = (answers as readonly ControlAnswer[]).flatMap(
        (answer) => (answer.ok && answer.requests) || [],
      )
      // This node answers on the channel as well.
      const requests = [...reported, ...(await own(keyId))].map((one) => [one.requestId, one] as const)
      return newestOf([...new Map(requests).values()])
    },
  }
}
