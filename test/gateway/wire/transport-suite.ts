import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import type { HttpRequest, HttpResponse, ListenOptions } from '../../../gateway/wire/transport.ts'
import { localhostTls } from '../../localhost-tls.ts'
import { testSilentClients } from './silent-clients.ts'
import { testStandingHeaders } from './standing-headers.ts'
import { testTlsSuites } from './tls-suites.ts'
import { type TransportName, transportOf } from './transports.ts'
import { type Answers, client, clientOver, echo, outcomeOf, serve, sleep } from './wire.ts'

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const post = (headers: string, body = ''): string =>
  `POST /first HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`
const hidden = get('/hidden')
const chunked = 'Transfer-Encoding: chunked\r\n'
const length = (bytes: number): string => `Content-Length: ${bytes}\r\n`
/** A request after which every transport keeps the connection. */
const hello = post(length(5), 'hello')
const afterEmptyName = post(`: x\r\n${length(hidden.length)}`)
const chunks = '5\r\nhello\r\n0\r\n\r\n'

/**
 * What is sent, the parts after the first one when it was answered, and what comes of it with each transport: the statuses
 * of the answers, and whether the connection is closed or stays open. Whatever it is, no request for /hidden may reach the
 * handler. Where the newer native build does what the older one does, its outcome is left out.
 */
