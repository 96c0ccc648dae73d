import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * The test's certificate authorities: one for the bank's server, one for its clients, one that no side trusts. Node makes keys and signatures
 * but no certificates, so the little of X.509 (RFC 5280) that TLS asks for is written here.
 */
export type Authority = {
  /** The authority's own certificate, for those who are to trust it. */
  readonly cert: string
  readonly issue: (subject: Subject) => TlsIdentity
}

/** A certificate with its private key, both as PEM. */
export type TlsIdentity = {
  readonly cert: string
  readonly key: string
  readonly notAfterMs: number
}

export type Subject = {
  readonly commonName: string
  /** Host names and IPv4 addresses that it stands for. */
  readonly hosts?: readonly string[]
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
}

/** Makes an authority with a key of its own. */
export const createAuthority = (commonName: string): Authority => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = { commonName, ...lasting }
  const certOf = (of: Subject, publicKey: KeyObject, extensions: Buffer) =>
    certificate({ issuer: commonName, issuerKey: own.privateKey, subject: of, publicKey, extensions })
  return {
    cert: certOf(subject, own.publicKey, sequence(basicConstraints, keyUsage(0x06))),
    issue: (asked) => {
      const of = { ...lasting, ...asked }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = asked.hosts === undefined ? [] : [alternativeNames(asked.hosts)]
      return {
        cert: certOf(of, publicKey, sequence(keyUsage(0x80), extendedUsage, ...alternatives)),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        notAfterMs: of.notAfterMs,
      }
    },
  }
}

/** The time of a test may be any; what is to expire is given its own dates. */
const lasting = { notBeforeMs: Date.UTC(2000, 0), notAfterMs: Date.UTC(2049, 11, 31) }

const certificate = (of: {
  readonly issuer: string
  readonly issuerKey: KeyObject
  readonly subject: Subject
  readonly publicKey: KeyObject
  readonly extensions: Buffer
}): string => {
  const { notBeforeMs = lasting.notBeforeMs, notAfterMs = lasting.notAfterMs } = of.subject
  const signed = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name(of.issuer),
    sequence(time(notBeforeMs), time(notAfterMs)),
    name(of.subject.commonName),
    of.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, of.extensions),
  )
  const signature = sign('sha256', signed, of.issuerKey)
  const whole = sequence(signed, ecdsaWithSha256, bitString(signature))
  const lines = whole.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** SHA-256 of a certificate as Node shows it of a peer. */
export const fingerprintOf = (cert: string): string => {
  const der = Buffer.from(cert.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return createHash('sha256').update(der).digest('hex').toUpperCase().match(/../g)!.join(':')
}

const tagged = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: readonly Buffer[]): Buffer => tagged(0x30, ...contents)
const integer = (content: Buffer): Buffer => tagged(0x02, content)
const bitString = (content: Buffer, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content)
const octets = (content: Buffer): Buffer => tagged(0x04, content)
const isTrue = tagged(0x01, Buffer.from([0xff]))

const identifier = (dotted: string): Buffer => {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const inSevens = (value: number): readonly number[] =>
    value < 128 ? [value] : [...inSevens(value >> 7).map((part) => part | 0x80), value & 0x7f]
  return tagged(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(inSevens)]))
}

const name = (commonName: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('2.5.4.3'), tagged(0x0c, Buffer.from(commonName)))))

/** GeneralizedTime; RFC 5280 wants UTCTime before 2050, which OpenSSL reads alike. */
const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/\D/g, '')
  const year = Number(digits.slice(0, 4))
  return year < 2050
    ? tagged(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
    : tagged(0x18, Buffer.from(`${digits.slice(0, 14)}Z`))
}

const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(identifier(id), ...(isCritical ? [isTrue] : []), octets(value))

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'))
const basicConstraints = extension('2.5.29.19', true, sequence(isTrue))
const keyUsage = (bits: number): Buffer =>
  extension('2.5.29.15', true, bitString(Buffer.from([bits]), bits === 0x06 ? 1 : 7))
const extendedUsage = extension(
  '2.5.29.37',
  false,
  sequence(identifier('1.3.6.1.5.5.7.3.1'), identifier('1.3.6.1.5.5.7.3.2')),
)
const alternativeNames = (hosts: readonly string[]): Buffer =>
  extension(
    '2.5.29.17',
    false,
    sequence(
      ...hosts.map((host) =>
        /^[\d.]+$/.test(host)
          ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
          : tagged(0x82, Buffer.from(host)),
      ),
    ),
  )
