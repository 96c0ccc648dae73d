import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type {
  AccountId,
  CheckoutSessionId,
  Entropy,
  InvoiceId,
  PaymentLinkId,
  PortalSessionId,
} from '../../engine/shared/ids.ts'
import { newId } from '../../engine/shared/ids.ts'

/**
 * What the forms of pages carry so that nothing but a page of ours can send them, and a form that is sent twice does its work once. The form of a
 * session names how many charges the page knew of; that of a link, the session that it opens. Both are signed with a key of their own.
 */
export type FormNonces = {
  readonly ofSession: (id: FormOwner, tries: number) => string
  /** How many charges the page knew of; null where the nonce is not of this session. */
  readonly readSession: (id: FormOwner, nonce: string) => number | null
  /** A nonce that is new each time the link's page is shown. */
  readonly ofLink: (id: PaymentLinkId, nowMs: number) => string
  /** The session that the form opens; null where the nonce is not of this link, or a day old. */
  readonly readLink: (id: PaymentLinkId, nonce: string, nowMs: number) => CheckoutSessionId | null
}

/** What a form is about; an account, where customers ask for a link to their portal. */
type FormOwner = CheckoutSessionId | PortalSessionId | InvoiceId | AccountId

/** Opens the nonces of forms, with a key that follows from the master key. */
export const openFormNonces = (masterKey: Uint8Array, entropy: Entropy): FormNonces => {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'payments checkout forms', 32))

  const signed = (owner: string, content: string): string =>
    `${content}.${createHmac('sha256', key).update(`${owner} ${content}`).digest('base64url').slice(0, 32)}`

  const contentOf = (owner: string, nonce: string): string | null => {
    const content = nonce.slice(0, nonce.lastIndexOf('.'))
    const [given, right] = [Buffer.from(nonce), Buffer.from(signed(owner, content))]
    return given.length === right.length && timingSafeEqual(given, right) ? content : null
  }

  return {
    ofSession: (id, tries) => signed(id, String(tries)),
    readSession: (id, nonce) => {
      const content = contentOf(id, nonce)
      return content === null ? null : Number(content)
    },
    ofLink: (id, nowMs) => signed(id, `${nowMs}-${newId('cks', nowMs, entropy)}`),
    readLink: (id, nonce, nowMs) => {
      const [madeAtMs, sessionId] = contentOf(id, nonce)?.split('-') ?? []
      return sessionId !== undefined && nowMs - Number(madeAtMs) < lifeMs
        ? (sessionId as CheckoutSessionId)
        : null
    },
  }
}

const lifeMs = 86_400_000
