import {
  areCredentialsDoubted,
  type CompanyConnection,
  type ConnectionCertificate,
  type Credentials,
  formerCredentialsMs,
  holderOfPlace,
} from '../../../engine/companies/connection.ts'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { connectionRoles } from '../../../engine/connections/rail-connection.ts'
import { type ConnectionId, newId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuse, refuseField } from '../../problems/refusal.ts'
import { doesReport, newHookToken, operatorSettings } from '../../providers/connection-settings.ts'
import { doesOffer } from '../../providers/index.ts'
import type { ProviderHealth, ProviderModule } from '../../providers/port.ts'
import { connectionResource } from '../../resources/connections/connection.ts'
import { connectionProvider } from '../../resources/connections/provider.ts'
import { companyAt } from '../account/company-operations.ts'
import { confirmed } from '../confirmed.ts'
import {
  choiceOf,
  type Input,
  type Operations,
  operationsOn,
  optionalEnvironmentOf,
  requiredEnvironmentOf,
  taking,
} from '../input.ts'
import { listed, pagingMembers } from '../listed.ts'
import type { OperationsOptions } from '../operation-options.ts'
import {
  connectionAt,
  credentialsOf,
  moduleOfInput,
  railsOfInput,
  requireCertificate,
  requireState,
  rotatedSettings,
  settingsOfInput,
} from './connection-input.ts'
import type { Rails } from './rails.ts'
import { activationOf } from './second-person.ts'
import type { ConnectionWatch } from './watch.ts'

/** What the operations on connections need beside the others. */
export type ConnectionTools = {
  readonly modules: Readonly<Record<string, ProviderModule>>
  /** Opens these credentials and asks whether they work; what it says holds no secret. */
  readonly tryConnection: (connection: CompanyConnection, credentials: Credentials) => Promise<ProviderHealth>
  readonly rails: Pick<Rails, 'apply'>
  /** What is known of connections that are in use. */
  readonly watch: Pick<ConnectionWatch, 'standingOf' | 'note'>
  /** Whether providers can report here at all. */
  readonly hasNoticePort: boolean
}

type Options = ConnectionTools &
  Pick<OperationsOptions, 'directory' | 'commit' | 'confirm' | 'realNow' | 'entropy' | 'masterKey'>

/**
 * The operations on connections to banks and acquirers. Whatever lets money come or go by one needs a second factor; what stops it does
 * not.
 */
export const connectionOperations = (options: Options): Operations =>
  operationsOn(options, {
    'connections create': taking([...place, 'provider', 'role', 'rails', 'settings'], createConnection),
    'connections list': taking([...place, ...pagingMembers], listConnections),
    'connections providers': taking(place, listProviders),
    'connections get': taking(['id', ...place], async (of, input) =>
      shown(of, connectionAt(of.directory, input)),
    ),
    'connections verify': taking(['id', ...place], verifyConnection),
    'connections activate': taking(['id', ...place], activateConnection),
    'connections suspend': taking(['id', ...place], suspendConnection),
    'connections resume': taking(['id', ...place], resumeConnection),
    'connections rotate': taking(['id', ...place, 'settings'], rotateCredentials),
    'connections restore': taking(['id', ...place], restoreCredentials),
    'connections retire': taking(['id', ...place], retireConnection),
  })

const place = ['company', 'environment']

const shown = (
  { modules, realNow, watch, hasNoticePort }: Options,
  connection: CompanyConnection,
): object => {
  const { id, provider } = connection
  const standing = watch.standingOf(id)
  const registered = standing?.hooksProblem == null ? 'REPORTED' : 'UNREGISTERED'
  const certified = doesReport(connection) ? registered : 'NO_CERTIFICATE'
  const notices = hasNoticePort ? certified : 'NO_PORT'
  return connectionResource.view(connection, realNow(), {
    label: modules[provider]?.label ?? provider,
    // Where no address is given to banks any more, what they said of one before is no problem.
    standing: standing && { ...standing, ...(notices !== 'UNREGISTERED' && { hooksProblem: null }) },
    notices,
  })
}

const listProviders = async ({ modules }: Options): Promise<object> => ({
  object: 'list',
  data: Object.values(modules).map((module) => connectionProvider.view(module, operatorSettings(module))),
})

const listConnections = async (options: Options, input: Input): Promise<object> => {
  const { directory } = options
  const company = input.company === undefined ? null : companyAt(directory, input, 'company')
  const environment = optionalEnvironmentOf(input)
  const found = [...directory.connections.byId.values()].filter(
    (connection) =>
      (company === null || connection.companyId === company.id) &&
      (environment === null || connection.environment === environment),
  )
  return listed(input, found, (connection) => shown(options, connection))
}

