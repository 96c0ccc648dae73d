import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { bounds } from '../base/bounds.ts'

/**
 * The cookie of a session (dashboard, section 1.5): `<secret>.<minute>.<mac>`. The minute of its last use travels
 * in it, so that threads and nodes share only durable state.
 */
const cookieName = '__Host-sid'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Keys that are derived from the master key, one for each use (RFC 5869). */
export type SessionKeys = { readonly cookie: Buffer; readonly csrf: Buffer }

/** Derives the keys of sessions. */
export const sessionKeysOf = (masterKey: Uint8Array): SessionKeys => ({
  cookie: derive(masterKey, 'payments session cookie'),
  csrf: derive(masterKey, 'payments session csrf'),
})

const derive = (masterKey: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', use, 32))

/** The header that gives a browser the session. */
export const setCookieOf = (secret: string, nowMs: number, keys: SessionKeys): string => {
  const minute = String(Math.floor(nowMs / minuteMs))
  return `${cookieName}=${secret}.${minute}.${macOf(secret, minute, keys)}; ${attributes}`
}

/** The header that removes the session from the browser. */
export const clearedCookie = `${cookieName}=; ${attributes}; Max-Age=0`

/**
 * Reads the secret of the session that a `Cookie` header names, with its hash and the minute of its last use; null
 * unless our own keys signed it. A browser sends the same cookie for a minute: valid cookies are cached, forged
 * ones are not.
 */
export const openCookieReader = (keys: SessionKeys): ((header: string | undefined) => OurCookie | null) => {
  const known = new Map<string, OurCookie>()
  return (header) => {
    const [, signed] = cookiePattern.exec(header ?? '') ?? []
    if (signed === undefined) return null
    const before = known.get(signed)
    if (before !== undefined) return before
    const read = readSigned(signed, keys)
    if (read === null) return null
    if (known.size >= bounds.cookiesKnownMax) known.clear()
    const cookie = { ...read, secretHash: tokenHash(read.secret) }
    known.set(signed, cookie)
    return cookie
  }
}

const readSigned = (signed: string, keys: SessionKeys) => {
  const [secret, minute, mac] = signed.split('.') as [string, string, string]
  return isEqual(mac, macOf(secret, minute, keys)) ? { secret, usedAtMs: Number(minute) * minuteMs } : null
}

type OurCookie = { readonly secret: string; readonly secretHash: string; readonly usedAtMs: number }

const cookiePattern = new RegExp(`(?:^|; ?)${cookieName}=([\\w-]{43}\\.\\d{1,12}\\.[\\w-]{43})(?:;|$)`)

const minuteMs = 60_000

const macOf = (secret: string, minute: string, { cookie }: SessionKeys): string =>
  createHmac('sha256', cookie).update(`${secret}.${minute}`).digest('base64url')

/** Compares secrets in a time that says nothing about them. */
export const isEqual = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The token that the dashboard sends as `Service-CSRF`; no other site can read it. */
export const csrfTokenOf = (sessionId: string, { csrf }: SessionKeys): string =>
  createHmac('sha256', csrf).update(sessionId).digest('base64url')

/** The hash under which a secret is stored: 128 random bits or more need no slow hash. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')
