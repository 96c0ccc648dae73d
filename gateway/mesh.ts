import type { MessagePort } from 'node:worker_threads'
import type { Command } from '../engine/commands.ts'
import type { Answers, Query } from '../engine/queries.ts'
import type { Reply } from '../engine/shard.ts'
import type { RelayedRequest, RelayedResponse } from './http/relay.ts'
import { type Batch, type Kind, type Link, type Message, openLink, type Serve } from './link.ts'
import { type Router, shardOf } from './router.ts'

/** What a thread does for its siblings: the shards that it owns, by number, and requests of their companies. */
export type LocalShards = {
  readonly tell: (shard: number, command: Command) => Promise<Reply>
  readonly ask: <Asked extends Query>(shard: number, query: Asked) => Promise<Answers[Asked['type']]>
  readonly serve: (request: RelayedRequest) => Promise<RelayedResponse>
}

/** Which thread owns a shard: workers take them in turn. */
export const ownerOf = (shard: number, workers: number): number => shard % workers

/**
 * The router of one thread. A call to an own shard is a function call; calls to a sibling gather and leave as one
 * message at the end of the turn of the event loop, and so do the answers.
 */
export const openMesh = (options: {
  /** This thread's number; -1 where it owns no shard. */
  readonly self: number
  readonly workers: number
  readonly shards: number
  readonly local: LocalShards
  readonly siblings: ReadonlyMap<number, MessagePort>
}): Router => {
  const { self, workers, shards, local } = options
  const links = new Map([...options.siblings].map(([number, port]) => [number, linkTo(port, serve)]))

  function serve(kind: Kind, message: Message): Promise<unknown> {
    if (kind === 'serve') return local.serve(message as RelayedRequest)
    const { accountId } = message as Command | Query
    const shard = shardOf(accountId, shards)
    return kind === 'tell' ? local.tell(shard, message as Command) : local.ask(shard, message as Query)
  }

  return {
    tell: (command) => {
      const shard = shardOf(command.accountId, shards)
      const owner = ownerOf(shard, workers)
      if (owner === self) return local.tell(shard, command)
      return links.get(owner)!.call('tell', command) as Promise<Reply>
    },
    ask: (query) => {
      const shard = shardOf(query.accountId, shards)
      const owner = ownerOf(shard, workers)
      if (owner === self) return local.ask(shard, query)
      return links.get(owner)!.call('ask', query) as Promise<Answers[(typeof query)['type']]>
    },
    relayTo: (accountId) => {
      const owner = ownerOf(shardOf(accountId, shards), workers)
      if (owner === self) return null
      const link = links.get(owner)!
      return (request) => link.call('serve', request) as Promise<RelayedResponse>
    },
  }
}

const linkTo = (port: MessagePort, serve: Serve): Link => {
  const link = openLink({ post: (batch) => port.postMessage(batch), serve, later: setImmediate })
  port.on('message', (batch: Batch) => link.hear(batch))
  return link
}
