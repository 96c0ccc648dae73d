import {
  type Directory,
  type DirectoryEvent,
  isAdmitted,
  type Key,
} from '../../engine/directory/directory.ts'
import { readSecret } from '../api-key.ts'
import type { HttpRequest } from './transport.ts'

/** A key with its ordinal in the order of creation, which is the same in every worker. */
export type KnownKey = { readonly key: Key; readonly ordinal: number }

/** Finds keys by the hash of their secret. Revoked keys stay in it, so that ordinals do not shift. */
export type Keyring = {
  /** The key, if it is accepted at this moment. */
  readonly find: (secretHash: string, nowMs: number) => KnownKey | undefined
  readonly at: (ordinal: number) => KnownKey | undefined
  readonly apply: (event: DirectoryEvent) => void
}

/** A keyring of the directory's keys; `apply` keeps it current. */
export const newKeyring = (directory: Directory): Keyring => {
  const byHash = new Map<string, KnownKey>()
  const byOrdinal: KnownKey[] = []
  const put = (key: Key): void => {
    const known = { key, ordinal: byHash.get(key.secretHash)?.ordinal ?? byHash.size }
    byHash.set(key.secretHash, known)
    byOrdinal[known.ordinal] = known
  }
  for (const key of directory.keys.values()) put(key)
  return {
    find: (secretHash, nowMs) => {
      const known = byHash.get(secretHash)
      return known !== undefined && isAdmitted(directory, known.key, nowMs) ? known : undefined
    },
    at: (ordinal) => byOrdinal[ordinal],
    apply: (event) => {
      if (event.type === 'KeyRevoked' || event.type === 'KeyRolled') put(directory.keys.get(event.id)!)
      if (event.type === 'KeyCreated' || event.type === 'KeyRolled') put(directory.keys.get(event.key.id)!)
    },
  }
}

/**
 * The key that a request authenticates with, by Bearer or by Basic (user: its `clientId`, password: the secret); null for
 * anything else, without a hint why. Keys are found by the hash of a 256-bit secret, so timing reveals nothing about other
 * secrets.
 */
export const authenticate = (request: HttpRequest, keyring: Keyring, nowMs: number): KnownKey | null => {
  const header = request.headers.authorization
  if (header === undefined || request.repeatedHeaders.includes('authorization')) return null
  const credentials = header.startsWith('Bearer ')
    ? { secret: header.slice(7), clientId: null }
    : basic(header)
  const read = credentials && readSecret(credentials.secret)
  if (!read) return null
  const known = keyring.find(read.secretHash, nowMs)
  if (known === undefined) return null
  if (known.key.environment !== read.environment) return null
  return credentials.clientId === null || credentials.clientId === known.key.clientId ? known : null
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
