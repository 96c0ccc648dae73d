import type { KeyId } from '../../../engine/shared/ids.ts'
import type { KeyRequest } from '../../identity/key-log.ts'
import type { KeyUse, ToldKeyUses } from '../../identity/key-uses.ts'

/** A node's report of its own state. */
export type NodeStatus = {
  readonly node: string
  /** Changes with every start of the node. */
  readonly incarnation: string
  readonly version: string
  /** The newest version that the node reads of what others write; absent in answers of earlier builds. */
  readonly reads?: number
  readonly workers: number
  readonly isDraining: boolean
  /** Whether the node owns no shards for a while, because its connection or its clock is unreliable. */
  readonly isUnfit: boolean
  /** How far the node's clock is ahead of the others', in milliseconds. */
  readonly clockAheadMs: number
  /** The other nodes that it has heard from since its start. */
  readonly peers: readonly {
    readonly node: string
    readonly isAlive: boolean
    readonly reads?: number
  }[]
  /** The shards that it lacks and fetches from other nodes; absent in answers of earlier builds. */
  readonly joining?: readonly number[]
  readonly shards: readonly (ShardStatus & Partial<ShardLoad>)[]
}

/** A shard as one node sees it, from its own copy of the shard's log. */
export type ShardStatus = {
  readonly shard: number
  /** The node named by the last claim or handover in the log; null if there is none. */
  readonly owner: string | null
  readonly epoch: number
  /** The sequence of the last record on the reporting node's disk and applied. */
  readonly applied: number
}

/** How busy a shard is; absent in answers of earlier builds. */
export type ShardLoad = {
  /** Entries a second, as the mean over some minutes. */
  readonly load: number
}

/** What a worker also knows about a shard that it hosts. */
export type ReplicaStatus = ShardStatus &
  ShardLoad & {
    readonly role: 'FOLLOWER' | 'OWNER' | 'LEAVING' | 'FORKED'
    /** Records of the log that are not on this node's disk yet. */
    readonly lag: number
    /** Records of the log that were not dropped from this node's disk. */
    readonly kept: number
    readonly mayServe: boolean
  }

export type ControlResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** RESTART: whatever watches the process starts it again. REMOVED: it does not start again with its data directory. */
export type EndingWay = 'RESTART' | 'REMOVED'

/** The requests that operators can send to a node. */
export type ClusterControl = {
  readonly status: () => NodeStatus | Promise<NodeStatus>
  /**
   * Hands all shards of this node to others; it takes none until it restarts. With `forGood` others get its copies as well. Resolves when it
   * owns none.
   */
  readonly drain: (forGood: boolean) => Promise<void>
  /** Ends this node once it is drained, or gives the reason why it may not end. */
  readonly end: (incarnation: string, way: EndingWay) => Promise<ControlResult>
  /** Hands a shard of this node to another node; otherwise gives the reason why that is not possible now. */
  readonly handOver: (shard: number, node: string) => Promise<ControlResult>
  /** The newest requests of a key that this node has answered. */
  readonly keyLog: (keyId: KeyId) => Promise<readonly KeyRequest[]>
  /** Takes the last uses of keys that another node has seen, and resolves to those known here. */
  readonly hearKeyUses: (known: ToldKeyUses) => Promise<readonly KeyUse[]>
}

/** Sends requests to nodes, with JSON in both directions. */
export type ControlChannel = {
  /** The answers of the nodes that respond in time; stops early when `areEnough` accepts those received. */
  readonly askAll: (
    request: ControlRequest,
    waitMs: number,
    areEnough: (answers: readonly unknown[]) => boolean,
  ) => Promise<readonly unknown[]>
  /** The answer of one node; null if it gave none in time. */
  readonly askNode: (node: string, request: ControlRequest, waitMs: number) => Promise<unknown>
}

export type ControlRequest =
  | { readonly type: 'status' }
  | { readonly type: 'drain'; readonly forGood: boolean }
  | { readonly type: 'end'; readonly incarnation: string; readonly way: EndingWay }
  | { readonly type: 'handOver'; readonly shard: number; readonly node: string }
  | { readonly type: 'keyLog'; readonly keyId: KeyId }
  | ({ readonly type: 'keyUses' } & ToldKeyUses)

export type ControlAnswer =
  | {
      readonly ok: true
      readonly status?: NodeStatus
      readonly uses?: readonly KeyUse[]
      readonly requests?: readonly KeyRequest[]
    }
  | { readonly ok: false; readonly reason: string }

/** Answers the control requests that operators send through any node. */
export const controlAnswers =
  (control: ClusterControl) =>
  async (request: ControlRequest): Promise<ControlAnswer> => {
    switch (request.type) {
      case 'status':
        return { ok: true, status: await control.status() }
      case 'drain':
        await control.drain(request.forGood)
        return { ok: true }
      case 'end':
        return control.end(request.incarnation, request.way)
      case 'handOver':
        return control.handOver(request.shard, request.node)
      case 'keyLog':
        return { ok: true, requests: await control.keyLog(request.keyId) }
      case 'keyUses':
        return { ok: true, uses: await control.hearKeyUses(request) }
      default:
        return { ok: false, reason: 'this node has another version, and does not know what is asked' }
    }
  }
