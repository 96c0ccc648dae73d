import type { MessagePort } from 'node:worker_threads'
import type { Command } from '../engine/commands.ts'
import type { Answers, Query } from '../engine/queries.ts'
import type { Reply } from '../engine/shard.ts'
import { ShardUnavailable } from '../engine/unavailable.ts'
import type { RelayedRequest, RelayedResponse } from './http/relay.ts'
import { type Router, shardOf } from './router.ts'

/** What a thread does for its siblings: the shards that it owns, by number, and requests of their companies. */
export type LocalShards = {
  readonly tell: (shard: number, command: Command) => Promise<Reply>
  readonly ask: <Asked extends Query>(shard: number, query: Asked) => Promise<Answers[Asked['type']]>
  readonly serve: (request: RelayedRequest) => Promise<RelayedResponse>
}

type Kind = 'tell' | 'ask' | 'serve'
type Message = Command | Query | RelayedRequest
type Call = readonly [number: number, kind: Kind, message: Message]
type Outcome = 'ok' | 'unavailable' | 'fault'
type Result = readonly [number: number, outcome: Outcome, value: unknown]
type Batch = { readonly calls: readonly Call[]; readonly results: readonly Result[] }

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
  const links = new Map([...options.siblings].map(([number, port]) => [number, openLink(port, serve)]))

  function serve([, kind, message]: Call): Promise<unknown> {
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
      return links.get(owner)!('tell', command) as Promise<Reply>
    },
    ask: (query) => {
      const shard = shardOf(query.accountId, shards)
      const owner = ownerOf(shard, workers)
      if (owner === self) return local.ask(shard, query)
      return links.get(owner)!('ask', query) as Promise<Answers[(typeof query)['type']]>
    },
    relayTo: (accountId) => {
      const owner = ownerOf(shardOf(accountId, shards), workers)
      if (owner === self) return null
      const link = links.get(owner)!
      return (request) => link('serve', request) as Promise<RelayedResponse>
    },
  }
}

type Link = (kind: Kind, message: Message) => Promise<unknown>

const openLink = (port: MessagePort, serve: (call: Call) => Promise<unknown>): Link => {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let calls: Call[] = []
  let results: Result[] = []
  let scheduled = false
  let lastNumber = 0

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      port.postMessage({ calls, results } satisfies Batch)
      calls = []
      results = []
    })
  }

  port.on('message', (batch: Batch) => {
    for (const call of batch.calls) {
      serve(call).then(
        (value) => {
          results.push([call[0], 'ok', value])
          schedule()
        },
        (error: unknown) => {
          const outcome = error instanceof ShardUnavailable ? 'unavailable' : 'fault'
          results.push([call[0], outcome, error instanceof Error ? (error.stack ?? error.message) : error])
          schedule()
        },
      )
    }
    for (const [number, outcome, value] of batch.results) {
      const waiter = waiting.get(number)!
      waiting.delete(number)
      if (outcome === 'ok') waiter.resolve(value)
      else waiter.reject(outcome === 'fault' ? new Error(String(value)) : new ShardUnavailable(String(value)))
    }
  })

  return (kind, message) =>
    new Promise((resolve, reject) => {
      lastNumber += 1
      waiting.set(lastNumber, { resolve, reject })
      calls.push([lastNumber, kind, message])
      schedule()
    })
}
