import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { AuditSource } from '../../engine/audit/commands.ts'
import type { DirectoryEvent } from '../../engine/directory/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/directory/evolve.ts'
import { evolveSessions, newSessions } from '../../engine/people/evolve.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import { type AccountId, companyIdOf } from '../../engine/shared/ids.ts'
import { openBackups } from '../../persistence/backup/backups.ts'
import { logEndsOf } from '../../persistence/backup/log-ends.ts'
import { BackupRefusal } from '../../persistence/backup/refusal.ts'
import { openControlChannel } from '../../persistence/cluster/control-channel.ts'
import { DirectoryUnavailable } from '../../persistence/cluster/directory-log.ts'
import { type JoinedNode, joinCluster } from '../../persistence/cluster/join.ts'
import { DiskFull } from '../../persistence/disk/disk-space.ts'
import {
  claimDataDirectory,
  type DataDirectory,
  DataDirectoryRefusal,
} from '../../persistence/home/data-directory.ts'
import { makeMasterKey, masterKeyCheck, readMasterKey } from '../../persistence/home/master-key.ts'
import type { DirectoryLog } from '../../persistence/journal/directory-log.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { openSessionLog, type SessionLog } from '../../persistence/journal/session-log.ts'
import { problemsOfNatsFiles } from '../../persistence/nats/files.ts'
import { delay } from '../base/delay.ts'
import { systemEntropy } from '../base/entropy.ts'
import { limits } from '../base/limits.ts'
import { type ClusterSettings, readSettings, type Settings } from '../base/settings.ts'
import { version } from '../base/version.ts'
import { newLiveStreamsMemory } from '../events/live/streams.ts'
import type { CommitBy } from '../identity/asked.ts'
import { type KeyUse, openKeyUses } from '../identity/key-uses.ts'
import { openPasskeys } from '../identity/passkeys.ts'
import { openPasswordHasher } from '../identity/password-hash.ts'
import { openPersonalTexts, sealedKeyIn } from '../identity/personal-texts.ts'
import { newRateLimitMemory } from '../identity/rate-limit.ts'
import { sessionKeysOf } from '../identity/session-cookie.ts'
import { type ControlAnswer, controlAnswers } from '../link/cluster/control.ts'
import { type Mailer, smtpMailer } from '../mail/mailer.ts'
import { openMailOutbox } from '../mail/outbox.ts'
import { mailOf } from '../mail/texts.ts'
import {
  descriptorsMax,
  descriptorsNeeded,
  descriptorsOfUws,
  tooFewDescriptors,
} from '../observability/descriptors.ts'
import { openLog } from '../observability/log.ts'
import { metricsTokenOf, problemsOfMetricsToken } from '../observability/metrics-token.ts'
import { openProcessMetrics } from '../observability/process.ts'
import { openAccounts } from '../operations/accounts.ts'
import { createDemo, demoText } from '../operations/demo.ts'
import { operateFor } from '../operations/operate-for.ts'
import { openPendingChanges } from '../operations/pending-changes.ts'
import { giveKeys } from '../operations/people/give-keys.ts'
import { newHeardMemory } from '../operations/people/heard-memory.ts'
import { originsOf } from '../operations/people/origins.ts'
import { openPeople } from '../operations/people/people-operations.ts'
import type { PeopleOptions } from '../operations/people/people-options.ts'
import { backupOperation } from '../operator/backup.ts'
import { clusterOperations, noClusterOperations } from '../operator/cluster-operations.ts'
import { CommandFailure } from '../operator/command-line/service.ts'
import { eventFeed } from '../operator/event-feed.ts'
import { exportOperation } from '../operator/export.ts'
import { openAdminListener } from '../operator/listener.ts'
import { openOperations } from '../operator/operations.ts'
import { requestFeed } from '../operator/request-feed.ts'
import { OperationRefusal } from '../problems/refusal.ts'
import { newActTrail } from '../trail/act-trail.ts'
import { openAuditActs } from '../trail/audit-acts.ts'
import { withAudit } from '../trail/audit-draft.ts'
import { newAuditTrail } from '../trail/audit-trail.ts'
import { stopsOf } from '../trail/lost-permissions.ts'
import { openNoticeTeller } from '../trail/teller.ts'
import { vetEndpointUrl } from '../webhooks/address.ts'
import { openResolver } from '../webhooks/resolve.ts'
import { sharesPorts } from '../wire/node.ts'
import { chooseUws, type UwsChoice, versionOf } from '../wire/uws-builds.ts'
import { heapFull, hotStatesIn, tooSmallHeap, watchHeap } from './heap.ts'
import { openCsvThread } from './open-csv-thread.ts'
import { openRouter } from './open-router.ts'
import { probePort } from './probe-port.ts'
import { newReadinessMemory } from './readiness.ts'
import { sealedDirectory } from './sealed-directory.ts'
import { watchMachine } from './watch-machine.ts'
import { startWorkerPool } from './worker-pool.ts'
import { workerPoolControl } from './worker-pool-control.ts'

