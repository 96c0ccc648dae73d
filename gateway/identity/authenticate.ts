import type { Key } from '../../engine/companies/api-key.ts'
import { type Directory, type DirectoryFact, isAdmitted } from '../../engine/companies/directory.ts'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { inNetworks } from '../base/networks.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { readSecret } from './api-key.ts'
import type { KnownKey } from './caller.ts'
import type { KeyUsage } from './key-usage.ts'

/** Finds keys by the hash of their secret. Revoked keys stay in it, so that ordinals do not shift. */
export type Keyring = {
  readonly find: (secretHash: string) => KnownKey | undefined
  /**
   * The keys found so far, by the whole header that named them, so that a secret is hashed once. Looking a text up
   * compares hashes first, so timing reveals nothing about other secrets here either.
   */
  readonly byHeader: Map<string, KnownKey>
  /** Whether the key is accepted at this moment. */
  readonly admits: (known: KnownKey, nowMs: number) => boolean
  readonly at: (ordinal: number) => KnownKey | undefined
  readonly apply: (event: DirectoryFact) => void
}

/** A keyring of the directory's keys; `apply` keeps it current. */
export const newKeyring = (directory: Directory): Keyring => {
  const byHash = new Map<string, KnownKey>()
  const byOrdinal: KnownKey[] = []
  const byHeader = new Map<string, KnownKey>()
  const put = (key: Key): void => {
    const { companyId, environment } = key
    const known: KnownKey = {
      kind: 'KEY',
      key,
      accountId: accountIdOf(companyId, environment),
      companyId,
      environment,
      by: { kind: 'KEY', id: key.id },
      ordinal: byHash.get(key.secretHash)?.ordinal ?? byHash.size,
      allows: key.ipAllowList.length === 0 ? null : inNetworks(key.ipAllowList),
    }
    byHash.set(key.secretHash, known)
    byOrdinal[known.ordinal] = known
    byHeader.clear()
  }
  for (const key of directory.keys.values()) put(key)
  return {
    find: (secretHash) => byHash.get(secretHash),
    byHeader,
    admits: ({ key }, nowMs) => isAdmitted(directory, key, nowMs),
    at: (ordinal) => byOrdinal[ordinal],
    apply: (event) => {
      if (event.type === 'KeyChanged' || event.type === 'KeyRevoked' || event.type === 'KeyRolled')
        put(directory.keys.get(event.id)!)
      if (event.type === 'KeyCreated' || event.type === 'KeyRolled') put(directory.keys.get(event.key.id)!)
    },
  }
}

/**
 * The key that a request authenticates with, by Bearer or by Basic (user: its `clientId`, password: the secret).
 * Null, without a hint why, for anything else, including an address that may not use the key. Keys are found by
 * the hash of a 256-bit secret, so timing reveals nothing about other secrets.
 */
export const authenticate = (
  request: HttpRequest,
  keyring: Keyring,
  usage: KeyUsage,
  nowMs: number,
): KnownKey | null => {
  const header = request.headers.authorization
  if (header === undefined || request.repeatedHeaders.includes('authorization')) return null
  const known = keyring.byHeader.get(header) ?? identify(header, keyring)
  if (known === null || !keyring.admits(known, nowMs)) return null
  if (known.allows !== null && !known.allows(request.remoteAddress)) {
    usage.refused(known, request.remoteAddress, nowMs)
    return null
  }
  usage.used(known, request, nowMs)
  return known
}

const identify = (header: string, keyring: Keyring): KnownKey | null => {
  const isBearer = header.startsWith('Bearer ')
  const credentials = isBearer ? { secret: header.slice(7), clientId: null } : basic(header)
  const read = credentials && readSecret(credentials.secret)
  const known = read ? keyring.find(read.secretHash) : undefined
  if (!read || known === undefined || known.key.environment !== read.environment) return null
  if (credentials.clientId !== null && credentials.clientId !== known.key.clientId) return null
  // Each key has one such header; its other spellings are unlimited, and would fill the map.
  if (isBearer) keyring.byHeader.set(header, known)
  return known
}

/** RFC 7617. Scheme names are case-insensitive (RFC 9110, section 11.1); the fast path above takes the usual spelling. */
const basic = (header: string): { secret: string; clientId: string | null } | null => {
  const space = header.indexOf(' ')
  const scheme = header.slice(0, space).toLowerCase()
  const value = header.slice(space + 1).trim()
  if (scheme === 'bearer') return { secret: value, clientId: null }
  if (scheme !== 'basic') return null
  const bytes = Buffer.from(value, 'base64')
  // The decoder skips characters outside base64, which would let damaged credentials pass.
  if (bytes.toString('base64') !== value) return null
  const decoded = bytes.toString('latin1')
  const colon = decoded.indexOf(':')
  return colon < 0 ? null : { clientId: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}
