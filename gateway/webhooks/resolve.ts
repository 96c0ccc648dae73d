import { Resolver } from 'node:dns/promises'
import { bounds } from '../base/bounds.ts'
import type { Address, Resolve } from './address.ts'

/**
 * Looks names up in DNS over sockets of its own: `dns.lookup` shares four threads with password hashing and the file system, and
 * one slow name server would block them all. `/etc/hosts` is not read. Answers are cached for their TTL, at most five minutes,
 * and failures for thirty seconds. A name has at most one query under way.
 */
export const openResolver = (options: ResolverOptions = {}): Resolve => {
  const { monotonicMs = () => performance.now(), budgetMs = 5_000 } = options
  const resolver = new Resolver({ timeout: 1_500, tries: 3 })
  if (options.servers !== undefined) resolver.setServers(options.servers)
  const known = new Map<string, Known>()

  const resolve: Resolve = (hostname) => {
    const found = known.get(hostname)
    if (found !== undefined && monotonicMs() < found.expiresAtMs) return found.addresses
    const lookup: Known = { addresses: ask(hostname), expiresAtMs: Number.POSITIVE_INFINITY }
    known.delete(hostname)
    known.set(hostname, lookup)
    if (known.size > bounds.resolvedNamesMax) known.delete(known.keys().next().value!)
    return lookup.addresses
  }

  const ask = async (hostname: string): Promise<readonly Address[]> => {
    // A name server that ignores one address family must not cost the addresses of the other.
    const [four, six] = await Promise.all([
      within(budgetMs, resolver.resolve4(hostname, { ttl: true })),
      within(budgetMs, resolver.resolve6(hostname, { ttl: true })),
    ])
    const records = [...four, ...six]
    const ttlSeconds = records.length === 0 ? failureSeconds : Math.min(...records.map(({ ttl }) => ttl))
    const keepSeconds = Math.min(
      Math.max(ttlSeconds, bounds.addressesKeptSecondsMin),
      bounds.addressesKeptSecondsMax,
    )
    const addresses = [
      ...four.map(({ address }) => ({ address, family: 4 }) as const),
      ...six.map(({ address }) => ({ address, family: 6 }) as const),
    ]
    const cached = known.get(hostname)
    if (cached !== undefined) {
      cached.addresses = addresses
      cached.expiresAtMs = monotonicMs() + keepSeconds * 1000
    }
    return addresses
  }

  return resolve
}

export type ResolverOptions = {
  readonly monotonicMs?: () => number
  /** For the whole lookup, over all servers and tries. */
  readonly budgetMs?: number
  /** As `host:port`; the machine's own if absent. */
  readonly servers?: readonly string[]
}

type Known = { addresses: ReturnType<Resolve>; expiresAtMs: number }
type DnsRecord = { readonly address: string; readonly ttl: number }

const failureSeconds = 30

/** Resolves to the records, or to none if the lookup fails or takes longer than `ms`. */
const within = async (ms: number, lookup: Promise<readonly DnsRecord[]>): Promise<readonly DnsRecord[]> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly DnsRecord[]>((resolve) => {
    timer = setTimeout(resolve, ms, [])
  })
  try {
    return await Promise.race([lookup, late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