/**
 * Starts the main thread: data directory, directory of companies and keys, workers, admin listener. Each worker is a thread that
 * runs `workerFile`, which gives it its providers. Resolves once the service is serving; wrong settings are printed and set the
 * exit code.
 */
export async function start(workerFile: URL): Promise<void> {
  const read = readSettings(process.env)
  const problems = read.ok ? problemsOfFiles(read.settings) : read.problems
  if (!read.ok || problems.length > 0) {
    for (const problem of problems) console.error(`payments: ${problem}`)
    process.exitCode = 1
    return
  }
  const { build, workers, log, settings } = await chooseTransport(read.settings)
  const shortage = tooSmallHeap() ?? tooFewDescriptors(descriptorsNeeded(workers, settings.shards ?? workers))
  if (shortage !== null) throw new CommandFailure(shortage)
  await probePort('PORT', settings.host, settings.port)
  await probePort('ADMIN_PORT', '127.0.0.1', settings.adminPort)
  const transport = build === null ? 'node:http' : versionOf(build)
  let hasFailed = false
  const fail = (message: string, detail: object): void => {
    // Every worker reports the failure, and what fails after it only fails because everything is ending.
    if (hasFailed) return
    hasFailed = true
    log.fatal(detail, message)
    void pool.stop().then(() => process.exit(1))
  }
  const storage = await openStorage(settings, log, fail)
  const { data, masterKey } = storage
  const directory = newDirectory()
  const personal = openPersonalTexts(masterKey, sealedKeyIn(directory))
  const auditTrail = newAuditTrail({ directory, personal })
  let facts = 0
  const learn = (event: DirectoryEvent): void => {
    evolveDirectory(directory, event)
    auditTrail.apply(event, ++facts)
  }
  const directoryLog = sealedDirectory(storage.directory, masterKey)
  const directoryEvents = directoryLog.follow(async (event) => {
    learn(event)
    await pool.ask((ack) => ({ type: 'directory', event, ack }))
  })
  directoryEvents.forEach(learn)
  // An earlier process may have been killed before it was done.
  await directoryLog.forgetErased()
  const sessions = newSessions()
  const actTrail = newActTrail()
  const learnSessions = (facts: readonly SessionFact[]): void => {
    facts.reduce(evolveSessions, sessions)
    facts.forEach(actTrail.apply)
  }
  const sessionFacts = storage.sessions
    .follow(async (facts) => {
      learnSessions(facts)
      await pool.ask((ack) => ({ type: 'sessions', facts, ack }))
    })
    .flat()
  learnSessions(sessionFacts)
  const sessionsHeard = newHeardMemory(storage.sessions.heardAtMs)
  const incarnation = randomUUID()
  const pool = startWorkerPool(
    {
      settings,
      shards: data.shards,
      build,
      directoryEvents,
      sessionFacts,
      sessionsHeard: sessionsHeard.memory,
      workers,
      readinessMemory: newReadinessMemory(data.shards),
      rateLimitMemory: newRateLimitMemory(),
      exportRateLimitMemory: newRateLimitMemory(),
      sessionRateLimitMemory: newRateLimitMemory(),
      liveStreamsMemory: newLiveStreamsMemory(),
      masterKey,
      incarnation,
    },
    {
      onFailed: (message) => fail('a worker failed; the service stops', { message }),
      operate: async (asked) => {
        const onFault = (error: unknown): void => log.error({ err: error }, 'an operation failed')
        const outcome = await operateFor(operations, asked, onFault)
        const recording = auditActs.refused(asked, outcome)
        // Strangers must not see by the time whether a person is known.
        if (asked.by.kind !== 'STRANGER') await recording
        return outcome
      },
      onNoticed: (accountId) => void notices.mail(accountId),
    },
    workerFile,
  )
  await pool.opened
  const router = openRouter({
    self: -1,
    workers,
    shards: data.shards,
    local: { host: noShards, serve: noShards },
    siblings: pool.ports,
  })
  const commit: CommitBy = async (decide, by) => {
    let fact: DirectoryEvent | null = null
    const decideWithAudit = (): DirectoryEvent | null => {
      fact = decide()
      return fact && withAudit({ directory, personal }, fact, by, Date.now())
    }
    await orUnavailable(directoryLog.append(decideWithAudit))
    if ((fact as DirectoryEvent | null)?.type === 'PersonErased')
      await orUnavailable(directoryLog.forgetErased())
    if (by !== undefined && fact !== null) auditTrail.tell()
  }
  const accounts = openAccounts({
    directory,
    router,
    commit,
    realNow: Date.now,
    onTrouble: (error, { id }) => log.warn({ err: error, companyId: id }, 'accounts are not up to date yet'),
  })
  const recordAudit = async (accountId: AccountId, draft: AuditDraft, source: AuditSource): Promise<void> => {
    const by = { kind: 'OPERATOR', id: null } as const
    const reply = await router.execute({ type: 'RecordAudit', accountId, by, source, draft })
    if (!reply.accepted) throw new Error(`an audit log takes no entry: ${reply.rejection.reason}`)
  }
  const onAuditTrouble = (error: unknown, accountId: AccountId): void =>
    log.warn({ err: error, accountId }, 'an audit log is not told yet')
  auditTrail.open({
    record: async (accountId, { sequence, draft, notices: raised, lost }) => {
      // A company's accounts are open before they have something to tell.
      await accounts.open(companyIdOf(accountId))
      if (draft !== null) await recordAudit(accountId, draft, { log: 'DIRECTORY', sequence })
      for (const { id, ...notice } of raised) await notices.raise(notice, id)
      for (const command of lost === null ? [] : stopsOf(lost)) await router.execute(command)
    },
    commit,
    realNow: Date.now,
    onTrouble: onAuditTrouble,
  })
  actTrail.open({
    record: (accountId, { sequence, draft }) => recordAudit(accountId, draft, { log: 'SESSIONS', sequence }),
    append: storage.sessions.append,
    realNow: Date.now,
    onTrouble: onAuditTrouble,
  })
  const recordSessions: PeopleOptions['record'] = async (decide) => {
    await orUnavailable(storage.sessions.append(decide))
    if (sessions.mails.size > 0) void outbox.send()
    if (sessions.acts.size > 0) actTrail.tell()
  }
  const auditActs = openAuditActs({
    directory,
    personal,
    sessions,
    record: recordSessions,
    realNow: Date.now,
    onTrouble: (error) => log.warn({ err: error }, 'a refused factor is not in the audit log'),
  })
  const pendingChanges = openPendingChanges({
    directory,
    commit,
    accounts,
    realNow: Date.now,
    onTrouble: (error, { id }) =>
      log.warn({ err: error, companyId: id }, 'a change of a company that is due is not made yet'),
  })
  const resolveHost = openResolver()
  const { cluster } = settings
  const { member } = storage
  const channel = member && openControlChannel(member.connection, member.name, member.node)
  const keyUses = openKeyUses({
    file: join(settings.dataDir, 'key-uses.json'),
    gather: () => pool.ask((ack) => ({ type: 'keyUses', ack })) as Promise<(readonly KeyUse[])[]>,
    tell: async (told) => {
      const answers = await channel?.askAll({ type: 'keyUses', ...told }, limits.keyUsesWaitMs, () => false)
      return ((answers ?? []) as readonly ControlAnswer[]).map((answer) => (answer.ok && answer.uses) || [])
    },
  })
  if (member !== null)
    channel?.serve(
      controlAnswers(workerPoolControl(pool, { node: member.node, incarnation, workers }, keyUses)),
    )
  let port = settings.port
  const origins = (): readonly string[] => originsOf(settings.publicUrl, settings.tls !== null, port)
  const mailer = mailerOf(settings, log)
  const outbox = openMailOutbox({
    sessions,
    record: (facts) => storage.sessions.append(() => facts),
    mailer,
    masterKey,
    realNow: Date.now,
    newId: randomUUID,
    onTrouble: (error) => log.warn({ err: error }, 'mail is not sent yet'),
  })
  const notices = openNoticeTeller({
    directory,
    router,
    keyUses: keyUses.current,
    queue: async (mails) => {
      if (mailer === null) return
      await storage.sessions.append(() =>
        mails.map(({ to, text }) => outbox.queued(mailOf(to.email, to.language, text))),
      )
      void outbox.send()
    },
    personal,
    origin: () => origins()[0]!,
    realNow: Date.now,
    onTrouble: (error, accountId) => log.warn({ err: error, accountId }, 'notices are not told yet'),
  })
  const people = openPeople({
    directory,
    commit,
    sessions,
    record: recordSessions,
    act: auditActs.done,
    refused: auditActs.refusedOf,
    catchUp: () => orUnavailable(storage.sessions.catchUp()),
    realNow: Date.now,
    entropy: systemEntropy(),
    randomBytes,
    masterKey,
    personal,
    keys: sessionKeysOf(masterKey),
    hasher: openPasswordHasher(),
    passkeys: openPasskeys(origins),
    origin: () => origins()[0]!,
    mail: (to, language, text) => outbox.queued(mailOf(to, language, text)),
    sendsMail: mailer !== null,
  })
  const operations = {
    ...people.operations,
    ...openOperations({
      directory,
      commit,
      confirm: people.confirm,
      keyUses,
      accounts,
      router,
      realNow: Date.now,
      entropy: systemEntropy(),
      randomBytes,
      masterKey,
      personal,
      readEndpointUrl: (text, environment) => vetEndpointUrl(text, environment, resolveHost),
    }),
    ...(member === null || channel === null
      ? noClusterOperations
      : clusterOperations({ cluster: member.name, shards: data.shards, directory, commit, channel })),
  }
  const backups = openBackups({
    dataDir: settings.dataDir,
    service: version,
    masterKey,
    realNow: Date.now,
    logEnds: member && (() => logEndsOf(member.connection, member.name, data.shards)),
  })
  const makeBackup: typeof backups.make = (...request) =>
    backups.make(...request).catch((error: unknown) => {
      throw error instanceof BackupRefusal ? new OperationRefusal(error.message) : error
    })
  const processMetrics = openProcessMetrics({ dataDir: settings.dataDir, transport })
  const admin = await openAdminListener({
    port: settings.adminPort,
    dataDir: settings.dataDir,
    token: randomBytes(32).toString('base64url'),
    metricsToken: () => metricsTokenOf(settings.metricsToken),
    operations,
    longOperations: {
      backup: backupOperation(makeBackup, log),
      export: exportOperation({ directory, personal, router, csvOf: openCsvThread(), realNow: Date.now }),
      listen: eventFeed({ directory, router, realNow: Date.now, wait: delay }),
      logs: requestFeed({ directory, watchRequests: pool.watchRequests, realNow: Date.now, wait: delay }),
    },
    metrics: async () => {
      const registries = await pool.ask((ack) => ({ type: 'metrics', ack }))
      const own = await processMetrics.getMetricsAsJSON()
      return AggregatorRegistry.aggregate([own, ...(registries as object[])]).metrics()
    },
    onFault: (error) => log.error({ err: error }, 'an admin operation failed'),
  }).catch(async (error: unknown) => {
    await pool.stop()
    throw error
  })
  const orWarn = (storing: Promise<void>): Promise<void> =>
    storing.catch((error: unknown) => log.warn({ err: error }, 'last uses of keys are not stored'))
  const tellingKeyUses = setInterval(() => orWarn(keyUses.tick()), limits.keyUsesEveryMs)
  void keyUses.join()
  for (const trail of [auditTrail, actTrail]) {
    trail.tell()
    setInterval(trail.tellOverdue, limits.accountsCheckMs).unref()
  }
  const watchKeys = (): Promise<void> =>
    notices.watchKeys().catch((error: unknown) => log.warn({ err: error }, 'keys are not looked at yet'))
  await giveKeys({ directory, commit, masterKey, randomBytes, realNow: Date.now }).catch((error: unknown) =>
    log.warn({ err: error }, 'people without a key get one at the next start'),
  )
  void notices.mailAll().then(watchKeys)
  setInterval(watchKeys, limits.keysWatchedMs).unref()
  const changePending = async (): Promise<void> => {
    for (;;) {
      await pendingChanges.tick()
      await delay(pendingChanges.nextInMs())
    }
  }
  void changePending()
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping')
    clearInterval(tellingKeyUses)
    await orWarn(keyUses.store())
    await backups.close()
    await pool.stop()
    await admin.close()
    await storage.close()
    log.info('stopped')
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))

  const hotStates = hotStatesIn(settings.hotStates, Math.ceil(data.shards / workers))
  if (hotStates < settings.hotStates)
    log.warn(
      { hotStates },
      'a shard keeps fewer states than HOT_STATES, because the heap has no room for more',
    )
  port = await pool.listen()
  watchMachine({ dataDir: settings.dataDir, log, setAccepting: pool.setAccepting })
  watchHeap(() => fail('the service stops', { message: heapFull() }))
  const demo = settings.demo && cluster === null && storage.isFirst ? await createDemo(operations) : null
  const origin = `${settings.tls ? 'https' : 'http'}://${settings.host}:${port}`
  const place = cluster && { cluster: cluster.name, node: cluster.node }
  log.info(
    { origin, workers, shards: data.shards, transport, dataDir: settings.dataDir, ...place },
    'serving',
  )
  if (demo !== null) console.log(demoText(demo, origin))
  if (mailer === null && directory.people.persons.size > 0)
    log.warn(
      'MAIL_URL is not set: people get no mail. Who invites hands the link out; payments people reset-password makes one for a password',
    )
  accounts.openMissing()
  const mailing = setInterval(() => void outbox.send(), limits.mailRetryMs)
  const pruning = setInterval(
    () => void storage.sessions.prune(Date.now()).catch(() => undefined),
    limits.sessionsPrunedMs,
  )
  mailing.unref()
  pruning.unref()
  // The demo's accounts open once shards have owners, and the start does not wait for that.
  if (settings.demo && cluster !== null && storage.isFirst) {
    createDemo(operations).then(
      (demo) => console.log(demoText(demo, origin)),
      (error: unknown) => log.warn({ err: error }, 'no demo company was made'),
    )
  }
}

