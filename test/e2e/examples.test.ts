import t from 'tap'
import { type Examples, type RecordedExchange, readExamples } from '../../gateway/openapi/examples.ts'
import { routes } from '../../gateway/routes/index.ts'
import { playStory } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'

/** The examples of the OpenAPI document are what a service answers today. */
t.test('every example is answered as the document says', async (t) => {
  const documented = readExamples()
  const played = await playStory(t, await prepareDirectory(t, { shards: 2 }))
  for (const kind of ['operations', 'refusals'] as const) {
    t.strictSame(Object.keys(played[kind]), Object.keys(documented[kind]))
    for (const [name, exchanges] of Object.entries<readonly RecordedExchange[]>(played[kind])) {
      const known: readonly RecordedExchange[] = documented[kind][name]!
      t.equal(exchanges.length, known.length, name)
      exchanges.forEach((exchange, n) => {
        t.strictSame(differences(known[n], exchange), [], `${name}: ${exchange.title}`)
      })
    }
  }
})

t.test('every operation has an example of what it answers', async (t) => {
  const { operations }: Examples = readExamples()
  // A stream that does not end is described instead.
  const without = routes.filter(
    ({ operationId, action }) => action.kind !== 'live' && operations[operationId] === undefined,
  )
  t.strictSame(
    without.map(({ operationId }) => operationId),
    [],
  )
})

/** Where two values differ beyond what is new each time: ids, times, days, and what a provider counts or draws. */
const differences = (documented: unknown, played: unknown, place = ''): string[] => {
  if (Array.isArray(documented) && Array.isArray(played)) {
    // A month has more days later on: each row is like one of those that are known.
    if ((documented.length === 0) !== (played.length === 0)) return [`${place}: ${documented.length} rows`]
    return played.flatMap((item, n) => {
      // What happened today is another row of a month tomorrow.
      if (isObject(item) && 'date' in item && documented.some((row) => differences(row, item).length === 0))
        return []
      return differences(documented[n] ?? documented[0], item, `${place}[${n}]`)
    })
  }
  if (isObject(documented) && isObject(played)) {
    const names = [...new Set([...Object.keys(documented), ...Object.keys(played)])]
    return names.flatMap((name) => {
      if (isNewEachTime.has(name) && typeof documented[name] === typeof played[name]) return []
      return differences(documented[name], played[name], `${place}.${name}`)
    })
  }
  if (documented === played) return []
  if (typeof documented === 'string' && typeof played === 'string') {
    // The body of an event, as it was sent.
    if (documented.startsWith('{') && played.startsWith('{'))
      return differences(JSON.parse(documented), JSON.parse(played), place)
    if (patterns.some((pattern) => pattern.test(documented) && pattern.test(played))) return []
    if (documented.includes('\r\n') && documented.split('\r\n').length === played.split('\r\n').length)
      return []
  }
  return [`${place}: ${JSON.stringify(documented)} is ${JSON.stringify(played)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const patterns = [
  // Addresses and transfers of networks.
  /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  /^0x[0-9a-fA-F]{40}$/,
  /^0x[0-9a-f]{64}$/,
  /^[1-9A-HJ-NP-Za-km-z]{86,88}$/,
  /^[0-9a-f]{64}$/,
  // Pages where payers pay.
  /^https:\/\/pagar\.example\.com\/[clp]\/[0-9A-Za-z]+$/,
  // A signature of an event.
  /^t=\d+,v1=[0-9a-f]{64}$/,
  /^[a-z]{3}_[0-9A-Z]{26}(\.\d+)?$/,
  /^per_[0-9a-z]{26}@example\.com$/i,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^\d{4}-\d\d-\d\d$/,
  /^s_[0-9a-z]+$/,
  /^\/v1\/[a-z/-]+[a-z]{3}_[0-9A-Z]{26}/,
]

const isNewEachTime = new Set([
  'txid',
  'idTransacao',
  'idRec',
  'endToEndId',
  'returnId',
  'copyPaste',
  'qrCode',
  'keyId',
  'pixKey',
  'key',
  'nsu',
  'tid',
  'authorizationCode',
  'providerReference',
  // What people prove themselves with.
  'csrfToken',
  'secret',
  'uri',
  'codes',
  'code',
  'token',
  'totp',
  'assertion',
  'credential',
  'challenge',
  'user',
  'allowCredentials',
  'excludeCredentials',
  'last4',
  'latencyMs',
  // An attempt that was asked for may have been made by the time of the answer.
  'attemptCount',
  'p95LatencyMs',
  // Which hour has the payments of a run depends on when it runs; `figures.test.ts` holds their sums.
  'hours',
  // How long a period is depends on the month, and how far the clock was moved on the moment.
  'daysRemaining',
  'daysInPeriod',
  'offsetSeconds',
])
