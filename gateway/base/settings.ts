import type { Institution } from '../../engine/kernel/context.ts'
import { isMisspelling } from './misspelling.ts'
import { type LogLevel, settingTable, type TraceSampler } from './settings-table.ts'

/** Everything that an operator can set, read once at the start and passed down. */
export type Settings = {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  /**
   * The token with which Prometheus reads the metrics, besides the operators' token: the token itself, or the file that holds it.
   */
  readonly metricsToken: { readonly token: string } | { readonly file: string } | null
  readonly dataDir: string
  readonly workers: number
  /** Null uses the number that the data directory was created with. */
  readonly shards: number | null
  /** How many states of cold actors each shard keeps in memory. */
  readonly hotStates: number
  readonly memoryMb: number
  readonly archive: ArchiveSettings
  readonly keyLogEntries: number
  readonly logLevel: LogLevel
  /** `auto` means `pretty` if standard output is a terminal, and `json` elsewhere. */
  readonly logFormat: 'auto' | 'pretty' | 'json'
  /** OpenTelemetry traces; null disables them. */
  readonly tracing: { readonly sampler: TraceSampler; readonly ratio: number } | null
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** Where banks report; null where they cannot. */
  readonly inbox: InboxSettings | null
  /** The origin under which callers reach the service; empty if it is not set. */
  readonly publicUrl: string
  /** The origin of the pages where payers pay; empty if it is not set. */
  readonly checkoutOrigin: string
  /** The origin of the frame where cards are typed; empty if it is not set. */
  readonly tokenizerOrigin: string
  /** URIs for those who find a weakness, shown in `/.well-known/security.txt`. */
  readonly securityContacts: readonly string[]
  readonly transport: 'auto' | 'uws' | 'node'
  /** `always` keeps connections open also where a native build could overlook that a request has a body. */
  readonly keepAlive: 'safe' | 'always'
  /** Requests a second for each API key; 0 is no limit. */
  readonly rateLimit: number
  readonly rateLimitBurst: number
  readonly exportRateLimit: number
  /** The NATS servers and the event stream on them; null delivers webhooks within the process. */
  readonly nats: NatsStreamSettings | null
  /** The cluster that this node belongs to; null keeps everything in the data directory alone. */
  readonly cluster: ClusterSettings | null
  /** Null means `master.key` in the data directory. */
  readonly masterKeyFile: string | null
  readonly ispb: string
  readonly pixLocation: string
  readonly crypto: Pick<Institution['crypto'], 'toleranceBps' | 'confirmations'>
  readonly demo: boolean
  /** Whether people can sign in to the dashboard. */
  readonly dashboard: boolean
  /** Where mail is sent (`smtp://` or `smtps://`); null prints it on the loopback, and sends none elsewhere. */
  readonly mailUrl: string | null
  /** The sender of mail. */
  readonly mailFrom: string
  /** Networks of the proxies whose `X-Forwarded-For` counts, as CIDRs. */
  readonly trustedProxies: readonly string[]
}

/** The port where banks report, its certificate, and the origin under which they reach it. */
export type InboxSettings = {
  readonly port: number
  readonly certFile: string
  readonly keyFile: string
  /** Null where an operator gives banks their addresses by hand. */
  readonly origin: string | null
}

/** Where and when the old part of the journals is packed. */
export type ArchiveSettings = {
  /** Null means the data directory. */
  readonly dir: string | null
  /** Null: never because of their age, or of the use of the disk. */
  readonly afterDays: number | null
  readonly diskPercent: number | null
}

