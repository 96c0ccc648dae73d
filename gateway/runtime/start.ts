import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { shardBalanced } from '../../engine/companies/directory.ts'
import { every } from '../../persistence/base/pulse.ts'
import { settleArchives } from '../../persistence/home/archive-place.ts'
import { markRemoved } from '../../persistence/home/removed.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { readSettings, type Settings } from '../base/settings.ts'
import { newLiveStreamsMemory } from '../events/live/streams.ts'
import type { Asked, OperationOutcome } from '../identity/asked.ts'
import { newRateLimitMemory } from '../identity/rate-limit.ts'
import type { EndingWay } from '../link/cluster/control.ts'
import { descriptorsNeeded, tooFewDescriptors } from '../observability/descriptors.ts'
import { createDemo, demoText } from '../operations/demo.ts'
import { operateFor } from '../operations/operate-for.ts'
import { newHeardMemory } from '../operations/people/heard-memory.ts'
import { originForCallers, originListenedAt, originsOf } from '../operations/people/origins.ts'
import { CommandFailure } from '../operator/command-line/service.ts'
import { modules as everyModule } from '../providers/modules.ts'
import { versionOf } from '../wire/uws-builds.ts'
import { startBackground, startUpkeep } from './background.ts'
import { chooseTransport } from './choose-transport.ts'
import { heapFull, hotStatesIn, tooSmallHeap, watchHeap } from './heap.ts'
import { openMainAdmin } from './main-admin.ts'
import { openMainPages } from './main-pages.ts'
import { type MainServices, openMainServices } from './main-services.ts'
import { type MainState, openMainState } from './main-state.ts'
import { openRouter } from './open-router.ts'
import { watchShardEnds } from './part-ends.ts'
import { probePort } from './probe-port.ts'
import { problemsOfFiles } from './problems-of-files.ts'
import { newReadinessMemory } from './readiness.ts'
import { openStorage } from './storage.ts'
import { watchMachine } from './watch-machine.ts'
import { startWorkerPool } from './worker-pool.ts'

/**
 * Starts the main thread: data directory, directory of companies and keys, workers, admin listener. Each worker is a thread that
 * runs `workerFile`, which gives it its providers; both take connections to the same modules. Resolves once the service is serving; wrong settings are printed and set the
 * exit code.
 */
export async function start(workerFile: URL, modules = everyModule): Promise<void> {
  const read = readSettings(process.env)
  const problems = read.ok ? problemsOfFiles(read.settings) : read.problems
  if (!read.ok || problems.length > 0) {
    for (const problem of problems) console.error(`payments: ${problem}`)
    process.exitCode = 1
    return
  }
  const { build, workers, log, settings } = await chooseTransport(read.settings)
  await checkMachine(settings, workers)
  const transport = build === null ? 'node:http' : versionOf(build)
  let hasFailed = false
  const fail = (message: string, detail: object): void => {
    // Every worker reports the failure; later failures only follow from the shutdown.
    if (hasFailed) return
    hasFailed = true
    log.fatal(detail, message)
    void pool.stop().then(() => process.exit(1))
  }
  const storage = await openStorage(settings, log, fail)
  const { shards } = storage.data
  settleArchives(storage.data, settings.archive.dir)
  const state = await openMainState(settings, log, storage, (message) => pool.ask(message))
  const self = { incarnation: randomUUID(), workers }
  let services: MainServices | null = null
  const pool = startWorkerPool(
    {
      settings,
      shards,
      build,
      directoryEvents: state.directoryEvents,
      sessionFacts: state.sessionFacts,
      sessionsHeard: newHeardMemory(storage.sessions.heardAtMs, every).memory,
      readinessMemory: newReadinessMemory(shards),
      rateLimitMemory: newRateLimitMemory(),
      exportRateLimitMemory: newRateLimitMemory(),
      sessionRateLimitMemory: newRateLimitMemory(),
      strangerRateLimitMemory: newRateLimitMemory(),
      liveStreamsMemory: newLiveStreamsMemory(),
      masterKey: storage.masterKey,
      ...self,
    },
    {
      onFailed: (message) => fail('a worker failed; the service stops', { message }),
      operate: (asked) => operate(services!, asked, log),
      // Earlier notices are mailed once the services are open.
      onNoticed: (accountId) => {
        void services?.notices.mail(accountId)
        void services?.payerMails.queueMails(accountId)
      },
      // Workers begin to report once the services are open.
      onHooks: (connectionId, problem) => void services?.connections.noteHooks(connectionId, problem),
      onPlaced: ({ shard, number, nodes }) =>
        state
          .commit(() =>
            (state.directory.copies.get(shard)?.number ?? 0) === number
              ? { type: 'CopiesPlaced', shard, nodes }
              : null,
          )
          .catch((error: unknown) => log.warn({ err: error, shard }, 'copies of a shard are not placed yet')),
      onBalanced: (balanced) =>
        state
          .commit(() => shardBalanced(state.directory, balanced))
          .catch((error: unknown) =>
            log.warn(
              { err: error, shard: balanced.shard },
              'a shard is not moved to a node that is less busy',
            ),
          ),
    },
    workerFile,
  )
  await pool.opened
  const router = openRouter({
    self: -1,
    workers,
    shards,
    local: { host: noShards, serve: noShards },
    siblings: pool.ports,
  })
  let port = settings.port
  const origins = (): readonly string[] => originsOf(settings.publicUrl, settings.tls !== null, port)
  const pages = openMainPages(settings, storage.masterKey, () => port, pool)
  let exitCode = 0
  const end = (way: EndingWay): void => {
    if (exitCode !== 0) throw new Error('it is ending already')
    if (way === 'REMOVED') markRemoved(settings.dataDir, Date.now())
    exitCode = exitCodes[way]
    log.info({ way }, 'an operator ends this node')
    process.kill(process.pid, 'SIGTERM')
  }
  services = openMainServices(state, pool, router, { ...self, end }, origins, pages, modules)
  const admin = await openMainAdmin(state, services, pool, router, transport).catch(
    async (error: unknown) => {
      await pool.stop()
      throw error
    },
  )
  const endBackground = await startBackground(state, services)
  const endShardEnds = watchShardEnds(storage, pool.ask, log)
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping')
    await endBackground()
    await admin.backups.close()
    await endShardEnds()
    await pool.stop()
    await admin.close()
    await storage.close()
    log.info('stopped')
    process.exit(exitCode)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))

  warnOfHotStates(settings, shards, workers, log)
  await services.rails.stopFirst()
  port = await pool.listen()
  watchMachine({ dataDir: settings.dataDir, log, setAccepting: pool.setAccepting })
  watchHeap(() => fail('the service stops', { message: heapFull() }))
  await announce(state, services, { port, workers, transport })
  startUpkeep(state, services)
}