const createConnection = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, modules, realNow, entropy, masterKey } = options
  const company = companyAt(directory, input, 'company')
  if (requiredEnvironmentOf(input) === 'SANDBOX')
    refuseField('environment', 'INVALID_VALUE', (say) => say.operations.sandboxHasProviders())
  const module = moduleOfInput(modules, input)
  const atMs = realNow()
  const id = newId('con', atMs, entropy)
  const settings = settingsOfInput(module, input, by)
  const connection: CompanyConnection = {
    id,
    companyId: company.id,
    environment: 'PRODUCTION',
    provider: module.name,
    rails: railsOfInput(module, input),
    offers: offers.filter(
      (offer) =>
        doesOffer(module, offer) &&
        // Banks have it, but not each of their customers: the connection says so.
        (offer !== 'PIX_AUTOMATIC' || settings.pixAutomatic === true),
    ),
    role: input.role === undefined ? 'PRIMARY' : choiceOf(input.role, 'role', connectionRoles),
    state: 'DRAFT',
    suspension: null,
    credentials: credentialsOf(module, id, settings, masterKey),
    former: null,
    sealedHookToken: newHookToken(id, entropy, masterKey),
    ...(module.institution !== undefined && { institution: module.institution }),
    requested: null,
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  await confirmed(options, by, () => {
    const others = [...directory.connections.byId.values()].filter(
      ({ companyId, state }) => companyId === company.id && state !== 'RETIRED',
    )
    if (others.length >= bounds.connectionsMax)
      refuse((say) => say.operations.tooManyConnections(bounds.connectionsMax))
    return { type: 'ConnectionCreated', connection }
  })
  return shown(options, connectionOf(options, id))
}

const offers = [
  'CAPTURE',
  'REFUND',
  'PIX',
  'TED',
  'CONVERT',
  'SEND',
  'PIX_AUTOMATIC',
  'LOOKUP_KEY',
  'DEFEND_MED',
  'CONTEST_MED',
] as const

/** Opens it and asks its provider for something harmless: a token, and one read. */
const verifyConnection = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, commit, realNow } = options
  const connection = connectionAt(directory, input)
  requireState(connection, 'DRAFT', 'VERIFIED', 'ACTIVE', 'SUSPENDED')
  requireCredentials(connection)
  const { certificate } = await working(options, connection, connection.credentials)
  await commit(() => {
    const current = connectionAt(directory, input)
    const { id, state, credentials } = current
    if (credentials !== connection.credentials) refuse((say) => say.operations.connectionChanged(id))
    const isNews =
      state === 'DRAFT' ||
      areCredentialsDoubted(current) ||
      !isSameCertificate(certificate, credentials.certificate)
    return isNews ? { type: 'ConnectionVerified', id, certificate, atMs: realNow() } : null
  }, by)
  return shown(options, connectionOf(options, connection.id))
}

/** What credentials that work say, with their certificate; refuses those that do not. */
const working = async (
  { tryConnection, watch }: Options,
  connection: CompanyConnection,
  credentials: Credentials,
): Promise<{
  readonly health: ProviderHealth
  readonly certificate: ConnectionCertificate | null
}> => {
  const health = await tryConnection(connection, credentials)
  if (credentials === connection.credentials) watch.note(connection, credentials, health)
  const { works, detail, certificateEndsAtMs } = health
  if (!works) refuse((say) => say.operations.connectionFails(connection.id, detail ?? '–'))
  const { certificate } = credentials
  return {
    health,
    certificate:
      certificateEndsAtMs === null
        ? certificate
        : { subject: certificate?.subject ?? null, endsAtMs: certificateEndsAtMs },
  }
}

const isSameCertificate = (one: ConnectionCertificate | null, other: ConnectionCertificate | null): boolean =>
  one?.subject === other?.subject && one?.endsAtMs === other?.endsAtMs

/** Activating twice changes nothing. Where money can leave by it, one person asks and another one confirms. */
const activateConnection = (options: Options, input: Input, by: Asker): Promise<object> =>
  applied(options, input, by, (connection) => {
    const { id, state } = connection
    if (state === 'ACTIVE') return null
    requireState(connection, 'VERIFIED')
    requirePlace(options, connection)
    requireCertificate(connection, options.realNow())
    return (
      activationOf(options.directory.people, connection, by, options.realNow()) ?? {
        type: 'ConnectionActivated',
        id,
        atMs: options.realNow(),
      }
    )
  })

