import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import type { Endpoint } from '../../engine/companies/endpoint.ts'
import type { EndpointId } from '../../engine/shared/ids.ts'

/**
 * Encrypts a secret that has to be read again, such as an endpoint's signing secret: AES-256-GCM with a random
 * 96-bit nonce (NIST SP 800-38D, section 8.2.2). Returns `v1.<nonce>.<tag>.<ciphertext>` in base64url, or `v2`
 * with an `owner` (and purpose), without which it cannot be unsealed.
 */
export const seal = (plain: string, masterKey: Buffer, owner = ''): string => {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce)
  if (owner !== '') cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [
    owner === '' ? 'v1' : 'v2',
    ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
  ].join('.')
}

/** Nonces are used once, and drawn many at a time: drawing one alone took two thirds of the time of sealing. */
const nextNonce = (): Buffer => {
  if (usedNonceBytes === nonces.length) {
    randomFillSync(nonces)
    usedNonceBytes = 0
  }
  usedNonceBytes += nonceBytes
  return nonces.subarray(usedNonceBytes - nonceBytes, usedNonceBytes)
}

const nonceBytes = 12
const nonces = Buffer.alloc(256 * nonceBytes)
let usedNonceBytes = nonces.length

/** Decrypts a sealed text. Throws if it was sealed with another key or for another owner, or altered. */
export const unseal = (text: string, masterKey: Buffer, owner = ''): string => {
  const [version, ...parts] = text.split('.')
  const [nonce, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (
    version !== (owner === '' ? 'v1' : 'v2') ||
    nonce === undefined ||
    tag === undefined ||
    sealed === undefined
  ) {
    throw new Error('a sealed secret has an unknown form')
  }
  const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce)
  if (owner !== '') decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
}

/** Unseals the secret of an endpoint, or its previous secret. */
export type EndpointSecrets = (holder: { readonly sealedSecret: string }, endpointId: EndpointId) => string

/** Unseals secrets and caches each: every attempt needs one, and unsealing takes longer than signing. */
export const newSecrets = (masterKey: Buffer): EndpointSecrets => {
  const known = new WeakMap<object, string>()
  return (holder, endpointId) => {
    const found = known.get(holder)
    if (found !== undefined) return found
    const secret = unsealEndpointSecret(holder.sealedSecret, endpointId, masterKey)
    known.set(holder, secret)
    return secret
  }
}

/** Seals the signing secret of an endpoint for that endpoint alone. */
export const sealEndpointSecret = (secret: string, endpointId: EndpointId, masterKey: Buffer): string =>
  seal(secret, masterKey, ownerOfSecret(endpointId))

/** Unseals the signing secret of an endpoint. The first builds sealed secrets (`v1`) for no endpoint. */
export const unsealEndpointSecret = (text: string, endpointId: EndpointId, masterKey: Buffer): string =>
  unseal(text, masterKey, text.startsWith('v1.') ? '' : ownerOfSecret(endpointId))

/** Unseals the headers of a receiver's own. */
export type EndpointHeaders = (endpoint: Pick<Endpoint, 'id' | 'headers'>) => readonly OwnHeader[]

export type OwnHeader = { readonly name: string; readonly value: string }

/** Unseals headers and caches those of each endpoint. */
export const newEndpointHeaders = (masterKey: Buffer): EndpointHeaders => {
  const known = new WeakMap<object, readonly OwnHeader[]>()
  return ({ id, headers }) => {
    const found = known.get(headers)
    if (found !== undefined) return found
    const unsealed = headers.map(({ name, sealedValue }) => ({
      name,
      value: unseal(sealedValue, masterKey, ownerOfHeader(id, name)),
    }))
    known.set(headers, unsealed)
    return unsealed
  }
}

/** Seals the value of a header for one endpoint and name. */
export const sealEndpointHeader = (
  { name, value }: OwnHeader,
  endpointId: EndpointId,
  masterKey: Buffer,
): string => seal(value, masterKey, ownerOfHeader(endpointId, name))

const ownerOfHeader = (endpointId: EndpointId, name: string): string =>
  `endpoint header ${endpointId} ${name.toLowerCase()}`

const ownerOfSecret = (endpointId: EndpointId): string => `endpoint secret ${endpointId}`
