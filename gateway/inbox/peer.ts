import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { PeerPin } from './hook-target.ts'

/**
 * Whether the other side of a connection is who a pin says. Its chain has to end in an authority of this very connection, not just in one
 * that some connection trusts: the authority of one bank could else speak for another bank.
 */
export const isPinned = (socket: TLSSocket, { authorities, issuer, subject }: PeerPin): boolean => {
  const [own, ...above] = socket.authorized ? chainOf(socket) : []
  if (own === undefined) return false
  if (!isSameName(own.issuer, issuer) || !isSameName(own.subject, subject)) return false
  const trusted = authorities.flatMap(certificatesIn)
  return isIssuedUnder([own, ...above], trusted)
}

/** Whether a chain, each certificate signed by the next, ends under one of these authorities. */
const isIssuedUnder = (chain: readonly X509Certificate[], trusted: readonly X509Certificate[]): boolean => {
  for (const [n, one] of chain.entries()) {
    const above = chain[n + 1]
    if (trusted.some((authority) => one.raw.equals(authority.raw) || isSignedBy(one, authority))) return true
    if (above === undefined || !isSignedBy(one, above)) return false
  }
  return false
}

const isSignedBy = (one: X509Certificate, by: X509Certificate): boolean =>
  one.checkIssued(by) && one.verify(by.publicKey)

const chainOf = (socket: TLSSocket): readonly X509Certificate[] => {
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

/** Whether two distinguished names have the same parts: tools print them in either order, by lines or commas. */
export const isSameName = (one: string, other: string): boolean => {
  const [parts, wanted] = [namePartsIn(one), namePartsIn(other)]
  return parts.length > 0 && parts.length === wanted.length && parts.every((part, n) => part === wanted[n])
}

const namePartsIn = (name: string): readonly string[] =>
  name
    .split(name.includes('\n') ? '\n' : /(?<!\\),/)
    .map((part) => part.trim().replace(/\s*=\s*/, '='))
    .filter((part) => part !== '')
    .sort()

/** The certificates of a PEM text; none of one that holds something else. */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((one) => {
    try {
      return [new X509Certificate(one)]
    } catch {
      return []
    }
  })
