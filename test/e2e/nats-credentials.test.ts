import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { nkeyIdentity } from '../nats/credentials.ts'
import { subjectsOf } from '../nats/documented.ts'
import { startNatsServers } from '../nats/servers.ts'
import { repeatsIn } from './on-nats.ts'
import { newMerchant, oneWorker, refusedStart, startReceiver, startService, until } from './service.ts'

t.test('a wrong password is one line at the start; the service serves, and goes on trying', async (t) => {
  const servers = await startNatsServers(1, {
    config: 'authorization { user: pay, password: "correct horse" }',
    client: { user: 'pay', pass: 'correct horse' },
  })
  t.teardown(servers.stop)
  const env = { NATS_URL: servers.url, NATS_USER: 'pay', NATS_PASSWORD: 'battery staple' }
  const service = await startService(t, { env })
  const { call } = await newMerchant(service)
  t.equal((await call('POST', '/v1/pix/charges', { amount: 100 })).status, 201)
  t.match((await call('GET', '/readyz')).body, { eventStream: 'away' })
  await service.logged('NATS cannot be used: it refuses NATS_USER with NATS_PASSWORD')
  t.strictSame(repeatsIn(service.log()), [], 'told once')
  t.notMatch(service.log(), 'battery staple')
  t.notMatch(service.log(), /\\n +at /, 'no stack trace')
})

t.test('a service that only may do what the documentation says', async (t) => {
  const identity = nkeyIdentity()
  const publish = [...subjectsOf('the service'), ofTheTest]
  const permissions = `{ publish: ${JSON.stringify(publish)}, subscribe: ["_INBOX.pay.>"] }`
  const servers = await startNatsServers(1, {
    config: identity.config.replace(' } ] }', `, permissions: ${permissions} } ] }`),
    client: { authenticator: identity.authenticator, inboxPrefix: '_INBOX.pay' },
  })
  t.teardown(servers.stop)
  const folder = mkdtempSync(join(tmpdir(), 'nkey-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'seed')
  writeFileSync(file, identity.file, { mode: 0o600 })
  const service = await startService(t, {
    env: { ...oneWorker, NATS_URL: servers.url, NATS_NKEY_FILE: file },
  })
  const { company, call } = await newMerchant(service)
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  await call('POST', '/v1/pix/charges', { amount: 100 })
  t.strictSame(
    (await receiver.count(2)).map(({ event }) => event.type),
    ['payment.created', 'payment.pending'],
  )
  // When it is back it looks whether what it has published is still there.
  await servers.kill(0, 'SIGKILL')
  await until(async () => (await service.metric('payments_event_stream_connected')) === 0)
  await servers.start(0)
  await until(async () => (await service.metric('payments_event_stream_connected')) === 1)
  await call('POST', '/v1/pix/charges', { amount: 100 })
  t.equal((await receiver.count(4)).length, 4)

  chmodSync(file, 0o644)
  const { code, output } = await refusedStart({ NATS_URL: servers.url, NATS_NKEY_FILE: file })
  t.equal(code, 1)
  t.match(output, /^payments: NATS_NKEY_FILE: .* can be read by every user of this machine/)
  t.notMatch(output, identity.file.trim())
})

/** By this it finds out that the server is ready. */
const ofTheTest = '$JS.API.INFO'
