import t from 'tap'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import {
  type Address,
  addressVerdict,
  type EndpointUrl,
  readEndpointUrl,
  vetEndpointUrl,
  vetHost,
} from '../../../gateway/webhooks/address.ts'

const environments = ['PRODUCTION', 'SANDBOX'] as const

const reasonOf = (read: EndpointUrl): string => (read.ok ? '' : read.reason(messages.en))

const resolving = (...ips: string[]) => {
  const asked: string[] = []
  const addresses = ips.map((address): Address => ({ address, family: address.includes(':') ? 6 : 4 }))
  const resolve = async (hostname: string) => {
    asked.push(hostname)
    return addresses
  }
  return { asked, resolve }
}

const spellingsOfLoopback = [
  '0x7f.1',
  '2130706433',
  '127.1',
  '0177.0.0.1',
  '017700000001',
  '00000177.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '127.0.0.1.',
  '0',
  'example.com@127.0.0.1',
  '127.0.0.1\\@example.com',
]

t.test('S1: every spelling of 127.0.0.1 is refused in Production', async (t) => {
  for (const spelling of spellingsOfLoopback) {
    t.match(readEndpointUrl(`https://${spelling}/`, 'PRODUCTION'), { ok: false }, spelling)
  }
  t.match(readEndpointUrl('https:127.0.0.1', 'PRODUCTION'), { ok: false })
  t.match(readEndpointUrl('https:/\\127.0.0.1', 'PRODUCTION'), { ok: false })
})

t.test('S2: IPv6 loopback and IPv4 written as IPv6 are refused', async (t) => {
  for (const ip of ['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1']) {
    t.match(readEndpointUrl(`https://[${ip}]/`, 'PRODUCTION'), { ok: false }, ip)
  }
  for (const ip of [
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
  ]) {
    for (const environment of environments) t.equal(addressVerdict(ip, environment), 'blocked', ip)
  }
})

t.test('S4: metadata services are refused in both environments', async (t) => {
  const metadata = [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.0.23',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:0ec2:0:0:0:0:0:0254',
  ]
  for (const ip of metadata) {
    for (const environment of environments) t.equal(addressVerdict(ip, environment), 'blocked', ip)
  }
  for (const environment of environments) {
    t.match(readEndpointUrl('https://169.254.169.254/latest', environment), { ok: false })
    t.match(readEndpointUrl('https://[fd00:ec2::254]/latest', environment), { ok: false })
    t.match(readEndpointUrl('https://Metadata.Google.Internal./', environment), { ok: false })
  }
})

t.test(
  'S5: private and reserved ranges are refused at both of their ends, their neighbours are not',
  async (t) => {
    const ranges = [
      ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
      ['10.0.0.0', '10.255.255.255', '11.0.0.0', '9.255.255.255'],
      ['100.64.0.0', '100.127.255.255', '100.128.0.0', '100.63.255.255'],
      ['127.0.0.0', '127.255.255.255', '128.0.0.0', '126.255.255.255'],
      ['169.254.0.0', '169.254.255.255', '169.255.0.0', '169.253.255.255'],
      ['172.16.0.0', '172.31.255.255', '172.32.0.0', '172.15.255.255'],
      ['192.0.0.0', '192.0.0.255', '192.0.1.0', '191.255.255.255'],
      ['192.0.2.0', '192.0.2.255', '192.0.3.0', '192.0.1.255'],
      ['192.88.99.0', '192.88.99.255', '192.88.100.0', '192.88.98.255'],
      ['192.168.0.0', '192.168.255.255', '192.169.0.0', '192.167.255.255'],
      ['198.18.0.0', '198.19.255.255', '198.20.0.0', '198.17.255.255'],
      ['198.51.100.0', '198.51.100.255', '198.51.101.0', '198.51.99.255'],
      ['203.0.113.0', '203.0.113.255', '203.0.114.0', '203.0.112.255'],
      ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
      ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
      ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::', '2001:db7:ffff::'],
      ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::', '2001:ffff::'],
      ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::', '3ffe:ffff::'],
    ]
    for (const [first, last, ...neighbours] of ranges) {
      t.equal(addressVerdict(first!, 'PRODUCTION'), 'blocked', String(first))
      t.equal(addressVerdict(last!, 'PRODUCTION'), 'blocked', String(last))
      for (const neighbour of neighbours)
        t.equal(addressVerdict(neighbour, 'PRODUCTION'), 'allowed', neighbour)
    }
    for (const ip of ['fc00::1', 'fe80::1', 'ff02::1', '100::1', '5f00::1', '4000::1', '1fff::1']) {
      t.equal(addressVerdict(ip, 'PRODUCTION'), 'blocked', ip)
    }
  },
)

