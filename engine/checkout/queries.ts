import type { Mandate } from '../billing/mandate/mandate.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { CheckoutSessionId, PaymentLinkId } from '../shared/ids.ts'
import type { PaymentLink, PaymentLinkStatus } from './link.ts'
import type { CheckoutSession, CheckoutSessionStatus } from './session.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly checkout: CheckoutQuery
  }
  interface Answers {
    readonly FindSession: CheckoutSession | null
    readonly FindLink: { readonly link: PaymentLink; readonly nowMs: number } | null
    readonly FindPage: CheckoutPage | null
    readonly ListSessions: Listed<CheckoutSession>
    readonly ListLinks: Listed<PaymentLink>
  }
}

export type CheckoutQuery = FindSession | FindLink | FindPage | ListSessions | ListLinks

export type FindSession = Question<'FindSession'> & { readonly checkoutSessionId: CheckoutSessionId }
export type FindLink = Question<'FindLink'> & { readonly paymentLinkId: PaymentLinkId }

/** What a page's address leads to, by what its secret part hashes to. */
export type FindPage = Question<'FindPage'> & {
  readonly kind: 'checkoutSession' | 'paymentLink'
  readonly hash: string
}

/** A session or a link, with what its page shows beside it. */
export type CheckoutPage = SessionPage | LinkPage

export type SessionPage = {
  readonly kind: 'checkoutSession'
  readonly session: CheckoutSession
  /** The charge that paid it, or else the one made last; null before the first. */
  readonly transaction: Transaction | null
  /** The mandate that the code of that charge also offers; null without one. */
  readonly mandate: Mandate | null
  readonly defence: CardDefence
  /** Environment time. */
  readonly nowMs: number
}

export type LinkPage = {
  readonly kind: 'paymentLink'
  readonly link: PaymentLink
  readonly defence: CardDefence
  /** Environment time. */
  readonly nowMs: number
}

/** What the guard of cards asks of a page: no card for a while, and work of the browser where a link is attacked. */
export type CardDefence = { readonly takesCards: boolean; readonly asksWork: boolean }

/** An empty list of statuses means all. */
export type ListSessions = Question<'ListSessions'> &
  Paging & {
    readonly statuses: readonly CheckoutSessionStatus[]
    readonly linkId: PaymentLinkId | null
    readonly externalId: string | null
  }

export type ListLinks = Question<'ListLinks'> &
  Paging & {
    readonly statuses: readonly PaymentLinkStatus[]
    /** An id, or part of the name or title. */
    readonly search: string | null
  }
