import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { assetFile, assetNames, assetPath, type PageAsset } from './assets.ts'
import { framePolicy, pagePolicy } from './headers.ts'

/** The files that the pages where payers pay load, as an assessor of PCI DSS asks for them (SAQ A; requirements 6.4.3 and 11.6.1). */
export type Attestation = {
  readonly at: string
  readonly origin: string
  readonly tokenizerOrigin: string
  /** Every script and style, on the pages and in the frame of cards. There is no other: the policies forbid it. */
  readonly files: readonly AttestedFile[]
  readonly pagePolicy: string
  readonly framePolicy: string
  /** What browsers reported of violated policies to this node, since it started. */
  readonly reports: { readonly since: string; readonly count: number }
}

type AttestedFile = {
  readonly object: 'page_file'
  readonly path: string
  readonly where: 'PAGE' | 'CARD_FRAME' | 'MERCHANT_PAGE'
  readonly why: string
  readonly bytes: number
  /** As `integrity` of a script element (W3C Subresource Integrity). */
  readonly integrity: string
}

export type SignedAttestation = Attestation & {
  /** Ed25519 (RFC 8032) over the JSON of all other members, in this order and without spaces; base64. */
  readonly signature: string
  /** The service's public key, which follows from its master key: SPKI in base64. */
  readonly publicKey: string
}

/** Where the pages are, and what browsers reported of them. */
export type PagesSeen = Pick<Attestation, 'origin' | 'tokenizerOrigin' | 'reports'>

/** Lists what the pages load, and signs it with the service's key. */
export const attest = (masterKey: Uint8Array, seen: PagesSeen, nowMs: number): SignedAttestation => {
  const { origin, tokenizerOrigin, reports } = seen
  const attestation: Attestation = {
    at: isoInstant(nowMs),
    origin,
    tokenizerOrigin,
    files: assetNames.map(fileOf),
    pagePolicy: pagePolicy(tokenizerOrigin || null, []),
    framePolicy: framePolicy([origin]),
    reports,
  }
  const key = createPrivateKey({ key: privateKeyOf(masterKey), format: 'der', type: 'pkcs8' })
  return {
    ...attestation,
    signature: sign(null, signedBytes(attestation), key).toString('base64'),
    publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

const signedBytes = (attestation: object): Buffer => Buffer.from(JSON.stringify(attestation))

/** What is known of an attestation that was kept. */
export type AttestationCheck = {
  readonly signature: 'VALID' | 'INVALID'
  readonly signer: 'THIS_SERVICE' | 'ANOTHER'
  /** What the pages load or forbid now, and did not then, or the other way round: paths of files, and names of other members. */
  readonly changed: readonly string[]
}

/** Compares an attestation that was kept with its own signature and with one of now. */
export const checkAttestation = (kept: object, current: SignedAttestation): AttestationCheck => {
  const { signature, publicKey, ...attestation } = kept as Partial<SignedAttestation>
  return {
    signature: isSigned(attestation, signature, publicKey) ? 'VALID' : 'INVALID',
    signer: publicKey === current.publicKey ? 'THIS_SERVICE' : 'ANOTHER',
    changed: [
      ...changedFiles(attestation.files ?? [], current.files),
      ...constants.filter((name) => attestation[name] !== current[name]),
    ],
  }
}

/** What differs only where the pages, or their hosts, were changed. */
const constants = ['origin', 'tokenizerOrigin', 'pagePolicy', 'framePolicy'] as const

const isSigned = (attestation: object, signature = '', publicKey = ''): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, signedBytes(attestation), key, Buffer.from(signature, 'base64'))
  } catch {
    // What is no key of this kind has signed nothing.
    return false
  }
}

const changedFiles = (before: Attestation['files'], after: Attestation['files']): readonly string[] => {
  const lacks = (files: Attestation['files'], { path, integrity }: AttestedFile): boolean =>
    !files.some((file) => file.path === path && file.integrity === integrity)
  const [gone, added] = [
    before.filter((file) => lacks(after, file)),
    after.filter((file) => lacks(before, file)),
  ]
  return [...new Set([...gone, ...added].map(({ path }) => path))]
}

const fileOf = (name: PageAsset): AttestedFile => {
  const bytes = assetFile(name)
  return {
    object: 'page_file',
    path: assetPath(name),
    ...reasons[name],
    bytes: bytes.length,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  }
}

const reasons: Readonly<Record<PageAsset, Pick<AttestedFile, 'where' | 'why'>>> = {
  'page.js': {
    where: 'PAGE',
    why: 'Copies codes, counts time down, loads the page when the payment has changed, passes the token of a card on.',
  },
  'styles.css': { where: 'PAGE', why: 'The look of the pages.' },
  'tokenizer.js': {
    where: 'CARD_FRAME',
    why: 'Reads the card in the frame of the other host, and gives the page a token.',
  },
  'tokenizer.css': { where: 'CARD_FRAME', why: 'The look of the frame.' },
  'embed.js': { where: 'MERCHANT_PAGE', why: 'Opens the page in a dialog of the merchant’s page.' },
}

/** A private key of Ed25519 as PKCS #8 (RFC 8410, section 7), whose seed follows from the master key. */
const privateKeyOf = (masterKey: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(hkdfSync('sha256', masterKey, '', 'payments checkout attestation', 32)),
  ])