/** The storage under the service, alone or as a node of a cluster. */
type Storage = {
  readonly data: DataDirectory
  readonly masterKey: Buffer
  readonly directory: DirectoryLog
  readonly sessions: SessionLog
  /** Whether this start created the data directory, or formed the cluster. */
  readonly isFirst: boolean
  /** Null outside a cluster. */
  readonly member: (ClusterSettings & Pick<JoinedNode, 'connection'>) | null
  readonly close: () => Promise<void>
}

async function openStorage(
  settings: Settings,
  log: Logger,
  fail: (message: string, detail: object) => void,
): Promise<Storage> {
  const { cluster, nats, dataDir, shards } = settings
  const masterKeyFile = settings.masterKeyFile ?? join(dataDir, 'master.key')
  if (cluster === null || nats === null) return openAlone(settings, masterKeyFile, log)
  const joined = await joinCluster({
    ...cluster,
    cluster: cluster.name,
    nats,
    monitorUrls: nats.monitorUrls,
    dataDir,
    masterKeyFile,
    shards,
    log,
    onFork: (err) => fail('the directory on this node is not the cluster’s; the service stops', { err }),
  })
  return { ...joined, isFirst: joined.hasFormed, member: { ...cluster, connection: joined.connection } }
}

async function openAlone(
  { dataDir, shards, workers }: Settings,
  masterKeyFile: string,
  log: Logger,
): Promise<Storage> {
  const claimed = await claimDataDirectory(dataDir, null)
  let masterKey = readMasterKey(masterKeyFile)
  const data = await claimed.settle(shards, workers, (id) => {
    if (masterKey === null && claimed.shards !== null)
      throw new DataDirectoryRefusal(
        `${masterKeyFile} is missing, and opens the secrets of this data directory: put it back, or name it with MASTER_KEY_FILE; a backup that was made with --master-key exclude does not have it`,
      )
    masterKey ??= makeMasterKey(masterKeyFile)
    return masterKeyCheck(masterKey, id)
  })
  const directory = openFactLog<DirectoryEvent>(data.directoryPath)
  const sessions = await openSessions(dataDir, log)
  const close = async (): Promise<void> => {
    await sessions.close()
    await directory.close()
    await data.release()
  }
  return { data, masterKey: masterKey!, directory, sessions, isFirst: data.isNew, member: null, close }
}