type Attack = readonly [
  title: string,
  parts: readonly (string | readonly string[])[],
  old: string,
  node: string,
  current?: string,
]
const attacks: readonly Attack[] = [
  // Two lengths, or a length that is none (H3).
  ['two different lengths', [post(length(5) + length(40), `hello${hidden}`)], 'closed', '400 closed'],
  [
    'two different lengths, shorter last',
    [post(length(40) + length(5), `hello${hidden}`)],
    'closed',
    '400 closed',
  ],
  ['two equal lengths', [post(length(5) + length(5), `hello${hidden}`)], 'closed', '400 closed'],
  ['a list of lengths', [post('Content-Length: 5, 5\r\n', `hello${hidden}`)], 'closed', '400 closed'],
  ['a signed length', [post('Content-Length: +5\r\n', `hello${hidden}`)], 'closed', '400 closed'],
  ['a negative length', [post('Content-Length: -5\r\n', hidden)], 'closed', '400 closed'],
  ['a hexadecimal length', [post('Content-Length: 0x5\r\n', `hello${hidden}`)], 'closed', '400 closed'],
  ['an empty length', [post('Content-Length:\r\n', hidden)], 'closed', '400 closed'],
  ['an empty length, the rest later', [post('Content-Length:\r\n'), hidden], 'closed', '400 closed'],
  // A length and a coding (H4).
  ['length and chunked', [post(length(5) + chunked, chunks + hidden)], 'closed', '400 closed', '400 closed'],
  ['chunked and length', [post(chunked + length(5), chunks + hidden)], 'closed', '400 closed', '400 closed'],
  [
    'empty length and chunked',
    [post(`Content-Length:\r\n${chunked}`, chunks + hidden)],
    'closed',
    '400 closed',
  ],
  [
    'length and empty coding',
    [post(`${length(5)}Transfer-Encoding:\r\n`, `hello${hidden}`)],
    'closed',
    '400 closed',
  ],
  // Codings that are not exactly chunked (H6).
  ['coding identity', [post('Transfer-Encoding: identity\r\n', chunks + hidden)], 'closed', '400 closed'],
  [
    'coding gzip, chunked',
    [post('Transfer-Encoding: gzip, chunked\r\n', chunks + hidden)],
    'closed',
    '400 closed',
  ],
  ['coding twice', [post(chunked + chunked, chunks + hidden)], 'closed', '400 closed'],
  ['coding xchunked', [post('Transfer-Encoding: xchunked\r\n', chunks + hidden)], 'closed', '400 closed'],
  ['coding Chunked', [post('Transfer-Encoding: Chunked\r\n', chunks + hidden)], 'closed', '400 closed'],
  [
    'coding with a byte before it',
    [post('Transfer-Encoding: \xffchunked\r\n', chunks + hidden)],
    'closed',
    '400 closed',
  ],
  // Chunks that are not what they say (H7).
  ['chunk extension', [post(chunked, `5;a=1\r\nhello\r\n0\r\n\r\n${hidden}`)], '408 closed', 'closed'],
  [
    'chunk size that is no number',
    [post(chunked, `g\r\nhello\r\n0\r\n\r\n${hidden}`)],
    'closed',
    '400 closed',
    '400 closed',
  ],
  [
    'chunk size beyond 64 bit',
    [post(chunked, `fffffffffffffffff\r\nhello\r\n0\r\n\r\n${hidden}`)],
    'closed',
    '400 closed',
    '400 closed',
  ],
  ['chunks with bare line feeds', [post(chunked, `5\nhello\n0\n\n${hidden}`)], 'closed', '400 closed'],
  ['bytes behind a chunk', [post(chunked, `5\r\nhelloXX0\r\n\r\n${hidden}`)], 'closed', '400 closed'],
  ['bytes behind the last chunk', [post(chunked, `5\r\nhello\r\n0\r\nXX${hidden}`)], 'closed', '400 closed'],
  [
    'bytes behind the last chunk, later',
    [post(chunked, '5\r\nhello\r\n0\r\nXX'), hidden],
    '200 closed',
    '408 closed',
  ],
  [
    'trailers',
    [post(chunked, `5\r\nhello\r\n0\r\nX: y\r\n\r\n${hidden}`)],
    '200 closed',
    'closed',
    '505 closed',
  ],
  // Names and lines that two readers could understand differently.
  ['an empty header name, in one packet', [afterEmptyName + hidden], 'closed', '400 closed'],
  ['an empty header name, the rest later', [afterEmptyName, hidden], '200 closed', '400 closed'],
  ['a space before the colon', [post(`Content-Length : 40\r\n`, hidden)], 'open', '400 closed', '400 closed'],
  ['a folded header', [post(`X: y\r\n Content-Length: 40\r\n`, hidden)], 'open', '400 closed', '400 closed'],
  ['bare line feeds', [post(`X: y\nContent-Length: 40\n`, hidden)], 'open', '400 closed', '400 closed'],
  [
    'two hosts',
    [`GET /first HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${hidden}`],
    'closed',
    '400 closed',
    '400 closed',
  ],
  // Versions, forms and verbs (H10, H24).
  ['HTTP/1.0', ['GET /first HTTP/1.0\r\nHost: a\r\n\r\n'], 'open', '505 closed', '505 closed'],
  ['HTTP/2 preface', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 'open', '400 closed', '505 closed'],
  ['absolute form', ['GET http://a/first HTTP/1.1\r\nHost: a\r\n\r\n'], 'open', '200 open', '505 closed'],
  ['asterisk form', ['OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'], 'open', '400 closed', '505 closed'],
  ['no host', ['GET /first HTTP/1.1\r\n\r\n'], 'open', '400 closed', '400 closed'],
  ['TRACE', ['TRACE /first HTTP/1.1\r\nHost: a\r\n\r\n'], '405 closed', '405 closed'],
  ['CONNECT', ['CONNECT /first HTTP/1.1\r\nHost: a\r\n\r\n'], '405 closed', '405 closed'],
  ['CONNECT to a host', ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'], 'open', '405 closed', '505 closed'],
  ['PROPFIND', ['PROPFIND /first HTTP/1.1\r\nHost: a\r\n\r\n'], 'closed', '405 closed', '405 closed'],
  ['get', ['get /first HTTP/1.1\r\nHost: a\r\n\r\n'], 'closed', '400 closed', '405 closed'],
  [
    'a TLS hello on the plain port',
    ['\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03'],
    'open',
    '400 closed',
    '505 closed',
  ],
  // Pipelining (H9): neither is answered, because the second is not told from a hidden one.
  ['two requests in one packet', [get('/first') + hidden], 'closed', 'closed'],
  ['a request behind a body', [post(length(5), `hello${hidden}`)], 'closed', 'closed'],
  // Bodies where none belong (H15).
  ['GET with a body', [`${get('/first', length(5))}hello`], '400 closed', '400 closed'],
  ['GET with chunks', [get('/first', chunked) + chunks], '400 closed', '400 closed'],
  [
    'HEAD with a body',
    [`HEAD /first HTTP/1.1\r\nHost: a\r\n${length(5)}\r\nhello`],
    '400 closed',
    '400 closed',
  ],
  [
    'DELETE with a body',
    [`DELETE /first HTTP/1.1\r\nHost: a\r\n${length(5)}\r\nhello`],
    '400 closed',
    '400 closed',
  ],
  // Sizes (H13).
  ['a body that is announced too large', [post(length(999_999_999))], '413 closed', '413 closed'],
  ['a body that is too large', [post(length(2001), 'x'.repeat(2001))], '413 closed', '413 closed'],
  ['a body that is far too large', [post(length(100_000), 'x'.repeat(100_000))], '413 closed', '413 closed'],
  [
    'chunks that are too large',
    [post(chunked, `7d1\r\n${'x'.repeat(2001)}\r\n0\r\n\r\n`)],
    '413 closed',
    '413 closed',
  ],
  [
    'chunks without end',
    [post(chunked, `${`3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(20)}`)],
    '413 closed',
    '413 closed',
  ],
  ['a URL that is too long', [get(`/first?${'x'.repeat(200)}`)], '414 closed', '414 closed'],
  ['headers that are too large', [get('/first', `X: ${'x'.repeat(1000)}\r\n`)], '431 closed', '431 closed'],
  ['a body that does not come', [post(length(5), 'hell')], '408 closed', '408 closed'],
  [
    'an expectation that is unknown',
    [post(`Expect: 200-ok\r\n${length(5)}`, 'hello')],
    '417 closed',
    '417 closed',
  ],
  // And what is allowed.
  ['GET', [get('/first'), get('/second')], '200 closed', '200 200 open'],
  ['GET with a length of 0', [get('/first', length(0)), get('/second')], '200 closed', '200 200 open'],
  ['POST', [hello, hello], '200 200 open', '200 200 open'],
  ['POST with a body of the largest size', [post(length(2000), 'x'.repeat(2000))], '200 open', '200 open'],
  ['POST with a length of 0', [post(length(0)), get('/second')], '200 closed', '200 200 open'],
  ['POST with chunks', [post(chunked, chunks)], '200 closed', '200 open'],
  ['POST without a length', [post('')], '200 closed', '200 open'],
  ['DELETE without a length', ['DELETE /first HTTP/1.1\r\nHost: a\r\n\r\n'], '200 closed', '200 open'],
]

/** Requests that clients and proxies send in practice. A list of pieces is sent as so many packets. */
const everyday: readonly Attack[] = [
  [
    'a header name with an underscore',
    [get('/first', 'access_token: x\r\n')],
    'open',
    '200 open',
    '200 closed',
  ],
  ['a header name with dots', [get('/first', 'x.y.z: x\r\n')], 'open', '200 open', '200 closed'],
  ['a header without a value', [get('/first', 'X-Empty:\r\n')], '200 closed', '200 open'],
  ['a header name in capitals', [get('/first', 'X-CAPITAL: x\r\n')], '200 closed', '200 open'],
  ['a value that is UTF-8', [get('/first', 'X-Name: S\xc3\xa3o Jo\xc3\xa3o\r\n')], '200 closed', '200 open'],
  ['a health check over HTTP/1.0', ['GET /healthz HTTP/1.0\r\n\r\n'], 'open', '200 closed', '505 closed'],
  ['one with HEAD', ['HEAD /readyz HTTP/1.0\r\nHost: a\r\n\r\n'], 'open', '200 closed', '505 closed'],
  [
    'one that wants to keep its connection',
    ['GET /readyz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    'open',
    '200 open',
    '505 closed',
  ],
  ['the default health check of HAProxy', ['OPTIONS / HTTP/1.0\r\n\r\n'], 'open', '505 closed', '505 closed'],
  [
    'a POST over HTTP/1.0',
    [`POST /healthz HTTP/1.0\r\n${length(0)}\r\n`],
    'open',
    '505 closed',
    '505 closed',
  ],
  [
    'absolute form without a path',
    ['GET http://a HTTP/1.1\r\nHost: b\r\n\r\n'],
    'open',
    '200 open',
    '505 closed',
  ],
  [
    'absolute form over TLS',
    ['GET https://a/first?x=1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    'open',
    '200 open',
    '505 closed',
  ],
  ['another scheme', ['GET ftp://a/first HTTP/1.1\r\nHost: a\r\n\r\n'], 'open', '400 closed', '505 closed'],
  ['HTTP/1.2', ['GET /first HTTP/1.2\r\nHost: a\r\n\r\n'], 'open', '400 closed', '505 closed'],
  ['HTTP/0.9', ['GET /first\r\n\r\n'], 'open', '505 closed', '505 closed'],
  ['a tab before a value', [get('/first', 'X:\ty\r\n')], '200 closed', '200 open'],
  ['blanks around a value', [get('/first', 'X:   y  \r\n')], '200 closed', '200 open'],
  ['an empty host', ['GET /first HTTP/1.1\r\nHost:\r\n\r\n'], '200 closed', '200 open'],
  ['a quoted query', [get('/first?q=%22a%22')], '200 closed', '200 open'],
  ['brackets in the query', [get('/first?status[]=PAID')], '200 closed', '200 open'],
  ['a length and a body in two packets', [[post(length(5)), 'hello']], '200 open', '200 open'],
  ['a body byte by byte', [[post(length(3)), 'a', 'b', 'c']], '200 open', '200 open'],
  ['Connection: close', [get('/first', 'Connection: close\r\n')], '200 closed', '200 closed'],
  [
    'Connection: keep-alive',
    [post(`Connection: keep-alive\r\n${length(5)}`, 'hello')],
    '200 open',
    '200 open',
  ],
  [
    'an upgrade to HTTP/2',
    [get('/first', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n')],
    '200 closed',
    '200 open',
  ],
  [
    'an upgrade to WebSocket',
    [get('/first', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')],
    '200 closed',
    '200 open',
  ],
  ['a cookie list', [get('/first', 'Cookie: a=1\r\nCookie: b=2\r\n')], '200 closed', '200 open'],
  ['a chunk extension', [post(chunked, '5;a=1\r\nhello\r\n0\r\n\r\n')], '408 closed', '200 open'],
  [
    'trailers',
    [post(`${chunked}Trailer: X\r\n`, '5\r\nhello\r\n0\r\nX: y\r\n\r\n')],
    '200 closed',
    '200 open',
    '505 closed',
  ],
]

/** A header line without a name, which hides from both native builds that a body follows: it is the hidden request. */
const namelessHeaders: readonly Attack[] = ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST'].flatMap((verb) =>
  [length(hidden.length), chunked, `${length(hidden.length)}${chunked}`].flatMap((framing) =>
    ['', length(0), 'Authorization: Bearer key\r\n'].flatMap((visible): Attack[] => {
      const head = `${verb} /first HTTP/1.1\r\nHost: a\r\n${visible}: x\r\n${framing}\r\n`
      const title = JSON.stringify(head)
      return [
        [`${title}, in one packet`, [head + hidden], 'closed', '400 closed'],
        [`${title}, the rest later`, [head, hidden], '200 closed', '400 closed'],
      ]
    }),
  ),
)

const outcomeFrom = (text: string) => ({
  statuses: text.split(' ').slice(0, -1).map(Number),
  closed: text.endsWith('closed'),
})

/** What is expected of a transport, and what came of it. */
const outcomeOn = async (
  port: number,
  name: TransportName,
  [title, parts, old, node, current = old]: Attack,
  isSecure = false,
) => {
  const expected = { 'uws-20.57': current, 'uws-20.30': old, node }[name]
  const { statuses, closed } = await outcomeOf(port, parts, outcomeFrom(expected), isSecure)
  return [title, expected, [...statuses, closed ? 'closed' : 'open'].join(' ')] as const
}

/** What a client of a transport sees on the socket, and what the handler sees of it: one suite for all transports. */
export const testTransport = (name: TransportName, sharesPorts: boolean): void => {
  const transport = transportOf(name)
  const isNative = name !== 'node'
  testSilentClients(name)
  testTlsSuites(name)
  testStandingHeaders(name)

  t.test(`${name}: what may hide a second request, and what is too large`, async (t) => {
    const { listener, port, seen, faults } = await serve(transport)
    const outcomes = [...attacks, ...namelessHeaders].map((attack) => outcomeOn(port, name, attack))
    for (const [title, expected, outcome] of await Promise.all(outcomes)) t.equal(outcome, expected, title)
    t.notOk(
      seen.some((request) => request.includes('/hidden')),
      'no hidden request reached the handler',
    )
    t.strictSame(faults, [])
    await listener.close(0)
  })

  t.test(`${name}: what clients and proxies send in practice, over TLS too`, async (t) => {
    const takesHttp10 = (verb: string, path: string) => verb !== 'POST' && /^\/(healthz|readyz)$/.test(path)
    const servers = [
      await serve(transport, { takesHttp10 }),
      await serve(transport, { takesHttp10, tls: localhostTls }),
    ]
    for (const [n, { listener, port, cuts }] of servers.entries()) {
      const outcomes = everyday.map((request) => outcomeOn(port, name, request, n === 1))
      for (const [title, expected, outcome] of await Promise.all(outcomes)) t.equal(outcome, expected, title)
      t.strictSame(cuts, [])
      await listener.close(0)
    }
  })

  t.test(`${name}: where no proxy passes on headers without a name, connections are kept`, async (t) => {
    const { listener, port, seen } = await serve(transport, { keepsConnections: true })
    const outcomes: readonly [parts: readonly string[], expected: string][] = [
      [[get('/first'), get('/second')], '200 200 open'],
      [[post(''), get('/second')], '200 200 open'],
      [[get('/first') + hidden], 'closed'],
      [[post(chunked, chunks)], isNative ? '200 closed' : '200 open'],
    ]
    for (const [parts, expected] of outcomes) {
      const { statuses, closed } = await outcomeOf(port, parts, outcomeFrom(expected))
      t.equal([...statuses, closed ? 'closed' : 'open'].join(' '), expected)
    }
    t.notOk(seen.some((request) => request.includes('/hidden')))
    await listener.close(0)
  })

  t.test(`${name}: bytes behind a request whose answer is pending close the connection`, async (t) => {
    const held = hold()
    const { listener, port, seen, cuts } = await serve(transport, { handle: held.handle })
    const attacker = client(port)
    attacker.send(post(`X: y\r\n${length(5)}`, 'hello'))
    await held.reached
    attacker.send(hidden)
    t.equal(await attacker.closed, '', 'neither is answered')
    held.release()
    t.strictSame(seen, ['POST /first'])
    t.strictSame(cuts, isNative ? [] : ['pipelined'], 'a native build does not say so')
    await listener.close(0)
  })

  t.test(
    `${name}: bytes read together with a request close its connection before it is answered`,
    async (t) => {
      const handlers: readonly Answers[] = [
        async (request) => echo(request),
        (request) => new Promise((resolve) => process.nextTick(() => resolve(echo(request)))),
      ]
      for (const handle of handlers) {
        const { listener, port, seen } = await serve(transport, { handle })
        for (const first of [get('/first'), hello]) {
          const { send, closed } = client(port)
          send(first + hidden)
          t.equal(await closed, '')
        }
        t.strictSame(seen, isNative ? [] : ['GET /first', 'POST /first'])
        await listener.close(0)
      }
    },
  )

  t.test(`${name}: an answer may come while another request is read`, async (t) => {
    const held = hold()
    const { listener, port } = await serve(transport, {
      handle: (request) => {
        if (request.path === '/held') return held.handle(request)
        held.release()
        return echo(request)
      },
    })
    const [first, second] = [client(port), client(port)]
    first.send('DELETE /held HTTP/1.1\r\nHost: a\r\n\r\n')
    await held.reached
    second.send(get('/second'))
    t.equal((await first.answer()).body, 'DELETE /held ')
    t.equal((await second.answer()).body, 'GET /second ')
    for (const { destroy } of [first, second]) destroy()
    await listener.close(0)
  })

  t.test(`${name}: a request arrives as it was sent`, async (t) => {
    const { listener, port, requests } = await serve(transport)
    const { send, answer, destroy } = client(port)
    send(
      `PATCH /a%2Fb//c?d=%zz&e&d=2?3 HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nx-two: first\r\nX-TWO:  second \r\n` +
        `X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2, 10.0.0.3\r\nForwarded: for=10.0.0.1\r\n${length(5)}\r\nh\xe9llo`,
    )
    t.equal((await answer()).status, 200)
    const [request] = requests as [HttpRequest]
    t.equal(request.verb, 'PATCH')
    t.equal(request.path, '/a%2Fb//c')
    t.equal(request.query, 'd=%zz&e&d=2?3')
    t.strictSame(
      { ...request.headers },
      {
        host: 'a',
        'x-one': '1',
        'x-two': 'first',
        'x-forwarded-for': '10.0.0.1,10.0.0.2, 10.0.0.3',
        forwarded: 'for=10.0.0.1',
        'content-length': '5',
      },
    )
    t.strictSame(request.repeatedHeaders, ['x-two', 'x-forwarded-for'])
    t.strictSame(request.body, Buffer.from('h\xe9llo', 'latin1'))
    t.equal(Object.getPrototypeOf(request.headers), null)
    send(get('/?'))
    await answer()
    t.match(requests[1], { verb: 'GET', path: '/', query: '', repeatedHeaders: [] })
    t.equal(requests[1]!.body.length, 0)
    destroy()
    await listener.close(0)
  })

  t.test(`${name}: a body may come in pieces`, async (t) => {
    const { listener, port } = await serve(transport)
    const { send, answer, destroy } = client(port)
    for (const part of [post(length(5)), 'h', 'el', 'lo']) {
      send(part)
      await sleep(5)
    }
    t.equal((await answer()).body, 'POST /first hello')
    send(post(`Expect: 100-continue\r\n${length(5)}`))
    t.equal((await answer()).status, 100)
    send('hello')
    t.equal((await answer()).body, 'POST /first hello')
    destroy()
    await listener.close(0)
  })

  t.test(`${name}: a client that asks first is not told to send a body that is too large`, async (t) => {
    const { listener, port, seen } = await serve(transport)
    // Up to four times the limit, a body that comes unasked is read before it is refused.
    for (const bytes of [2001, 8000, 999_999_999]) {
      const { send, answer, closed } = client(port)
      send(post(`Expect: 100-continue\r\n${length(bytes)}`))
      // Native builds answer no request that asks without `100 Continue` in front, so they close its connection instead.
      if (!isNative) t.equal((await answer()).status, 413)
      t.equal(await closed, '')
    }
    t.strictSame(seen, [])
    await listener.close(0)
  })

  t.test(`${name}: heads up to 16 KiB are read, larger ones are refused`, async (t) => {
    const limits = { urlBytesMax: 8192, headerBytesMax: 16_384 } as ListenOptions['limits']
    const { listener, port } = await serve(transport, { limits })
    const start = 'GET /first HTTP/1.1\r\nHost: a\r\n'
    const many = (count: number): string => 'X: y\r\n'.repeat(count - 1)
    const large = (bytes: number): string =>
      `X: ${'y'.repeat(bytes - 'Host: a\r\n'.length - 'X: \r\n'.length)}\r\n`
    const halves = (head: string) => [head.slice(0, head.length / 2), head.slice(head.length / 2)]
    // Of the older build: `open` is a connection on which nothing is answered until it is closed, 12 s later.
    const heads: readonly (readonly [
      title: string,
      pieces: readonly string[],
      old: string,
      node: string,
      current?: string,
    ])[] = [
      ['48 headers', [`${start}${many(48)}\r\n`], '200 open', '200 open'],
      ['49 headers', [`${start}${many(49)}\r\n`], 'open', '200 open', '200 open'],
      ['98 headers', [`${start}${many(98)}\r\n`], 'open', '200 open', '200 open'],
      ['99 headers', [`${start}${many(99)}\r\n`], 'open', '200 open', '431 closed'],
      ['400 headers', [`${start}${many(400)}\r\n`], 'open', '200 open', '431 closed'],
      ['3.9 KB in two pieces', halves(`${start}${large(3900)}\r\n`), '200 open', '200 open'],
      ['5 KB in two pieces', halves(`${start}${large(5000)}\r\n`), 'closed', '200 open', '200 open'],
      ['16 KiB', [`${start}${large(16_384)}\r\n`], '200 open', '200 open'],
      ['16 KiB in two pieces', halves(`${start}${large(16_384)}\r\n`), 'closed', '200 open', '200 open'],
      ['a byte more', [`${start}${large(16_385)}\r\n`], '431 closed', '431 closed'],
      [
        'a byte more in two pieces',
        halves(`${start}${large(16_385)}\r\n`),
        'closed',
        '431 closed',
        '431 closed',
      ],
      ['64 KB', [`${start}${large(64_000)}\r\n`], '431 closed', '431 closed'],
      ['64 KB in two pieces', halves(`${start}${large(64_000)}\r\n`), 'closed', '431 closed', '431 closed'],
      [
        'a URL of 8 KiB, and headers of 16',
        [`GET /${'x'.repeat(8191)} HTTP/1.1\r\nHost: a\r\n${large(16_384)}\r\n`],
        '200 open',
        '200 open',
      ],
      [
        'a URL that is longer',
        [`GET /${'x'.repeat(8192)} HTTP/1.1\r\nHost: a\r\n\r\n`],
        '414 closed',
        '414 closed',
      ],
    ]
    const outcomes = heads.map(async ([title, pieces, old, node, current = old]) => {
      const expected = { 'uws-20.57': current, 'uws-20.30': old, node }[name].replace(
        '200 open',
        isNative ? '200 closed' : '200 open',
      )
      const { statuses, closed } = await outcomeOf(port, [pieces], outcomeFrom(expected))
      t.equal([...statuses, closed ? 'closed' : 'open'].join(' '), expected, title)
    })
    await Promise.all(outcomes)
    await listener.close(0)
  })

  t.test(`${name}: the peer is the socket's, whoever it says that it is`, async (t) => {
    const addresses: string[] = []
    const handle = (request: HttpRequest): HttpResponse => {
      addresses.push(request.remoteAddress)
      return echo(request)
    }
    const { listener, port } = await serve(transport, { host: '::', handle })
    const proxied = Buffer.from('0d0a0d0a000d0a515549540a2111000c0a0000010a00000200500050', 'hex')
    const attacker = client(port)
    attacker.send(Buffer.concat([proxied, Buffer.from(get('/first'))]))
    await Promise.race([attacker.answer().catch(() => {}), attacker.closed])
    const honest = client(port)
    honest.send(get('/first', 'X-Forwarded-For: 10.0.0.1\r\n'))
    await honest.answer()
    t.ok(addresses.length > 0)
    t.strictSame(new Set(addresses), new Set(['127.0.0.1']))
    const six = client(port, '::1')
    six.send(get('/first'))
    await six.answer()
    t.equal(addresses.at(-1), '::1')
    for (const { destroy } of [attacker, honest, six]) destroy()
    await listener.close(0)
  })

  t.test(`${name}: an answer leaves as it was given`, async (t) => {
    const answers: Readonly<Record<string, HttpResponse>> = {
      '/text': { status: 201, headers: { 'X-Latin': 'é', 'X-Tab': 'a\tb' }, body: 'açaí €' },
      '/bytes': { status: 200, headers: {}, body: Buffer.from('xxabcxx').subarray(2, 5) },
      '/nothing': { status: 202, headers: {}, body: null },
      '/204': { status: 204, headers: { 'X-One': '1' }, body: null },
      '/large': { status: 200, headers: {}, body: 'x'.repeat(5_000_000) },
    }
    const { listener, port } = await serve(transport, { handle: ({ path }) => answers[path]! })
    const { send, answer, destroy } = client(port)
    const to = (path: string): string => hello.replace('/first', path)
    send(to('/text'))
    const text = await answer()
    t.equal(text.status, 201)
    t.match(text.headers, { 'x-latin': 'é', 'x-tab': 'a\tb', 'content-length': '10', date: /GMT$/ })
    t.equal(Buffer.from(text.body, 'latin1').toString(), 'açaí €')
    t.strictSame(
      Object.keys(text.headers).filter((header) => /uwebsockets|server|powered/.test(header)),
      [],
      'no header names the software (H34)',
    )
    send(to('/bytes'))
    t.equal((await answer()).body, 'abc')
    send(to('/nothing'))
    t.match(await answer(), { status: 202, headers: { 'content-length': '0' } })
    send(to('/204'))
    const empty = await answer()
    t.match(empty, { status: 204, headers: { 'x-one': '1' } })
    t.notOk('content-length' in empty.headers)
    send(to('/large'))
    t.equal((await answer()).body.length, 5_000_000)
    destroy()
    await listener.close(0)
  })

  t.test(`${name}: an answer without a body can close the connection`, async (t) => {
    const handle = (): HttpResponse => ({ status: 204, headers: { 'X-One': '1' }, body: null })
    const { listener, port } = await serve(transport, { handle })
    const { send, answer, closed } = client(port)
    send('DELETE /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const { status, headers } = await answer()
    t.equal(status, 204)
    t.match(headers, { 'x-one': '1', connection: 'close', date: /GMT$/ })
    t.notOk('content-length' in headers)
    t.equal(await closed, '')
    await listener.close(0)
  })

  t.test(`${name}: HEAD gets the headers of GET and no body`, async (t) => {
    const { listener, port, seen } = await serve(transport)
    const { send, answer, closed, destroy } = client(port)
    send('HEAD /first HTTP/1.1\r\nHost: a\r\n\r\n')
    const head = await answer('HEAD')
    t.equal(head.status, 200)
    t.equal(head.headers['content-length'], String('HEAD /first '.length))
    if (isNative) {
      t.equal(await closed, '')
    } else {
      send(get('/second'))
      t.equal((await answer()).body, 'GET /second ')
    }
    t.strictSame(seen, isNative ? ['HEAD /first'] : ['HEAD /first', 'GET /second'])
    destroy()
    await listener.close(0)
  })

  t.test(`${name}: HEAD that is refused gets headers only`, async (t) => {
    const { listener, port } = await serve(transport)
    const { send, answer, closed } = client(port)
    send(`HEAD /${'x'.repeat(200)} HTTP/1.1\r\nHost: a\r\n\r\n`)
    t.match(await answer('HEAD'), { status: 414, headers: { 'content-length': '11' } })
    t.equal(await closed, '')
    await listener.close(0)
  })

  t.test(`${name}: what goes wrong in the handler is answered 500, and the process lives`, async (t) => {
    const wrong: Readonly<Record<string, Answers>> = {
      '/throws': () => {
        throw new Error('at once')
      },
      '/rejects': async () => {
        throw new Error('at once, as a promise')
      },
      '/rejects-later': async () => {
        await sleep(5)
        throw new Error('later')
      },
      '/splits-value': () => ({ status: 200, headers: { 'X-A': 'b\r\nSet-Cookie: c' }, body: 'x' }),
      '/splits-name': () => ({ status: 200, headers: { 'X-A: b\r\nX-C': 'd' }, body: 'x' }),
      '/line-feed': () => ({ status: 200, headers: { 'X-A': 'b\nX-C: d' }, body: 'x' }),
      '/nul': () => ({ status: 200, headers: { 'X-A': 'b\0' }, body: 'x' }),
      '/not-latin1': () => ({ status: 200, headers: { 'X-A': '€' }, body: 'x' }),
      '/no-status': () => ({ status: 999, headers: {}, body: 'x' }),
      '/no-body': () => ({ status: 200, headers: {}, body: 5 as unknown as string }),
      '/nothing': () => undefined as unknown as HttpResponse,
    }
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => (wrong[request.path] ?? echo)(request),
    })
    const bystander = client(port)
    for (const [at, path] of Object.keys(wrong).entries()) {
      for (const request of [get(path), hello.replace('/first', path)]) {
        const { send, answer, destroy } = client(port)
        send(request)
        const { status, body, headers } = await answer()
        t.equal(status, 500, path)
        t.equal(body, 'refused 500')
        t.notOk('set-cookie' in headers || 'x-c' in headers || 'x-a' in headers)
        destroy()
      }
      t.equal(faults.length, 2 * (at + 1), 'the caller hears of it')
      bystander.send(hello)
      t.equal((await bystander.answer()).status, 200)
    }
    bystander.destroy()
    await listener.close(0)
  })

  t.test(`${name}: where even the refusal fails, the connection closes`, async (t) => {
    const fails = (): never => {
      throw new Error('fails')
    }
    const { listener, port } = await serve(transport, { handle: fails, refuse: fails })
    for (const request of [get('/first'), post(length(2001), 'x'.repeat(2001)), post(length(5))]) {
      const { send, closed } = client(port)
      send(request)
      t.equal(await closed, '')
    }
    await listener.close(0)
  })

  t.test(`${name}: an answer that takes too long is 503, and comes too late afterwards`, async (t) => {
    const held = hold()
    const limits = { answerTimeoutMs: 60 } as ListenOptions['limits']
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => (request.path === '/held' ? held.handle(request) : echo(request)),
      limits,
    })
    const { send, answer, destroy } = client(port)
    send(hello.replace('/first', '/held'))
    t.equal((await answer()).status, 503)
    held.release()
    send(hello)
    t.equal((await answer()).body, 'POST /first hello')
    t.strictSame(faults, [])
    destroy()
    await listener.close(0)
  })

  t.test(`${name}: a client that leaves takes nothing with it`, async (t) => {
    const held = hold()
    const { listener, port, requests, waiters, faults } = await serve(transport, {
      handle: (request) => (request.path === '/held' ? held.handle(request) : echo(request)),
    })
    const { send, destroy } = client(port)
    send(get('/held'))
    await held.reached
    t.equal(waiters[0]!.hasLeft?.(), false)
    destroy()
    const other = client(port)
    other.send(hello)
    await other.answer()
    t.equal(waiters[0]!.hasLeft?.(), true, 'whoever makes the answer can know')
    held.release()
    other.send(hello)
    t.equal((await other.answer()).status, 200)
    t.equal(requests[0]!.remoteAddress, '', 'nobody is there any more')
    t.strictSame(faults, [])
    other.destroy()
    await listener.close(0)
  })

  t.test(`${name}: a body may be made in pieces, each when the one before has left`, async (t) => {
    const piece = `${'x'.repeat(64 * 1024)}\n`
    const pieces = 200
    let made = 0
    const next = async () => (made++ < pieces ? piece : null)
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => ({ ...echo(request), body: request.path === '/whole' ? 'whole' : { next } }),
    })
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.write(hello.replace('/first', '/pieces'))
    // Nobody reads: what is made stays in the buffers of the system and of one piece.
    let madeBefore = -1
    while (made !== madeBefore) {
      madeBefore = made
      await sleep(150)
    }
    t.ok(made < pieces, `${made} of ${pieces} pieces were made for a client that does not read`)
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.resume()
    while (!received.endsWith('\r\n0\r\n\r\n')) await sleep(5)
    t.match(received, /transfer-encoding: chunked/i)
    t.equal(received.match(/x\n/g)?.length, pieces)
    const before = received.length
    socket.write(hello.replace('/first', '/whole'))
    while (!received.endsWith('whole')) await sleep(5)
    t.ok(received.length > before, 'the connection stays')
    t.strictSame(faults, [])
    socket.destroy()
    await listener.close(0)
  })

  t.test(`${name}: a client that stops reading is cut`, async (t) => {
    const piece = 'x'.repeat(64 * 1024)
    const whole = 'x'.repeat(50_000_000)
    const limits = { stallTimeoutMs: 300 } as ListenOptions['limits']
    const { listener, port, faults, cuts } = await serve(transport, {
      handle: (request) => ({
        ...echo(request),
        body: request.path === '/whole' ? whole : { next: async () => piece },
      }),
      limits,
    })
    const paths = ['/pieces', '/whole']
    const sockets = paths.map((path) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(get(path))
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'data')))
    for (const socket of sockets) socket.pause()
    // Waits ten minutes for what is in flight; they stay connected.
    await listener.close(600_000)
    t.strictSame(faults, [])
    t.strictSame(
      cuts,
      paths.map(() => 'unread'),
    )
    for (const socket of sockets) socket.destroy()
  })

  t.test(`${name}: a body that cannot be made to its end cuts the connection`, async (t) => {
    let asked = 0
    const next = async () => {
      if (asked++ === 0) return 'first'
      throw new Error('no more')
    }
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => ({ ...echo(request), body: { next } }),
    })
    const { send, closed } = client(port)
    send(get('/'))
    const received = await closed
    t.notOk(received.includes('\r\n0\r\n'), 'it does not look whole')
    t.equal(faults.length, 1)
    await listener.close(0)
  })

  t.test(`${name}: nobody makes pieces for a client that has left, nor for HEAD`, async (t) => {
    let made = 0
    const next = async () => {
      made += 1
      return 'x'.repeat(100_000)
    }
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => ({ ...echo(request), body: { next } }),
    })
    const head = client(port)
    head.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n')
    t.equal((await head.answer('HEAD')).status, 200)
    t.equal(made, 0)
    const socket = connect(port, '127.0.0.1')
    socket.write(get('/'))
    await once(socket, 'data')
    socket.destroy()
    let before = -1
    while (made !== before) {
      before = made
      await sleep(100)
    }
    t.strictSame(faults, [])
    head.destroy()
    await listener.close(0)
  })

  t.test(`${name}: a stream without an end ends with its client, or with the listener`, async (t) => {
    let open = 0
    let asked = 0
    let wake = (): void => undefined
    const until = async (fits: () => boolean): Promise<void> => {
      while (!fits())
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    /** One piece, and then silence. */
    const newStream = () => {
      open += 1
      let isFirst = true
      let hasEnded = false
      let tell = (_: string | null): void => undefined
      return {
        next: () =>
          new Promise<string | null>((resolve) => {
            asked += 1
            tell = resolve
            if (isFirst || hasEnded) resolve(hasEnded ? null : 'first')
            isFirst = false
            wake()
          }),
        end: () => {
          if (!hasEnded) open -= 1
          hasEnded = true
          tell(null)
          wake()
        },
      }
    }
    const large = { next: async () => 'x'.repeat(64 * 1024) }
    const limits = { stallTimeoutMs: 300 } as ListenOptions['limits']
    const { listener, port, faults } = await serve(transport, {
      handle: (request) => {
        const stream = newStream()
        return { ...echo(request), body: request.path === '/large' ? { ...stream, ...large } : stream }
      },
      limits,
    })
    const head = client(port)
    head.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n')
    t.equal((await head.answer('HEAD')).status, 200)
    await until(() => open === 0)
    t.equal(asked, 0, 'HEAD asks for nothing')

    const leaving = client(port)
    leaving.send(get('/'))
    await until(() => asked === 2)
    leaving.destroy()
    await until(() => open === 0)

    const slow = connect(port, '127.0.0.1')
    slow.on('error', () => {})
    slow.write(get('/large'))
    await once(slow, 'data')
    slow.pause()
    await until(() => open === 0)
    slow.destroy()

    const staying = [client(port), client(port)]
    for (const { send } of staying) send(get('/'))
    await until(() => asked === 6)
    t.equal(open, 2)
    await listener.close(600_000)
    t.equal(open, 0)
    for (const { closed } of staying) t.match(await closed, /first\r\n0\r\n/, 'it is whole')
    t.strictSame(faults, [])
    head.destroy()
  })

  t.test(`${name}: closing answers what is in flight and nothing else (H31)`, async (t) => {
    const held = hold()
    const { listener, port } = await serve(transport, {
      handle: (request) => (request.path === '/held' ? held.handle(request) : echo(request)),
    })
    const idle = client(port)
    idle.send(get('/first'))
    await idle.answer()
    const inFlight = Array.from({ length: 20 }, () => client(port))
    for (const { send } of inFlight) send(get('/held'))
    await held.reachedBy(20)
    const closing = listener.close(5000)
    t.equal(listener.close(5000), closing, 'closing twice is closing once')
    await t.rejects(client(port).answer(), 'no new connection')
    held.release()
    for (const { answer, closed } of inFlight) {
      t.match(await answer(), { status: 200, headers: { connection: 'close' }, body: 'GET /held ' })
      await closed
    }
    await idle.closed
    await closing
  })

  t.test(`${name}: closing lets a large answer leave`, async (t) => {
    const bytes = 20_000_000
    const body = Buffer.alloc(bytes, 'x')
    const { listener, port } = await serve(transport, { handle: () => ({ status: 200, headers: {}, body }) })
    // With a body the connection stays open behind the answer, without one a native build closes it.
    const sockets = [hello, get('/first')].map((sent) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(sent)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    const closing = listener.close(60_000)
    const received = sockets.map(async (socket) => {
      let bytes = 0
      for await (const chunk of socket) bytes += (chunk as Buffer).length
      return bytes
    })
    for (const count of await Promise.all(received)) t.ok(count > bytes, `${count} bytes with the head`)
    await closing
  })

  t.test(`${name}: closing does not wait for ever`, async (t) => {
    const held = hold()
    const { listener, port } = await serve(transport, { handle: held.handle })
    const { send, closed } = client(port)
    send(get('/held'))
    await held.reached
    await listener.close(30)
    t.equal(await closed, '')
    held.release()
  })

  t.test(`${name}: a port that is taken is refused`, async (t) => {
    const { listener, port } = await serve(transport)
    await t.rejects(serve(transport, { port }))
    if (!isNative) await t.rejects(serve(transport, { port, sharedPort: true }))
    await listener.close(0)
  })

  t.test(`${name}: a port is listened on again at once, whatever connections it had`, async (t) => {
    const first = await serve(transport)
    const { send, answer, closed } = client(first.port)
    send(post(`Connection: close\r\n${length(5)}`, 'hello'))
    t.equal((await answer()).status, 200)
    await closed
    const open = client(first.port)
    open.send(hello)
    await open.answer()
    first.listener.setAccepting(false)
    first.listener.setAccepting(true)
    const after = client(first.port)
    after.send(hello)
    t.equal((await after.answer()).status, 200, 'also by the same listener, beside open connections')
    await first.listener.close(0)
    const second = await serve(transport, { port: first.port })
    await t.rejects(serve(transport, { port: first.port }), 'and it is alone there again')
    await second.listener.close(0)
  })

  t.test(`${name}: TLS`, async (t) => {
    const ca = readFileSync(localhostTls.certFile)
    const { listener, port } = await serve(transport, { tls: localhostTls })
    const open = () => clientOver(connectTls({ port, host: '127.0.0.1', ca }))
    const { send, answer, destroy } = open()
    send(hello)
    t.equal((await answer()).body, 'POST /first hello')
    send('HEAD /first HTTP/1.1\r\nHost: a\r\n\r\n')
    t.equal((await answer('HEAD')).status, 200)
    const refused = open()
    refused.send(`HEAD /${'x'.repeat(200)} HTTP/1.1\r\nHost: a\r\n\r\n`)
    t.equal((await refused.answer('HEAD')).status, 414)
    await refused.closed
    destroy()
    await listener.close(0)
    await t.rejects(serve(transport, { tls: { ...localhostTls, certFile: 'nowhere.pem' } }))
  })

  if (!sharesPorts) return

  t.test(`${name}: several threads answer on one port, and end when they are closed`, async (t) => {
    const { listener, port } = await serve(transportOf(name))
    await listener.close(0)
    const start = async () => {
      const worker = new Worker(new URL('./listen-worker.js', import.meta.url), {
        workerData: { port, transport: name },
      })
      const exited = once(worker, 'exit')
      await once(worker, 'message')
      return { worker, exited }
    }
    const first = await start()
    const second = await start()
    const threads = new Set<string>()
    for (let tries = 0; threads.size < 2 && tries < 200; tries++) {
      const { send, answer, destroy } = client(port)
      send(get('/'))
      threads.add((await answer()).body)
      destroy()
    }
    t.equal(threads.size, 2)
    first.worker.postMessage('close')
    t.strictSame(await first.exited, [0])
    const { send, answer, destroy } = client(port)
    send(get('/'))
    t.equal((await answer()).status, 200, 'the other one still answers')
    destroy()
    second.worker.postMessage('close')
    t.strictSame(await second.exited, [0])
  })
}

/** A handler that answers when it is told to. */
const hold = () => {
  let count = 0
  let wanted = 0
  let arrived = (): void => {}
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reachedBy = (requests: number) =>
    new Promise<void>((resolve) => {
      wanted = requests
      arrived = resolve
      if (count >= wanted) resolve()
    })
  return {
    handle: async (request: HttpRequest): Promise<HttpResponse> => {
      count += 1
      if (count >= wanted) arrived()
      await released
      return echo(request)
    },
    reachedBy,
    reached: reachedBy(1),
    release: () => release(),
  }
}
