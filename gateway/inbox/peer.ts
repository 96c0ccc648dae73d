import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { PeerPin } from './hook-target.ts'

/** The certificates that the other side shows, its own first; none where it shows none. TLS has proved that it has the key of its own. */
export const shownChainOf = (socket: TLSSocket): readonly X509Certificate[] => {
  const chain: X509Certificate[] = []
  let one = socket.getPeerCertificate(true)
  while (one?.raw !== undefined && chain.length < chainMax) {
    chain.push(new X509Certificate(one.raw))
    if (one.issuerCertificate === one) break
    one = one.issuerCertificate
  }
  return chain
}

const chainMax = 8

/**
 * Whether a chain is of who a pin says. It has to end in an authority of this very connection, not just in one that some connection trusts: the
 * authority of one bank could else speak for another bank. The verdict of TLS does not count, since among the authorities of all
 * connections it looks no further than the first with the right name.
 */
export const isPinned = (chain: readonly X509Certificate[], pin: PeerPin, nowMs: number): boolean => {
  const [own] = chain
  if (own === undefined || !isSameName(own.issuer, pin.issuer) || !isSameName(own.subject, pin.subject))
    return false
  return isIssuedUnder(chain, authoritiesOf(pin), nowMs)
}

/** Whether a chain, each certificate of today and signed by the next, ends under one of these authorities. */
export const isIssuedUnder = (
  chain: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  nowMs: number,
): boolean => {
  for (const [n, one] of chain.entries()) {
    if (!isOfToday(one, nowMs) || (n > 0 && !one.ca)) return false
    if (trusted.some((authority) => isSignedBy(one, authority) && isOfToday(authority, nowMs))) return true
    const above = chain[n + 1]
    if (above === undefined || !isSignedBy(one, above)) return false
  }
  return false
}

const isOfToday = ({ validFrom, validTo }: X509Certificate, nowMs: number): boolean =>
  Date.parse(validFrom) <= nowMs && nowMs < Date.parse(validTo)

const isSignedBy = (one: X509Certificate, by: X509Certificate): boolean =>
  one.checkIssued(by) && one.verify(by.publicKey)

/** The authorities of a pin, which are read once. */
export const authoritiesOf = (pin: PeerPin): readonly X509Certificate[] => {
  let read = known.get(pin)
  if (read === undefined) {
    read = pin.authorities.flatMap(certificatesIn)
    known.set(pin, read)
  }
  return read
}

const known = new WeakMap<PeerPin, readonly X509Certificate[]>()

/** Whether two distinguished names have the same parts: tools print them in either order, by lines or commas, and `í` as `\C3\AD`. */
export const isSameName = (one: string, other: string): boolean => {
  const [parts, wanted] = [namePartsIn(one), namePartsIn(other)]
  return parts.length > 0 && parts.length === wanted.length && parts.every((part, n) => part === wanted[n])
}

const namePartsIn = (name: string): readonly string[] =>
  withLetters(name)
    .split(name.includes('\n') ? '\n' : /(?<!\\),/)
    .map((part) => part.trim().replace(/\s*=\s*/, '='))
    .filter((part) => part !== '')
    .sort()

/** A name whose letters beyond ASCII are not escaped byte by byte (RFC 2253, section 2.4), as OpenSSL's `RFC2253` prints them. */
const withLetters = (name: string): string =>
  name.replace(/\\\\|(?:\\[89A-F][\dA-F])+/gi, (escaped) =>
    escaped === '\\\\' ? escaped : Buffer.from(escaped.replaceAll('\\', ''), 'hex').toString(),
  )

/** The certificates of a PEM text; none of one that holds something else. */
const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((one) => {
    try {
      return [new X509Certificate(one)]
    } catch {
      return []
    }
  })
