import t from 'tap'
import { standingHeaders } from '../../../gateway/wire/standing-headers.ts'
import type { HttpRequest, HttpResponse } from '../../../gateway/wire/transport.ts'
import { type TransportName, transportOf } from './transports.ts'
import { client, serve } from './wire.ts'

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/** What is sent, and the status of the answer that comes of it over every transport. */
const requests: readonly (readonly [sent: string, status: number])[] = [
  [get('/text'), 200],
  ['HEAD /text HTTP/1.1\r\nHost: a\r\n\r\n', 200],
  [get('/svg'), 200],
  [get('/pdf'), 200],
  ['HEAD /pdf HTTP/1.1\r\nHost: a\r\n\r\n', 200],
  [get('/kept'), 200],
  [get('/page'), 200],
  [get('/nothing'), 204],
  [get('/not-modified'), 304],
  [get('/pieces'), 200],
  [get('/throws'), 500],
  [get('/late'), 503],
  ['TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  [get('/', 'Content-Length: 5\r\n').concat('hello'), 400],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell', 408],
  ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n', 413],
  [get(`/?${'x'.repeat(300)}`), 414],
  ['POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\n', 417],
  [get('/', `X: ${'x'.repeat(1500)}\r\n`), 431],
]

/** Answers that native builds do not give, or give as pages of their own that nobody can add to. */
const requestsOfNode: readonly (readonly [sent: string, status: number])[] = [
  ['GET / HTTP/1.0\r\n\r\n', 505],
  ['GET / HTTP/1.1\r\n\r\n', 400],
  ['\0\r\n\r\n', 400],
  [get('/', 'X: y\r\n'.repeat(5000)), 431],
]

const svg = { 'Content-Type': 'image/svg+xml' }
const answers: Readonly<Record<string, () => HttpResponse | Promise<HttpResponse>>> = {
  '/text': () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'text' }),
  '/svg': () => ({ status: 200, headers: svg, body: '<svg/>' }),
  '/pdf': () => ({ status: 200, headers: { 'Content-Type': 'application/pdf' }, body: Buffer.from('%PDF') }),
  '/kept': () => ({ status: 200, headers: { ...svg, 'Cache-Control': 'max-age=60' }, body: '<svg/>' }),
  '/page': () => ({
    status: 200,
    headers: { ...svg, 'Content-Security-Policy': "default-src 'self'" },
    body: '',
  }),
  '/nothing': () => ({ status: 204, headers: {}, body: null }),
  '/not-modified': () => ({ status: 304, headers: {}, body: null }),
  '/pieces': () => {
    let left = 2
    return { status: 200, headers: {}, body: { next: async () => (left-- > 0 ? 'piece' : null) } }
  },
  '/throws': () => {
    throw new Error('thrown')
  },
  '/late': () => new Promise(() => {}),
}

/** The values of a header in the bytes of an answer, in their order. */
const valuesOf = (received: string, name: string): string[] =>
  received
    .slice(0, received.indexOf('\r\n\r\n'))
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))

/** The first answer on a connection of its own: its status and its bytes. */
const answerTo = async (port: number, sent: string): Promise<readonly [status: number, received: string]> => {
  const { send, closed } = client(port)
  send(sent.replace('\r\n\r\n', sent.includes('Host') ? '\r\nConnection: close\r\n\r\n' : '\r\n\r\n'))
  const received = await closed
  return [Number(received.split(' ')[1]), received]
}

export const testStandingHeaders = (name: TransportName): void => {
  const isNative = name !== 'node'

  t.test(`${name}: every answer says what browsers may do with it`, async (t) => {
    for (const secure of [false, true]) {
      const { listener, port } = await serve(transportOf(name), {
        standing: standingHeaders({ secure }),
        handle: ({ path }: HttpRequest) => (answers[path] ?? answers['/text']!)(),
        limits: { answerTimeoutMs: 200 } as never,
      })
      const sent = isNative ? requests : [...requests, ...requestsOfNode]
      await Promise.all(
        sent.map(async ([request, expected]) => {
          const [status, received] = await answerTo(port, request)
          const title = request.slice(0, 60)
          t.equal(status, expected, title)
          t.strictSame(valuesOf(received, 'x-content-type-options'), ['nosniff'], title)
          t.strictSame(
            valuesOf(received, 'cache-control'),
            [/kept/.test(request) ? 'max-age=60' : 'no-store'],
            title,
          )
          t.strictSame(
            valuesOf(received, 'strict-transport-security'),
            secure ? ['max-age=31536000'] : [],
            title,
          )
          t.match(valuesOf(received, 'content-security-policy').join(), policyOf(request), title)
        }),
      )
      await listener.close(0)
    }
  })
}

/** What the policy of a request's answer must be. */
const policyOf = (request: string): RegExp => {
  if (/ \/(svg|kept) /.test(request)) return /^default-src 'none'; sandbox$/
  if (/ \/pdf /.test(request)) return /^default-src 'none'; [^,]*frame-ancestors 'none'$/
  return / \/page /.test(request) ? /^default-src 'self'$/ : /^$/
}
