import type { MessagePort } from 'node:worker_threads'
import { type Handler, handlerOf, isGone, type Waiter } from '../../engine/kernel/handler.ts'
import type { Command, Query } from '../../engine/kernel/registry.ts'
import { ShardMoved } from '../../engine/kernel/unavailable.ts'
import { readBatch, writeBatch } from '../link/batch-bytes.ts'
import type { Remote } from '../link/cluster/remote.ts'
import {
  type Batch,
  type Kind,
  type Link,
  type Message,
  MovedTo,
  openLink,
  type Serve,
} from '../link/link.ts'
import type { RelayedRequest, RelayedResponse, RelaySource } from '../link/relay.ts'
import { type Router, shardOf } from '../link/router.ts'

/** What a thread serves to its siblings: the shards that it hosts, by number, and the requests of their companies. */
export type LocalShards = {
  /** A shard's calls reject with `ShardMoved` if the replica here does not own it; nothing was done then. */
  readonly host: (shard: number) => Handler
  readonly serve: (request: RelayedRequest, from: RelaySource, to: Waiter<RelayedResponse>) => void
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

  const call: Call = (kind, message, to) => {
    const shard = shardOf(message.accountId, shards)
    const host = workerOf(shard, workers)
    if (host === self) atOwner(shard, kind, message, to)
    else links.get(host)!.call(kind, message, to)
  }

  const atOwner = (shard: number, kind: Shardwise, message: Command | Query, to: Waiter<unknown>): void => {
    const call = (to: Waiter<unknown>): void => {
      const remote = elsewhere?.(shard) ?? null
      if (remote === null) atHost(shard, kind, message, to)
      else remote.call(kind, message, to)
    }
    if (elsewhere === undefined) call(to)
    else
      call({
        resolve: (value) => to.resolve(value),
        reject: (error) => {
          // The shard was handed over between the look-up and the call, or its owner's lease was unconfirmed for a moment.
          if (error instanceof ShardMoved) call(to)
          else to.reject(error)
        },
        hasLeft: () => isGone(to),
      })
  }

  const atHost = (shard: number, kind: Shardwise, message: Command | Query, to: Waiter<unknown>): void => {
    const host = local.host(shard)
    if (kind === 'execute') host.perform(message as Command, to)
    else host.answer(message as Query, to)
  }

  const here: Call = (kind, message, to) => {
    const shard = shardOf(message.accountId, shards)
    // The caller assumes a different number of workers.
    if (workerOf(shard, workers) !== self) {
      to.reject(new MovedTo(null))
      return
    }
    const remote = elsewhere?.(shard) ?? null
    if (remote !== null) to.reject(new MovedTo(remote.owner()))
    else atHost(shard, kind, message, to)
  }

  function serve(kind: Kind, message: Message, to: Waiter<unknown>): void {
    if (kind === 'serve') {
      local.serve(message as RelayedRequest, 'thread', to)
      return
    }
    const asked = message as Command | Query
    atOwner(shardOf(asked.accountId, shards), kind, asked, to)
  }

  return {
    ...handlerOver(call),
    here: handlerOver(here),
    relayTo: (accountId) => {
      const shard = shardOf(accountId, shards)
      const host = workerOf(shard, workers)
      const owner = host === self ? elsewhere?.(shard) : links.get(host)!
      if (!owner) return null
      return (request, to) => owner.call('serve', request, to as Waiter<unknown>)
    },
    serveNode: (kind, message, to) => {
      if (kind === 'serve') local.serve(message as RelayedRequest, 'node', to)
      else here(kind, message as Command | Query, to)
    },
  }
}

type Shardwise = Exclude<Kind, 'serve'>

type Call = (kind: Shardwise, message: Command | Query, to: Waiter<unknown>) => void

const handlerOver = (call: Call): Handler =>
  handlerOf(
    (command, to) => call('execute', command, to as Waiter<unknown>),
    (query, to) => call('query', query, to as Waiter<unknown>),
  )

const linkTo = (port: MessagePort, serve: Serve): Link => {
  const post = (batch: Batch): void => {
    const { buffer } = writeBatch(batch)
    // Given away, not copied.
    port.postMessage(buffer, [buffer])
  }
  // Waiting for more costs threads more than the messages that it saves.
  const link = openLink({ post, serve, later: setImmediate })
  port.on('message', (memory: ArrayBuffer) => link.receive(readBatch(new Uint8Array(memory))))
  return link
}
