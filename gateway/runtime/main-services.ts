import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AuditSource } from '../../engine/audit/commands.ts'
import type { CompanyConnection, Credentials } from '../../engine/companies/connection.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import { type AccountId, companyIdOf } from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import { type ControlChannel, openControlChannel } from '../../persistence/cluster/control-channel.ts'
import { bounds } from '../base/bounds.ts'
import { timeout } from '../base/delay.ts'
import { systemEntropy } from '../base/entropy.ts'
import type { Settings } from '../base/settings.ts'
import { type KeyUse, type KeyUses, openKeyUses } from '../identity/key-uses.ts'
import { openPasskeys } from '../identity/passkeys.ts'
import { openPasswordHasher } from '../identity/password-hash.ts'
import { sessionKeysOf } from '../identity/session-cookie.ts'
import { unsubscribeTokens } from '../identity/unsubscribe-token.ts'
import {
  type ClusterControl,
  type ControlAnswer,
  controlAnswers,
  type EndingWay,
} from '../link/cluster/control.ts'
import { type Router, shardOf } from '../link/router.ts'
import { mailWayOf } from '../mail/mail-way.ts'
import { type Mailer, smtpMailer } from '../mail/mailer.ts'
import { type MailOutbox, openMailOutbox } from '../mail/outbox.ts'
import { mailOf } from '../mail/texts.ts'
import { type Accounts, openAccounts } from '../operations/accounts.ts'
import { openRails, type Rails, type RailsOptions } from '../operations/connections/rails.ts'
import {
  type ConnectionWatch,
  type ConnectionWatchOptions,
  openConnectionWatch,
} from '../operations/connections/watch.ts'
import type { Operations } from '../operations/input.ts'
import { openPeople } from '../operations/people/people-operations.ts'
import type { PeopleOptions } from '../operations/people/people-options.ts'
import { openAutoFinalize } from '../operator/auto-finalize.ts'
import { clusterOperations, noClusterOperations } from '../operator/cluster-operations.ts'
import { openOperations } from '../operator/operations.ts'
import { newHookToken } from '../providers/connection-settings.ts'
import { openProviderHttp } from '../providers/http/http.ts'
import type { ProviderHealth, ProviderModule } from '../providers/port.ts'
import { openRailConnections, triedConnection } from '../providers/rail-connections.ts'
import { type AuditActs, openAuditActs } from '../trail/audit-acts.ts'
import { stopsOf } from '../trail/lost-permissions.ts'
import { openPayerMails, type PayerMails } from '../trail/payer-mails.ts'
import { type NoticeTeller, openNoticeTeller } from '../trail/teller.ts'
import { vetEndpointUrl } from '../webhooks/address.ts'
import { openResolver } from '../webhooks/resolve.ts'
import { openKeyLogs } from './key-logs.ts'
import type { MainPages } from './main-pages.ts'
import type { MainState } from './main-state.ts'
import { orUnavailable } from './storage.ts'
import type { WorkerPool } from './worker-pool.ts'
import { workerPoolControl } from './worker-pool-control.ts'

/** The services of the main thread: for the workers, for operators, and its own. */
export type MainServices = {
  readonly accounts: Accounts
  readonly rails: Rails
  /** What is known of connections that are in use. */
  readonly connections: ConnectionWatch
  readonly keyUses: KeyUses
  /** Null where no mail is sent. */
  readonly mailer: Mailer | null
  readonly outbox: MailOutbox
  readonly notices: NoticeTeller
  readonly payerMails: PayerMails
  readonly auditActs: AuditActs
  /** Finishes an upgrade where it is time; null where that is left to operators. */
  readonly autoFinalize: (() => Promise<void>) | null
  /** All operations, by name. */
  readonly operations: Operations
}

/** What the services know of their process. */
type ProcessSelf = {
  readonly incarnation: string
  readonly workers: number
  /** Ends it, soon; throws where that cannot be. */
  readonly end: (way: EndingWay) => void
}

