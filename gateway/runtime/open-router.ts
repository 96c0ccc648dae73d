import type { MessagePort } from 'node:worker_threads'
import type { Answers, Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardMoved } from '../../engine/kernel/unavailable.ts'
import type { Remote } from '../cluster/remote.ts'
import type { RelayedRequest, RelayedResponse, RelaySource } from '../http/relay.ts'
import { type Batch, type Kind, type Link, type Message, MovedTo, openLink, type Serve } from '../link.ts'
import { type Router, type Shards, shardOf } from '../router.ts'

/** What a thread serves to its siblings: the shards that it hosts, by number, and the requests of their companies. */
export type LocalShards = {
  /** A shard's calls reject with `ShardMoved` if the replica here does not own it; nothing was done then. */
  readonly host: (shard: number) => Shards
  readonly serve: (request: RelayedRequest, from: RelaySource) => Promise<RelayedResponse>
}

/** A thread's router, which in a cluster also answers what other nodes forward. */
export type ShardRouter = Router & {
  /** Serves another node's calls to the shards hosted here. Rejects with `ShardMoved` for shards not owned here. */
  readonly serveNode: Serve
}

/** The worker that hosts a shard: shards are dealt to workers in turn. */
export const workerOf = (shard: number, workers: number): number => shard % workers

/**
 * Opens the router of one thread. A call to a shard of its own is a function call. Calls to a sibling are batched into one
 * message at the end of the turn of the event loop, and so are the answers. In a cluster, if another node owns the shard, the
 * thread that hosts it forwards the call to the owner's thread over there.
 */
export const openRouter = (options: {
  /** This thread's number; -1 for the main thread, which hosts no shard. */
  readonly self: number
  readonly workers: number
  readonly shards: number
  readonly local: LocalShards
  readonly siblings: ReadonlyMap<number, MessagePort>
  /** For a shard hosted here: its owner on another node, or null if the replica here owns it and may answer. */
  readonly elsewhere?: (shard: number) => Remote | null
}): ShardRouter => {
  const { self, workers, shards, local, elsewhere } = options
  const links = new Map([...options.siblings].map(([number, port]) => [number, linkTo(port, serve)]))

  const call = (kind: Shardwise, message: Command | Query): Promise<unknown> => {
    const shard = shardOf(message.accountId, shards)
    const host = workerOf(shard, workers)
    return host === self ? atOwner(shard, kind, message) : links.get(host)!.call(kind, message)
  }

  const atOwner = (shard: number, kind: Shardwise, message: Command | Query): Promise<unknown> => {
    if (elsewhere === undefined) return atHost(shard, kind, message)
    const remote = elsewhere(shard)
    if (remote !== null) return remote.call(kind, message)
    return atHost(shard, kind, message).catch((error) => {
      // The shard was handed over between the look-up and the call, or its owner's lease was unconfirmed for a moment.
      if (!(error instanceof ShardMoved)) throw error
      return elsewhere(shard)?.call(kind, message) ?? atHost(shard, kind, message)
    })
  }

  const atHost = (shard: number, kind: Shardwise, message: Command | Query): Promise<unknown> => {
    const host = local.host(shard)
    return kind === 'execute' ? host.execute(message as Command) : host.query(message as Query)
  }

  const here = async (kind: Shardwise, message: Command | Query): Promise<unknown> => {
    const shard = shardOf(message.accountId, shards)
    // The caller assumes a different number of workers.
    if (workerOf(shard, workers) !== self) throw new MovedTo(null)
    const remote = elsewhere?.(shard) ?? null
    if (remote !== null) throw new MovedTo(remote.owner())
    return atHost(shard, kind, message)
  }

  function serve(kind: Kind, message: Message): Promise<unknown> {
    if (kind === 'serve') return local.serve(message as RelayedRequest, 'thread')
    return atOwner(shardOf((message as Command | Query).accountId, shards), kind, message as Command | Query)
  }

  return {
    ...shardsOver(call),
    here: shardsOver(here),
    relayTo: (accountId) => {
      const shard = shardOf(accountId, shards)
      const host = workerOf(shard, workers)
      const to = host === self ? elsewhere?.(shard) : links.get(host)!
      if (!to) return null
      return (request) => to.call('serve', request) as Promise<RelayedResponse>
    },
    serveNode: async (kind, message) =>
      kind === 'serve'
        ? local.serve(message as RelayedRequest, 'node')
        : here(kind, message as Command | Query),
  }
}

type Shardwise = Exclude<Kind, 'serve'>

const shardsOver = (call: (kind: Shardwise, message: Command | Query) => Promise<unknown>): Shards => ({
  execute: (command) => call('execute', command) as Promise<Reply>,
  query: (query) => call('query', query) as Promise<Answers[(typeof query)['type']]>,
})

const linkTo = (port: MessagePort, serve: Serve): Link => {
  const link = openLink({ post: (batch) => port.postMessage(batch), serve, later: setImmediate })
  port.on('message', (batch: Batch) => link.receive(batch))
  return link
}
