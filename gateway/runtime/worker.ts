import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { evolveDirectory, newDirectory } from '../../engine/directory/evolve.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { evolveSessions, newSessions } from '../../engine/people/evolve.ts'
import { type AccountId, entrySequenceOf, environmentOf, newId } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { EndedAttempt, EventToDeliver } from '../../engine/webhooks/commands.ts'
import { isByHand } from '../../engine/webhooks/decide.ts'
import { setLogAside } from '../../persistence/cluster/replicated-log.ts'
import { ownLog } from '../../persistence/cluster/shard-log.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { shardPathIn } from '../../persistence/home/data-directory.ts'
import { type JournalMetrics, openJournal } from '../../persistence/journal/journal.ts'
import { connectNats } from '../../persistence/nats/connection.ts'
import { openEventStream } from '../../persistence/nats/event-stream.ts'
import { openShardHost, type ShardHost, type ShardState } from '../../persistence/shard/shard-host.ts'
import { inProcessStream, StreamAway, type StreamMessage } from '../../persistence/stream/stream.ts'
import { openDashboard } from '../api/dashboard-pages.ts'
import { routeFinder } from '../api/find-route.ts'
import { openPages } from '../api/open-pages.ts'
import { openOperate } from '../api/operate.ts'
import { openPipeline } from '../api/pipeline.ts'
import { delay, timeout } from '../base/delay.ts'
import { systemEntropy } from '../base/entropy.ts'
import { limits } from '../base/limits.ts'
import { newSecrets } from '../base/seal.ts'
import { openDocs } from '../docs/pages.ts'
import { loadPdfLibrary } from '../documents/boleto/document.ts'
import { qrCodeDataUri } from '../documents/qr-code/draw.ts'
import { eventBody, objectIdOf } from '../events/body.ts'
import { openLiveFeeds } from '../events/live/feeds.ts'
import { openLiveStreams } from '../events/live/streams.ts'
import { newKeyring } from '../identity/authenticate.ts'
import { newKeyUsage } from '../identity/key-usage.ts'
import type { KeyUse } from '../identity/key-uses.ts'
import { openPersonalTexts, sealedKeyIn } from '../identity/personal-texts.ts'
import { newRateLimit, ratePoliciesOf } from '../identity/rate-limit.ts'
import { sessionKeysOf } from '../identity/session-cookie.ts'
import { openSessionGate } from '../identity/session-gate.ts'
import { shardOf } from '../link/router.ts'
import { openLog } from '../observability/log.ts'
import { openMetrics } from '../observability/metrics.ts'
import { logParkedTimers } from '../observability/parked-timers.ts'
import { traceJournal } from '../observability/trace-journal.ts'
import { traceRequests } from '../observability/trace-requests.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { openReference } from '../openapi/reference-pages.ts'
import { isHeard } from '../operations/people/heard-memory.ts'
import { originsOf } from '../operations/people/origins.ts'
import { problemResponse, refusalOf } from '../problems/problem.ts'
import { openCardTokens } from '../providers/card-tokens.ts'
import { openProviderDriver } from '../providers/driver.ts'
import { openInbound } from '../providers/inbound.ts'
import { everyProvider, namesOf, pricesOf } from '../providers/index.ts'
import type { Providers } from '../providers/provider.ts'
import { routes } from '../routes/index.ts'
import { openAttempts } from '../webhooks/attempt.ts'
import { openCancelling } from '../webhooks/cancelling.ts'
import { formerSecretOf, newEndpoints } from '../webhooks/endpoints.ts'
import { newGather } from '../webhooks/gather.ts'
import { openPool } from '../webhooks/pool.ts'
import { countUnfinished } from '../webhooks/unfinished.ts'
import { behindProxies } from '../wire/client-address.ts'
import { listenWithNode } from '../wire/node.ts'
import { standingHeaders } from '../wire/standing-headers.ts'
import type { Listener } from '../wire/transport.ts'
import { listenWithUws } from '../wire/uws.ts'
import { heapFull, hotStatesIn, watchHeap } from './heap.ts'
import { openCsvThread } from './open-csv-thread.ts'
import { openRouter, workerOf } from './open-router.ts'
import { openReadiness, type Reach } from './readiness.ts'
import { openWorkerNode, type WorkerNode } from './worker-node.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-protocol.ts'