/** Opens the services of the main thread over its state and the shards of the workers. */
export const openMainServices = (
  state: MainState,
  pool: WorkerPool,
  router: Router,
  self: ProcessSelf,
  origins: () => readonly string[],
  pages: MainPages,
  modules: Readonly<Record<string, ProviderModule>>,
): MainServices => {
  const { settings, log, storage, directory, commit, sessions, personal } = state
  const { member } = storage
  const accounts = openAccounts({
    directory,
    router,
    commit,
    realNow: Date.now,
    onTrouble: (error, { id }) => log.warn({ err: error, companyId: id }, 'accounts are not up to date yet'),
  })
  const { channel, keyUses, keyLog, control } = openKeyServices(state, pool, self)
  const ownership = ownershipBy(control, storage.data.shards)
  const rails = openRails({
    ...{ directory, router, accounts, commit, ownership, realNow: Date.now },
    madeAnew: madeAnewBy(modules, storage.masterKey),
    onStopped: () =>
      void notices
        .watchKeys()
        .catch((error: unknown) => log.warn({ err: error }, 'people hear of a connection within the hour')),
    onTrouble: (error, about) => log.warn({ err: error, about }, 'an account lacks a connection yet'),
  })
  const connections = watchOf(state, rails, modules, ownership)
  const mailer = mailerOf(settings, log)
  const outbox = openOutbox(state, mailer, (reference) => payerMails.write(reference))
  const payerMails = openPayerMailsOf(state, router, outbox, origins, pages.pagesOf)
  const notices = openNotices(state, router, keyUses, mailer && outbox, origins, modules)
  openTrails(state, router, accounts, notices)
  const record: PeopleOptions['record'] = async (decide) => {
    await orUnavailable(storage.sessions.append(decide))
    if (sessions.mails.size > 0) void outbox.send()
    if (sessions.acts.size > 0) state.actTrail.report()
  }
  const auditActs = openAuditActs({
    directory,
    personal,
    sessions,
    record,
    realNow: Date.now,
    onTrouble: (error) => log.warn({ err: error }, 'a refused factor is not in the audit log'),
  })
  const tools = {
    ...{ directory, commit, personal, randomBytes, masterKey: storage.masterKey },
    realNow: Date.now,
    entropy: systemEntropy(),
  }
  const people = openPeople({
    ...tools,
    sessions,
    record,
    act: auditActs.done,
    refused: auditActs.refusedOf,
    catchUp: () => orUnavailable(storage.sessions.catchUp()),
    keys: sessionKeysOf(storage.masterKey),
    hasher: openPasswordHasher(),
    passkeys: openPasskeys(origins),
    origin: () => origins()[0]!,
    mail: (to, language, text) => outbox.queued(mailOf(to, language, text)),
    sendsMail: mailer !== null,
  })
  const resolveHost = openResolver()
  const operations = {
    ...people.operations,
    ...pages.operations,
    ...openOperations({
      ...{ ...tools, keyUses, accounts, router, pagesOf: pages.pagesOf, modules, rails },
      watch: connections,
      hasNoticePort: settings.inbox !== null,
      tryConnection: connectionTrial(state, modules),
      keyLog: keyLog.everywhere,
      confirm: people.confirm,
      readEndpointUrl: (text, environment) => vetEndpointUrl(text, environment, resolveHost),
    }),
    ...(member === null || channel === null
      ? noClusterOperations
      : clusterOperations({
          cluster: member.name,
          node: member.node,
          shards: storage.data.shards,
          directory,
          commit,
          channel,
        })),
  }
  const autoFinalize = autoFinalizeOf(state, control)
  return {
    accounts,
    rails,
    connections,
    keyUses,
    mailer,
    outbox,
    notices,
    payerMails,
    auditActs,
    autoFinalize,
    operations,
  }
}