export type ClusterSettings = {
  readonly name: string
  readonly node: string
  /** How many NATS servers keep a copy of each log. */
  readonly replicas: number
  readonly leaseMs: number
  /** Where this node stands: nodes of different zones are preferred for the copies of a shard. Empty where that is not set. */
  readonly zone: string
  /** How many nodes hold a copy of each shard, and after how long without a sign of life a node does not count any more. */
  readonly copies: number
  readonly goneMs: number
  /** How long nothing has changed before a shard moves because of its load; 0 for no moves. */
  readonly balanceMs: number
  /** What the servers keep of each log in any case: so many of its newest records, and what came in so many milliseconds. */
  readonly logRecords: number
  readonly logMs: number
  /** Whether nodes finish an upgrade by themselves. */
  readonly finalizesByItself: boolean
  /** Whether to start on NATS servers of a version that may lose acknowledged messages. */
  readonly allowsUnsafeServers: boolean
}

export type NatsStreamSettings = {
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
  readonly credsFile: string | null
  readonly nkeyFile: string | null
  readonly tls: {
    readonly caFile: string | null
    readonly certFile: string | null
    readonly keyFile: string | null
  } | null
  /** The stream of events; null where none are published. */
  readonly stream: {
    readonly replicas: number
    readonly maxAgeMs: number
    readonly maxBytes: number
  } | null
  /** Monitoring addresses of the servers, which report what a client cannot see. */
  readonly monitorUrls: readonly string[]
}

