import { createHash, createHmac, hkdfSync } from 'node:crypto'
import {
  type AccountId,
  accountIdOf,
  type CheckoutSessionId,
  type CompanyId,
  type PaymentLinkId,
  type PortalSessionId,
} from '../../engine/shared/ids.ts'
import type { CompanyPages } from '../api/route.ts'

/**
 * The secret parts of the addresses of pages: eight characters that lead to the company's shard, and others that cannot be guessed
 * (checkout, section 1). Both follow from the master key and the id, so they are stored nowhere; an id alone, which webhooks and
 * screenshots show, opens no page. What a page's whole token hashes to is stored, and finds the page.
 */
export type PageTokens = {
  readonly tokenOf: (accountId: AccountId, id: CheckoutSessionId | PaymentLinkId | PortalSessionId) => string
  /** The token of the page where customers ask for a link to their portal. */
  readonly portalEntryOf: (accountId: AccountId) => string
  readonly hashOf: (token: string) => string
  /** The account of a token; null where none of these companies has it. */
  readonly accountOf: (token: string, companies: ReadonlyMap<CompanyId, unknown>) => AccountId | null
}

/** Opens the tokens of pages, with a key that follows from the master key. */
export const openPageTokens = (masterKey: Uint8Array): PageTokens => {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'payments checkout pages', 32))
  const codes = new Map<AccountId, string>()
  const accounts = new Map<string, AccountId>()

  const codeOf = (accountId: AccountId): string => {
    let code = codes.get(accountId)
    if (code === undefined) {
      code = base62(key, `account ${accountId}`, codeChars)
      codes.set(accountId, code)
      accounts.set(code, accountId)
    }
    return code
  }

  return {
    tokenOf: (accountId, id) =>
      codeOf(accountId) + base62(key, id, id.startsWith('lnk_') ? linkChars : sessionChars),
    portalEntryOf: (accountId) => codeOf(accountId) + base62(key, `portal ${accountId}`, linkChars),
    hashOf: (token) => createHash('sha256').update(token).digest('base64url'),
    accountOf: (token, companies) => {
      const code = token.slice(0, codeChars)
      // A guess looks through all companies once, and not again until there is another.
      if (!accounts.has(code) && codes.size < companies.size * environments.length)
        for (const id of companies.keys())
          for (const environment of environments) codeOf(accountIdOf(id, environment))
      return accounts.get(code) ?? null
    },
  }
}

const environments = ['SANDBOX', 'PRODUCTION'] as const

const codeChars = 8
const sessionChars = 35
const linkChars = 22

/** The origin of the pages; empty where there are none. `pay.localhost` leads to the loopback in browsers (RFC 6761, section 6.3). */
export const checkoutOriginOf = (
  { checkoutOrigin, publicUrl }: { readonly checkoutOrigin: string; readonly publicUrl: string },
  port: number,
): string => checkoutOrigin || (publicUrl === '' ? `http://pay.localhost:${port}` : '')

/** The origin of the frame where cards are typed, by the same rule. */
export const tokenizerOriginOf = (
  { tokenizerOrigin, publicUrl }: { readonly tokenizerOrigin: string; readonly publicUrl: string },
  port: number,
): string => tokenizerOrigin || (publicUrl === '' ? `http://cards.localhost:${port}` : '')

/** The addresses of an account's pages, below the origin of the checkout. */
export const pagesOf =
  ({ tokenOf, hashOf, portalEntryOf }: PageTokens, origin: () => string, sendsMail: boolean) =>
  (accountId: AccountId): CompanyPages => ({
    hashOf: (id) => hashOf(tokenOf(accountId, id)),
    sessionUrl: (id) => `${origin()}/c/${tokenOf(accountId, id)}`,
    linkUrl: (id) => `${origin()}/l/${tokenOf(accountId, id)}`,
    portalUrl: (id) => `${origin()}/p/${tokenOf(accountId, id)}`,
    portalEntryUrl: () => (sendsMail && origin() !== '' ? `${origin()}/p/${portalEntryOf(accountId)}` : null),
  })

/** Whether a text has the form of a token of this kind of page: a session (`c`), a link (`l`), or a portal and where one asks for it (`p`). */
export const isPageToken = (kind: string, text: string): boolean => {
  const lengths = { c: [sessionLength], l: [linkLength], p: [sessionLength, linkLength] }[kind] ?? []
  return lengths.includes(text.length) && /^[0-9A-Za-z]+$/.test(text)
}

/** Whether a token of the portal is that of the page where customers ask for a link. */
export const isPortalEntry = (token: string): boolean => token.length === linkLength

const sessionLength = codeChars + sessionChars
const linkLength = codeChars + linkChars

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Characters of base 62 that follow from a key and a text, each equally often: bytes that would favour some are left out. */
const base62 = (key: Buffer, text: string, length: number): string => {
  let written = ''
  for (let round = 0; written.length < length; round++) {
    const bytes = createHmac('sha512', key).update(`${round} ${text}`).digest()
    for (const byte of bytes) if (byte < 248 && written.length < length) written += digits[byte % 62]
  }
  return written
}
