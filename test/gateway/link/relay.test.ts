import t from 'tap'
import type { KnownKey } from '../../../gateway/identity/caller.ts'
import { packRequest, packResponse, unpackRequest, unpackResponse } from '../../../gateway/link/relay.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const caller = { kind: 'KEY', key: { id: 'key_1' }, ordinal: 3 } as unknown as KnownKey
const found = (keys: Readonly<Record<number, KnownKey>>) => ({
  key: (ordinal: number) => keys[ordinal],
  person: () => undefined,
})

t.test('a request comes out of a relay as far as it is still asked for', async (t) => {
  const body = Buffer.from([0, 0x7b, 0xc3, 0xa9, 0xff])
  const admitted = {
    request: {
      verb: 'POST',
      path: '/v1/a%20b/refund',
      query: 'x=1',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'pt-BR',
        authorization: 'Bearer secret',
        host: 'a',
        traceparent,
      },
      repeatedHeaders: ['cookie', 'idempotency-key'],
      body,
      remoteAddress: '192.0.2.1',
    },
    caller,
    requestId: 'req_1',
    startedAtMs: 1.5,
    headers: { 'Request-Id': 'req_1', RateLimit: '"default";r=1;t=1' },
    cursor: 'there',
  }
  const relayed = structuredClone(packRequest(admitted))
  t.notOk(JSON.stringify(relayed).includes('secret'), 'the key stays where it was checked')
  t.strictSame(unpackRequest(relayed, found({ 3: caller })), {
    ...admitted,
    request: {
      ...admitted.request,
      headers: { 'content-type': 'application/json', 'accept-language': 'pt-BR', traceparent },
    },
  })
  t.equal(unpackRequest(relayed, found({})), null, 'a key that is not known here')
})

t.test('an answer comes out as it went in', async (t) => {
  const response = { status: 201, headers: { Location: '/v1/x', 'Request-Id': 'req_1' }, body: '{"é":"🦜"}' }
  t.strictSame(unpackResponse(structuredClone(packResponse(response))), response)
  const bytes = { ...response, body: Buffer.from([0, 255]) }
  t.strictSame(unpackResponse(structuredClone(packResponse(bytes))), bytes)
})
