import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Environment } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import type { Text } from '../problems/messages/text.ts'

/**
 * Judges whether a webhook may go to an address (security, section 1.6). Address space is allowed rather than forbidden: whatever
 * is in none of the lists below is blocked, including every spelling of an IPv4 address as IPv6 (mapped, compatible, NAT64).
 */
export const addressVerdict = (ip: string, environment: Environment): 'allowed' | 'blocked' => {
  switch (spaceOf(ip)) {
    case 'public':
      return 'allowed'
    case 'private':
      return environment === 'SANDBOX' ? 'allowed' : 'blocked'
    default:
      return 'blocked'
  }
}

/** Caches the space of each address, because every attempt judges its host's addresses. */
const spaceOf = (ip: string): string => {
  let space = knownSpaces.get(ip)
  if (space === undefined) {
    // ipaddr.js also reads `127.1`, which no resolver returns. Only link-local addresses have a zone (`%eth0`).
    space =
      isIP(ip) === 0 || ip.includes('%') ? 'never' : ipaddr.subnetMatch(ipaddr.parse(ip), spaces, 'never')
    if (knownSpaces.size >= bounds.resolvedNamesMax) knownSpaces.clear()
    knownSpaces.set(ip, space)
  }
  return space
}

const knownSpaces = new Map<string, string>()

/** A URL as it is stored: parsed, in lower case and punycode; or the reason for the person who registers it. */
export type EndpointUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: Text }

/** Reads the URL of an endpoint. The host is judged after parsing: `https://0x7f.1/` is 127.0.0.1. */
export const readEndpointUrl = (text: string, environment: Environment): EndpointUrl => {
  // URL parsers drop blanks (WHATWG URL, section 4.4), so another URL would be stored than the one that was written.
  if (blanks.test(text)) return refuse((say) => say.urls.blanks)
  if (text.length > bounds.webhookUrlCharsMax || !URL.canParse(text))
    return refuse((say) => say.urls.noUrl(bounds.webhookUrlCharsMax))
  const url = new URL(text)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const reason = reasonAgainst(url, environment)
  if (reason !== null) return refuse(reason)
  return url.href.length > bounds.webhookUrlCharsMax
    ? refuse((say) => say.urls.tooLong(bounds.webhookUrlCharsMax))
    : { ok: true, url: url.href }
}

/**
 * Reads the URL of an endpoint that is being registered, and looks up its host. A name without addresses is accepted, because
 * every attempt looks it up and judges it again.
 */
export const vetEndpointUrl = async (
  text: string,
  environment: Environment,
  resolve: Resolve,
): Promise<EndpointUrl> => {
  const read = readEndpointUrl(text, environment)
  if (!read.ok) return read
  const host = await vetHost(new URL(read.url).hostname, environment, resolve)
  return !host.ok && host.error === 'BLOCKED_ADDRESS' ? refuse(hostRefused) : read
}

export type Address = { readonly address: string; readonly family: 4 | 6 }

/** The addresses of a name, at once if they are known; empty if it has none, or no name server answers. */
export type Resolve = (hostname: string) => Soon<readonly Address[]>

/** A value, at once or later. */
type Soon<Value> = Value | Promise<Value>

export type VettedHost =
  | { readonly ok: true; readonly addresses: readonly Address[] }
  | { readonly ok: false; readonly error: 'DNS' | 'BLOCKED_ADDRESS' }

/**
 * The addresses of a host that may be connected to. One bad address refuses the name: a public address beside it is a disguise.
 */
export const vetHost = (hostname: string, environment: Environment, resolve: Resolve): Soon<VettedHost> => {
  const host = withoutBrackets(hostname)
  if (isRefusedHost(host, environment)) return { ok: false, error: 'BLOCKED_ADDRESS' }
  const family = isIP(host) as 0 | 4 | 6
  if (family !== 0) return { ok: true, addresses: [{ address: host, family }] }
  const addresses = addressesOf(host, environment, resolve)
  return addresses instanceof Promise
    ? addresses.then((addresses) => vetted(addresses, environment))
    : vetted(addresses, environment)
}

const vetted = (addresses: readonly Address[], environment: Environment): VettedHost => {
  if (addresses.length === 0) return { ok: false, error: 'DNS' }
  if (addresses.some(({ address }) => addressVerdict(address, environment) === 'blocked')) {
    return { ok: false, error: 'BLOCKED_ADDRESS' }
  }
  return { ok: true, addresses }
}

/**
 * Whether a socket ended up at a vetted address. Resolver, sockets and URLs spell addresses alike; if one did not, the address
 * would be refused.
 */
export const isAmong = (addresses: readonly Address[], ip: string): boolean =>
  addresses.some(({ address }) => address === ip)

/** Turns the `[::1]` of a URL into the `::1` of a socket. */
export const withoutBrackets = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname

const blanks = /[\s\p{Cc}]/u
const productionPorts = ['', '443', '8443']
const hostRefused: Text = (say) => say.urls.host

const refuse = (reason: Text): EndpointUrl => ({ ok: false, reason })

const reasonAgainst = (url: URL, environment: Environment): Text | null => {
  if (environment === 'PRODUCTION') {
    if (url.protocol !== 'https:') return (say) => say.urls.https
    if (!productionPorts.includes(url.port)) return (say) => say.urls.port
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return (say) => say.urls.http
  if (url.port === '0') return (say) => say.urls.portZero
  if (url.username !== '' || url.password !== '') return (say) => say.urls.credentials
  if (url.href.includes('#')) return (say) => say.urls.fragment
  return isRefusedHost(withoutBrackets(url.hostname), environment) ? hostRefused : null
}

const isRefusedHost = (host: string, environment: Environment): boolean => {
  if (isIP(host) !== 0) return addressVerdict(host, environment) === 'blocked'
  const name = host.toLowerCase().replace(/\.$/, '')
  return (environment === 'PRODUCTION' ? notPublic : metadata).test(name)
}

/** Names within one machine or network; a single label (`intranet`) is one too. */
const notPublic = /^[^.]*$|\.(localhost|local|internal)$/
const metadata = /^metadata(\.google\.internal)?$/

/** `localhost` is the one name that needs no resolver: DNS does not know it, and a Sandbox receiver often runs there. */
const addressesOf = (name: string, environment: Environment, resolve: Resolve): Soon<readonly Address[]> =>
  environment === 'SANDBOX' && name === 'localhost' ? localhost : resolve(name)

/** Both addresses of this machine: a receiver may listen on one of them only. */
export const localhost: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The first list that contains an address decides. */
const spaces = {
  never: [
    '0.0.0.0/8',
    '100.100.100.200/32', // Metadata of Alibaba, inside the range of carriers.
    '168.63.129.16/32', // Metadata of Azure, inside public space.
    '169.254.0.0/16', // Link-local, with the metadata of most clouds.
    '192.0.0.0/24', // Protocol assignments; 192.0.0.192 is metadata of Oracle.
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '2001::/23', // Teredo, ORCHID and benchmarking.
    '2001:db8::/32',
    '2002::/16', // 6to4 carries an IPv4 address, which may be a private one.
    '3fff::/20',
    'fd00:ec2::254/128', // Metadata of AWS.
    'fd20:ce::254/128', // Metadata of Google.
  ].map((cidr) => ipaddr.parseCIDR(cidr)),
  private: [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '::1/128',
    'fc00::/7',
  ].map((cidr) => ipaddr.parseCIDR(cidr)),
  public: ['0.0.0.0/0', '2000::/3'].map((cidr) => ipaddr.parseCIDR(cidr)),
}
