import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { accepts, codedFor, packing } from '../../../gateway/api/encoding.ts'
import type { HttpRequest, HttpResponse } from '../../../gateway/wire/transport.ts'

t.test('a coding is accepted by its name or by a star, unless its weight is 0', async (t) => {
  for (const [accepted, gzip, br] of [
    [undefined, false, false],
    ['', false, false],
    ['identity', false, false],
    ['gzip', true, false],
    ['gzip, deflate, br', true, true],
    ['GZIP;q=0.5', true, false],
    ['br;q=1.0, gzip;q=0', false, true],
    ['gzip ; q=0.000', false, false],
    ['*', true, true],
    ['*;q=0, br', false, true],
    ['br;q=0, *', true, false],
    ['xgzip', false, false],
    ['gzip;q=nonsense', false, false],
  ] as const) {
    t.equal(accepts(accepted, 'gzip'), gzip, `gzip: ${accepted}`)
    t.equal(accepts(accepted, 'br'), br, `br: ${accepted}`)
  }
})

t.test('the smallest coding that is accepted is sent', async (t) => {
  const coded = { br: brotliCompressSync('abc'), gzip: gzipSync('abc'), plain: () => 'abc' }
  const answer = (body: string | Buffer): HttpResponse => ({ status: 200, headers: {}, body })
  const sent = (accepted?: string) => codedFor(accepted, coded, answer)
  t.strictSame(sent('gzip, br').headers, { Vary: 'Accept-Encoding', 'Content-Encoding': 'br' })
  t.equal(sent('gzip, br').body, coded.br)
  t.equal(sent('gzip').body, coded.gzip)
  t.strictSame(sent(), { status: 200, headers: { Vary: 'Accept-Encoding' }, body: 'abc' })
})

t.test('an answer of text is packed for a GET that takes it, from 1 kB on', async (t) => {
  const long = JSON.stringify({ data: Array(200).fill('row') })
  const json = { 'Content-Type': 'application/json' }
  const sent = (response: Partial<HttpResponse>, request: Partial<HttpRequest> = {}): HttpResponse => {
    let answered: HttpResponse | undefined
    const asked = { verb: 'GET', headers: { 'accept-encoding': 'gzip' }, ...request } as HttpRequest
    packing(asked, { resolve: (response) => (answered = response), reject: t.error }).resolve({
      status: 200,
      headers: json,
      body: long,
      ...response,
    })
    return answered!
  }
  const { headers, body } = sent({})
  t.strictSame(headers, { ...json, Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' })
  t.equal(String(gunzipSync(body as Buffer)), long)
  t.equal(sent({ body: Buffer.from(long) }).headers['Content-Encoding'], 'gzip')
  t.equal(
    sent({ headers: { ...json, Vary: 'Accept-Language' } }).headers.Vary,
    'Accept-Language, Accept-Encoding',
  )
  const plain: readonly (readonly [string, Partial<HttpResponse>, Partial<HttpRequest>?])[] = [
    ['a short one', { body: '{}' }],
    ['none', { body: null }],
    ['one that is packed already', { headers: { ...json, 'Content-Encoding': 'br' } }],
    ['a PDF', { headers: { 'Content-Type': 'application/pdf' } }],
    ['a stream', { body: { next: async () => null } }],
    ['a POST', {}, { verb: 'POST' }],
    ['a HEAD', {}, { verb: 'HEAD' }],
    ['who does not take it', {}, { headers: { 'accept-encoding': 'br' } }],
    ['who says nothing', {}, { headers: {} }],
  ]
  for (const [name, response, request] of plain)
    t.equal(sent(response, request).body, 'body' in response ? response.body : long, name)
})
