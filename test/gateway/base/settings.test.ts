import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import t from 'tap'
import { readSettings } from '../../../gateway/base/settings.ts'
import { settingTable } from '../../../gateway/base/settings-table.ts'

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  const read = readSettings(environment)
  return read.ok ? [] : read.problems
}

t.test('everything has a default', async (t) => {
  const read = readSettings({})
  t.match(read, {
    ok: true,
    settings: {
      host: '127.0.0.1',
      port: 8080,
      shards: null,
      tls: null,
      transport: 'auto',
      rateLimit: 1000,
      hotStates: 20_000,
    },
  })
  if (!read.ok) return
  t.equal(read.settings.dataDir, resolve('data'))
  t.strictSame(read.settings.archive, { dir: null, afterDays: null, diskPercent: null })
  t.equal(read.settings.workers, Math.max(1, Math.min(4, availableParallelism() - 1)))
})

t.test('what is set is read; other variables are nobody’s business', async (t) => {
  const read = readSettings({
    PORT: '0',
    SHARDS: '256',
    DEMO: 'false',
    RATE_LIMIT: '0',
    HOT_STATES: '5',
    PATH: '/bin',
    HOME: '/',
    KEEP_ALIVE_TIMEOUT: '5',
    PUBLIC_URL_PATH: '/pay',
  })
  t.match(read, { ok: true, settings: { port: 0, shards: 256, demo: false, rateLimit: 0, hotStates: 5 } })
})

t.test('every wrong value is named, all at once', async (t) => {
  const wrong = {
    PORT: '65536',
    WORKERS: '0',
    SHARDS: '257',
    HOT_STATES: '0',
    MEMORY_MB: '15',
    ARCHIVE_AFTER_DAYS: '2',
    ARCHIVE_DISK_PERCENT: '101',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    TRANSPORT: 'http3',
    RATE_LIMIT: '-1',
    PIX_ISPB: '123',
    PIX_LOCATION: 'https://x',
    PUBLIC_URL: 'pay.example.com',
    DEMO: 'yes',
    HOST: '',
    NATS_URL: '127.0.0.1:4222',
  }
  const problems = problemsOf(wrong)
  for (const [name, value] of Object.entries(wrong))
    t.ok(
      problems.some((problem) => problem.startsWith(`${name}="${value}" is not valid: `)),
      name,
    )
  t.equal(problems.length, Object.keys(wrong).length)
})

t.test('a token for metrics is said once, is not too short, and is never printed', async (t) => {
  const token = 'a-token-of-24-characters'
  t.match(readSettings({ METRICS_TOKEN: token }), { settings: { metricsToken: { token } } })
  t.match(readSettings({ METRICS_TOKEN_FILE: '/etc/token' }), {
    settings: { metricsToken: { file: '/etc/token' } },
  })
  t.match(readSettings({}), { settings: { metricsToken: null } })
  const problems = [
    ...problemsOf({ METRICS_TOKEN: 'too-short' }),
    ...problemsOf({ METRICS_TOKEN: 'long enough but with spaces' }),
    ...problemsOf({ METRICS_TOKEN: token, METRICS_TOKEN_FILE: '/etc/token' }),
  ]
  t.strictSame(problems, [
    'METRICS_TOKEN is not valid: it needs 16 printable ASCII characters or more, without spaces',
    'METRICS_TOKEN is not valid: it needs 16 printable ASCII characters or more, without spaces',
    'METRICS_TOKEN and METRICS_TOKEN_FILE are two ways to say the same: set one',
  ])
})

t.test('traces are made where they can be sent', async (t) => {
  t.match(readSettings({}), { settings: { tracing: null } })
  t.match(readSettings({ OTEL_TRACES_SAMPLER: 'always_on' }), { settings: { tracing: null } })
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  t.match(readSettings(endpoint), { settings: { tracing: { sampler: 'parentbased_always_on', ratio: 1 } } })
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' }
  t.match(readSettings({ ...endpoint, ...ratio }), {
    settings: { tracing: { sampler: 'parentbased_traceidratio', ratio: 0.05 } },
  })
  t.match(readSettings({ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_EXPORTER_OTLP_TIMEOUT: '1' }), {
    ok: true,
  })
})

t.test('a misspelt setting stops the start, and what was probably meant is named', async (t) => {
  const meant = {
    RATE_LIMITS: 'RATE_LIMIT',
    HOT_STATE: 'HOT_STATES',
    PROT: 'PORT',
    PORTS: 'PORT',
    port: 'PORT',
    DATADIR: 'DATA_DIR',
    DATA_DIRECTORY: 'DATA_DIR',
    LOGLEVEL: 'LOG_LEVEL',
    WORKER: 'WORKERS',
    TLS_CERT: 'TLS_CERT_FILE',
    CLUSTER_LEASE: 'CLUSTER_LEASE_MS',
    NATS_URLS: 'NATS_URL',
    MASTERKEY_FILE: 'MASTER_KEY_FILE',
  }
  for (const [name, setting] of Object.entries(meant))
    t.strictSame(problemsOf({ [name]: '5' }), [`${name} is not a setting; ${setting} is`])
})

