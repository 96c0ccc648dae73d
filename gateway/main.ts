#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads'
import { type Logger, pino } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { DirectoryEvent } from '../engine/directory/directory.ts'
import { evolveDirectory, newDirectory } from '../engine/directory/evolve.ts'
import { environmentOf } from '../engine/ids.ts'
import { type DataDirectory, DataDirectoryRefusal, openDataDirectory } from '../persistence/data-directory.ts'
import { entryLayout } from '../persistence/entry-layout.ts'
import { openJournal } from '../persistence/journal.ts'
import { json } from '../persistence/layout.ts'
import { openShardHost, type ShardHost } from '../persistence/shard-host.ts'
import { inProcessStream } from '../persistence/stream.ts'
import { verifyDataDirectory } from '../persistence/verify.ts'
import { CommandFailure, commandLine } from './admin/cli.ts'
import { createDemo } from './admin/demo.ts'
import { openAdminListener } from './admin/listener.ts'
import { openAccounts, openOperations } from './admin/operations.ts'
import { newEndpoints } from './endpoints.ts'
import { systemEntropy } from './entropy.ts'
import { newKeyring } from './http/authenticate.ts'
import { listenWithNode } from './http/node.ts'
import { openPages } from './http/open-pages.ts'
import { openApiDocument } from './http/openapi.ts'
import { openPipeline } from './http/pipeline.ts'
import { problemBody, refusalOf } from './http/problem.ts'
import { newRateLimit, newRateLimitMemory } from './http/rate-limit.ts'
import type { Listener } from './http/transport.ts'
import { listenWithUws, whyNotUws } from './http/uws.ts'
import { limits } from './limits.ts'
import { openMesh, ownerOf } from './mesh.ts'
import { openMetrics } from './metrics.ts'
import { qrCodeDataUri } from './qr-code.ts'
import { routes } from './routes/index.ts'
import { unseal } from './seal.ts'
import { readSettings, type Settings } from './settings.ts'
import { vetEndpointUrl } from './webhooks/address.ts'
import { openAttempts } from './webhooks/attempt.ts'
import { eventBody, objectIdOf } from './webhooks/body.ts'
import { openPool } from './webhooks/pool.ts'
import { openResolver } from './webhooks/resolve.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-protocol.ts'

/** The composition root: the one file that knows every part, and that no part knows. */

const version = '0.1.0'
const operator = { kind: 'OPERATOR', id: null } as const

if (isMainThread) {
  const program = commandLine({ start, verify }, () => resolve(process.env.DATA_DIR ?? './data'), version)
  program.parseAsync().catch((error: unknown) => {
    if (!(error instanceof CommandFailure || error instanceof DataDirectoryRefusal)) throw error
    console.error(`payments: ${error.message}`)
    process.exitCode = 1
  })
} else {
  void startWorker(workerData as WorkerStart)
}

