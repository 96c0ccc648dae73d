import { type InNetworks, inNetworks } from '../base/networks.ts'
import type { Handle, HttpRequest } from './transport.ts'

/**
 * The address of the client behind proxies: the last hop of `X-Forwarded-For` that is not of the proxies themselves, because only what
 * they have appended can be believed (dashboard, section 1.4); the peer's own where that is no proxy. Some proxies append to the header of
 * the client and some add one: the transports make one list of them.
 */
export const clientAddress = ({ remoteAddress, headers }: Forwarded, isProxy: InNetworks): string => {
  const header = headers['x-forwarded-for']
  if (header === undefined || !isProxy(remoteAddress)) return remoteAddress
  let address = remoteAddress
  for (const hop of header.split(',').reverse()) {
    const read = hopAddress(hop)
    // A proxy that writes something else hides who asks: then it is the proxy that asks.
    if (read === null) return address
    address = read
    if (!isProxy(address)) return address
  }
  return address
}

type Forwarded = Pick<HttpRequest, 'remoteAddress' | 'headers'>

/** Some proxies add a port, and then brackets around IPv6. */
const hopAddress = (hop: string): string | null => {
  const text = hop.trim()
  const address = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return anyAddress(address) ? address : null
}

const anyAddress = inNetworks(['0.0.0.0/0', '::/0'])

/** Handles requests as those of the clients behind trusted proxies, given as CIDRs. Without proxies nothing is in between. */
export const behindProxies = (proxies: readonly string[], handle: Handle): Handle => {
  if (proxies.length === 0) return handle
  const isProxy = inNetworks(proxies)
  return (request, to) =>
    handle(
      Object.create(request, {
        remoteAddress: { get: () => clientAddress(request, isProxy), enumerable: true },
      }) as HttpRequest,
      to,
    )
}
