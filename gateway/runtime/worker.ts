import { parentPort } from 'node:worker_threads'
import type { AccountId } from '../../engine/shared/ids.ts'
import { every } from '../../persistence/base/pulse.ts'
import { lendReads } from '../../persistence/home/lend.ts'
import type { ShardHost } from '../../persistence/shard/shard-host.ts'
import { bounds } from '../base/bounds.ts'
import { timeout } from '../base/delay.ts'
import { loadPdfLibrary } from '../documents/boleto/document.ts'
import { qrCodeDataUri } from '../documents/qr-code/draw.ts'
import { openLiveFeeds } from '../events/live/feeds.ts'
import { shardOf } from '../link/router.ts'
import { openMetrics } from '../observability/metrics.ts'
import { openOpenCalls } from '../observability/open-calls.ts'
import { openCardTokens } from '../providers/card-tokens.ts'
import type { Providers } from '../providers/connected.ts'
import { modules as everyModule } from '../providers/modules.ts'
import { countUnfinished } from '../webhooks/unfinished.ts'
import { heapFull, watchHeap } from './heap.ts'
import { openRouter, workerOf } from './open-router.ts'
import { openReadiness } from './readiness.ts'
import { openWorkerApi } from './worker-api.ts'
import { openWorkerBase } from './worker-base.ts'
import { openWorkerInbox } from './worker-inbox.ts'
import { type RunningWorker, receive } from './worker-messages.ts'
import { openWorkerNode } from './worker-node.ts'
import type { FromWorker, WorkerStart } from './worker-protocol.ts'
import { openWorkerDriver } from './worker-providers.ts'
import { archivesIn, hostShards, reportReadiness } from './worker-shards.ts'
import { openWorkerWebhooks } from './worker-webhooks.ts'

/**
 * Runs one worker thread: it listens on the shared port, hosts its shards, and makes the webhook attempts of their deliveries. Here its
 * parts are opened and connected; `gateway/runtime/worker-messages.ts` is what the main thread asks of it from then on.
 */
export async function startWorker(
  start: WorkerStart,
  providers: Providers,
  modules = everyModule,
): Promise<void> {
  const port = parentPort!
  const send = (message: FromWorker): void => port.postMessage(message)
  watchHeap(() => send({ type: 'failed', message: heapFull() }))
  const base = await openWorkerBase(start, providers, modules, send)
  await lendReads(start.settings.dataDir)
  const { log, entropy, directory, endpoints, events } = base
  const { settings, index, workers, shards } = start

  const hosts = new Map<number, ShardHost>()
  const checked = new Map<number, number>()
  const isOwn = (accountId: AccountId): boolean => workerOf(shardOf(accountId, shards), workers) === index
  const router = openRouter({
    self: index,
    workers,
    shards,
    local: {
      host: (shard) => hosts.get(shard)!,
      serve: (request, from, to) => pipeline.serve(request, from, to),
    },
    siblings: start.siblings,
    ...(settings.cluster !== null && { elsewhere: (shard: number) => cluster!.elsewhere(shard) }),
  })
  const cluster = settings.cluster && (await openWorkerNode(base, settings.cluster, hosts, router.serveNode))
  const openCalls = openOpenCalls(Date.now)
  const metrics = openMetrics({
    worker: index,
    every,
    deliveries: () => countUnfinished(webhooks.pool, endpoints.accountIds().filter(isOwn), router.query),
    checked: () => checked.size,
    outboxLag: () => [...hosts.values()].reduce((sum, host) => sum + host.outboxLag(), 0),
    paging: () => {
      const all = [...hosts.values()].map((host) => host.paging())
      const sumOf = (name: 'heldBytes' | 'reads'): number => all.reduce((sum, one) => sum + one[name], 0)
      return { heldBytes: sumOf('heldBytes'), reads: sumOf('reads') }
    },
    archives: () => archivesIn(hosts),
    inbox: () => inbox.counts(),
    openCalls: openCalls.counts,
    isPublishing: events && (() => events.state() === 'CONNECTED'),
    ...(cluster !== null && { cluster }),
  })

  const webhooks = openWorkerWebhooks(base, hosts, router, metrics)
  const { tick, tickSoon } = webhooks.ticker

  const cardTokens = openCardTokens(start.masterKey)
  const feeds = openLiveFeeds({ entropy, realNow: Date.now, later: timeout })
  const driver = openWorkerDriver(base, router, metrics, cardTokens)
  const inbox = openWorkerInbox(base, router, metrics)
  hostShards(base, hosts, {
    inbox,
    plan: webhooks.plan,
    cluster,
    metrics,
    driver,
    openCalls,
    feeds,
    checked,
    tickSoon,
    cancelling: webhooks.cancelling,
  })
  const readiness = openReadiness(start.readinessMemory)
  reportReadiness(readiness, hosts, cluster)

  const { pipeline, streams, onListening } = openWorkerApi(base, {
    router,
    readiness,
    feeds,
    cardTokens,
    port: () => worker.listener?.port ?? 0,
    onPageViolation: metrics.onViolation,
    onAnswered: (line) => {
      metrics.onAnswered(line)
      base.keyLog.note(line)
      if (worker.areRequestsWatched) send({ type: 'answered', line })
      log.info(line, 'answered')
    },
  })
  const worker: RunningWorker = {
    ...{ base, hosts, router, cluster, metrics, webhooks, pipeline, streams, onListening },
    stopTicking: every(tickEveryMs, () => {
      tick()
      // Not in each tick: under load they follow each other without a pause.
      reportReadiness(readiness, hosts, cluster)
    }),
    sweeping: setInterval(feeds.sweep, bounds.liveSweepMs),
    listener: null,
    inbox,
    endNotices: () => undefined,
    areRequestsWatched: false,
  }
  // A thread that ended while it listens would abort the process, so it closes first; its connections get no more answers.
  process.on('uncaughtException', async (error) => {
    send({ type: 'failed', message: error.stack ?? error.message })
    await worker.listener?.close(0)
    process.exit(1)
  })
  port.on('message', (message) => receive(worker, message))
  send({ type: 'opened' })
  if (directory.companies.size === 0) return
  // The first image of a size takes 20 ms and the PDF library 160 ms, and no merchant should wait for them.
  qrCodeDataUri('x'.repeat(170))
  await loadPdfLibrary()
}

/** How often due work is looked for. */
const tickEveryMs = 100