t.test('what other programs put into an environment is left alone', async (t) => {
  const others = [
    ...[
      'HOME',
      'HOSTNAME',
      'PATH',
      'PWD',
      'USER',
      'LANG',
      'TERM',
      'SHELL',
      'SHLVL',
      'MAIL',
      'TEMP',
      'TMPDIR',
    ],
    ...[
      'NODE',
      'NODE_ENV',
      'NODE_OPTIONS',
      'LOGNAME',
      'DISPLAY',
      'EDITOR',
      'COLOR',
      'DEBUG',
      'CI',
      'INVOCATION_ID',
    ],
    ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'http_proxy', 'no_proxy', 'TZ'],
    ...['NATS_SERVER_BIN', 'NATS_PORT', 'NATS_SERVICE_HOST', 'NATS_PORT_4222_TCP', 'PAYMENTS_PORT'],
    ...['PAYMENTS_SERVICE_HOST', 'PAYMENTS_SERVICE_PORT', 'npm_config_cache', 'npm_lifecycle_event'],
  ]
  t.strictSame(problemsOf(Object.fromEntries(others.map((name) => [name, '5']))), [])
})

t.test('two files of TLS go together', async (t) => {
  t.match(problemsOf({ TLS_CERT_FILE: 'a' }), ['TLS_CERT_FILE and TLS_KEY_FILE go together'])
})

t.test('banks report to a port with a certificate', async (t) => {
  const pair = { PROVIDER_TLS_CERT_FILE: '/c.pem', PROVIDER_TLS_KEY_FILE: '/k.pem' }
  t.match(readSettings({}), { ok: true, settings: { inbox: null } })
  t.match(readSettings({ PROVIDER_PORT: '8443', PROVIDER_URL: 'https://banks.example.com', ...pair }), {
    ok: true,
    settings: {
      inbox: { port: 8443, certFile: '/c.pem', keyFile: '/k.pem', origin: 'https://banks.example.com' },
    },
  })
  t.match(readSettings({ PROVIDER_PORT: '0', ...pair }), {
    ok: true,
    settings: { inbox: { port: 0, origin: null } },
  })
  t.match(problemsOf({ PROVIDER_PORT: '8443' }), [/^PROVIDER_PORT needs PROVIDER_TLS_CERT_FILE/])
  t.match(problemsOf({ PROVIDER_PORT: '8443', PROVIDER_TLS_CERT_FILE: 'a' }), [
    'PROVIDER_TLS_CERT_FILE and PROVIDER_TLS_KEY_FILE go together',
  ])
  t.match(problemsOf(pair), [/^PROVIDER_TLS_CERT_FILE has no effect without PROVIDER_PORT/])
  t.match(problemsOf({ PROVIDER_URL: 'https://banks.example.com' }), [/^PROVIDER_URL has no effect/])
})

t.test('a cluster has a name, a name for each node, and NATS', async (t) => {
  const cluster = { CLUSTER: 'pay-1', NODE_ID: 'a', NATS_URL: 'nats://n1:4222' }
  t.match(readSettings(cluster), {
    ok: true,
    settings: {
      cluster: {
        name: 'pay-1',
        node: 'a',
        replicas: 3,
        leaseMs: 2000,
        logRecords: 10_000,
        logMs: 3_600_000,
        finalizesByItself: false,
        allowsUnsafeServers: false,
      },
      nats: { monitorUrls: [] },
      masterKeyFile: null,
    },
  })
  t.match(
    readSettings({
      ...cluster,
      CLUSTER_REPLICAS: '1',
      CLUSTER_LEASE_MS: '500',
      CLUSTER_LOG_RECORDS: '10',
      CLUSTER_LOG_MINUTES: '0',
      CLUSTER_FINALIZE: 'auto',
      CLUSTER_UNSAFE_NATS: 'true',
      NATS_MONITOR_URLS: 'http://n1:8222, http://n2:8222',
      MASTER_KEY_FILE: '/run/secrets/key',
    }),
    {
      ok: true,
      settings: {
        cluster: {
          replicas: 1,
          leaseMs: 500,
          logRecords: 10,
          logMs: 0,
          finalizesByItself: true,
          allowsUnsafeServers: true,
        },
        nats: { monitorUrls: ['http://n1:8222', 'http://n2:8222'] },
        masterKeyFile: '/run/secrets/key',
      },
    },
  )
  t.match(readSettings({}), { ok: true, settings: { cluster: null } })
  t.strictSame(problemsOf({ CLUSTER: 'pay-1' }), [
    'CLUSTER needs NATS_URL: the logs of a cluster are on NATS',
    'CLUSTER needs NODE_ID: a name of its own for each node',
  ])
  for (const name of ['A', 'a.b', 'a*', 'a_b', 'x'.repeat(33)])
    t.match(problemsOf({ ...cluster, CLUSTER: name, NODE_ID: name }), [/^CLUSTER=/, /^NODE_ID=/], name)
  t.match(problemsOf({ ...cluster, CLUSTER_LEASE_MS: '499', CLUSTER_REPLICAS: '2' }), [
    /^CLUSTER_REPLICAS="2" is not valid/,
    /^CLUSTER_LEASE_MS="499" is not valid/,
  ])
})

