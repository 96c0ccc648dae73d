import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { newResponseReader } from '../../../gateway/webhooks/response-reader.ts'

const headerBytesMax = 1024

type Read = { status: number | null; body: string; end: number | 'ERROR' | null }

/** What is read of an answer that arrives in these pieces; `closes` if the server closes the connection then. */
const read = (pieces: readonly string[], closes = false): Read => {
  const seen: Read = { status: null, body: '', end: null }
  const reader = newResponseReader(headerBytesMax, {
    onHeader: (status) => {
      assert.equal(seen.status, null, 'one final answer')
      seen.status = status
    },
    onBody: (bytes) => {
      seen.body += bytes.toString('latin1')
    },
    onEnd: (keepAliveMs) => {
      assert.equal(seen.end, null, 'one end')
      seen.end = keepAliveMs
    },
    onError: () => {
      assert.equal(seen.end, null, 'one end')
      seen.end = 'ERROR'
    },
  })
  reader.expect()
  for (const piece of pieces) reader.take(Buffer.from(piece, 'latin1'))
  if (closes) reader.close()
  return seen
}

const answer = (lines: readonly string[], body = ''): string =>
  `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n${body}`

const kept = Number.POSITIVE_INFINITY

t.test('lengths of bodies are those of RFC 9112, section 6.3', async (t) => {
  for (const [text, closes, expected] of [
    [answer(['Content-Length: 2'], 'ok'), false, { body: 'ok', end: kept }],
    [answer(['Content-Length:2'], 'ok'), false, { body: 'ok', end: kept }],
    [answer(['content-length: \t 2 \t'], 'ok'), false, { body: 'ok', end: kept }],
    [answer(['Content-Length: 0']), false, { body: '', end: kept }],
    [answer(['Content-Length: 2', 'Content-Length: 2'], 'ok'), false, { body: 'ok', end: kept }],
    [answer(['Content-Length: 3'], 'ok'), false, { body: 'ok', end: null }],
    [answer(['Content-Length: 3'], 'ok'), true, { body: 'ok', end: 'ERROR' }],
    [answer([], 'until it closes'), false, { body: 'until it closes', end: null }],
    [answer([], 'until it closes'), true, { body: 'until it closes', end: 0 }],
    [answer(['Transfer-Encoding: gzip'], 'zipped'), true, { body: 'zipped', end: 0 }],
    [answer(['Transfer-Encoding: chunked'], '2\r\nok\r\n0\r\n\r\n'), false, { body: 'ok', end: kept }],
    [answer(['Transfer-Encoding: gzip, Chunked'], '0\r\n\r\n'), false, { body: '', end: kept }],
    [
      answer(['Transfer-Encoding: chunked'], 'A;x="y"\r\n0123456789\r\n1 \r\n!\r\n0\r\nX-Sum: 1\r\n\r\n'),
      false,
      { body: '0123456789!', end: kept },
    ],
    [answer(['Transfer-Encoding: chunked'], '2\r\nok\r\n'), true, { body: 'ok', end: 'ERROR' }],
    [
      answer(['Content-Length: 9', 'Transfer-Encoding: chunked'], '2\r\nok\r\n0\r\n\r\n'),
      false,
      { body: 'ok', end: 0 },
    ],
    ['HTTP/1.1 204 No Content\r\n\r\n', false, { status: 204, body: '', end: kept }],
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n', false, { status: 304, body: '', end: kept }],
    ['HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n', false, { status: 299, end: kept }],
    ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', false, { status: 200, end: kept }],
  ] as const)
    t.match(read([text], closes), expected, text)
})

t.test('a connection is used again for as long as both versions of HTTP allow', async (t) => {
  const empty = 'Content-Length: 0'
  for (const [text, end] of [
    [answer([empty, 'Connection: close']), 0],
    [answer([empty, 'Connection: Upgrade, Close']), 0],
    [answer([empty, 'Connection: keep-alive', 'Keep-Alive: timeout=5']), 4_000],
    [answer([empty, 'Keep-Alive: timeout=1, max=100']), 0],
    [answer([empty, 'Keep-Alive: max=100']), kept],
    [answer([empty]).replace('1.1', '1.0'), 0],
    [answer([empty, 'Connection: keep-alive']).replace('1.1', '1.0'), kept],
    [`${answer([empty])}HTTP/1.1 200 OK`, 0],
  ] as const)
    t.equal(read([text]).end, end, text)
})

t.test('what comes before the final answer is skipped, but for another protocol', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  t.match(read([interim + interim + answer(['Content-Length: 1'], 'x')]), {
    status: 200,
    body: 'x',
    end: kept,
  })
  t.match(read([interim], true), { status: null, end: 'ERROR' })
  t.match(read(['HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n']), { status: null, end: 'ERROR' })
})

t.test('what is no answer is an error', async (t) => {
  for (const text of [
    'SSH-2.0-OpenSSH_9.6\r\n\r\n',
    'HTTP/2.0 200 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1  200 OK\r\n\r\n',
    '\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    answer(['Content-Length: -1']),
    answer(['Content-Length: 1e3']),
    answer(['Content-Length: 0x10']),
    answer(['Content-Length: 1, 2']),
    answer(['Content-Length: 1', 'Content-Length: 2']),
    answer(['Content-Length: 9999999999999999']),
    answer(['Content-Length : 1']),
    answer(['X-Folded: a', ' b']),
    answer(['no colon']),
    answer(['X-Line: a\nSet-Cookie: b']),
    answer(['Transfer-Encoding: chunked'], 'z\r\n'),
    answer(['Transfer-Encoding: chunked'], '-1\r\n'),
    answer(['Transfer-Encoding: chunked'], '123456789\r\n'),
    answer(['Transfer-Encoding: chunked'], '1\r\nab\r\n'),
    answer(['Transfer-Encoding: chunked'], `1;${'x'.repeat(headerBytesMax)}`),
    answer([`X-Large: ${'x'.repeat(headerBytesMax)}`]),
    'x'.repeat(headerBytesMax + 1),
  ])
    t.equal(read([text]).end, 'ERROR', text.slice(0, 80))
})

t.test('an answer reads the same in whatever pieces it arrives', async () => {
  const body = fc.string({ unit: 'binary-ascii', maxLength: 60 })
  const framed = fc.oneof(
    body.map((text) => ({ text: answer([`Content-Length: ${text.length}`], text), body: text, end: kept })),
    fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 20 })).map((chunks) => ({
      text: answer(
        ['Transfer-Encoding: chunked'],
        `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`,
      ),
      body: chunks.join(''),
      end: kept,
    })),
    body.map((text) => ({ text: answer([], text), body: text, end: 0 })),
  )
  fc.assert(
    fc.property(framed, fc.nat(2), fc.array(fc.nat(400), { maxLength: 12 }), (sent, interims, cuts) => {
      const text = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(interims) + sent.text
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((to, n) => text.slice(at[n], to))
      assert.deepEqual(read(pieces, sent.end === 0), { status: 200, body: sent.body, end: sent.end })
    }),
    { seed: 1, numRuns: 300 },
  )
})

t.test('random bytes end in an error or nothing, and never throw', async () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 6 }), (pieces) => {
      read(pieces, true)
    }),
    { seed: 1, numRuns: 300 },
  )
})
