import { resolve } from 'node:path'
import type { Institution } from '../../engine/kernel/context.ts'
import { isMisspelling } from './misspelling.ts'
import {
  anyText,
  clusterName,
  confirmations,
  ifSet,
  integer,
  matching,
  networks,
  originOf,
  type Parse,
  replicas,
  urls,
  wordOf,
  workers,
} from './setting-forms.ts'

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
  readonly logLevel: LogLevel
  /** `auto` means `pretty` if standard output is a terminal, and `json` elsewhere. */
  readonly logFormat: 'auto' | 'pretty' | 'json'
  /** OpenTelemetry traces; null disables them. */
  readonly tracing: { readonly sampler: TraceSampler; readonly ratio: number } | null
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** The origin under which callers reach the service; empty if it is not set. */
  readonly publicUrl: string
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

export type ClusterSettings = {
  readonly name: string
  readonly node: string
  /** How many NATS servers keep a copy of each log. */
  readonly replicas: number
  readonly leaseMs: number
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
  readonly stream: { readonly replicas: number; readonly maxAgeMs: number; readonly maxBytes: number }
  /** Monitoring addresses of the servers, which report what a client cannot see. */
  readonly monitorUrls: readonly string[]
}

type LogLevel = (typeof logLevels)[number]
type TraceSampler = (typeof traceSamplers)[number]
const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The settings as the documentation lists them: name, default, meaning, and how a value is read. */
export const settingTable = {
  HOST: entry('127.0.0.1', 'Address to listen on.', (text) =>
    text.trim() === text && text !== '' ? text : null,
  ),
  PORT: entry('8080', 'Port of the API; 0 takes any free one.', integer(0, 65_535)),
  ADMIN_PORT: entry('0', 'Port of the loopback admin listener; 0 takes any free one.', integer(0, 65_535)),
  METRICS_TOKEN: entry(
    '',
    'A token of 16 characters or more that may read /metrics at the admin listener.',
    anyText,
  ),
  METRICS_TOKEN_FILE: entry('', 'The same in a file, read again at every scrape.', ifSet(resolve)),
  DATA_DIR: entry('./data', 'Where everything is kept.', (text) => (text === '' ? null : resolve(text))),
  WORKERS: entry('auto', 'Threads that serve requests; auto is one less than the cores, at most 4.', workers),
  SHARDS: entry(
    '',
    'Number of shards (1 to 256), fixed when the data directory is created; by default one for each worker then.',
    ifSet(integer(1, 256)),
  ),
  HOT_STATES: entry(
    '20000',
    'How many states of transactions and deliveries each shard keeps in memory, about 3 kB each, and as much again for one that is read.',
    integer(1, 10_000_000),
  ),
  LOG_LEVEL: entry('info', `One of ${logLevels.join(', ')}.`, wordOf(logLevels)),
  LOG_FORMAT: entry(
    'auto',
    'pretty (for people), json, or auto: pretty where it goes to a terminal.',
    wordOf(['auto', 'pretty', 'json']),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: entry(
    '',
    'Where traces are sent by OTLP over HTTP (as JSON, to /v1/traces below it); without it none are made.',
    ifSet(matching(/^https?:\/\/[^\s/]/)),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: entry('', 'Headers that go with them: name=value, by commas.', anyText),
  OTEL_SERVICE_NAME: entry('payments', 'The name of the service in traces.', anyText),
  OTEL_RESOURCE_ATTRIBUTES: entry(
    '',
    'What else traces say about the service: name=value, by commas.',
    anyText,
  ),
  OTEL_TRACES_SAMPLER: entry(
    'parentbased_always_on',
    `Which requests are traced: one of ${traceSamplers.join(', ')}.`,
    wordOf(traceSamplers),
  ),
  OTEL_TRACES_SAMPLER_ARG: entry('1', 'The share of them, from 0 to 1, of a sampler by ratio.', (text) =>
    /^(0|1|[01]?\.[0-9]+)$/.test(text) && Number(text) <= 1 ? Number(text) : null,
  ),
  TLS_CERT_FILE: entry('', 'PEM certificate chain, for HTTPS without a proxy; with TLS_KEY_FILE.', anyText),
  TLS_KEY_FILE: entry('', 'PEM private key.', anyText),
  PUBLIC_URL: entry(
    '',
    'Origin under which callers reach the service, such as https://pay.example.com: errors link to its documentation.',
    ifSet(originOf),
  ),
  SECURITY_CONTACT: entry(
    '',
    'Where those who find a weakness write, by commas: mailto:security@example.com or https://…; it is what /.well-known/security.txt says, which is not served without it.',
    urls(/^(mailto:[^\s@,]+@[^\s@,]+|https:\/\/[^\s/]\S*)$/),
  ),
  TRANSPORT: entry(
    'auto',
    'uws (native), node (node:http), or auto: uws where a build loads that answers every request.',
    wordOf(['auto', 'uws', 'node']),
  ),
  KEEP_ALIVE: entry(
    'safe',
    'always keeps connections open after reads over any native library: for a service behind nginx or HAProxy, or reached directly (see Security).',
    wordOf(['safe', 'always']),
  ),
  RATE_LIMIT: entry(
    '1000',
    'Requests a second for each API key; 0 is no limit, nor is there one for people then, who have 50.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_BURST: entry(
    '2000',
    'Requests of one key at once, before the limit holds.',
    integer(1, 10_000_000),
  ),
  RATE_LIMIT_EXPORT: entry('10', 'Exports a minute for each key; 0 limits nothing.', integer(0, 1_000_000)),
  PIX_ISPB: entry(
    '99999999',
    'ISPB of the institution: eight characters, part of end-to-end ids.',
    matching(/^[0-9A-Z]{8}$/),
  ),
  PIX_LOCATION: entry('pix.example.com/qr/v2', 'Host and path in QR codes, without https://.', (text) =>
    /^[a-z0-9.-]+(\/[A-Za-z0-9._-]+)*$/.test(text) && text.length <= 38 ? text : null,
  ),
  CRYPTO_TOLERANCE_BPS: entry(
    '50',
    'How many basis points less than its amount approve a charge in a stablecoin: 0 to 200.',
    integer(0, 200),
  ),
  CRYPTO_CONFIRMATIONS: entry(
    'TRON=20,ETHEREUM=64,POLYGON=128,BASE=64,SOLANA=32',
    'How many confirmations make a transfer of a stablecoin final, by network: NETWORK=1 to 10000, by commas; the others as here.',
    confirmations,
  ),
  NATS_URL: entry(
    '',
    'Addresses of NATS servers (nats:// or tls://, without a user), by commas: public events go through a JetStream stream on them.',
    urls(/^(nats|tls):\/\/[^\s/@]+$/),
  ),
  NATS_USER: entry('', 'User name for NATS; with NATS_PASSWORD.', anyText),
  NATS_PASSWORD: entry('', 'Password for NATS.', anyText),
  NATS_CREDS_FILE: entry('', 'Credentials file (JWT and seed) for NATS.', anyText),
  NATS_NKEY_FILE: entry('', 'File with the seed of an nkey for NATS.', anyText),
  NATS_CA_FILE: entry('', 'PEM certificates by which the NATS servers are trusted.', anyText),
  NATS_CERT_FILE: entry('', 'PEM certificate of this service for NATS; with NATS_KEY_FILE.', anyText),
  NATS_KEY_FILE: entry('', 'PEM private key for NATS_CERT_FILE.', anyText),
  NATS_REPLICAS: entry(
    '',
    'On how many servers the event stream is kept: 1, 3 or 5; by default 1, in a cluster as many as CLUSTER_REPLICAS.',
    ifSet(replicas),
  ),
  NATS_MAX_AGE_DAYS: entry(
    '30',
    'How many days the event stream keeps events; 0 for ever.',
    integer(0, 3650),
  ),
  NATS_MAX_BYTES: entry(
    '0',
    'How many bytes of events the stream keeps, the oldest go first; 0 any.',
    (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : null),
  ),
  NATS_MONITOR_URLS: entry(
    '',
    'Monitoring addresses of the NATS servers (http://), by commas: a cluster asks them whether its logs survive a power loss.',
    urls(/^https?:\/\/[^\s/]+\/?$/),
  ),
  CLUSTER: entry(
    '',
    'Name of the cluster that this node is part of (a-z, 0-9, -; at most 32 characters); with NATS_URL and NODE_ID.',
    ifSet(clusterName),
  ),
  NODE_ID: entry(
    '',
    'Name of this node in the cluster (a-z, 0-9, -; at most 32 characters).',
    ifSet(clusterName),
  ),
  CLUSTER_REPLICAS: entry('3', 'On how many NATS servers the cluster keeps its logs: 1, 3 or 5.', replicas),
  CLUSTER_LEASE_MS: entry(
    '2000',
    'After how many milliseconds of silence (500 to 60000) another node takes over a shard.',
    integer(500, 60_000),
  ),
  CLUSTER_UNSAFE_NATS: entry(
    'false',
    'Whether to start on NATS servers of a version that may lose what they acknowledged.',
    wordOf(['true', 'false']),
  ),
  MASTER_KEY_FILE: entry(
    '',
    'The key that seals secrets (of webhooks, card tokens, second factors, what is stored about people): 32 bytes in base64, the same on every node; master.key in DATA_DIR by default.',
    ifSet(resolve),
  ),
  DASHBOARD: entry(
    'true',
    'Whether people can sign in to the dashboard, at /painel.',
    wordOf(['true', 'false']),
  ),
  MAIL_URL: entry(
    '',
    'Where mail to people is sent, such as smtps://user:password@mail.example.com. Without it, a service on the loopback without PUBLIC_URL prints mail on the terminal; any other sends none, and links are handed out.',
    ifSet(matching(/^smtps?:\/\/[^\s/]/)),
  ),
  MAIL_FROM: entry('', 'The sender of that mail; by default no-reply at the host of PUBLIC_URL.', anyText),
  TRUSTED_PROXIES: entry(
    '',
    'Networks (CIDR, by commas) of the proxies in front, whose X-Forwarded-For tells the address of a person.',
    networks,
  ),
  DEMO: entry(
    'true',
    'Whether a first start creates a demo company with a Sandbox key.',
    wordOf(['true', 'false']),
  ),
} as const

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
    logLevel: read('LOG_LEVEL'),
    logFormat: read('LOG_FORMAT'),
    tracing: readTracing(reading),
    tls: certFile === '' ? null : { certFile, keyFile },
    publicUrl: read('PUBLIC_URL'),
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
    if (value === null) problems.push(`${name}=${JSON.stringify(withoutUser(text))} is not valid: ${meaning}`)
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

const readTracing = ({ read }: Reading): Settings['tracing'] => {
  const [sampler, ratio] = [read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')]
  return read('OTEL_EXPORTER_OTLP_ENDPOINT') === '' ? null : { sampler, ratio }
}

const readNats = (reading: Reading, cluster: ClusterSettings | null): NatsStreamSettings | null => {
  const { read, environment, problems } = reading
  const servers = read('NATS_URL')
  const eventReplicas = orNull(read('NATS_REPLICAS'))
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
    stream: {
      replicas: eventReplicas ?? cluster?.replicas ?? 1,
      maxAgeMs: read('NATS_MAX_AGE_DAYS') * 86_400_000,
      maxBytes: read('NATS_MAX_BYTES') || -1,
    },
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

function entry<Value>(initial: string, meaning: string, parse: Parse<Value>) {
  return { initial, meaning, parse }
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
  'CLUSTER_REPLICAS',
  'CLUSTER_LEASE_MS',
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
