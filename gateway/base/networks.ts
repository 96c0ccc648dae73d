import ipaddr from 'ipaddr.js'

/** A network in usual CIDR notation, or a single address as its own network; null for anything else. */
export const readNetwork = (text: string): string | null => {
  const trimmed = text.trim()
  const cidr = /^[^/]+$/.test(trimmed) ? `${trimmed}/${trimmed.includes(':') ? 128 : 32}` : trimmed
  // ipaddr.js also reads `10.1/16`, which people write for different networks.
  if (!/^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:.]+:[0-9a-f:.]*)\/\d{1,3}$/i.test(cidr)) return null
  if (!ipaddr.isValidCIDR(cidr)) return null
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const first =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${first.toString()}/${bits}`
}

/** The network that an address is in, by the length of its prefix for each kind; a text that is no address stays as it is. */
export const networkOf = (text: string, bits: { readonly ipv4: number; readonly ipv6: number }): string => {
  const [plain = ''] = text.split('%')
  if (!ipaddr.isValid(plain)) return text
  const address = ipaddr.process(plain)
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits.ipv4}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits.ipv6}`).toString()
}

/** The prefixes of what one subscriber usually has. */
export const household = { ipv4: 32, ipv6: 64 }

/** Whether an address is in one of these networks. */
export type InNetworks = (address: string) => boolean

/** The check for networks in CIDR notation. */
export const inNetworks = (networks: readonly string[]): InNetworks => {
  const ranges = networks.map((network) => ipaddr.parseCIDR(network))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // IPv4 peers of a listener on all addresses come in the form of IPv6.
    const address = ipaddr.process(text)
    return ranges.some((range) => address.kind() === range[0].kind() && address.match(range))
  }
}
