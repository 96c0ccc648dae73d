import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import type { Reply } from '../../../engine/kernel/reply.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { unpackBody } from '../../../gateway/inbox/notice-body.ts'
import { account } from '../../engine/world.ts'
import { createAuthority } from '../../rails/certificates.ts'
import { accepted, aTarget, banks, connectionOf, listenerFor, ours, pathOf, send, tokenOf } from './hooks.ts'

const [one, two] = banks
const callerOne = one.issue({ commonName: 'caller 1' })
const callerTwo = two.issue({ commonName: 'caller 2' })
const both = [aTarget(1, one), aTarget(2, two)]

t.test('a bank with its certificate is told 200 once its notice is recorded', async (t) => {
  const { port, received, outcomes } = await listenerFor(t, both)
  const body = '{"pix":[{"endToEndId":"E1"}]}'
  const headers = { 'content-type': 'application/json', cookie: 'nothing of ours' }
  t.equal(await send(port, pathOf(1, '/pix?x=1'), { identity: callerOne, body, headers }), 200)
  const [{ accountId, by, notice }] = received as [(typeof received)[number]]
  t.equal(accountId, account)
  t.equal(by.kind, 'PROVIDER')
  t.equal(notice.connectionId, connectionOf(1))
  t.equal(notice.path, '/pix?x=1')
  t.strictSame(notice.headers, { 'content-type': 'application/json' })
  t.equal(Buffer.from((await unpackBody(notice.packed))!).toString(), body)
  t.notMatch(JSON.stringify(received), tokenOf(1), 'the token is not journaled')
  t.strictSame(outcomes, ['RECEIVED'])
})

t.test('the same bytes have the same key, whatever their query; others have another', async (t) => {
  const { port, received } = await listenerFor(t, both)
  for (const [path, body] of [
    ['/pix', 'a'],
    ['/pix?x', 'a'],
    ['/rec', 'a'],
    ['/pix', 'b'],
  ] as const)
    t.equal(await send(port, pathOf(1, path), { identity: callerOne, body }), 200)
  const [a, b, c, d] = received.map(({ notice }) => notice.key)
  t.equal(a, b)
  t.equal(new Set([a, c, d]).size, 3)
})

t.test('whatever banks append is taken, and no path beside it', async (t) => {
  const { port, received } = await listenerFor(t, both)
  for (const rest of ['', '/pix', '/pix/pix', '/rec', '/cobr', '?ignorar=/pix', '/'])
    t.equal(await send(port, pathOf(1, rest), { identity: callerOne }), 200, rest)
  t.equal(received.length, 7)
  const token = tokenOf(1)
  for (const path of [
    '/',
    '/hooks',
    `/hooks/${connectionOf(1)}`,
    `/hooks/${connectionOf(1)}/${token.slice(1)}`,
    `/hooks/${connectionOf(1)}/${token}x`,
    `/hooks/${connectionOf(1)}/${tokenOf(3)}/pix`,
    `/hooks/${connectionOf(1)}/${tokenOf(2)}/pix`,
    `/hooks/${connectionOf(3)}/${tokenOf(3)}/pix`,
    `/x/hooks/${connectionOf(1)}/${token}`,
    '/v1/charges',
  ])
    t.equal(await send(port, path, { identity: callerOne }), 404, path)
  t.equal(received.length, 7, 'nothing of it is journaled')
})

t.test('the certificate is the one of this connection', async (t) => {
  const { port, received, outcomes } = await listenerFor(t, both)
  t.equal(await send(port, pathOf(2), { identity: callerTwo }), 200)
  t.equal(await send(port, pathOf(1), { identity: callerTwo }), 403, 'the certificate of another bank')
  const sameName = two.issue({ commonName: 'caller 1' })
  t.equal(await send(port, pathOf(1), { identity: sameName }), 403, 'the name, by the authority of another')
  const otherClient = one.issue({ commonName: 'caller 3' })
  t.equal(await send(port, pathOf(1), { identity: otherClient }), 403, 'another name, by its authority')
  t.equal(received.length, 1)
  t.strictSame(outcomes.slice(1), Array(3).fill('FOREIGN_CERTIFICATE'))
})

