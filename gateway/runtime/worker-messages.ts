import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory } from '../../engine/companies/evolve.ts'
import { evolveSessions } from '../../engine/people/evolve.ts'
import type { ShardHost } from '../../persistence/shard/shard-host.ts'
import type { Pipeline } from '../api/pipeline.ts'
import { bounds } from '../base/bounds.ts'
import type { LiveStreams } from '../events/live/streams.ts'
import type { KeyUse } from '../identity/key-uses.ts'
import type { Router } from '../link/router.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { ShardArchive } from '../operator/archive.ts'
import type { Listener } from '../wire/transport.ts'
import type { ShardEnd } from './part-ends.ts'
import type { WorkerBase } from './worker-base.ts'
import type { WorkerInbox } from './worker-inbox.ts'
import { openWorkerListener } from './worker-listener.ts'
import type { WorkerNode } from './worker-node.ts'
import type { ToWorker } from './worker-protocol.ts'
import { listenToProviders } from './worker-providers.ts'
import type { WorkerWebhooks } from './worker-webhooks.ts'

/** A worker whose parts are open. */
export type RunningWorker = {
  readonly base: WorkerBase
  readonly hosts: ReadonlyMap<number, ShardHost>
  readonly router: Router
  readonly cluster: WorkerNode | null
  readonly metrics: Metrics
  readonly webhooks: WorkerWebhooks
  readonly pipeline: Pipeline
  readonly streams: LiveStreams
  readonly onListening: () => void
  readonly inbox: WorkerInbox
  readonly stopTicking: () => void
  readonly sweeping: NodeJS.Timeout
  /** Null until the main thread has it listen. */
  listener: Listener | null
  /** Stops listening to providers. */
  endNotices: () => void
  /** Whether to send the main thread a line for each request. */
  areRequestsWatched: boolean
}

/** Handles a message of the main thread. */
export const receive = (worker: RunningWorker, message: ToWorker): void => {
  const { base, metrics, cluster } = worker
  switch (message.type) {
    case 'directory':
      applyDirectoryEvent(worker, message.event)
      void acknowledge(base, message, null)
      break
    case 'sessions':
      message.facts.reduce(evolveSessions, base.sessions)
      worker.streams.recheck()
      void acknowledge(base, message, null)
      break
    case 'operated':
      base.mainThread.operated(message.number, message.outcome)
      break
    case 'metrics':
      void acknowledge(base, message, metrics.registry.getMetricsAsJSON())
      break
    case 'keyUses':
      void acknowledge(base, message, keyUsesOf(base))
      break
    case 'ends':
      void acknowledge(
        base,
        message,
        [...worker.hosts].map(([number, host]) => [number, host.end()] satisfies ShardEnd),
      )
      break
    case 'archives':
      void acknowledge(base, message, archivesOf(worker))
      break
    case 'pack':
      void acknowledge(base, message, packAll(worker, message.olderThanMs))
      break
    case 'keyLog':
      void acknowledge(base, message, base.keyLog.of(message.keyId))
      break
    case 'control':
      void acknowledge(base, message, cluster!.control(message.request))
      break
    case 'gather':
      void acknowledge(base, message, cluster!.gather(message.isOn))
      break
    case 'listen':
      listen(worker, message.port).catch(({ message }: Error) => base.send({ type: 'failed', message }))
      break
    case 'accept':
      worker.listener?.setAccepting(message.isOn)
      break
    case 'watchRequests':
      worker.areRequestsWatched = message.isOn
      break
    case 'stop':
      void stop(worker)
      break
  }
}

const applyDirectoryEvent = (
  { base, hosts, webhooks, streams, inbox }: RunningWorker,
  event: DirectoryFact,
): void => {
  evolveDirectory(base.directory, event)
  base.keyring.apply(event)
  base.endpoints.apply(event)
  webhooks.cancelling.apply(event)
  if (event.type.startsWith('Connection')) inbox.onConnections()
  streams.recheck()
  if (event.type === 'PayerKeyDestroyed') for (const host of hosts.values()) host.forgetPayers()
}

const keyUsesOf = ({ keyUsage, keyring }: WorkerBase): readonly KeyUse[] =>
  keyUsage.take().map(([ordinal, sighting]) => [keyring.at(ordinal)!.key.id, sighting])

/** How far the shards of this worker are packed; without those that recover. */
const archivesOf = ({ hosts }: RunningWorker): readonly ShardArchive[] =>
  [...hosts].flatMap(([shard, host]) => {
    const state = host.archive()
    return state === null ? [] : [{ shard, ...state }]
  })

const packAll = async ({ hosts }: RunningWorker, olderThanMs: number): Promise<readonly string[]> => {
  const troubles: string[] = []
  for (const [shard, host] of hosts) {
    if (host.state() === 'ELSEWHERE') continue
    await host.pack(olderThanMs).catch((error: Error) => {
      troubles.push(`shard ${shard}: ${error.message}`)
    })
  }
  return troubles
}

const acknowledge = async (
  { send }: WorkerBase,
  { ack }: { readonly ack: number },
  value: unknown,
): Promise<void> => send({ type: 'ack', ack, value: await value })

const listen = async (worker: RunningWorker, port: number): Promise<void> => {
  const { base, router, metrics, pipeline } = worker
  worker.listener = await openWorkerListener(base, metrics, pipeline.handle, port)
  await worker.inbox.start()
  worker.endNotices = listenToProviders(base, router, metrics)
  worker.onListening()
  base.send({ type: 'listening', port: worker.listener.port })
}

const stop = async (worker: RunningWorker): Promise<void> => {
  const { base, cluster, webhooks } = worker
  // First, while requests are still answered: from here on they go to the nodes that take over its shards.
  await cluster?.leave()
  const grace = bounds.shutdownGraceMs
  await Promise.all([worker.listener?.close(grace), worker.inbox.close(grace)])
  worker.endNotices()
  worker.stopTicking()
  clearInterval(worker.sweeping)
  await webhooks.pool.close()
  for (const host of worker.hosts.values()) await host.close()
  await cluster?.close()
  base.rails.close()
  await base.events?.close()
  webhooks.attempts.close()
  await base.tracing?.close()
  // Exit explicitly: the NATS client keeps the socket of a server that greeted it too late, and that would keep the process
  // alive.
  process.exit()
}