const operator = { kind: 'OPERATOR', id: null } as const

/**
 * Runs one worker thread: it listens on the shared port, hosts its shards, and makes the webhook attempts of their deliveries.
 */
export async function startWorker(start: WorkerStart, providers: Providers): Promise<void> {
  const { settings, index, workers, shards } = start
  const log = openLog(settings)
  const port = parentPort!
  const tracing =
    settings.tracing === null
      ? null
      : (await import('../observability/tracing.ts')).openTracing({
          settings: settings.tracing,
          worker: index,
          node: settings.cluster?.node ?? null,
          onTrouble: (message) => log.warn(`traces cannot be sent: ${message}`),
        })
  const send = (message: FromWorker): void => port.postMessage(message)
  watchHeap(() => send({ type: 'failed', message: heapFull() }))
  const entropy = systemEntropy()
  const directory = start.directoryEvents.reduce(evolveDirectory, newDirectory())
  const keyring = newKeyring(directory)
  const keyUsage = newKeyUsage()
  const sessions = start.sessionFacts.reduce(evolveSessions, newSessions())
  const mainThread = openOperate((number, asked) => send({ type: 'operate', number, asked }))
  const endpoints = newEndpoints(directory)
  const secretOf = newSecrets(Buffer.from(start.masterKey))
  const journalMetrics: JournalMetrics = {
    commits: 0,
    entries: 0,
    bytes: 0,
    onCommit: (ms) => metrics.onCommit(ms),
  }
  const { nats, publicUrl, ispb, pixLocation } = settings
  // Every worker meets the same trouble, and one line in the log is enough.
  const logDebug = (message: string): void => log.debug(message)
  const natsLog = index === 0 ? log : { warn: logDebug, error: logDebug }
  const events =
    nats === null
      ? null
      : openEventStream(
          (signal, onRefused) => connectNats(nats, `payments-${index}`, signal, onRefused),
          nats.stream,
          natsLog,
        )
  const stream = events ?? inProcessStream()
  const hosts = new Map<number, ShardHost>()
  const isOwn = (accountId: AccountId): boolean => workerOf(shardOf(accountId, shards), workers) === index
  const router = openRouter({
    self: index,
    workers,
    shards,
    local: {
      host: (shard) => hosts.get(shard)!,
      serve: (request, from) => pipeline.serve(request, from),
    },
    siblings: start.siblings,
    ...(settings.cluster !== null && { elsewhere: (shard: number) => cluster!.elsewhere(shard) }),
  })
  const cluster: WorkerNode | null =
    settings.cluster === null
      ? null
      : await openWorkerNode({
          start,
          connection: await connectNats(
            nats!,
            `payments-node-${index}`,
            new AbortController().signal,
            ({ message }) => natsLog.warn(`this node cannot join its cluster yet: ${message}`),
          ),
          hosts,
          pins: () => directory.pins,
          serve: router.serveNode,
          log,
          fail: (message) => send({ type: 'failed', message }),
        })

  const recordAttempt = newGather<EndedAttempt>({
    max: limits.attemptsRecordedTogetherMax,
    later: setImmediate,
    send: (accountId, attempts, _, to) =>
      router.perform({ type: 'RecordAttempts', accountId, by: operator, attempts }, to),
  })
  const attempts = openAttempts({ realNow: Date.now })
  const pool = openPool({
    find: ({ accountId, id }, to) => router.answer({ type: 'FindDelivery', accountId, deliveryId: id }, to),
    attempt: async (delivery) => {
      const endpoint = endpoints.find(delivery.endpointId)
      if (endpoint === undefined) return null
      const span = tracing?.begin({
        name: `webhook ${delivery.eventType}`,
        kind: 'CLIENT',
        parent: delivery.traceparent,
        attributes: {
          'http.request.method': 'POST',
          'server.address': new URL(endpoint.url).hostname,
          'payments.event.type': delivery.eventType,
          'payments.event.id': delivery.eventId,
          'payments.delivery.id': delivery.id,
          'payments.delivery.attempt': delivery.attempts.length + 1,
        },
      })
      const outcome = await attempts.attempt({
        endpointId: endpoint.id,
        url: endpoint.url,
        environment: endpoint.environment,
        secret: secretOf(endpoint, endpoint.id),
        formerSecret: formerSecretOf(endpoint, Date.now(), secretOf),
        eventType: delivery.eventType,
        deliveryId: delivery.id,
        body: delivery.body,
        traceparent: span === undefined ? delivery.traceparent : span.traceparent,
      })
      const { statusCode, error } = outcome
      const isDelivered = error === null && statusCode !== null && statusCode < 300
      span?.end(
        statusCode === null ? {} : { 'http.response.status_code': statusCode },
        isDelivered ? undefined : (error ?? String(statusCode)),
      )
      metrics.onAttempt(error ?? String(statusCode))
      return outcome
    },
    record: ({ accountId, id: deliveryId }, outcome, to) => {
      if (outcome !== null) recordAttempt(accountId, { deliveryId, outcome }, to)
      else router.perform({ type: 'CancelDelivery', accountId, by: operator, deliveryId }, to)
    },
    isByHand,
    pause: () => delay(limits.recordRetryMs),
  })
  const metrics = openMetrics({
    worker: index,
    journal: () => journalMetrics,
    deliveries: () => countUnfinished(pool, endpoints.accountIds().filter(isOwn), router.query),
    checked: () => checked.size,
    outboxLag: () => [...hosts.values()].reduce((sum, host) => sum + host.outboxLag(), 0),
    isPublishing: events && (() => events.state() === 'CONNECTED'),
    consumer: events !== null && index === 0 ? events.backlog : null,
    ...(cluster !== null && { cluster }),
  })

  const cancelling = openCancelling({
    directory,
    shards,
    host: (shard) => hosts.get(shard)!,
    pause: () => delay(limits.recordRetryMs),
    onTrouble: (error) => log.error({ err: error }, 'deliveries of an endpoint cannot be cancelled'),
  })

  const cardTokens = openCardTokens(start.masterKey)
  const driver = openProviderDriver({
    providers,
    revealed: cardTokens.revealed,
    execute: router.execute,
    later: setImmediate,
    stopwatch: () => performance.now(),
    sliceMs: limits.providerAnswersSliceMs,
    wait: delay,
    timeout,
    answerTimeoutMs: limits.providerTimeoutMs,
    retryMs: limits.providerRetryMs,
    onFault: (error, { reference, operation }) =>
      log.error({ err: error, reference, operation }, 'a provider failed'),
    watch: ({ accountId, operation, reference }, parent) => {
      const environment = environmentOf(accountId)
      const askedMs = performance.now()
      const span = tracing?.begin({
        name: `provider ${operation}`,
        kind: 'CLIENT',
        parent,
        attributes: { 'payments.provider.operation': operation, 'payments.provider.reference': reference },
      })
      return ({ type: outcome }) => {
        metrics.onProviderCall({ environment, operation, outcome }, performance.now() - askedMs)
        span?.end({ 'payments.provider.outcome': outcome }, outcome === 'SILENT' ? outcome : undefined)
      }
    },
  })

  const takeNotice = openInbound({
    providers,
    execute: router.execute,
    query: router.query,
    newTransactionId: () => newId('txn', Date.now(), entropy),
    onTaken: ({ name: provider }, notice, outcome) => {
      const { accountId, kind } = notice
      metrics.onNotice({ environment: environmentOf(accountId), kind, outcome: outcome.type })
      if (outcome.type === 'TAKEN' || outcome.type === 'REPEAT') return
      const reference = kind === 'PIX_IN' ? (notice.endToEndId ?? notice.pays?.id) : notice.transactionId
      log.error(
        { provider, accountId, kind, reference, outcome },
        'a provider reported money that no charge can take',
      )
    },
  })

  const scheduleDeliveries = newGather<EventToDeliver>({
    max: limits.eventsPlannedTogetherMax,
    later: setImmediate,
    send: (accountId, events, traceparent, to) =>
      router.perform(
        {
          type: 'ScheduleDeliveries',
          accountId,
          by: operator,
          events,
          ...(traceparent !== '' && { traceparent: traceparent as Traceparent }),
        },
        to,
      ),
  })
  const planDeliveries = (message: StreamMessage): Promise<void> => {
    const { accountId, id, type, objectId, body, traceparent } = message
    const endpointIds = endpoints.subscribersOf(accountId, type, entrySequenceOf(id))
    if (endpointIds.length === 0) return Promise.resolve()
    const event = { eventId: id, eventType: type, objectId, body, endpointIds }
    return new Promise((resolve, reject) =>
      scheduleDeliveries(accountId, event, { resolve, reject }, traceparent),
    )
  }
  // In process, each worker consumes what it publishes. From JetStream a single consumer takes everything, which keeps events
  // in order; in a cluster it is the worker that owns the first shard.
  if (events === null || index === 0) stream.consume(planDeliveries, () => cluster?.owns(0) ?? true)

  const readiness = openReadiness(start.readinessMemory)
  const reachOf = (shard: number, state: ShardState): Reach => {
    if (state !== 'SERVING' && cluster !== null) {
      if (cluster.isCutOff()) return 'CUT_OFF'
      if (cluster.isElsewhere(shard)) return 'SERVING'
    }
    return state === 'FOLLOWING' ? 'OWNERLESS' : state
  }

  const tellReadiness = (): void => {
    for (const [number, host] of hosts) readiness.set(number, reachOf(number, host.state()))
  }

  /** Fires due timers and hands due deliveries to the pool, soon after deliveries appear and every 100 ms otherwise. */
  let tickScheduled = false
  let heldTick: NodeJS.Timeout | null = null
  const tick = (): void => {
    tickScheduled = false
    if (heldTick !== null) clearTimeout(heldTick)
    heldTick = null
    for (const host of hosts.values()) {
      host.tick().forEach(pool.enqueue)
      // A tick does a bounded part of what is due; if there is more, the next tick follows at once.
      const timerBacklog = host.timerBacklog()
      if (timerBacklog === 'NOW') tickSoon()
      else if (timerBacklog === 'SOON') heldTick ??= setTimeout(tick, limits.heldTickMs)
    }
  }
  const tickSoon = (): void => {
    if (tickScheduled) return
    tickScheduled = true
    setImmediate(tick)
  }

  /** Entries of the shards whose journals were read again. */
  const checked = new Map<number, number>()
  const feeds = openLiveFeeds({ entropy, now: Date.now, later: timeout })
  const onFlushed = (entry: FlushedEntry, shard: number): void => {
    metrics.onFlushed(entry)
    logParkedTimers(log, entry)
    feeds.onFlushed(entry, shard)
    cancelling.onFlushed(entry)
    if (entry.steps.some(({ event }) => event.type === 'NoticeRaised'))
      send({ type: 'noticed', accountId: entry.accountId })
  }
  for (let number = 0; number < shards; number++) {
    if (workerOf(number, workers) !== index) continue
    hosts.set(
      number,
      openShardHost({
        number,
        path: shardPathIn(settings.dataDir)(number),
        realNow: Date.now,
        entropy,
        institution: {
          ispb,
          pixLocation,
          providers: namesOf(providers),
          crypto: { ...settings.crypto, ...pricesOf(providers) },
        },
        hotStates: hotStatesIn(settings.hotStates, Math.ceil(shards / workers)),
        stream,
        onPublished: metrics.onPublished,
        hasSubscribers: (accountId, type, sequence) =>
          events !== null || endpoints.hasSubscribers(accountId, type, sequence),
        render: (event, accountId) => ({
          body: eventBody(event, environmentOf(accountId)),
          objectId: objectIdOf(event.subject),
        }),
        openLog: (path, events) => {
          const log =
            cluster?.openLog(number, path, journalMetrics, events) ??
            ownLog(openJournal(join(path, 'journal'), entryLayout, journalMetrics))
          return {
            ...log,
            journal: tracing === null ? log.journal : traceJournal(log.journal, tracing.begin, number),
          }
        },
        ...(cluster !== null && { refetchLog: setLogAside }),
        onMended: () => log.warn({ shard: number }, 'the log of the shard was fetched again, and is whole'),
        onFlushed: (entry) => onFlushed(entry, number),
        onProviderCall: driver.drive,
        hasWaitingAnswers: driver.hasPendingAnswers,
        onLead: (isLeading) => cancelling.onLead(number, isLeading),
        onDue: tickSoon,
        onChecked: (entries) => {
          checked.set(number, entries)
          if (checked.size < hosts.size) return
          const sum = [...checked.values()].reduce((sum, entries) => sum + entries, 0)
          log.info({ shards: checked.size, entries: sum }, 'all journals were read again, and are intact')
        },
        onDamaged: () => {
          checked.delete(number)
          metrics.onDamaged()
        },
        onTrouble: (message, error) => {
          if (error === null) log.error(message)
          else if (error instanceof StreamAway) log.warn(`${message}: ${error.message}`)
          else log.error({ err: error }, message)
        },
      }),
    )
  }
  tellReadiness()
  const ticking = setInterval(() => {
    tick()
    // Not in each tick: under load they follow each other without a pause.
    tellReadiness()
  }, 100)

  const dashboard = settings.dashboard ? openDashboard() : null
  if (settings.dashboard && dashboard === null && index === 0)
    log.warn('the dashboard was not built, and is not served: npm run build builds it')
  let violationLoggedAtMs = 0
  const pages = openPages({
    dashboard,
    // Strangers can send reports: the log gets one a second at most.
    onViolation: (report) => {
      if (Date.now() - violationLoggedAtMs < 1000) return
      violationLoggedAtMs = Date.now()
      log.warn({ report }, 'a page of the dashboard broke its content security policy')
    },
    reference: openReference(buildDocument),
    docs: openDocs(),
    unready: readiness.reasons,
    eventStream: () => events?.state().toLowerCase() ?? null,
  })
  const gate = openSessionGate({
    directory,
    sessions,
    keys: sessionKeysOf(start.masterKey),
    origins: () => originsOf(publicUrl, settings.tls !== null, listener?.port ?? 0),
    isCurrent: () => isHeard(start.sessionsHeard, Date.now()),
  })
  const streams = openLiveStreams({
    memory: start.liveStreamsMemory,
    isStillIn: gate.isStillIn,
    now: Date.now,
  })
  const sweeping = setInterval(feeds.sweep, limits.liveSweepMs)
  const rates = ratePoliciesOf(settings)
  const pipeline = openPipeline({
    routes,
    router,
    directory,
    keyring,
    keyUsage,
    people: settings.dashboard
      ? {
          gate,
          operate: mainThread.operate,
          rateLimit: newRateLimit(rates.sessions, start.sessionRateLimitMemory),
          feeds,
          streams,
        }
      : null,
    rateLimit: newRateLimit(rates.keys, start.rateLimitMemory),
    exportRateLimit: newRateLimit(rates.exports, start.exportRateLimitMemory),
    realNow: Date.now,
    entropy,
    openPage: pages,
    publicUrl,
    csvOf: openCsvThread(),
    personal: openPersonalTexts(start.masterKey, sealedKeyIn(directory)),
    cardTokens,
    onAnswered: (line) => {
      metrics.onAnswered(line)
      if (areRequestsWatched) send({ type: 'answered', line })
      log.info(line, 'answered')
    },
  })
  const findRoute = routeFinder(routes)
  /** The pattern of the route that a path matches. */
  const patternOf = (verb: string, path: string): string | null => {
    return findRoute(path, verb)?.byVerb.get(verb)?.path ?? null
  }
  let listener: Listener | null = null
  /** Stops listening to each provider. */
  const stopListening: (() => void)[] = []
  let areRequestsWatched = false
  // A thread that ended while it listens would abort the process, so it closes first; its connections get no more answers.
  process.on('uncaughtException', async (error) => {
    send({ type: 'failed', message: error.stack ?? error.message })
    await listener?.close(0)
    process.exit(1)
  })

  const listen = async (listenPort: number): Promise<void> => {
    const transport = start.build === null ? listenWithNode : listenWithUws(start.build)
    listener = await transport({
      host: settings.host,
      port: listenPort,
      sharedPort: workers > 1,
      keepsConnections: settings.keepAlive === 'always',
      standing: standingHeaders({ secure: settings.tls !== null || /^https:/i.test(publicUrl) }),
      ...(settings.tls && { tls: settings.tls }),
      handle: behindProxies(
        settings.trustedProxies,
        tracing === null ? pipeline.handle : traceRequests(pipeline.handle, tracing.begin, patternOf),
      ),
      refuse: (status, request) => {
        metrics.onRefused(status)
        const requestId = newId('req', Date.now(), entropy)
        const headers = {
          'Request-Id': requestId,
          'Cache-Control': 'no-store',
          ...(status === 405 && { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }),
        }
        return problemResponse(refusalOf(status), { request, requestId, publicUrl, headers })
      },
      onFault: (error, { verb, path }) => log.error({ err: error, verb, path }, 'a request failed'),
      limits,
    })
    for (const provider of everyProvider(providers))
      if (provider.listen !== undefined)
        stopListening.push(provider.listen((notice) => takeNotice(provider, notice)))
    send({ type: 'listening', port: listener.port })
  }

  const stop = async (): Promise<void> => {
    // Leave while requests are still answered: the nodes that take over its shards are asked from here on.
    await cluster?.leave()
    await listener?.close(limits.shutdownGraceMs)
    for (const end of stopListening) end()
    clearInterval(ticking)
    clearInterval(sweeping)
    await pool.close()
    for (const host of hosts.values()) await host.close()
    await cluster?.close()
    await events?.close()
    attempts.close()
    await tracing?.close()
    // Exit explicitly: the NATS client keeps the socket of a server that greeted it too late, and that would keep the process
    // alive.
    process.exit()
  }

  const acknowledge = async ({ ack }: { readonly ack: number }, value: unknown): Promise<void> =>
    send({ type: 'ack', ack, value: await value })

  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'directory':
        evolveDirectory(directory, message.event)
        keyring.apply(message.event)
        endpoints.apply(message.event)
        cancelling.apply(message.event)
        streams.recheck()
        return void acknowledge(message, null)
      case 'sessions':
        message.facts.reduce(evolveSessions, sessions)
        streams.recheck()
        return void acknowledge(message, null)
      case 'operated':
        return mainThread.operated(message.number, message.outcome)
      case 'metrics':
        return void acknowledge(message, metrics.registry.getMetricsAsJSON())
      case 'keyUses':
        return void acknowledge(
          message,
          keyUsage.take().map(([ordinal, sighting]): KeyUse => [keyring.at(ordinal)!.key.id, sighting]),
        )
      case 'control':
        return void acknowledge(message, cluster!.control(message.request))
      case 'listen':
        return void listen(message.port).catch((error: Error) =>
          send({ type: 'failed', message: error.message }),
        )
      case 'accept':
        listener?.setAccepting(message.isOn)
        return
      case 'watchRequests':
        areRequestsWatched = message.isOn
        return
      case 'stop':
        return void stop()
    }
  })
  send({ type: 'opened' })
  if (directory.companies.size === 0) return
  // The first image of a size takes 20 ms and the PDF library 160 ms, and no merchant should wait for them.
  qrCodeDataUri('x'.repeat(170))
  await loadPdfLibrary()
}
