import t from 'tap'
import type { KnownKey } from '../../../gateway/identity/caller.ts'
import { readBatch, writeBatch } from '../../../gateway/link/batch-bytes.ts'
import {
  packRequest,
  packResponse,
  type RelayedRequest,
  type RelayedResponse,
  unpackRequest,
  unpackResponse,
} from '../../../gateway/link/relay.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const caller = { kind: 'KEY', key: { id: 'key_1' }, ordinal: 3 } as unknown as KnownKey
const found = (keys: Readonly<Record<number, KnownKey>>) => ({
  key: (ordinal: number) => keys[ordinal],
  person: () => undefined,
})

/** A request as it comes out of a batch. */
const through = (request: RelayedRequest): RelayedRequest =>
  readBatch(writeBatch({ calls: [[0, 'serve', request]], results: [] })).calls[0]![2] as RelayedRequest
const throughAnswer = (response: RelayedResponse): RelayedResponse =>
  readBatch(writeBatch({ calls: [], results: [[0, 'ok', response]] })).results[0]![2] as RelayedResponse

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
  const relayed = through(packRequest(admitted))
  t.notOk(JSON.stringify(relayed).includes('secret'), 'the key stays where it was checked')
  t.strictSame(unpackRequest(relayed, found({ 3: caller })), {
    ...admitted,
    request: {
      ...admitted.request,
      headers: { 'content-type': 'application/json', 'accept-language': 'pt-BR', traceparent },
    },
  })
  t.equal(unpackRequest(relayed, found({})), null, 'a key that is not known here')
  const byEarlierBuild = relayed.map((part) => (part instanceof Uint8Array ? body.toString('latin1') : part))
  t.strictSame(unpackRequest(byEarlierBuild, found({ 3: caller }))!.request.body, body)
})

t.test('an answer comes out as it went in', async (t) => {
  const response = { status: 201, headers: { Location: '/v1/x', 'Request-Id': 'req_1' }, body: '{"é":"🦜"}' }
  t.strictSame(unpackResponse(throughAnswer(packResponse(response))), response)
  const bytes = { ...response, body: Buffer.from([0, 255]) }
  t.strictSame(unpackResponse(throughAnswer(packResponse(bytes))), bytes)
})