/** Refuses to start where heap, file descriptors or ports do not suffice. */
const checkMachine = async (
  { shards, host, port, adminPort, inbox }: Settings,
  workers: number,
): Promise<void> => {
  const shortage = tooSmallHeap() ?? tooFewDescriptors(descriptorsNeeded(workers, shards ?? workers))
  if (shortage !== null) throw new CommandFailure(shortage)
  await probePort('PORT', host, port)
  if (inbox !== null) await probePort('PROVIDER_PORT', host, inbox.port)
  await probePort('ADMIN_PORT', '127.0.0.1', adminPort)
}

/** Performs an operation that a worker asks for. */
const operate = async (
  { operations, auditActs }: MainServices,
  asked: Asked,
  log: Logger,
): Promise<OperationOutcome> => {
  const onFault = (error: unknown): void => log.error({ err: error }, 'an operation failed')
  const outcome = await operateFor(operations, asked, onFault)
  const recording = auditActs.refused(asked, outcome)
  // The response time must not reveal to strangers whether a person exists.
  if (asked.by.kind !== 'STRANGER') await recording
  return outcome
}

const noShards = (): never => {
  throw new Error('the main thread owns no shard')
}

const warnOfHotStates = (settings: Settings, shards: number, workers: number, log: Logger): void => {
  const hotStates = hotStatesIn(settings.hotStates, Math.ceil(shards / workers))
  if (hotStates < settings.hotStates)
    log.warn(
      { hotStates },
      'a shard keeps fewer states than HOT_STATES, because the heap has no room for more',
    )
}

/** Says that the service serves, and shows the demo company of a first start. */
const announce = async (
  { settings, log, storage, directory }: MainState,
  { operations, mailer }: MainServices,
  {
    port,
    workers,
    transport,
  }: { readonly port: number; readonly workers: number; readonly transport: string },
): Promise<void> => {
  const { cluster, dataDir } = settings
  const hasDemo = settings.demo && storage.isFirst
  const demo = hasDemo && cluster === null ? await createDemo(operations) : null
  const { host, publicUrl, tls } = settings
  const origin = originListenedAt(host, tls !== null, port)
  const callersOrigin = originForCallers(publicUrl, host, tls !== null, port)
  const place = cluster && { cluster: cluster.name, node: cluster.node }
  log.info({ origin, workers, shards: storage.data.shards, transport, dataDir, ...place }, 'serving')
  if (demo !== null) console.log(demoText(demo, callersOrigin))
  if (mailer === null && directory.people.persons.size > 0)
    log.warn(
      'MAIL_URL is not set: people get no mail. Who invites hands the link out; payments people reset-password makes one for a password',
    )
  // The demo's accounts open once shards have owners, and the start does not wait for that.
  if (hasDemo && cluster !== null)
    createDemo(operations).then(
      (demo) => console.log(demoText(demo, callersOrigin)),
      (error: unknown) => log.warn({ err: error }, 'no demo company was made'),
    )
}
