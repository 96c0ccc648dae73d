import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { bounds as engineBounds } from '../../../../engine/shared/bounds.ts'
import { accountIdOf } from '../../../../engine/shared/ids.ts'
import { openPipeline } from '../../../../gateway/api/pipeline.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { systemEntropy } from '../../../../gateway/base/entropy.ts'
import { newKeyring } from '../../../../gateway/identity/authenticate.ts'
import { newKeyUsage } from '../../../../gateway/identity/key-usage.ts'
import { openPersonalTexts, sealedKeyIn } from '../../../../gateway/identity/personal-texts.ts'
import { openApiDocument } from '../../../../gateway/openapi/document.ts'
import { profileOf } from '../../../../gateway/operations/accounts.ts'
import { openCardTokens } from '../../../../gateway/providers/card-tokens.ts'
import { routes } from '../../../../gateway/routes/index.ts'
import { ownLog } from '../../../../persistence/cluster/shard-log.ts'
import { entryLayout } from '../../../../persistence/codec/entry.ts'
import { openJournal } from '../../../../persistence/journal/journal.ts'
import { openShardHost } from '../../../../persistence/shard/shard-host.ts'
import { institution } from '../../../engine/world.ts'
import { noWebhooks } from '../../../persistence/no-webhooks.ts'
import { callWith, newMerchant } from '../../merchant.ts'
import { noPages } from '../../no-pages.ts'

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 10, 20, 12)
const instant = (atMs: number): string => new Date(atMs).toISOString()

/** A company of one shard whose ticks and real time the test holds in its hands. */
const openCompany = async (t: Test) => {
  const path = mkdtempSync(join(tmpdir(), 'clock-'))
  let nowMs = startMs
  const entropy = systemEntropy()
  const host = openShardHost({
    number: 0,
    path,
    realNow: () => nowMs,
    stopwatch: () => nowMs,
    entropy,
    institution,
    stream: noWebhooks,
    hasSubscribers: () => false,
    render: (event) => ({ body: new Uint8Array(), objectId: event.id }),
    openLog: (path) =>
      ownLog(openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })),
    onProviderCall: () => undefined,
    onDue: () => undefined,
    onTrouble: (message, error) => t.fail(message, { error }),
  })
  t.teardown(async () => {
    await host.close()
    rmSync(path, { recursive: true, force: true })
  })
  const { company, key, secret } = newMerchant()
  const directory = newDirectory()
  const keyring = newKeyring(directory)
  for (const event of [
    { type: 'CompanyCreated', company },
    { type: 'KeyCreated', key },
  ] as const) {
    evolveDirectory(directory, event)
    keyring.apply(event)
  }
  const pipeline = openPipeline({
    routes,
    router: { ...host, here: host, relayTo: () => null },
    directory,
    keyring,
    keyUsage: newKeyUsage(),
    people: null,
    rateLimit: null,
    exportRateLimit: null,
    realNow: () => nowMs,
    entropy,
    publicUrl: '',
    openPage: () => null,
    pageHosts: new Set(),
    pagesOf: noPages,
    csvOf: () => Promise.reject(new Error('nothing is exported')),
    personal: openPersonalTexts(randomBytes(32), sealedKeyIn(directory)),
    cardTokens: openCardTokens(randomBytes(32)),
    onAnswered: () => undefined,
  })
  const accountId = accountIdOf(company.id, 'SANDBOX')
  const profile = profileOf(company, 'SANDBOX')
  await host.execute({ type: 'OpenAccount', accountId, by: { kind: 'OPERATOR', id: null }, profile })
  return {
    call: (verb: string, path: string, body?: object) => callWith(secret, pipeline, verb, path, body),
    tick: () => void host.tick(),
    pass: (ms: number) => {
      nowMs += ms
    },
    /** More expire together, in an hour, than one slice of an advance does. */
    createCharges: () =>
      Promise.all(
        Array.from({ length: engineBounds.timersPerTurn + 1 }, () =>
          callWith(secret, pipeline, 'POST', '/v1/pix/charges', { amount: 100 }),
        ),
      ),
  }
}