/** Refuses what cannot be recorded, or not with certainty. */
const orUnavailable = (recording: Promise<void>): Promise<void> =>
  recording.catch((error: unknown) => {
    throw error instanceof DirectoryUnavailable || error instanceof DiskFull
      ? new OperationRefusal(error.message, 'SERVICE_UNAVAILABLE')
      : error
  })

const openSessions = (dataDir: string, log: Logger): Promise<SessionLog> =>
  openSessionLog(join(dataDir, 'sessions'), Date.now(), (error) =>
    log.error({ err: error }, 'the record of sessions is damaged and dropped: people have to sign in again'),
  )

/**
 * Mail by the server of the settings. Without one it is printed where a developer sees it: on the loopback, unless a public address says that
 * a proxy stands before the service and its log is read by others. Elsewhere there is none, and no line holds a link.
 */
const mailerOf = ({ mailUrl, mailFrom, publicUrl, host }: Settings, log: Logger): Mailer | null => {
  if (mailUrl !== null)
    return smtpMailer(
      mailUrl,
      mailFrom || `no-reply@${publicUrl === '' ? host : new URL(publicUrl).hostname}`,
    )
  const isOnLoopback = host === '127.0.0.1' || host === 'localhost' || host === '::1'
  if (!isOnLoopback || publicUrl !== '') return null
  return async (mail) => log.info(mail, 'mail')
}