/** The settings, or why the service cannot start: one line for each wrong setting. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads the settings from environment variables. Reports every wrong or misspelled one at once. */
export const readSettings = (environment: Environment): SettingsResult => {
  const problems = unknownSettings(environment)
  const read = readerOf(environment, problems)
  const reading = { environment, problems, read }
  requireBoth(reading, 'TLS_CERT_FILE', 'TLS_KEY_FILE')
  const [certFile, keyFile] = [read('TLS_CERT_FILE'), read('TLS_KEY_FILE')]
  const shards = orNull(read('SHARDS'))
  const cluster = readCluster(reading)
  const settings: Settings = {
    host: read('HOST'),
    port: read('PORT'),
    adminPort: read('ADMIN_PORT'),
    metricsToken: readMetricsToken(reading),
    dataDir: read('DATA_DIR'),
    workers: read('WORKERS'),
    shards,
    hotStates: read('HOT_STATES'),
    memoryMb: read('MEMORY_MB'),
    archive: {
      dir: orNull(read('ARCHIVE_DIR')),
      afterDays: orNull(read('ARCHIVE_AFTER_DAYS')),
      diskPercent: orNull(read('ARCHIVE_DISK_PERCENT')),
    },
    keyLogEntries: read('KEY_LOG_ENTRIES'),
    logLevel: read('LOG_LEVEL'),
    logFormat: read('LOG_FORMAT'),
    tracing: readTracing(reading),
    tls: certFile === '' ? null : { certFile, keyFile },
    inbox: readInbox(reading),
    publicUrl: read('PUBLIC_URL'),
    checkoutOrigin: read('CHECKOUT_ORIGIN'),
    tokenizerOrigin: read('TOKENIZER_ORIGIN'),
    securityContacts: read('SECURITY_CONTACT'),
    transport: read('TRANSPORT'),
    keepAlive: read('KEEP_ALIVE'),
    rateLimit: read('RATE_LIMIT'),
    rateLimitBurst: read('RATE_LIMIT_BURST'),
    exportRateLimit: read('RATE_LIMIT_EXPORT'),
    nats: readNats(reading, cluster),
    cluster,
    masterKeyFile: orNull(read('MASTER_KEY_FILE')),
    ispb: read('PIX_ISPB'),
    pixLocation: read('PIX_LOCATION'),
    crypto: {
      toleranceBps: read('CRYPTO_TOLERANCE_BPS'),
      confirmations: read('CRYPTO_CONFIRMATIONS'),
    },
    demo: read('DEMO') === 'true',
    dashboard: read('DASHBOARD') === 'true',
    mailUrl: read('MAIL_URL') || null,
    mailFrom: read('MAIL_FROM'),
    trustedProxies: read('TRUSTED_PROXIES'),
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The state of reading settings; errors are appended to `problems`. */
type Reading = {
  readonly environment: Environment
  readonly problems: string[]
  readonly read: Read
}

type Read = <Name extends SettingName>(name: Name) => SettingOf<Name>
type SettingName = keyof typeof settingTable
type SettingOf<Name extends SettingName> = Exclude<ReturnType<(typeof settingTable)[Name]['parse']>, null>

const readerOf =
  (environment: Environment, problems: string[]): Read =>
  <Name extends SettingName>(name: Name) => {
    const { initial, parse, meaning } = settingTable[name]
    const text = environment[name] ?? initial
    const value = parse(text)
    if (value === null)
      problems.push(`${name}=${JSON.stringify(withoutUser(text))} is not valid: ${meaning.en}`)
    return (value ?? parse(initial)) as SettingOf<Name>
  }

const requireBoth = ({ environment, problems }: Reading, one: SettingName, other: SettingName): void => {
  if (!environment[one] !== !environment[other]) problems.push(`${one} and ${other} go together`)
}

const readMetricsToken = ({ read, problems }: Reading): Settings['metricsToken'] => {
  const [token, file] = [read('METRICS_TOKEN'), read('METRICS_TOKEN_FILE')]
  if (token !== '' && file !== '')
    problems.push('METRICS_TOKEN and METRICS_TOKEN_FILE are two ways to say the same: set one')
  if (token !== '' && !isToken(token)) problems.push(`METRICS_TOKEN is not valid: it needs ${aToken}`)
  if (token !== '') return { token }
  return file === '' ? null : { file }
}

const readInbox = (reading: Reading): Settings['inbox'] => {
  const { read, environment, problems } = reading
  requireBoth(reading, 'PROVIDER_TLS_CERT_FILE', 'PROVIDER_TLS_KEY_FILE')
  const port = orNull(read('PROVIDER_PORT'))
  const [certFile, keyFile] = [read('PROVIDER_TLS_CERT_FILE'), read('PROVIDER_TLS_KEY_FILE')]
  if (port === null) {
    for (const name of ['PROVIDER_TLS_CERT_FILE', 'PROVIDER_URL'] as const)
      if (environment[name]) problems.push(`${name} has no effect without PROVIDER_PORT: set both, or none`)
    return null
  }
  if (certFile === '')
    problems.push('PROVIDER_PORT needs PROVIDER_TLS_CERT_FILE: banks report over TLS and no other way')
  return { port, certFile, keyFile, origin: orNull(read('PROVIDER_URL')) }
}

const readTracing = ({ read }: Reading): Settings['tracing'] => {
  const [sampler, ratio] = [read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')]
  return read('OTEL_EXPORTER_OTLP_ENDPOINT') === '' ? null : { sampler, ratio }
}

const readNats = (reading: Reading, cluster: ClusterSettings | null): NatsStreamSettings | null => {
  const { read, environment, problems } = reading
  const servers = read('NATS_URL')
  const eventReplicas = orNull(read('NATS_REPLICAS'))
  const publishes = read('NATS_EVENTS') === 'true'
  if (!publishes && servers.length > 0 && cluster === null)
    problems.push('NATS_URL has no effect with NATS_EVENTS=false without CLUSTER: leave one of them out')
  requireBoth(reading, 'NATS_CERT_FILE', 'NATS_KEY_FILE')
  requireBoth(reading, 'NATS_USER', 'NATS_PASSWORD')
  if (['NATS_USER', 'NATS_CREDS_FILE', 'NATS_NKEY_FILE'].filter((name) => environment[name]).length > 1)
    problems.push('NATS_USER, NATS_CREDS_FILE and NATS_NKEY_FILE are three ways to say the same: set one')
  const caFile = orNull(read('NATS_CA_FILE'))
  const certFile = orNull(read('NATS_CERT_FILE'))
  const keyFile = orNull(read('NATS_KEY_FILE'))
  const settings = {
    servers,
    user: orNull(read('NATS_USER')),
    password: orNull(read('NATS_PASSWORD')),
    credsFile: orNull(read('NATS_CREDS_FILE')),
    nkeyFile: orNull(read('NATS_NKEY_FILE')),
    tls: caFile === null && certFile === null ? null : { caFile, certFile, keyFile },
    stream: publishes
      ? {
          replicas: eventReplicas ?? cluster?.replicas ?? 1,
          maxAgeMs: read('NATS_MAX_AGE_DAYS') * 86_400_000,
          maxBytes: read('NATS_MAX_BYTES') || -1,
        }
      : null,
    monitorUrls: read('NATS_MONITOR_URLS'),
  }
  return servers.length > 0 ? settings : null
}

const readCluster = ({ read, environment, problems }: Reading): ClusterSettings | null => {
  const settings = {
    name: read('CLUSTER'),
    node: read('NODE_ID'),
    replicas: read('CLUSTER_REPLICAS'),
    leaseMs: read('CLUSTER_LEASE_MS'),
    zone: read('NODE_ZONE'),
    copies: read('CLUSTER_COPIES'),
    goneMs: read('CLUSTER_GONE_MINUTES') * 60_000,
    balanceMs: read('CLUSTER_BALANCE_SECONDS') * 1000,
    logRecords: read('CLUSTER_LOG_RECORDS'),
    logMs: read('CLUSTER_LOG_MINUTES') * 60_000,
    finalizesByItself: read('CLUSTER_FINALIZE') === 'auto',
    allowsUnsafeServers: read('CLUSTER_UNSAFE_NATS') === 'true',
  }
  if (environment.CLUSTER) {
    if (!environment.NATS_URL) problems.push('CLUSTER needs NATS_URL: the logs of a cluster are on NATS')
    if (!environment.NODE_ID) problems.push('CLUSTER needs NODE_ID: a name of its own for each node')
    return settings
  }
  for (const name of clusterOnly)
    if (environment[name]) problems.push(`${name} has no effect without CLUSTER: set both, or none`)
  return null
}

/** Whether a token fits into a header and is too long to guess: 16 or more printable characters. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{16,}$/.test(text)
export const aToken = '16 printable ASCII characters or more, without spaces'

/** Hides the user part of a URL: a password that was put there by mistake must not be printed. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/,]*@/g, '//…@')

const orNull = <Value>(value: Value | ''): Value | null => (value === '' ? null : value)

/** Cluster settings must not silently have no effect outside a cluster. */
const clusterOnly = [
  'NODE_ID',
  'NODE_ZONE',
  'CLUSTER_REPLICAS',
  'CLUSTER_COPIES',
  'CLUSTER_GONE_MINUTES',
  'CLUSTER_BALANCE_SECONDS',
  'CLUSTER_LEASE_MS',
  'CLUSTER_LOG_RECORDS',
  'CLUSTER_LOG_MINUTES',
  'CLUSTER_FINALIZE',
  'CLUSTER_UNSAFE_NATS',
  'NATS_MONITOR_URLS',
] as const

/** Tests, benches and `npm run cluster` use it to find a nats-server; it may also be set where the service starts. */
const serverOfTests = 'NATS_SERVER_BIN'

/**
 * Reports names that look like ours but are not, because a mistyped setting must not silently have no effect. Only whole names
 * are compared, never prefixes: Kubernetes puts `NATS_PORT` and `PAYMENTS_SERVICE_HOST` into every container.
 */
const unknownSettings = (environment: Environment): string[] => {
  const known = Object.keys(settingTable)
  return Object.keys(environment).flatMap((name) => {
    if (Object.hasOwn(settingTable, name) || name === serverOfTests) return []
    const meant = known.find((setting) => isMisspelling(name, setting))
    return meant === undefined ? [] : [`${name} is not a setting; ${meant} is`]
  })
}