/** The main thread opens connections of its own to look whether they work, those of the shards that this node owns. */
const watchOf = (
  { directory, commit, log, storage: { masterKey } }: MainState,
  rails: Rails,
  modules: Readonly<Record<string, ProviderModule>>,
  ownership: ConnectionWatchOptions['ownership'],
): ConnectionWatch => {
  const { health } = openRailConnections({
    ...{ directory, modules, masterKey, realNow: Date.now, timeout, openHttp: openProviderHttp },
    onFault: (error, connectionId) => log.warn({ err: error, connectionId }, 'a connection is in trouble'),
  })
  return openConnectionWatch({
    ...{ directory, commit, rails, health, ownership, realNow: Date.now },
    onChange: ({ id: connectionId, provider }, works, detail) =>
      works
        ? log.info({ connectionId, provider }, 'a connection works once more')
        : log.error({ connectionId, provider, detail }, 'a connection does not work'),
    onTrouble: (error, { id: connectionId }) =>
      log.warn({ err: error, connectionId }, 'a connection was not looked at'),
  })
}

/** Whether this node owns the shards of accounts, as it stands each time. */
const ownershipBy =
  (control: ClusterControl | null, shards: number): ConnectionWatchOptions['ownership'] =>
  async () => {
    if (control === null) return () => true
    const { node, shards: all } = await control.status()
    const own = new Set(all.flatMap(({ shard, owner }) => (owner === node ? [shard] : [])))
    return (accountId) => own.has(shardOf(accountId, shards))
  }

const madeAnewBy =
  (modules: Readonly<Record<string, ProviderModule>>, masterKey: Buffer): RailsOptions['madeAnew'] =>
  (id, provider) => {
    const { institution } = modules[provider] ?? {}
    return {
      sealedHookToken: newHookToken(id, systemEntropy(), masterKey),
      ...(institution !== undefined && { institution }),
    }
  }

const connectionTrial =
  ({ storage: { masterKey }, log }: MainState, modules: Readonly<Record<string, ProviderModule>>) =>
  (connection: CompanyConnection, credentials: Credentials): Promise<ProviderHealth> =>
    triedConnection(
      {
        ...{ modules, masterKey, realNow: Date.now, timeout, openHttp: openProviderHttp },
        onFault: (error, connectionId) =>
          log.warn({ err: error, connectionId }, 'a connection was tried in vain'),
      },
      connection,
      credentials,
    )

/** What all threads and nodes know of keys, and the channel by which nodes ask each other. */
const openKeyServices = (
  { settings, storage: { member } }: MainState,
  pool: WorkerPool,
  { end, ...self }: ProcessSelf,
) => {
  const channel = member && openControlChannel(member.connection, member.name, member.node)
  const keyUses = openKeyUsesOf(settings, pool, channel)
  const keyLog = openKeyLogs(settings, pool, channel)
  const control = member && workerPoolControl(pool, { node: member.node, ...self }, keyUses, keyLog.own, end)
  if (control !== null) channel?.serve(controlAnswers(control))
  return { channel, keyUses, keyLog, control }
}

const autoFinalizeOf = (
  { directory, commit, log, storage: { member } }: MainState,
  control: ClusterControl | null,
): (() => Promise<void>) | null =>
  control === null || !member?.finalizesByItself
    ? null
    : openAutoFinalize({
        ...{ directory, commit, status: async () => control.status() },
        realNow: Date.now,
        stopwatch: () => performance.now(),
        steadyMs: bounds.finalizeSteadyMs,
        onRaised: (version) =>
          log.info({ version }, 'the upgrade is finished: every node reads this version'),
      })

const openKeyUsesOf = ({ dataDir }: Settings, pool: WorkerPool, channel: ControlChannel | null): KeyUses =>
  openKeyUses({
    file: join(dataDir, 'key-uses.json'),
    gather: () => pool.ask((ack) => ({ type: 'keyUses', ack })) as Promise<(readonly KeyUse[])[]>,
    report: async (known) => {
      const answers = await channel?.askAll({ type: 'keyUses', ...known }, bounds.keyUsesWaitMs, () => false)
      return ((answers ?? []) as readonly ControlAnswer[]).map((answer) => (answer.ok && answer.uses) || [])
    },
  })

