import t, { type Test } from 'tap'
import type { OwnHeader } from '../../../gateway/base/seal.ts'
import { openAttempts } from '../../../gateway/webhooks/attempt.ts'
import { webhookHeaders } from '../../../gateway/webhooks/headers.ts'
import { isOwnName, isOwnValue } from '../../../gateway/webhooks/own-headers.ts'
import { httpReceiver } from './receivers.ts'

const sent = {
  endpointId: 'whk_1',
  environment: 'SANDBOX' as const,
  secret: 'whsec_x',
  eventId: 'evt_1',
  eventType: 'payment.approved',
  deliveryId: 'dlv_1',
  body: Buffer.from('{}'),
  signature: 'standard-webhooks' as const,
}

const attempted = async (t: Test, headers: readonly OwnHeader[], answer?: string) => {
  const { port, requests } = await httpReceiver(t, (request, response) => {
    response.end(answer ?? JSON.stringify(request.headers))
  })
  const attempts = openAttempts({ realNow: Date.now })
  t.teardown(attempts.close)
  const outcome = await attempts.attempt({ ...sent, url: `http://127.0.0.1:${port}/`, headers })
  return { outcome, request: requests[0]! }
}

t.test('headers of the receiver are sent as they are', async (t) => {
  const headers = [
    { name: 'Authorization', value: 'Bearer abc.def-1/+=' },
    { name: 'x_api_key', value: 'a "quoted" key, with: signs' },
  ]
  const { request, outcome } = await attempted(t, headers, 'ok')
  t.equal(outcome.statusCode, 200)
  t.match(request.headers, { authorization: headers[0]!.value, x_api_key: headers[1]!.value })
  t.equal(String(request.body), '{}', 'and the body is whole')
})

t.test('no header that the service sends may be one of the receiver', async (t) => {
  const ours = webhookHeaders(sent, 1).filter((_, n) => n % 2 === 0)
  t.ok(ours.includes('webhook-signature') && ours.includes('Service-Signature'))
  for (const name of [...ours, 'Host', 'Content-Length', 'traceparent', 'Service-New', 'webhook-new'])
    for (const one of [name, name.toLowerCase(), name.toUpperCase()]) t.notOk(isOwnName(one), one)
})

t.test('none that is of the connection, frames, or is no name', async (t) => {
  for (const name of [
    'Connection',
    'keep-alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'HTTP2-Settings',
    'Content-Encoding',
    '',
    'a b',
    'a:b',
    'a\r\nb',
    'a\n',
    'ação',
    'x'.repeat(65),
  ])
    t.notOk(isOwnName(name), name)
  for (const name of ['Authorization', 'X-Api-Key', 'x_token', 'Cookie', 'x'.repeat(64)])
    t.ok(isOwnName(name), name)
})

t.test('no value begins another header, or ends the head', async (t) => {
  for (const value of [
    'a\r\nHost: other.example',
    'a\nb',
    'a\rb',
    'a\u0000b',
    'a\tb',
    ' a',
    'a ',
    '',
    'ação',
    'a\u010ab', // As latin1 it would be a line break.
    'x'.repeat(1_025),
  ])
    t.notOk(isOwnValue(value), JSON.stringify(value))
  for (const value of ['a', 'Bearer x y', '~!', 'x'.repeat(1_024)]) t.ok(isOwnValue(value), value)
})

t.test('a receiver that shows what it was sent does not put it on the record', async (t) => {
  const password = '9f8e7d6c5b4a'
  const headers = [
    { name: 'Authorization', value: `Bearer ${password}` },
    { name: 'X-Key', value: 'with "quotes" inside' },
  ]
  const { outcome } = await attempted(t, headers)
  t.match(outcome.responseSnippet, /"authorization":"\*\*\*"/)
  t.notMatch(outcome.responseSnippet, /9f8e|quotes/)
  const spelled = await attempted(t, headers, `token ${password} is unknown`)
  t.equal(spelled.outcome.responseSnippet, 'token *** is unknown')
  const cut = await attempted(t, headers, `${'.'.repeat(1_024 - 8)}${password}`)
  t.notMatch(cut.outcome.responseSnippet, /9f8e/, 'nor the part before the record ends')
})
