import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { forward } from '../../../../gateway/operator/command-line/commands/listen.ts'
import { newWebhookSecret } from '../../../../gateway/webhooks/headers.ts'
import { httpReceiver } from '../../webhooks/receivers.ts'

const event = {
  id: 'evt_1',
  type: 'payment.approved',
  environment: 'PRODUCTION',
  body: '{"id":"evt_1"}',
} as const
const secret = newWebhookSecret((size) => Buffer.alloc(size, 7))

for (const host of ['127.0.0.1', '::1'])
  t.test(`localhost is a server that listens on ${host} alone`, async (t) => {
    const { port, requests } = await httpReceiver(t, undefined, host)
    t.match(await forward(event, `http://localhost:${port}/hook`, { secret }), { status: 200, trouble: null })
    t.equal(String(requests[0]!.body), event.body)
  })

t.test('events are forwarded with the options of an endpoint', async (t) => {
  const { port, requests } = await httpReceiver(t, (_, response) => void response.writeHead(500).end('no'))
  const headers = [{ name: 'X-Shop', value: '7' }]
  const signed = { secret, signature: 'standard-webhooks', headers } as const
  t.match(await forward(event, `http://127.0.0.1:${port}/`, signed), { status: 500, trouble: 'no' })
  const [request] = requests
  t.match(request!.headers, {
    'x-shop': '7',
    'service-environment': 'PRODUCTION',
    'service-signature': /^t=\d+,v1=/,
    'content-length': String(event.body.length),
  })
  t.match(new Webhook(secret).verify(event.body, request!.headers as Record<string, string>), { id: 'evt_1' })
})

t.test('a server that closes each connection after its answer hears every event', async (t) => {
  const { port, requests } = await httpReceiver(t, (request, response) => {
    response.end('ok', () => request.socket.destroy())
  })
  for (const _ of [1, 2, 3, 4])
    t.match(await forward(event, `http://127.0.0.1:${port}/`, { secret }), { status: 200 })
  t.equal(requests.length, 4)
})

t.test('why nothing was heard is said', async (t) => {
  const { port } = await httpReceiver(t, (request) => void request.socket.destroy())
  t.match(await forward(event, `http://127.0.0.1:${port}/`, { secret }), {
    status: null,
    trouble: 'ECONNRESET',
  })
  t.match(await forward(event, 'http://127.0.0.1:1/', { secret }), { status: null, trouble: 'ECONNREFUSED' })
})
