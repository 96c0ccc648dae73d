import type { MessagePort } from 'node:worker_threads'
import type { Answers, Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardMoved } from '../../engine/kernel/unavailable.ts'
import type { Remote } from '../cluster/remote.ts'
import type { RelayedRequest, RelayedResponse, RelaySource } from '../http/relay.ts'
import { type Batch, type Kind, type Link, type Message, MovedTo, openLink, type Serve } from '../link.ts'
import { type Router, type Shards, shardOf } from '../router.ts'

/** What a thread does for its siblings: the shards that it hosts, by number, and requests of their companies. */
export type LocalShards = {
  /** Rejects with `ShardMoved` where the shard's replica here does not own it: nothing was done then. */
  readonly execute: (shard: number, command: Command) => Promise<Reply>
  readonly query: <Asked extends Query>(shard: number, query: Asked) => Promise<Answers[Asked['type']]>
  readonly serve: (request: RelayedRequest, from: RelaySource) => Promise<RelayedResponse>
}

export type Mesh = Router & {
  /** Does what another node asks of the shards here. Rejects with `ShardMoved` where they are not owned here. */
  readonly serveNode: Serve
}

/** Which thread hosts a shard: workers take them in turn. */
export const ownerOf = (shard: number, workers: number): number => shard % workers

/**
 * The router of one thread. A call to an own shard is a function call; calls to a sibling gather and leave as one
 * message at the end of the turn of the event loop, and so do the answers. In a cluster the thread that hosts a shard
 * hands on, to the owner's thread there, what it has to do with a shard that another node owns.
 */
export const openRouter = (options: {
  /** This thread's number; -1 where it hosts no shard. */
  readonly self: number
  readonly workers: number
  readonly shards: number
  readonly local: LocalShards
  readonly siblings: ReadonlyMap<number, MessagePort>
  /** Of a shard that is hosted here: its owner on another node; null where the replica here owns it and may answer. */
  readonly elsewhere?: (shard: number) => Remote | null
}): Mesh => {
  const { self, workers, shards, local, elsewhere } = options
  const links = new Map([...options.siblings].map(([number, port]) => [number, linkTo(port, serve)]))

  const call = (kind: Shardwise, message: Command | Query): Promise<unknown> => {
    const shard = shardOf(message.accountId, shards)
    const host = ownerOf(shard, workers)
    return host === self ? atOwner(shard, kind, message) : links.get(host)!.call(kind, message)
  }

  const atOwner = (shard: number, kind: Shardwise, message: Command | Query): Promise<unknown> => {
    if (elsewhere === undefined) return atHost(shard, kind, message)
    const remote = elsewhere(shard)
    if (remote !== null) return remote.call(kind, message)
    return atHost(shard, kind, message).catch((error) => {
      // The shard was handed over between the look and the call, or its owner was not sure of it for a moment.
      if (!(error instanceof ShardMoved)) throw error
      return elsewhere(shard)?.call(kind, message) ?? atHost(shard, kind, message)
    })
  }

  const atHost = (shard: number, kind: Shardwise, message: Command | Query): Promise<unknown> =>
    kind === 'execute' ? local.execute(shard, message as Command) : local.query(shard, message as Query)

  const here = async (kind: Shardwise, message: Command | Query): Promise<unknown> => {
    const shard = shardOf(message.accountId, shards)
    // Whoever asks reckons with another number of workers.
    if (ownerOf(shard, workers) !== self) throw new MovedTo(null)
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
      const host = ownerOf(shard, workers)
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
  port.on('message', (batch: Batch) => link.hear(batch))
  return link
}
