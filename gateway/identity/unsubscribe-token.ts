import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../engine/shared/ids.ts'

/**
 * Names payers who want no reminders, and the links by which they say so. A link works without a sign-in and for as long as the
 * mail is kept, so it holds no address: a keyed hash of it, and a signature by which we know that we made it.
 */
export type UnsubscribeTokens = {
  /** What is kept of an address, for this company and environment alone. */
  readonly addressHashOf: (accountId: AccountId, email: string) => string
  readonly tokenOf: (accountId: AccountId, email: string) => string
  /** Null for a token that we did not make. */
  readonly read: (token: string) => { readonly accountId: AccountId; readonly addressHash: string } | null
}

/** Tokens under keys that are derived from the master key (RFC 5869). */
export const unsubscribeTokens = (masterKey: Uint8Array): UnsubscribeTokens => {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', use, 32))
  const [hashKey, tokenKey] = [keyFor('payments payer address'), keyFor('payments unsubscribe link')]
  const macOf = (text: string): string => createHmac('sha256', tokenKey).update(text).digest('base64url')
  const addressHashOf = (accountId: AccountId, email: string): string =>
    createHmac('sha256', hashKey).update(`${accountId} ${email.toLowerCase()}`).digest('base64url')
  return {
    addressHashOf,
    tokenOf: (accountId, email) => {
      const named = `${accountId.replace('/', '.')}.${addressHashOf(accountId, email)}`
      return `${named}.${macOf(named)}`
    },
    read: (token) => {
      const [, named, companyId, environment, addressHash, mac] = tokenPattern.exec(token) ?? []
      if (named === undefined || !isEqual(mac!, macOf(named))) return null
      return { accountId: `${companyId}/${environment}` as AccountId, addressHash: addressHash! }
    },
  }
}

const tokenPattern = /^((cmp_\w{26})\.(SANDBOX|PRODUCTION)\.([\w-]{43}))\.([\w-]{43})$/

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