t.test(
  'a Sandbox may reach private networks, but nothing that is link-local, multicast or reserved',
  async (t) => {
    for (const ip of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      'fd12:3456::1',
      '8.8.8.8',
    ]) {
      t.equal(addressVerdict(ip, 'SANDBOX'), 'allowed', ip)
    }
    for (const ip of [
      '0.0.0.0',
      '169.254.1.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '198.18.0.1',
      '192.0.2.1',
      'fe80::1',
      'ff02::1',
    ]) {
      t.equal(addressVerdict(ip, 'SANDBOX'), 'blocked', ip)
    }
  },
)

t.test('what is not an address in its one spelling is blocked', async (t) => {
  for (const text of ['', '127.1', '8.8.8', '010.8.8.8', '2606:4700::1%eth0', 'example.com', '[::1]']) {
    for (const environment of environments) t.equal(addressVerdict(text, environment), 'blocked', text)
  }
})

t.test(
  'S7: names of one machine or one network are refused in Production, with any case and trailing dot',
  async (t) => {
    const names = [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'metadata.google.internal',
      'x.internal',
      'printer.local',
      'intranet',
      'intranet.',
    ]
    for (const name of names) t.match(readEndpointUrl(`https://${name}/`, 'PRODUCTION'), { ok: false }, name)
    const { resolve, asked } = resolving('8.8.8.8')
    t.match(await vetHost('localhost', 'PRODUCTION', resolve), { ok: false, error: 'BLOCKED_ADDRESS' })
    t.strictSame(asked, [])
  },
)

t.test('S8: a name with a public and a private address is refused', async (t) => {
  const { resolve } = resolving('8.8.8.8', '10.0.0.1')
  t.strictSame(await vetHost('two.example.com', 'PRODUCTION', resolve), {
    ok: false,
    error: 'BLOCKED_ADDRESS',
  })
  t.match(await vetHost('two.example.com', 'SANDBOX', resolve), { ok: true })
  const mapped = resolving('8.8.8.8', '::ffff:10.0.0.1')
  t.match(await vetHost('two.example.com', 'SANDBOX', mapped.resolve), {
    ok: false,
    error: 'BLOCKED_ADDRESS',
  })
})

t.test('a host is vetted with every address it has, a name without any is a DNS failure', async (t) => {
  const addresses = [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]
  t.strictSame(await vetHost('example.com', 'PRODUCTION', resolving('8.8.8.8', '2606:4700::1111').resolve), {
    ok: true,
    addresses,
  })
  t.strictSame(await vetHost('example.com', 'PRODUCTION', resolving().resolve), { ok: false, error: 'DNS' })
})

t.test('an address as host is vetted without asking a resolver, with or without brackets', async (t) => {
  const { resolve, asked } = resolving('8.8.8.8')
  t.match(await vetHost('[2606:4700::1111]', 'PRODUCTION', resolve), {
    ok: true,
    addresses: [{ address: '2606:4700::1111', family: 6 }],
  })
  t.match(await vetHost('::1', 'PRODUCTION', resolve), { ok: false, error: 'BLOCKED_ADDRESS' })
  t.match(await vetHost('[::1]', 'SANDBOX', resolve), {
    ok: true,
    addresses: [{ address: '::1', family: 6 }],
  })
  t.strictSame(asked, [])
})

