import t, { type Test } from 'tap'
import { type Call, newMerchant, oneWorker, startService } from './service.ts'
import { shareService } from './stories.ts'

/** A test whose failures are collected. */
const watched = (t: Test) => {
  const failures: string[] = []
  return { failures, teardown: t.teardown.bind(t), fail: (message: string) => failures.push(message) }
}

t.test('a request that a limit refuses fails its test, which did not ask for the limit', async (t) => {
  const scope = watched(t)
  const service = await startService(scope, {
    env: { ...oneWorker, RATE_LIMIT_EXPORT: '1' },
  })
  const { key } = await newMerchant(service, { scopes: 'transactions.export' })
  // With a client of its own: what is watched is the service.
  const untilRefused = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${key.secret}` }
    while ((await fetch(`${service.origin}/v1/transactions/export`, { headers })).status !== 429);
  }
  await untilRefused()
  await service.logged('"code":"RATE_LIMITED"')
  t.match(
    scope.failures,
    [/^GET \/v1\/transactions\/export was answered 429 RATE_LIMITED .* \(RATE_LIMIT_EXPORT\)/],
    'it says by which',
  )
  service.expectLimit('TOO_MANY_ATTEMPTS')
  await untilRefused()
  await service.kill('SIGTERM')
  t.equal(scope.failures.length, 2, 'another one that was asked for excuses nothing')
})

t.test('one that the test asked for does not', async (t) => {
  const scope = watched(t)
  const service = await startService(scope, { env: { ...oneWorker, RATE_LIMIT_EXPORT: '1' } })
  service.expectLimit('RATE_LIMITED')
  const { call } = await newMerchant(service, { scopes: 'transactions.export' })
  while ((await call('GET', '/v1/transactions/export')).status !== 429);
  await service.kill('SIGTERM')
  t.strictSame(scope.failures, [])
})

t.test(
  'where stories share a service, it fails the one that met it, and no other asked for it',
  async (t) => {
    const failures: [title: string, sentence: string][] = []
    const told: (() => Promise<unknown>)[] = []
    const { story } = shareService(
      {
        teardown: t.teardown.bind(t),
        test: (title, tell) => {
          const of = { passing: () => true, fail: (sentence: string) => failures.push([title, sentence]) }
          told.push(() => tell(of as unknown as Test))
        },
      },
      { env: { ...oneWorker, RATE_LIMIT_EXPORT: '1' } },
    )
    const plan = { scopes: 'transactions.export' }
    const untilRefused = async (call: Call): Promise<void> => {
      while ((await call('GET', '/v1/transactions/export')).status !== 429);
    }
    story('asked', plan, async (_, { service, call }) => {
      service.expectLimit('RATE_LIMITED')
      await untilRefused(call)
    })
    story('met', plan, async (_, { call }) => untilRefused(call))
    story('quiet', plan, async (_, { call }) => call('GET', '/v1/transactions/export'))
    for (const tell of told) await tell()
    t.match(failures, [['met', /^GET \/v1\/transactions\/export was answered 429 RATE_LIMITED/]])
    t.equal(failures.length, 1)
  },
)

t.test('services of tests have no limits of requests by themselves', async (t) => {
  const { call } = await newMerchant(await startService(t, { env: oneWorker }))
  t.equal((await call('GET', '/v1/pix/keys')).headers.get('ratelimit-policy'), null)
})
