import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * The cookie of a session (dashboard, section 1.5): `<secret>.<minute>.<mac>`. The minute of its last use travels in it, so that threads
 * and nodes share nothing but what is durable.
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

/** The header that takes it away. */
export const clearedCookie = `${cookieName}=; ${attributes}; Max-Age=0`

/** The secret of the session that a `Cookie` header names, with the minute of its last use; null unless our own keys signed it. */
export const readCookie = (
  header: string | undefined,
  keys: SessionKeys,
): { readonly secret: string; readonly usedAtMs: number } | null => {
  const [, secret, minute, mac] = cookiePattern.exec(header ?? '') ?? []
  if (secret === undefined || minute === undefined || mac === undefined) return null
  if (!isEqual(mac, macOf(secret, minute, keys))) return null
  return { secret, usedAtMs: Number(minute) * minuteMs }
}

const cookiePattern = new RegExp(`(?:^|; ?)${cookieName}=([\\w-]{43})\\.(\\d{1,12})\\.([\\w-]{43})(?:;|$)`)

const minuteMs = 60_000

const macOf = (secret: string, minute: string, { cookie }: SessionKeys): string =>
  createHmac('sha256', cookie).update(`${secret}.${minute}`).digest('base64url')

/** Compares secrets in a time that says nothing about them. */
export const isEqual = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What the dashboard sends as `Service-CSRF`, which no other site can read. */
export const csrfTokenOf = (sessionId: string, { csrf }: SessionKeys): string =>
  createHmac('sha256', csrf).update(sessionId).digest('base64url')

/** Under which a secret of at least 128 random bits is stored: such a secret needs no slow hash. */
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')