t.test('an advance that arrives is answered with 200 and an idle clock', async (t) => {
  const { call } = await openCompany(t)
  const target = startMs + 24 * hourMs
  const clock = {
    object: 'clock',
    now: instant(target),
    realNow: instant(startMs),
    offsetSeconds: 86_400,
    status: 'IDLE',
    target: null,
  }
  const advanced = await call('POST', '/v1/sandbox/clock/advance', { by: 'P1D' })
  t.match(advanced, { status: 200 })
  t.strictSame(advanced.body, clock)
  t.strictSame((await call('GET', '/v1/sandbox/clock')).body, clock)
  const reset = await call('POST', '/v1/sandbox/clock/reset')
  t.match(reset, { status: 200, body: { now: instant(startMs), status: 'IDLE', target: null } })
})

t.test('one that takes longer than 25 s is answered with 202, and goes on to its target', async (t) => {
  const { call, tick, pass, createCharges } = await openCompany(t)
  await createCharges()
  const advance = call('POST', '/v1/sandbox/clock/advance', { by: 'P1D' })
  t.match((await call('GET', '/v1/sandbox/clock')).body, { status: 'ADVANCING' })
  pass(bounds.clockAnswerMs)
  tick()
  const { status, body } = await advance
  t.equal(bounds.clockAnswerMs, 25_000)
  t.equal(status, 202)
  const clock = {
    now: instant(startMs + hourMs),
    status: 'ADVANCING',
    target: instant(startMs + 24 * hourMs),
  }
  t.match(body, { object: 'clock', ...clock, realNow: instant(startMs + bounds.clockAnswerMs) })

  for (let ticks = 0; (await call('GET', '/v1/sandbox/clock')).body.status === 'ADVANCING'; ticks++) {
    t.ok(ticks < 10)
    const again = await call('POST', '/v1/sandbox/clock/advance', { by: 'P1D' })
    const refusal = { code: 'INVALID_STATE', currentStatus: 'ADVANCING', allowedStatuses: ['IDLE'] }
    t.match(again, { status: 409, body: refusal })
    tick()
  }
  const { body: arrived } = await call('GET', '/v1/sandbox/clock')
  t.match(arrived, { now: instant(startMs + 24 * hourMs), status: 'IDLE', target: null })
  const { body: expired } = await call('GET', '/v1/pix/charges?status=EXPIRED')
  t.equal(expired.pagination.total, engineBounds.timersPerTurn + 1)
})

t.test('a reset answers whoever waits for the clock with 409', async (t) => {
  const { call, createCharges } = await openCompany(t)
  await createCharges()
  const advance = call('POST', '/v1/sandbox/clock/advance', { by: 'P1D' })
  const reset = await call('POST', '/v1/sandbox/clock/reset')
  t.match(reset, { status: 200, body: { now: instant(startMs), status: 'IDLE', target: null } })
  t.match(await advance, { status: 409, body: { code: 'INVALID_STATE', currentStatus: 'IDLE' } })
})

t.test('the document has both answers of an advance, and what the clock says', async (t) => {
  const { paths, components } = JSON.parse(openApiDocument(routes, '1.0.0'))
  const { responses } = paths['/v1/sandbox/clock/advance'].post
  t.match(responses[202].description, /25 seconds.*ADVANCING.*target/)
  for (const status of [200, 202])
    t.match(responses[status].content['application/json'].schema, {
      $ref: '#/components/schemas/SandboxClock',
    })
  const { properties, required } = components.schemas.SandboxClock
  t.strictSame(properties.status.enum, ['IDLE', 'ADVANCING'])
  t.ok(required.includes('target'))
  t.ok(responses[409])
  const accepting = Object.entries<any>(paths).flatMap(([path, operations]) =>
    Object.values<any>(operations).flatMap(({ responses }) => (202 in responses ? [path] : [])),
  )
  t.strictSame(accepting.sort(), [
    '/v1/password/forgot',
    '/v1/sandbox/clock/advance',
    '/v1/transactions/{id}/send',
    '/v1/webhooks/deliveries/resend',
    '/v1/webhooks/endpoints/{id}/replay',
  ])
})