const resumeConnection = (options: Options, input: Input, by: Asker): Promise<object> =>
  applied(options, input, by, (connection) => {
    if (connection.state === 'ACTIVE') return null
    requireState(connection, 'SUSPENDED')
    requireCredentials(connection)
    if (areCredentialsDoubted(connection))
      refuse((say) => say.operations.credentialsUnverified(connection.id))
    requirePlace(options, connection)
    requireCertificate(connection, options.realNow())
    return { type: 'ConnectionResumed', id: connection.id, atMs: options.realNow() }
  })

const suspendConnection = (options: Options, input: Input, by: Asker): Promise<object> =>
  stopped(options, input, by, (connection) => {
    if (connection.state === 'SUSPENDED') return null
    requireState(connection, 'ACTIVE')
    return { type: 'ConnectionSuspended', id: connection.id, cause: 'REQUESTED', atMs: options.realNow() }
  })

/** For good. What came by it is still refunded by it. */
const retireConnection = (options: Options, input: Input, by: Asker): Promise<object> =>
  applied(options, input, by, ({ id, state }) =>
    state === 'RETIRED' ? null : { type: 'ConnectionRetired', id, atMs: options.realNow() },
  )

/** The new credentials have to work before they are used, but for a draft; those before can be taken back for a day. */
const rotateCredentials = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, modules, masterKey } = options
  const connection = connectionAt(directory, input)
  requireState(connection, 'DRAFT', 'VERIFIED', 'ACTIVE', 'SUSPENDED')
  const module = moduleOfInput(modules, connection)
  const settings = rotatedSettings(module, connection, settingsOfInput(module, input, by), masterKey)
  const credentials = credentialsOf(module, connection.id, settings, masterKey)
  const tried = connection.state === 'DRAFT' ? null : await working(options, connection, credentials)
  const certificate = tried?.certificate ?? credentials.certificate
  await applied(options, input, by, ({ id, credentials: before }) => {
    if (before !== connection.credentials) refuse((say) => say.operations.connectionChanged(id))
    const atMs = options.realNow()
    const rotated = { ...credentials, certificate }
    requireCertificate({ ...connection, credentials: rotated }, atMs)
    return {
      type: 'ConnectionRotated',
      id,
      credentials: rotated,
      formerUntilMs: atMs + formerCredentialsMs,
      atMs,
    }
  })
  // What they said when they were tried is known of the connection only once they are its own.
  if (tried !== null) options.watch.note(connection, credentials, tried.health)
  return shown(options, connectionOf(options, connection.id))
}

const restoreCredentials = (options: Options, input: Input, by: Asker): Promise<object> =>
  applied(options, input, by, ({ id, former }) => {
    const atMs = options.realNow()
    if (former === null || former.untilMs <= atMs) refuse((say) => say.operations.noFormerCredentials(id))
    return { type: 'ConnectionRestored', id, atMs }
  })

type ConnectionDecider = (connection: CompanyConnection) => DirectoryFact | null

/** Commits a change that needs a second factor, and brings it to the account. */
const applied = (options: Options, input: Input, by: Asker, decide: ConnectionDecider): Promise<object> =>
  changed(options, input, decide, (fact) => confirmed(options, by, fact))

/** Commits a change that only stops something, without a factor: while money goes astray there is no time to look for a phone. */
const stopped = (options: Options, input: Input, by: Asker, decide: ConnectionDecider): Promise<object> =>
  changed(options, input, decide, (fact) => options.commit(fact, by))

/** Commits what is decided about the connection as it is by then, brings it to the account, and shows it. */
const changed = async (
  options: Options,
  input: Input,
  decide: ConnectionDecider,
  commit: (fact: () => DirectoryFact | null) => Promise<unknown>,
): Promise<object> => {
  const { id } = connectionAt(options.directory, input)
  await commit(() => decide(connectionAt(options.directory, input)))
  await options.rails.apply(id)
  return shown(options, connectionOf(options, id))
}

/** Refuses one of which a restore has left none. */
const requireCredentials = ({ id, suspension }: CompanyConnection): void => {
  if (suspension === 'CREDENTIALS_LOST') refuse((say) => say.operations.credentialsLost(id))
}

const connectionOf = ({ directory }: Options, id: ConnectionId): CompanyConnection =>
  directory.connections.byId.get(id)!

const requirePlace = ({ directory }: Options, connection: CompanyConnection): void => {
  const holder = holderOfPlace(directory.connections, connection)
  if (holder === null) return
  const both = connection.rails.filter((rail) => holder.rails.includes(rail))
  refuse((say) => say.operations.placeTaken(connection.role, both.join(', '), holder.id))
}
