import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import t, { type Test } from 'tap'
import { openAttempts } from '../../../gateway/webhooks/attempt.ts'
import { newWebhookSecret, type Sent } from '../../../gateway/webhooks/headers.ts'
import { httpReceiver, type Received } from './receivers.ts'

/** The libraries look at the clock, and refuse what is more than five minutes away from it. */
const received = async (t: Test, sent: Partial<Sent>, realNow = Date.now): Promise<Received> => {
  const { port, requests } = await httpReceiver(t)
  const attempts = openAttempts({ realNow })
  t.teardown(attempts.close)
  await attempts.attempt({
    endpointId: 'whk_1',
    url: `http://127.0.0.1:${port}/`,
    environment: 'SANDBOX',
    secret,
    eventId: 'evt_1',
    eventType: 'payment.approved',
    deliveryId: 'dlv_1',
    body: Buffer.from(JSON.stringify({ id: 'evt_1', data: { note: 'ação </b> 🎉 \u2028' } })),
    signature: 'standard-webhooks',
    ...sent,
  })
  return requests[0]!
}

const secret = newWebhookSecret(randomBytes)
const former = newWebhookSecret(randomBytes)
const libraries = { standardwebhooks: Webhook, svix: Svix }

for (const [name, Library] of Object.entries(libraries)) {
  const verified = ({ body, headers }: Received, key: string, text = String(body)): unknown =>
    new Library(key).verify(text, headers as Record<string, string>)

  t.test(`${name} verifies an attempt with the secret as it was shown`, async (t) => {
    const request = await received(t, {})
    t.match(verified(request, secret), { id: 'evt_1' })
    t.equal(request.headers['webhook-id'], 'evt_1', 'the id of the event: the same at every delivery')
    t.match(request.headers['service-signature'], /^t=\d+,v1=[0-9a-f]{64}$/, 'ours is there as well')
    t.throws(() => verified(request, former))
    t.throws(() => verified(request, secret, `${request.body} `))
  })

  t.test(`${name} verifies with either secret while one is rolled`, async (t) => {
    const request = await received(t, { formerSecret: former })
    t.match(verified(request, secret), { id: 'evt_1' })
    t.match(verified(request, former), { id: 'evt_1' })
  })

  t.test(`${name} refuses what was signed more than five minutes ago`, async (t) => {
    const request = await received(t, {}, () => Date.now() - 301_000)
    t.throws(() => verified(request, secret), /old/)
  })

  t.test(`${name} verifies with the secret of an older endpoint, written in its own alphabet`, async (t) => {
    const bytes = Buffer.alloc(32, 0xfb)
    const request = await received(t, { secret: `whsec_${bytes.toString('base64url')}` })
    t.match(verified(request, `whsec_${bytes.toString('base64')}`), { id: 'evt_1' })
  })
}

t.test('an endpoint that did not ask for it gets none of these headers', async (t) => {
  const { headers } = await received(t, { signature: 'service' })
  t.strictSame(
    Object.keys(headers).filter((name) => name.startsWith('webhook-')),
    [],
  )
})

t.test('secrets are 32 bytes in base64 with its padding, as strict decoders want them', async (t) => {
  for (let n = 0; n < 100; n++) {
    const text = newWebhookSecret(randomBytes).slice('whsec_'.length)
    t.equal(Buffer.from(text, 'base64').toString('base64'), text)
    t.equal(Buffer.from(text, 'base64').length, 32)
  }
})
