/** How a node is, as it says itself. */
export type NodeStatus = {
  readonly node: string
  /** Another one after every start. */
  readonly incarnation: string
  readonly version: string
  readonly workers: number
  readonly isDraining: boolean
  /** The other nodes that it has heard of since its start. */
  readonly peers: readonly { readonly node: string; readonly isAlive: boolean }[]
  readonly shards: readonly ShardStatus[]
}

/** How a node sees a shard: by its own copy of the shard's log. */
export type ShardStatus = {
  readonly shard: number
  /** The node that the last claim or handover in the log names; null while there is none. */
  readonly owner: string | null
  readonly epoch: number
  /** The sequence of the last record that it has on disk and applied. */
  readonly applied: number
}

/** What a worker knows besides of a shard that it hosts. */
export type ReplicaStatus = ShardStatus & {
  readonly role: 'FOLLOWER' | 'OWNER' | 'LEAVING' | 'FORKED'
  /** Records of the log that are not on this node's disk. */
  readonly lag: number
  readonly mayServe: boolean
}

export type HandOverResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** What a node can do for operators. */
export type ClusterControl = {
  readonly status: () => NodeStatus | Promise<NodeStatus>
  /** Hands all shards of this node to others, and takes none until it starts again. Resolves when it owns none. */
  readonly drain: () => Promise<void>
  /** Hands a shard that this node owns to another one; a reason says why that cannot be done now. */
  readonly handOver: (shard: number, node: string) => Promise<HandOverResult>
}

/** How nodes are asked, by JSON in both directions. */
export type ControlChannel = {
  /** The answers of all nodes that gave one in this time. */
  readonly askAll: (request: ControlRequest, waitMs: number) => Promise<readonly unknown[]>
  /** The answer of one node; null where it gave none in this time. */
  readonly askNode: (node: string, request: ControlRequest, waitMs: number) => Promise<unknown>
}

export type ControlRequest =
  | { readonly type: 'status' }
  | { readonly type: 'drain' }
  | { readonly type: 'handOver'; readonly shard: number; readonly node: string }

export type ControlAnswer =
  | { readonly ok: true; readonly status?: NodeStatus }
  | { readonly ok: false; readonly reason: string }

/** Answers the requests of other nodes' operators. */
export const controlAnswers =
  (control: ClusterControl) =>
  async (request: ControlRequest): Promise<ControlAnswer> => {
    switch (request.type) {
      case 'status':
        return { ok: true, status: await control.status() }
      case 'drain':
        await control.drain()
        return { ok: true }
      case 'handOver':
        return control.handOver(request.shard, request.node)
      default:
        return { ok: false, reason: 'this node has another version, and does not know what is asked' }
    }
  }
