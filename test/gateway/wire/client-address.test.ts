import t from 'tap'
import { inNetworks, readNetwork } from '../../../gateway/base/networks.ts'
import { behindProxies, clientAddress } from '../../../gateway/wire/client-address.ts'
import type { HttpRequest } from '../../../gateway/wire/transport.ts'

const isProxy = inNetworks(['10.0.0.0/8', 'fd00::/8'])
const from = (remoteAddress: string, forwarded?: string) =>
  clientAddress(
    {
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    },
    isProxy,
  )

t.test('the client is the last hop that is no trusted proxy', async (t) => {
  t.equal(from('10.0.0.1', '203.0.113.9'), '203.0.113.9')
  t.equal(
    from('10.0.0.1', '198.51.100.1, 203.0.113.9'),
    '203.0.113.9',
    'what the client wrote itself counts nothing',
  )
  t.equal(from('10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.7'), '203.0.113.9')
  t.equal(from('fd00::1', '2001:db8::5'), '2001:db8::5')
  t.equal(from('10.0.0.1', '203.0.113.9:4711'), '203.0.113.9')
  t.equal(from('10.0.0.1', '[2001:db8::5]:4711'), '2001:db8::5')
  t.equal(from('10.0.0.1', '10.0.0.2'), '10.0.0.2', 'all of them are proxies')
})

t.test('a header is not believed unless a proxy sends it, in the usual form', async (t) => {
  t.equal(from('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  t.equal(from('10.0.0.1'), '10.0.0.1')
  t.equal(from('10.0.0.1', '198.51.100.1, unknown'), '10.0.0.1')
  t.equal(from('10.0.0.1', ''), '10.0.0.1')
})

t.test(
  'requests of clients behind proxies have their address; without proxies nothing is in between',
  async (t) => {
    const seen: string[] = []
    const handle = ({ remoteAddress, headers }: HttpRequest): void => {
      seen.push(`${remoteAddress} ${headers.host}`)
    }
    const request = {
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': '203.0.113.9', host: 'a' },
      repeatedHeaders: [],
    } as unknown as HttpRequest
    behindProxies(['10.0.0.0/8'], handle)(request, undefined as never)
    t.strictSame(seen, ['203.0.113.9 a'])
    t.equal(behindProxies([], handle), handle)
  },
)

t.test('networks are read in one spelling, and nothing else is', async (t) => {
  t.strictSame(
    ['203.0.113.7', '203.0.113.7/24', '2001:DB8::1/32', '2001:db8::1', ' 10.0.0.0/8 '].map(readNetwork),
    ['203.0.113.7/32', '203.0.113.0/24', '2001:db8::/32', '2001:db8::1/128', '10.0.0.0/8'],
  )
  for (const text of [
    '10.1/16',
    '10.0.0.0/33',
    '1.2.3',
    'localhost',
    '',
    '::/129',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '0x7f.0.0.1',
  ])
    t.equal(readNetwork(text), null, text)
})
