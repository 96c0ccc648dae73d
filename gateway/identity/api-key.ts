import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../engine/shared/ids.ts'

/**
 * Makes the secret of a key: `svc_test_` or `svc_live_`, 43 base62 characters (256 bits), and a CRC-32 of all that in six more,
 * so that a mistyped key is refused without a look-up and leak scanners recognise a real one (decisions, section 2).
 */
export const newSecret = (environment: Environment, randomBytes: (count: number) => Buffer): string => {
  let body = prefixes[environment]
  while (body.length < prefixChars + randomChars) {
    // Bytes above 247 are dropped: modulo 62 they would make some characters likelier than others.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && body.length < prefixChars + randomChars) body += base62[byte % 62]
    }
  }
  return body + checksum(body)
}

/** Reads a secret: its environment, and the hash under which the key is stored. Null if it is malformed. */
export const readSecret = (
  text: string,
): { readonly environment: Environment; readonly secretHash: string } | null => {
  if (text.length !== prefixChars + randomChars + checksumChars) return null
  const environment = environments.find((name) => text.startsWith(prefixes[name]))
  if (environment === undefined) return null
  const body = text.slice(0, -checksumChars)
  return checksum(body) === text.slice(-checksumChars) ? { environment, secretHash: hashSecret(text) } : null
}

/** Hashes a secret. A fast hash is right, because 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

const environments = ['SANDBOX', 'PRODUCTION'] as const
const prefixes = { SANDBOX: 'svc_test_', PRODUCTION: 'svc_live_' } as const
const prefixChars = 9
const randomChars = 43
const checksumChars = 6
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const checksum = (body: string): string => {
  let rest = crc32(body)
  let text = ''
  for (let n = 0; n < checksumChars; n++) {
    text = base62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
