import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * A passkey in software: it answers what a browser's authenticator would, with ES256 and user verification (Web Authentication Level 3,
 * sections 6.1 and 6.5).
 */
export const newAuthenticator = (
  origin: string,
  /** Whether the key is on several devices, as that of a password manager is. */
  { isSynced = false }: { readonly isSynced?: boolean } = {},
) => {
  // Flags BE and BS (Web Authentication Level 3, section 6.1).
  const synced = isSynced ? 0x18 : 0
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coseKey = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x!, 'base64url')],
    [-3, Buffer.from(y!, 'base64url')],
  ])
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  let counter = 0

  const authenticatorData = (flags: number, more: Buffer = Buffer.alloc(0)): Buffer => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(++counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counted, more])
  }
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: object) => ({
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    /** Begins to count again, as a copy of the key or a restarted password manager does. */
    restartCounting: () => {
      counter = 0
    },
    /** The credential as the service keeps it. */
    credential: {
      credentialId: credentialId.toString('base64url'),
      publicKey: coseKey.toString('base64url'),
      counter: 0,
      isSynced,
      transports: ['internal'],
    },
    /** Answers the options for `navigator.credentials.create`. */
    create: ({ challenge }: { readonly challenge: string }) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey])
      const attestationObject = cborMap([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(0x45 | synced, attested)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** Answers the options for `navigator.credentials.get`. */
    get: ({ challenge }: { readonly challenge: string }) => {
      const data = authenticatorData(0x05 | synced)
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

type Cbor = number | string | Buffer | ReadonlyMap<unknown, unknown>

/** As much of CBOR (RFC 8949) as that takes. */
const cborMap = (entries: readonly (readonly [Cbor, Cbor])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)])

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return head(5, 0)
}

const head = (type: number, argument: number): Buffer => {
  if (argument < 24) return Buffer.from([(type << 5) | argument])
  return argument < 256
    ? Buffer.from([(type << 5) | 24, argument])
    : Buffer.from([(type << 5) | 25, argument >> 8, argument & 255])
}