/** The main thread: the data directory, the directory of companies and keys, the workers, the admin listener. */
async function start(): Promise<void> {
  const read = readSettings(process.env)
  if (!read.ok) {
    for (const problem of read.problems) console.error(`payments: ${problem}`)
    process.exitCode = 1
    return
  }
  const { transport, workers, log, settings } = await chooseTransport(read.settings)
  const data = await openDataDirectory(settings.dataDir, settings.shards, settings.workers)
  const masterKey = readMasterKey(data)
  const journal = openJournal<DirectoryEvent>(data.directoryPath, json(), {
    commits: 0,
    entries: 0,
    bytes: 0,
  })
  const directoryEvents = [...journal.replay(0)].map(({ record }) => record)
  const directory = directoryEvents.reduce(evolveDirectory, newDirectory())
  const crew = startWorkers(
    {
      settings,
      shards: data.shards,
      transport,
      directoryEvents,
      rateLimitMemory: newRateLimitMemory(),
      masterKey,
    },
    workers,
    (message) => {
      log.fatal({ message }, 'a worker failed; the service stops')
      void crew.stop().then(() => process.exit(1))
    },
  )
  await crew.opened
  const router = openMesh({
    self: -1,
    workers,
    shards: data.shards,
    local: { tell: noShards, ask: noShards, serve: noShards },
    siblings: crew.ports,
  })
  for (const company of directory.companies.values()) await openAccounts(company, router)
  const commit = async (event: DirectoryEvent): Promise<void> => {
    await journal.settled(journal.append(event))
    evolveDirectory(directory, event)
    await crew.ask((ack) => ({ type: 'directory', event, ack }))
  }
  const resolveHost = openResolver()
  const operations = openOperations({
    directory,
    commit,
    router,
    realNow: Date.now,
    entropy: systemEntropy(),
    randomBytes,
    masterKey,
    readEndpointUrl: (text, environment) => vetEndpointUrl(text, environment, resolveHost),
  })
  const admin = await openAdminListener({
    port: settings.adminPort,
    dataDir: settings.dataDir,
    token: randomBytes(32).toString('base64url'),
    operations,
    metrics: async () => {
      const registries = await crew.ask((ack) => ({ type: 'metrics', ack }))
      return AggregatorRegistry.aggregate(registries as object[]).metrics()
    },
    onFault: (error) => log.error({ err: error }, 'an admin operation failed'),
  })
  const demo = data.isNew && settings.demo ? await createDemo(operations) : null
  const port = await crew.listen()
  const origin = `${settings.tls ? 'https' : 'http'}://${settings.host}:${port}`
  log.info({ origin, workers, shards: data.shards, transport, dataDir: settings.dataDir }, 'serving')
  if (demo !== null) console.log(demo(origin))

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping')
    await crew.stop()
    await admin.close()
    await journal.close()
    await data.release()
    log.info('stopped')
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))
}

async function chooseTransport(settings: Settings) {
  const log = openLog(settings)
  const reason = settings.transport === 'node' ? 'TRANSPORT=node' : await whyNotUws()
  if (reason === null) return { transport: 'uws', workers: settings.workers, log, settings } as const
  if (settings.transport === 'uws') throw new CommandFailure(`TRANSPORT=uws cannot be used: ${reason}`)
  log.warn({ reason }, 'serving over node:http with one worker: slower than the native transport')
  return { transport: 'node', workers: 1, log, settings } as const
}

function openLog(settings: Settings): Logger {
  return pino({ level: settings.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}

const noShards = (): Promise<never> => Promise.reject(new Error('the main thread owns no shard'))

/** The key that seals endpoint secrets, made at the first start. */
function readMasterKey(data: DataDirectory): Buffer {
  const file = join(data.path, 'master.key')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return Buffer.from(readFileSync(file, 'utf8'), 'base64')
}

/** The workers as one: told together, and finished when all of them are. */
type Crew = {
  readonly opened: Promise<unknown>
  readonly ports: ReadonlyMap<number, MessagePort>
  /** Sends every worker a message and gathers their answers. */
  readonly ask: (message: (ack: number) => ToWorker) => Promise<unknown[]>
  readonly listen: () => Promise<number>
  readonly stop: () => Promise<void>
}

function startWorkers(
  common: Omit<WorkerStart, 'index' | 'siblings'>,
  count: number,
  onFailed: (message: string) => void,
): Crew {
  const siblings = Array.from({ length: count }, () => new Map<number, MessagePort>())
  const ports = new Map<number, MessagePort>()
  for (let a = 0; a < count; a++) {
    for (let b = -1; b < a; b++) {
      const { port1, port2 } = new MessageChannel()
      siblings[a]!.set(b, port1)
      if (b < 0) ports.set(a, port2)
      else siblings[b]!.set(a, port2)
    }
  }
  const workers = siblings.map((siblings, index) => {
    const start: WorkerStart = { ...common, index, siblings }
    const worker = new Worker(new URL(import.meta.url), {
      workerData: start,
      resourceLimits: { maxYoungGenerationSizeMb: limits.youngGenerationMb },
      transferList: [...siblings.values()],
    })
    worker.on('error', (error) => onFailed(error.stack ?? error.message))
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'failed') onFailed(message.message)
    })
    return worker
  })
  const heard = <Type extends FromWorker['type']>(worker: Worker, type: Type, ack?: number) =>
    new Promise<Extract<FromWorker, { type: Type }>>((resolve) => {
      const listen = (message: FromWorker): void => {
        if (message.type !== type || ('ack' in message && message.ack !== ack)) return
        worker.off('message', listen)
        resolve(message as Extract<FromWorker, { type: Type }>)
      }
      worker.on('message', listen)
    })
  const send = (worker: Worker, message: ToWorker): void => worker.postMessage(message)
  let acks = 0

  return {
    opened: Promise.all(workers.map((worker) => heard(worker, 'opened'))),
    ports,
    ask: (message) => {
      acks += 1
      const ack = acks
      return Promise.all(
        workers.map((worker) => {
          const answered = heard(worker, 'ack', ack).then(({ value }) => value)
          send(worker, message(ack))
          return answered
        }),
      )
    },
    listen: async () => {
      const { host, port } = common.settings
      const shared = port === 0 ? await freePort(host) : port
      for (const worker of workers) {
        const listening = heard(worker, 'listening')
        send(worker, { type: 'listen', port: shared })
        await listening
      }
      return shared
    },
    stop: async () => {
      // A process that exits while a worker listens is aborted by the native transport: each has to end by itself.
      const ended = workers.map((worker) =>
        worker.threadId < 0 ? null : new Promise((resolve) => worker.once('exit', resolve)),
      )
      for (const worker of workers) send(worker, { type: 'stop' })
      await Promise.all(ended)
    },
  }
}