t.test('an authority that calls itself like that of another bank does not speak for it', async (t) => {
  const liar = createAuthority('bank one')
  const { port, received } = await listenerFor(t, [
    aTarget(1, one),
    {
      ...aTarget(2, liar),
      peer: { authorities: [liar.cert], issuer: 'CN=bank one', subject: 'CN=caller 2' },
    },
  ])
  t.equal(await send(port, pathOf(2), { identity: liar.issue({ commonName: 'caller 2' }) }), 200)
  t.equal(await send(port, pathOf(1), { identity: liar.issue({ commonName: 'caller 1' }) }), 403)
  t.equal(received.length, 1)
})

t.test('without a certificate, or with one of an unknown authority, TLS itself ends', async (t) => {
  const { port, received, outcomes } = await listenerFor(t, both)
  const foreign = createAuthority('foreign').issue({ commonName: 'caller 1' })
  const ended = one.issue({ commonName: 'caller 1', notAfterMs: Date.UTC(2020, 0) })
  for (const identity of [null, foreign, ended])
    t.type(await send(port, pathOf(1), { identity }), 'string', 'no answer')
  t.strictSame(received, [])
  t.strictSame(outcomes, Array(3).fill('NO_CERTIFICATE'))
})

t.test('a connection that asks for no certificate opens the door for no other', async (t) => {
  const { port, received } = await listenerFor(t, [aTarget(1, one), aTarget(2, null)])
  t.equal(await send(port, pathOf(2)), 200)
  t.equal(await send(port, pathOf(1)), 403)
  t.equal(await send(port, pathOf(1), { identity: callerTwo }), 403)
  t.equal(await send(port, pathOf(1), { identity: callerOne }), 200)
  t.equal(received.length, 2)
})

t.test('TLS below 1.2 is refused', async (t) => {
  const { port } = await listenerFor(t, both)
  t.type(await send(port, pathOf(1), { identity: callerOne, maxVersion: 'TLSv1.1' }), 'string')
  t.equal(await send(port, pathOf(1), { identity: callerOne, maxVersion: 'TLSv1.2' }), 200)
})