/** Sends mail by the server of the settings, or prints it; null where no mail is sent. */
const mailerOf = (settings: Settings, log: Logger): Mailer | null => {
  const { mailUrl, mailFrom, publicUrl, host } = settings
  switch (mailWayOf(settings)) {
    case 'SERVER':
      return smtpMailer(
        mailUrl!,
        mailFrom || `no-reply@${publicUrl === '' ? host : new URL(publicUrl).hostname}`,
      )
    case 'LOG':
      return async ({ to, subject, text, attachments = [] }) =>
        log.info(
          {
            to,
            subject,
            text,
            ...(attachments.length > 0 && { attached: attachments.map((one) => one.filename) }),
          },
          'mail',
        )
    case null:
      return null
  }
}

const openOutbox = (
  { storage, sessions, log }: MainState,
  mailer: Mailer | null,
  write: PayerMails['write'],
): MailOutbox =>
  openMailOutbox({
    sessions,
    record: (facts) => storage.sessions.append(() => facts),
    mailer,
    write,
    adoptedAfterMs: storage.member === null ? 0 : bounds.mailAdoptedMs,
    masterKey: storage.masterKey,
    realNow: Date.now,
    newId: randomUUID,
    onTrouble: (error) => log.warn({ err: error }, 'mail is not sent yet'),
  })

const openPayerMailsOf = (
  { storage, directory, log }: MainState,
  router: Router,
  outbox: MailOutbox,
  origins: () => readonly string[],
  pagesOf: MainPages['pagesOf'],
): PayerMails =>
  openPayerMails({
    directory,
    router,
    queue: async (reference, id) => {
      await storage.sessions.append(() => [outbox.queued(reference, id)])
      void outbox.send()
    },
    tokens: unsubscribeTokens(storage.masterKey),
    origin: () => origins()[0]!,
    pagesOf,
    onTrouble: (error, accountId) => log.warn({ err: error, accountId }, 'payers are not written to yet'),
  })

/** Opens notices. Without an outbox no mail is sent, and only the dashboard shows them. */
const openNotices = (
  { log, storage, directory, personal }: MainState,
  router: Router,
  keyUses: KeyUses,
  outbox: MailOutbox | null,
  origins: () => readonly string[],
  modules: Readonly<Record<string, ProviderModule>>,
): NoticeTeller =>
  openNoticeTeller({
    directory,
    router,
    keyUses: keyUses.current,
    queue: async (mails) => {
      if (outbox === null) return
      await storage.sessions.append(() =>
        mails.map(({ to, text }) => outbox.queued(mailOf(to.email, to.language, text))),
      )
      void outbox.send()
    },
    personal,
    origin: () => origins()[0]!,
    labelOf: (provider) => modules[provider]?.label ?? provider,
    realNow: Date.now,
    onTrouble: (error, accountId) => log.warn({ err: error, accountId }, 'notices are not told yet'),
  })

/** Opens the trails that deliver the records of directory and sessions to the audit logs of the accounts. */
const openTrails = (
  { log, storage, commit, auditTrail, actTrail }: MainState,
  router: Router,
  accounts: Accounts,
  notices: NoticeTeller,
): void => {
  const onTrouble = (error: unknown, accountId: AccountId): void =>
    log.warn({ err: error, accountId }, 'an audit log is not told yet')
  auditTrail.open({
    record: async (accountId, { sequence, draft, notices: raised, lost }) => {
      // The account must be open before it can take a record.
      await accounts.open(companyIdOf(accountId))
      if (draft !== null) await recordAudit(router, accountId, draft, { log: 'DIRECTORY', sequence })
      for (const { id, ...notice } of raised) await notices.raise(notice, id)
      for (const command of lost === null ? [] : stopsOf(lost)) await router.execute(command)
    },
    commit,
    realNow: Date.now,
    onTrouble,
  })
  actTrail.open({
    record: (accountId, { sequence, draft }) =>
      recordAudit(router, accountId, draft, { log: 'SESSIONS', sequence }),
    append: storage.sessions.append,
    realNow: Date.now,
    onTrouble,
  })
}

const recordAudit = async (
  router: Router,
  accountId: AccountId,
  draft: AuditDraft,
  source: AuditSource,
): Promise<void> => {
  const reply = await router.execute({ type: 'RecordAudit', accountId, by: byOperator, source, draft })
  if (!reply.accepted) throw new Error(`an audit log takes no entry: ${reply.rejection.reason}`)
}