t.test('localhost of a Sandbox is both loopback addresses, without a resolver', async (t) => {
  const { resolve, asked } = resolving('8.8.8.8')
  t.match(await vetHost('localhost', 'SANDBOX', resolve), {
    ok: true,
    addresses: [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  })
  t.strictSame(asked, [])
})

t.test('S14: only https in Production, http too in a Sandbox, nothing else', async (t) => {
  t.match(readEndpointUrl('http://example.com/', 'PRODUCTION'), { ok: false })
  t.match(readEndpointUrl('http://example.com/', 'SANDBOX'), { ok: true })
  const others = [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://example.com/',
    'unix:/run/x.sock',
    'example.com',
    '//example.com/',
    '',
  ]
  for (const text of others) {
    for (const environment of environments) t.match(readEndpointUrl(text, environment), { ok: false }, text)
  }
})

t.test('Production has two ports, a Sandbox all but port 0', async (t) => {
  for (const port of ['443', '8443'])
    t.match(readEndpointUrl(`https://example.com:${port}/`, 'PRODUCTION'), { ok: true })
  for (const port of ['0', '22', '80', '6379', '65536']) {
    t.match(readEndpointUrl(`https://example.com:${port}/`, 'PRODUCTION'), { ok: false }, port)
  }
  t.match(readEndpointUrl('http://localhost:3000/', 'SANDBOX'), { ok: true, url: 'http://localhost:3000/' })
  t.match(readEndpointUrl('http://localhost:0/', 'SANDBOX'), { ok: false })
})

t.test('user info, fragments and long URLs are refused', async (t) => {
  for (const environment of environments) {
    t.match(readEndpointUrl('https://user@example.com/', environment), { ok: false })
    t.match(readEndpointUrl('https://user:secret@example.com/', environment), { ok: false })
    t.match(readEndpointUrl('https://example.com/#part', environment), { ok: false })
    t.match(readEndpointUrl('https://example.com/#', environment), { ok: false })
    const base = 'https://example.com/'
    t.match(readEndpointUrl(base.padEnd(2048, 'x'), environment), { ok: true })
    t.match(readEndpointUrl(base.padEnd(2049, 'x'), environment), { ok: false })
    t.match(
      readEndpointUrl(base.padEnd(2048, 'ç'), environment),
      { ok: false },
      'six characters once escaped',
    )
  }
})

t.test('S16: a URL is stored as it is sent: punycode, lower case, one spelling', async (t) => {
  const stored = (text: string) => readEndpointUrl(text, 'PRODUCTION')
  t.strictSame(stored('https://Bücher.Example/a?b=ç'), {
    ok: true,
    url: 'https://xn--bcher-kva.example/a?b=%C3%A7',
  })
  t.strictSame(
    stored('https://аррӏе.com'),
    { ok: true, url: 'https://xn--80ak6aa92e.com/' },
    'no Latin letter in it',
  )
  t.strictSame(stored('https://EXAMPLE.com.:443/x'), { ok: true, url: 'https://example.com/x' })
})

t.test('registration looks the host up, and forgives a name that does not exist yet', async (t) => {
  const url = 'https://hooks.example.com/'
  t.match(await vetEndpointUrl(url, 'PRODUCTION', resolving('10.0.0.1').resolve), { ok: false })
  t.strictSame(await vetEndpointUrl(url, 'PRODUCTION', resolving('8.8.8.8').resolve), { ok: true, url })
  t.strictSame(await vetEndpointUrl(url, 'PRODUCTION', resolving().resolve), { ok: true, url })
  t.match(await vetEndpointUrl('http://example.com', 'PRODUCTION', resolving().resolve), { ok: false })
})

t.test('a URL with a blank in it is refused, not cleaned: what is stored is what was written', async (t) => {
  const blanks = ['\r', '\n', '\t', ' ', '\r\n', '\u00a0', '\u2028', '\0']
  for (const environment of environments)
    for (const blank of blanks)
      for (const url of [
        `${blank}https://example.com/hook`,
        `https://example.com/hook${blank}`,
        `https://exam${blank}ple.com/hook`,
        `https://example.com/ho${blank}ok`,
      ])
        t.match(
          reasonOf(readEndpointUrl(url, environment)),
          /^it must not contain spaces, tabs, line breaks or control characters$/,
          encodeURIComponent(url),
        )
  t.match(readEndpointUrl('https://example.com/a%20b?c=%0D', 'PRODUCTION'), { ok: true })
})
