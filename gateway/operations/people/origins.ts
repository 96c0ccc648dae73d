import { isIPv6 } from 'node:net'

/** Where the dashboard is: at the public address, or at the loopback where none is set. */
export const originsOf = (publicUrl: string, isTls: boolean, port: number): readonly string[] =>
  publicUrl === ''
    ? ['localhost', '127.0.0.1'].map((host) => `http${isTls ? 's' : ''}://${host}:${port}`)
    : [publicUrl]

/** The origin at which a service listens, as URLs write it: IPv6 addresses in brackets (RFC 3986, section 3.2.2). */
export const originListenedAt = (host: string, isTls: boolean, port: number): string =>
  `http${isTls ? 's' : ''}://${isIPv6(host) ? `[${host}]` : host}:${port}`

/** The origin under which callers reach a service: PUBLIC_URL, or else one that works on this machine, which an address that stands for all may not. */
export const originForCallers = (publicUrl: string, host: string, isTls: boolean, port: number): string =>
  publicUrl || originListenedAt(reachable[host] ?? host, isTls, port)

const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
