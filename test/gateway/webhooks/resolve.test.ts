import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { openResolver } from '../../../gateway/webhooks/resolve.ts'

/** What a name server says to a question of one type; null is silence. */
type Say = { readonly code: number; readonly ttl: number; readonly addresses: readonly number[][] } | null

const typeA = 1
const ok = (ttl: number, ...addresses: number[][]): Say => ({ code: 0, ttl, addresses })
const none = ok(0)
const failing = (code: number): Say => ({ code, ttl: 0, addresses: [] })

/** A name server of one name, over UDP (RFC 1035, section 4). */
const nameServer = async (t: Test, say: { four: () => Say; six: () => Say }) => {
  const socket: Socket = createSocket('udp4')
  const asked = { four: 0, six: 0 }
  socket.on('message', (query, peer) => {
    const nameEnd = query.indexOf(0, 12)
    const question = query.subarray(12, nameEnd + 5)
    const type = query.readUInt16BE(nameEnd + 1)
    if (type === typeA) asked.four++
    else asked.six++
    const said = type === typeA ? say.four() : say.six()
    if (said === null) return
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | said.code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(said.addresses.length, 6)
    const records = said.addresses.map((address) => {
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt32BE(said.ttl, 6)
      record.writeUInt16BE(address.length, 10)
      return Buffer.concat([record, Buffer.from(address)])
    })
    socket.send(Buffer.concat([head, question, ...records]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { asked, servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`] }
}

t.test('addresses of both families are answered, IPv4 first', async (t) => {
  const six = [0x26, 0x06, 0x47, 0, ...Array(11).fill(0), 0x11]
  const { servers, asked } = await nameServer(t, { four: () => ok(60, [8, 8, 4, 4]), six: () => ok(60, six) })
  const resolve = openResolver({ servers })
  const [one, other] = await Promise.all([resolve('a.example.com'), resolve('a.example.com')])
  t.strictSame(one, [
    { address: '8.8.4.4', family: 4 },
    { address: '2606:4700::11', family: 6 },
  ])
  t.equal(one, other)
  t.strictSame(asked, { four: 1, six: 1 }, 'one query per name is under way at a time')
})

t.test('an answer is kept as long as it says, five minutes at most, and a second at least', async (t) => {
  let ttl = 60
  let nowMs = 1_000
  const { servers, asked } = await nameServer(t, { four: () => ok(ttl, [8, 8, 4, 4]), six: () => none })
  const resolve = openResolver({ servers, monotonicMs: () => nowMs })
  const queriesAfter = async (ms: number): Promise<number> => {
    nowMs += ms
    await resolve('a.example.com')
    return asked.four
  }
  t.equal(await queriesAfter(0), 1)
  t.equal(await queriesAfter(59_999), 1)
  ttl = 86_400
  t.equal(await queriesAfter(1), 2)
  t.equal(await queriesAfter(299_999), 2)
  ttl = 0
  t.equal(await queriesAfter(1), 3)
  t.equal(await queriesAfter(999), 3)
  t.equal(await queriesAfter(1), 4)
})

t.test('D19: NXDOMAIN and SERVFAIL are no addresses, for thirty seconds', async (t) => {
  for (const code of [2, 3]) {
    let nowMs = 0
    let say = failing(code)
    const { servers } = await nameServer(t, { four: () => say, six: () => say })
    const resolve = openResolver({ servers, monotonicMs: () => nowMs })
    t.strictSame(await resolve('gone.example.com'), [])
    say = ok(60, [8, 8, 4, 4])
    nowMs = 29_999
    t.strictSame(await resolve('gone.example.com'), [])
    nowMs = 30_000
    t.match(await resolve('gone.example.com'), [{ address: '8.8.4.4' }])
  }
})

t.test('D19: a silent name server costs the budget and no more', async (t) => {
  const { servers } = await nameServer(t, { four: () => null, six: () => null })
  const startedMs = performance.now()
  t.strictSame(await openResolver({ servers, budgetMs: 50 })('silent.example.com'), [])
  // Without the budget it would take the five seconds of the resolver's first try, at least.
  t.ok(performance.now() - startedMs < 4_500)
})

t.test('a name server that is silent about IPv6 does not cost the IPv4 address', async (t) => {
  const { servers } = await nameServer(t, { four: () => ok(60, [8, 8, 4, 4]), six: () => null })
  t.match(await openResolver({ servers, budgetMs: 100 })('half.example.com'), [{ address: '8.8.4.4' }])
})

t.test('what cannot be a name has no addresses', async (t) => {
  const { servers, asked } = await nameServer(t, { four: () => none, six: () => none })
  const resolve = openResolver({ servers })
  t.strictSame(await resolve(`${'x'.repeat(64)}.example.com`), [])
  t.strictSame(await resolve('a..example.com'), [])
  t.strictSame(asked, { four: 0, six: 0 })
})