/** The native transport cannot share a port that the system chose for one thread: choose before any listens. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** A worker: it listens, owns some shards, and makes the webhook attempts of their deliveries. */
async function startWorker(start: WorkerStart): Promise<void> {
  const { settings, index, shards } = start
  const log = openLog(settings)
  const port = parentPort!
  const say = (message: FromWorker): void => port.postMessage(message)
  const entropy = systemEntropy()
  const directory = start.directoryEvents.reduce(evolveDirectory, newDirectory())
  const keyring = newKeyring(directory)
  const endpoints = newEndpoints(directory)
  const masterKey = Buffer.from(start.masterKey)
  const journalMetrics = { commits: 0, entries: 0, bytes: 0 }
  const stream = inProcessStream()
  const hosts = new Map<number, ShardHost>()
  const workers = new Set([...start.siblings.keys(), index].filter((number) => number >= 0)).size
  const router = openMesh({
    self: index,
    workers,
    shards,
    local: {
      tell: (shard, command) => hosts.get(shard)!.tell(command),
      ask: (shard, query) => hosts.get(shard)!.ask(query),
      serve: (request) => pipeline.serve(request),
    },
    siblings: start.siblings,
  })

  const attempts = openAttempts({ realNow: Date.now })
  const pool = openPool({
    find: ({ accountId, id }) => router.ask({ type: 'FindDelivery', accountId, deliveryId: id }),
    attempt: async (delivery) => {
      const endpoint = endpoints.find(delivery.endpointId)
      if (endpoint === undefined) return null
      const outcome = await attempts.attempt({
        endpointId: endpoint.id,
        url: endpoint.url,
        environment: endpoint.environment,
        secret: unseal(endpoint.sealedSecret, masterKey),
        eventType: delivery.eventType,
        deliveryId: delivery.id,
        body: delivery.body,
      })
      metrics.onAttempt(outcome.error ?? String(outcome.statusCode))
      return outcome
    },
    record: async (delivery, outcome) => {
      const target = { accountId: delivery.accountId, by: operator, deliveryId: delivery.id }
      if (outcome === null) await router.tell({ type: 'CancelDelivery', ...target })
      else await router.tell({ type: 'RecordAttempt', ...target, outcome })
    },
  })
  const metrics = openMetrics({
    journal: () => journalMetrics,
    attemptsInFlight: pool.inFlight,
    attemptsQueued: pool.queued,
  })

  stream.consume(async (message) => {
    const { accountId, id, type, objectId, body } = message
    const endpointIds = endpoints.listening(accountId, type, message.atMs).map((endpoint) => endpoint.id)
    if (endpointIds.length === 0) return
    await router.tell({
      type: 'ScheduleDeliveries',
      accountId,
      by: operator,
      eventId: id,
      eventType: type,
      objectId,
      body,
      endpointIds,
    })
  })

  /** Fires due timers and hands due deliveries to the pool; soon after deliveries appear, and often enough otherwise. */
  let tickScheduled = false
  const tick = (): void => {
    tickScheduled = false
    for (const host of hosts.values()) {
      const due = host.tick()
      due.forEach(pool.offer)
      // A tick hands out a bounded number; when there may be more, the next one follows at once.
      if (due.length > 0) tickSoon()
    }
  }
  const tickSoon = (): void => {
    if (tickScheduled) return
    tickScheduled = true
    setImmediate(tick)
  }

  for (let number = 0; number < shards; number++) {
    if (ownerOf(number, workers) !== index) continue
    hosts.set(
      number,
      openShardHost({
        number,
        path: join(settings.dataDir, 'shards', String(number).padStart(2, '0')),
        realNow: Date.now,
        entropy,
        institution: { ispb: settings.ispb, pixLocation: settings.pixLocation },
        stream,
        isHeard: (accountId, type, atMs) => endpoints.listening(accountId, type, atMs).length > 0,
        render: (event, accountId) => ({
          body: new Uint8Array(eventBody(event, environmentOf(accountId))),
          objectId: objectIdOf(event.subject),
        }),
        openJournal: (path) => openJournal(path, entryLayout, journalMetrics),
        onDeliveries: tickSoon,
        onTrouble: (message, error) => log.error({ err: error }, message),
      }),
    )
  }
  const ticking = setInterval(tick, 100)

  const pages = openPages({
    openApi: openApiDocument(routes, version),
    isReady: () => [...hosts.values()].every((host) => host.isServing()),
  })
  const pipeline = openPipeline({
    routes,
    router,
    directory,
    keyring,
    rateLimit: newRateLimit(settings.rateLimit, settings.rateLimitBurst, start.rateLimitMemory),
    realNow: Date.now,
    entropy,
    openPage: pages,
    onAnswered: (line) => {
      metrics.onAnswered(line)
      log.info(line, 'answered')
    },
  })
  let listener: Listener | null = null

  const listen = async (listenPort: number): Promise<void> => {
    const transport = start.transport === 'uws' ? listenWithUws : listenWithNode
    listener = await transport({
      host: settings.host,
      port: listenPort,
      sharedPort: workers > 1,
      ...(settings.tls && { tls: settings.tls }),
      handle: pipeline.handle,
      refuse: (status, { path }) => {
        const requestId = `req_${Date.now()}`
        const headers = {
          'Content-Type': 'application/problem+json',
          'Request-Id': requestId,
          'Cache-Control': 'no-store',
        }
        return { status, headers, body: problemBody(refusalOf(status), path, requestId) }
      },
      onFault: (error, { verb, path }) => log.error({ err: error, verb, path }, 'a request failed'),
      limits,
    })
    say({ type: 'listening', port: listener.port })
  }

  const stop = async (): Promise<void> => {
    await listener?.close(limits.shutdownGraceMs)
    clearInterval(ticking)
    await pool.close()
    for (const host of hosts.values()) await host.close()
    await attempts.close()
    for (const sibling of start.siblings.values()) sibling.close()
    port.close()
  }

  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'directory':
        evolveDirectory(directory, message.event)
        keyring.apply(message.event)
        endpoints.apply(message.event)
        return say({ type: 'ack', ack: message.ack, value: null })
      case 'metrics':
        return void metrics.registry
          .getMetricsAsJSON()
          .then((value) => say({ type: 'ack', ack: message.ack, value }))
      case 'listen':
        return void listen(message.port).catch((error: Error) =>
          say({ type: 'failed', message: error.message }),
        )
      case 'stop':
        return void stop()
    }
  })
  // The first image of a size takes 20 ms; no request should wait for it.
  qrCodeDataUri('x'.repeat(170))
  say({ type: 'opened' })
}

async function verify(dataDir: string, json: boolean): Promise<boolean> {
  const data = await openDataDirectory(resolve(dataDir), null, 1)
  const report = await verifyDataDirectory(data)
  await data.release()
  if (json) console.log(JSON.stringify(report))
  else {
    for (const problem of report.problems) console.log(`PROBLEM ${problem}`)
    console.log(`${report.shards} shards, ${report.entries} entries, ${report.transactions} transactions`)
    console.log(report.problems.length === 0 ? 'sound' : `${report.problems.length} problems`)
  }
  return report.problems.length === 0
}
