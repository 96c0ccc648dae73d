import { type InNetworks, inNetworks } from '../base/networks.ts'
import type { Handle, HttpRequest } from './transport.ts'

/**
 * The address of the client behind proxies: the last hop of `X-Forwarded-For` that is not a trusted proxy, because
 * only the entries that trusted proxies append can be believed (dashboard, section 1.4); the peer's own address if
 * the peer is no proxy. Some proxies append to the client's header and some add another: the transports join them
 * into one list.
 */
export const clientAddress = ({ remoteAddress, headers }: Forwarded, isProxy: InNetworks): string => {
  const header = headers['x-forwarded-for']
  if (header === undefined || !isProxy(remoteAddress)) return remoteAddress
  let address = remoteAddress
  for (const hop of header.split(',').reverse()) {
    const read = hopAddress(hop)
    // A proxy that writes something else hides the client, and then counts as the client.
    if (read === null) return address
    address = read
    if (!isProxy(address)) return address
  }
  return address
}

type Forwarded = Pick<HttpRequest, 'remoteAddress' | 'headers'>

/** Strips the port that some proxies add, and the brackets around IPv6. */
const hopAddress = (hop: string): string | null => {
  const text = hop.trim()
  const address = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return anyAddress(address) ? address : null
}

const anyAddress = inNetworks(['0.0.0.0/0', '::/0'])

/** Gives requests the addresses of clients behind trusted proxies (CIDRs). Without proxies it returns `handle`. */
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
