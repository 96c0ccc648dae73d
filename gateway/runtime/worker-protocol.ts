import type { MessagePort } from 'node:worker_threads'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import type { AccountId, ConnectionId, KeyId } from '../../engine/shared/ids.ts'
import type { RequestLine } from '../api/api.ts'
import type { Settings } from '../base/settings.ts'
import type { Asked, OperationOutcome } from '../identity/asked.ts'
import type { ControlRequest } from '../link/cluster/control.ts'
import type { UwsBuild } from '../wire/uws-builds.ts'

/** What the main thread gives a worker at its start. */
export type WorkerStart = {
  readonly index: number
  readonly settings: Settings
  /** How many threads share the shards. */
  readonly workers: number
  readonly shards: number
  /** The native build that serves; null means `node:http`. */
  readonly build: UwsBuild | null
  readonly directoryEvents: readonly DirectoryFact[]
  readonly sessionFacts: readonly SessionFact[]
  readonly sessionsHeard: SharedArrayBuffer
  readonly readinessMemory: SharedArrayBuffer
  readonly rateLimitMemory: SharedArrayBuffer
  readonly exportRateLimitMemory: SharedArrayBuffer
  readonly sessionRateLimitMemory: SharedArrayBuffer
  readonly strangerRateLimitMemory: SharedArrayBuffer
  readonly liveStreamsMemory: SharedArrayBuffer
  readonly masterKey: Uint8Array
  /** Identifies this process: to the cluster, a restarted node is a different one. */
  readonly incarnation: string
  /** Ports to the other workers by number, and to the main thread under -1. */
  readonly siblings: ReadonlyMap<number, MessagePort>
}

export type ToWorker =
  | { readonly type: 'directory'; readonly event: DirectoryFact; readonly ack: number }
  | { readonly type: 'sessions'; readonly facts: readonly SessionFact[]; readonly ack: number }
  /** The outcome of the operation that the worker sent under this number. */
  | { readonly type: 'operated'; readonly number: number; readonly outcome: OperationOutcome }
  | { readonly type: 'metrics'; readonly ack: number }
  /** Asks for the uses of keys since the last time. */
  | { readonly type: 'keyUses'; readonly ack: number }
  | { readonly type: 'ends'; readonly ack: number }
  | { readonly type: 'archives'; readonly ack: number }
  /** Asks to pack what is older; answers why shards ended early. */
  | { readonly type: 'pack'; readonly olderThanMs: number; readonly ack: number }
  /** Asks for the newest requests of a key. */
  | { readonly type: 'keyLog'; readonly keyId: KeyId; readonly ack: number }
  | { readonly type: 'control'; readonly request: ControlRequest; readonly ack: number }
  /** Has the node hold all shards, for a backup, or only those that it should. */
  | { readonly type: 'gather'; readonly isOn: boolean; readonly ack: number }
  | { readonly type: 'listen'; readonly port: number }
  /** Whether new connections are accepted. */
  | { readonly type: 'accept'; readonly isOn: boolean }
  /** Whether to send the main thread a line for each request. */
  | { readonly type: 'watchRequests'; readonly isOn: boolean }
  | { readonly type: 'stop' }

export type FromWorker =
  | { readonly type: 'opened' }
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'ack'; readonly ack: number; readonly value: unknown }
  | { readonly type: 'answered'; readonly line: RequestLine }
  /** Asks the main thread for an operation. */
  | { readonly type: 'operate'; readonly number: number; readonly asked: Asked }
  /** Notices of this account were raised, or mail to its payers was asked for: mails may be due. */
  | { readonly type: 'noticed'; readonly accountId: AccountId }
  /** Whether the bank of a connection took our address for its reports: null, or why it did not. */
  | { readonly type: 'hooks'; readonly connectionId: ConnectionId; readonly problem: string | null }
  /** Has the directory say who holds a copy of a shard, if its placement still is the one with this number. */
  | {
      readonly type: 'placed'
      readonly shard: number
      readonly number: number
      readonly nodes: readonly string[]
    }
  /** Has the directory say that a node should own a shard because of its load, if its moves still are those with this number. */
  | {
      readonly type: 'balanced'
      readonly shard: number
      readonly number: number
      readonly node: string
    }
  | { readonly type: 'failed'; readonly message: string }