t.test('a session that is resumed shows its certificate again', async (t) => {
  const { port } = await listenerFor(t, both)
  const options = { host: '127.0.0.1', port, ca: ours.cert, cert: callerOne.cert, key: callerOne.key }
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const sessionOf = (
      session?: Buffer,
    ): Promise<{ session: Buffer | undefined; reused: boolean; text: string }> =>
      new Promise((resolve, reject) => {
        let last = session
        let text = ''
        const socket = connect({ ...options, maxVersion, ...(session && { session }) })
        socket.on('session', (found) => {
          last = found
        })
        socket.on('data', (part) => {
          text += part
        })
        socket.on('error', reject)
        socket.on('close', () => resolve({ session: last, reused: socket.isSessionReused(), text }))
        socket.write(
          `POST ${pathOf(1)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
        )
      })
    const first = await sessionOf()
    const second = await sessionOf(first.session)
    t.match(first.text, /^HTTP\/1\.1 200/)
    t.match(second.text, /^HTTP\/1\.1 200/, `${maxVersion}, reused: ${second.reused}`)
  }
})

t.test('bodies are bounded, and nothing is inflated', async (t) => {
  const { port, received } = await listenerFor(t, both)
  const identity = callerOne
  const mebibyte = 1024 * 1024
  t.equal(await send(port, pathOf(1), { identity, body: 'x'.repeat(mebibyte) }), 200)
  const tooLarge = await send(port, pathOf(1), { identity, body: 'x'.repeat(mebibyte + 1) })
  t.ok(tooLarge === 413 || tooLarge === 'EPIPE' || tooLarge === 'ECONNRESET', String(tooLarge))
  t.equal(await chunked(port, mebibyte + 1), 413, 'without its length')
  t.equal(
    await send(port, pathOf(1), { identity, body: randomBytes(900 * 1024) }),
    413,
    'no log could hold it',
  )
  const headers = { 'content-encoding': 'deflate' }
  t.equal(await send(port, pathOf(1), { identity, body: deflateSync('{}'), headers }), 415)
  t.equal(await send(port, pathOf(1), { identity, verb: 'GET', body: '' }), 415)
  t.equal(received.length, 1)
})

/** The status for a body that says nothing of its length. */
const chunked = (port: number, bytes: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const { cert, key } = callerOne
    const sent = request(
      { host: '127.0.0.1', port, path: pathOf(1), method: 'POST', agent: false, ca: ours.cert, cert, key },
      (response) => {
        response.resume()
        resolve(response.statusCode!)
      },
    )
    sent.on('error', reject)
    sent.write('x'.repeat(bytes))
  })

t.test('no flush, no 200: the bank repeats it', async (t) => {
  const refusal = { accepted: false, rejection: { reason: 'ACCOUNT_ABSENT' } } as Reply
  const outcomes: (() => Promise<Reply>)[] = [
    () => Promise.reject(new ShardUnavailable('the shard recovers')),
    () => Promise.reject(new Error('a fault')),
    async () => refusal,
    async () => accepted,
  ]
  const { port, faults } = await listenerFor(t, both, () => outcomes.shift()!())
  const identity = callerOne
  for (const status of [503, 503, 503, 200]) t.equal(await send(port, pathOf(1), { identity }), status)
  t.strictSame(
    faults.map((fault) => (fault as Error).message),
    ['a fault'],
    'an unavailable shard is no fault',
  )
})

t.test('200 does not come before the record', async (t) => {
  const flushes: (() => void)[] = []
  const { port } = await listenerFor(
    t,
    both,
    () => new Promise((resolve) => flushes.push(() => resolve(accepted))),
  )
  let status: number | string | null = null
  const sent = send(port, pathOf(1), { identity: callerOne }).then((found) => {
    status = found
  })
  while (flushes.length === 0) await new Promise(setImmediate)
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
  t.equal(status, null)
  flushes[0]!()
  await sent
  t.equal(status, 200)
})

t.test(
  'renewed files and new connections count without a restart, and broken files change nothing',
  async (t) => {
    const { port, listener, files, table, faults } = await listenerFor(t, [aTarget(1, one)])
    t.type(await send(port, pathOf(2), { identity: callerTwo }), 'string', 'its authority is not known yet')
    table.set(connectionOf(2), aTarget(2, two))
    listener.refresh()
    t.equal(await send(port, pathOf(2), { identity: callerTwo }), 200)

    const before = await shown(port)
    const renewed = ours.issue({ commonName: 'hooks', hosts: ['127.0.0.1'] })
    files.write({ ...renewed, key: ours.issue({ commonName: 'x' }).key })
    listener.refresh()
    t.equal(faults.length, 1, 'key and certificate do not fit')
    t.equal(await shown(port), before)
    files.write(renewed)
    listener.refresh()
    t.not(await shown(port), before)

    table.delete(connectionOf(2))
    listener.refresh()
    t.type(
      await send(port, pathOf(2), { identity: callerTwo }),
      'string',
      'and its authority is not trusted any more',
    )
  },
)

/** The fingerprint of the certificate that the listener shows. */
const shown = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cert, key } = callerOne
    const socket = connect({ host: '127.0.0.1', port, ca: ours.cert, cert, key }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', reject)
  })

t.test(
  'more bodies at one time than there is room for are put off, and nothing is left behind',
  async (t) => {
    const waiting: (() => void)[] = []
    let isOpen = false
    const { port, outcomes } = await listenerFor(t, both, () =>
      isOpen ? Promise.resolve(accepted) : new Promise((resolve) => waiting.push(() => resolve(accepted))),
    )
    const flood = Array.from({ length: 70 }, () => send(port, pathOf(1), { identity: callerOne }))
    while (waiting.length + outcomes.length < 70) await new Promise(setImmediate)
    t.equal(waiting.length, 64)
    isOpen = true
    for (const go of waiting) go()
    const statuses = await Promise.all(flood)
    t.equal(statuses.filter((status) => status === 429).length, 6)
    t.equal(statuses.filter((status) => status === 200).length, 64)
    t.equal(await send(port, pathOf(2), { identity: callerTwo }), 200)
  },
)