const problemsOfFiles = ({ nats, metricsToken }: Settings): readonly string[] => [
  ...(nats === null ? [] : problemsOfNatsFiles(nats)),
  ...problemsOfMetricsToken(metricsToken),
]

/** Chooses the first native build that loads, else node:http with as many workers as can listen on one port. */
async function chooseTransport(settings: Settings) {
  const log = openLog(settings)
  const { transport, workers, host } = settings
  const max = descriptorsMax()
  const isShort = transport === 'auto' && max !== null && max < descriptorsOfUws
  if (isShort)
    log.warn(
      `no native build with ${max} file descriptors: it does not survive that none is left, and needs ${descriptorsOfUws}`,
    )
  const { build, passedOver } = transport === 'node' || isShort ? noUws : chooseUws()
  for (const step of passedOver) log.info(step, 'a native build of uWebSockets.js is passed over')
  if (build !== null) return { build, workers, log, settings }
  if (transport === 'uws') {
    const reasons = passedOver.map(({ build, reason }) => `${build}: ${reason}`)
    throw new CommandFailure(`TRANSPORT=uws cannot be used: ${reasons.join('; ')}`)
  }
  if (workers === 1 || (await sharesPorts(host))) {
    if (transport === 'auto') log.warn('serving over node:http, slower than a native build')
    return { build, workers, log, settings }
  }
  log.warn('serving over node:http with one worker: threads can share a port from Node 22.12 on, on Linux')
  return { build, workers: 1, log, settings }
}

const noUws: UwsChoice = { build: null, passedOver: [] }

const noShards = (): never => {
  throw new Error('the main thread owns no shard')
}
