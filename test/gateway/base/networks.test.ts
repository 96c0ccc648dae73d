import t from 'tap'
import { household, networkOf } from '../../../gateway/base/networks.ts'
import { strangerLimits } from '../../../gateway/checkout/stranger-limits.ts'
import { newRateLimit, newRateLimitMemory } from '../../../gateway/identity/rate-limit.ts'

t.test('the network of an address, by the prefix of its kind', async (t) => {
  const customer = { ipv4: 24, ipv6: 48 }
  t.equal(networkOf('203.0.113.77', customer), '203.0.113.0')
  t.equal(networkOf('203.0.113.77', household), '203.0.113.77')
  t.equal(networkOf('::ffff:203.0.113.77', customer), '203.0.113.0', 'IPv4 in the form of IPv6')
  t.equal(networkOf('2001:db8:1:2:3:4:5:6', customer), '2001:db8:1::')
  t.equal(networkOf('2001:db8:1:2:3:4:5:6', household), '2001:db8:1:2::')
  t.equal(networkOf('fe80::1%eth0', household), 'fe80::', 'with the zone of a link-local address')
  t.equal(networkOf('', household), '', 'of a peer that has gone')
})

t.test('strangers are counted by IPv6 network, whose every address one of them has', async (t) => {
  const once = newRateLimit({ name: 'pages', count: 1, windowSeconds: 60, burst: 1 }, newRateLimitMemory())
  const { take } = strangerLimits({ badTokens: once, payments: null, portalMails: null })
  t.equal(take('badTokens', '2001:db8::1', 0), null)
  t.equal(take('badTokens', '2001:db8::2', 0), 60)
  t.equal(take('badTokens', '2001:db8:0:1::1', 0), null)
})