t.test('what says something about a cluster is refused outside of one', async (t) => {
  const alone = { NODE_ID: 'a', CLUSTER_REPLICAS: '3', NATS_MONITOR_URLS: 'http://n1:8222' }
  t.strictSame(
    problemsOf(alone),
    Object.keys(alone).map((name) => `${name} has no effect without CLUSTER: set both, or none`),
  )
})

t.test(
  'a cluster keeps events on as many servers as its logs, where no setting says otherwise',
  async (t) => {
    const replicasOf = (more: Record<string, string>): number | undefined => {
      const read = readSettings({ NATS_URL: 'nats://n1:4222', ...more })
      return read.ok ? read.settings.nats?.stream?.replicas : undefined
    }
    const cluster = { CLUSTER: 'pay', NODE_ID: 'a' }
    t.equal(replicasOf({}), 1)
    t.equal(replicasOf(cluster), 3)
    t.equal(replicasOf({ ...cluster, CLUSTER_REPLICAS: '5' }), 5)
    t.equal(replicasOf({ ...cluster, NATS_REPLICAS: '1' }), 1)
  },
)

t.test('events are published on NATS unless a cluster needs it for its logs alone', async (t) => {
  const nats = { NATS_URL: 'nats://n1:4222', NATS_EVENTS: 'false' }
  const cluster = readSettings({ ...nats, CLUSTER: 'pay', NODE_ID: 'a' })
  t.ok(cluster.ok && cluster.settings.nats !== null && cluster.settings.nats.stream === null)
  t.strictSame(problemsOf(nats), [
    'NATS_URL has no effect with NATS_EVENTS=false without CLUSTER: leave one of them out',
  ])
})

t.test('NATS: one way to be known by, and no password where it would be printed', async (t) => {
  const NATS_URL = 'nats://a:4222,tls://b'
  const read = readSettings({ NATS_URL, NATS_USER: 'pay', NATS_PASSWORD: 's3cret' })
  t.match(read, { ok: true, settings: { nats: { servers: ['nats://a:4222', 'tls://b'], user: 'pay' } } })
  t.match(problemsOf({ NATS_URL: 'nats://pay:s3cret@a' }), [/^NATS_URL="nats:\/\/…@a" is not valid: /])
  t.strictSame(problemsOf({ NATS_URL, NATS_USER: 'pay' }), ['NATS_USER and NATS_PASSWORD go together'])
  t.match(problemsOf({ NATS_URL, NATS_NKEY_FILE: 'a', NATS_CREDS_FILE: 'b' }), [/set one$/])
  t.strictSame(problemsOf({ NATS_URL, NATS_KEY_FILE: 'a' }), ['NATS_CERT_FILE and NATS_KEY_FILE go together'])
})

t.test('the table says what each one means', async (t) => {
  for (const [name, { meaning }] of Object.entries(settingTable))
    for (const text of [meaning.en, meaning.pt]) t.match(text, /\w.*\.$/, name)
})

t.test('the public address is an origin', async (t) => {
  const publicUrlOf = (PUBLIC_URL: string) => {
    const read = readSettings({ PUBLIC_URL })
    return read.ok ? read.settings.publicUrl : null
  }
  t.equal(publicUrlOf(''), '')
  t.equal(publicUrlOf('https://pay.example.com'), 'https://pay.example.com')
  t.equal(publicUrlOf('https://pay.example.com/'), 'https://pay.example.com')
  t.equal(publicUrlOf('http://127.0.0.1:8080'), 'http://127.0.0.1:8080')
  const wrong = [
    ...['pay.example.com', 'ftp://x', 'javascript:alert(1)', 'https://', 'https://a b'],
    ...['https://x/docs', 'https://x?a', 'https://x#a', 'https://ana:secret@x', ' ', 'https://x,https://y'],
  ]
  for (const text of wrong) t.equal(publicUrlOf(text), null, text)
})

t.test('those who find a weakness are told URIs, and an address alone is none', async (t) => {
  const contactsOf = (SECURITY_CONTACT: string) => {
    const read = readSettings({ SECURITY_CONTACT })
    return read.ok ? read.settings.securityContacts : null
  }
  t.strictSame(contactsOf(''), [])
  t.strictSame(contactsOf('mailto:security@example.com, https://example.com/report'), [
    'mailto:security@example.com',
    'https://example.com/report',
  ])
  for (const wrong of [
    'security@example.com',
    'http://example.com',
    'mailto:a@b.com\nExpires: never',
    'https://',
  ])
    t.equal(contactsOf(wrong), null, wrong)
})
