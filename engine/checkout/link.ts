import type { ActorFact } from '../kernel/fact.ts'
import type { AccountId, CheckoutSessionId, PaymentLinkId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { Offer } from './offer.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly paymentLink: PaymentLink
  }
  interface ActorFacts {
    readonly paymentLink: PaymentLinkFact
  }
}

export const linkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'EXHAUSTED'] as const
export type PaymentLinkStatus = (typeof linkStatuses)[number]

/** An address that many payers can pay at: each who does opens a session of their own. */
export type PaymentLink = NewLink & {
  readonly id: PaymentLinkId
  readonly active: boolean
  readonly version: number
  /** Whether a session was opened from it, after which its price never changes. */
  readonly isUsed: boolean
  readonly paymentsCount: number
  readonly paidCents: bigint
  /** The sessions that are being paid, where the number of payments is limited: each has a place. */
  readonly holds: readonly CheckoutSessionId[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a link is made with. */
export type NewLink = {
  readonly accountId: AccountId
  readonly offer: Offer
  /** For the merchant. */
  readonly name: string
  /** For the payer. */
  readonly title: string
  readonly price: LinkPrice
  readonly quantity: { readonly min: number; readonly max: number } | null
  readonly maxPayments: number | null
  readonly expiresAtMs: number | null
  readonly externalIdPrefix: string | null
  /** What the secret part of the page's address hashes to. */
  readonly tokenHash: string
}

/** What a payer pays at a link: a fixed amount, or one of their own within bounds. */
export type LinkPrice =
  | { readonly mode: 'FIXED'; readonly amountCents: Cents }
  | {
      readonly mode: 'OPEN'
      readonly minCents: Cents
      readonly maxCents: Cents
      readonly suggestedCents: readonly Cents[]
    }

/** What can be changed of a link. The price only before it is used; what pages show of the offer counts for those opened afterwards. */
export type LinkChanges = Partial<
  Pick<NewLink, 'name' | 'title' | 'price' | 'maxPayments' | 'expiresAtMs'> & {
    readonly active: boolean
    readonly offer: Partial<Pick<Offer, 'successUrl' | 'metadata'>>
  }
>

export type PaymentLinkFact =
  | (Fact<'LinkCreated'> & { readonly link: NewLink })
  | (Fact<'LinkChanged'> & { readonly changes: LinkChanges })
  | Fact<'LinkUsed'>
  | (Fact<'LinkHeld'> & { readonly sessionId: CheckoutSessionId })
  | (Fact<'LinkReleased'> & { readonly sessionId: CheckoutSessionId })
  | (Fact<'LinkPaid'> & { readonly sessionId: CheckoutSessionId; readonly cents: Cents })

type Fact<Type extends string> = ActorFact<'paymentLink', Type>

/** The status now. It is computed and never stored, so no timer is needed. */
export const linkStatusAt = (link: PaymentLink, nowMs: number): PaymentLinkStatus => {
  if (link.maxPayments !== null && link.paymentsCount >= link.maxPayments) return 'EXHAUSTED'
  if (!link.active) return 'INACTIVE'
  return link.expiresAtMs !== null && nowMs >= link.expiresAtMs ? 'EXPIRED' : 'ACTIVE'
}

/** Whether others are making every payment that is left. */
export const isHeldByOthers = (link: PaymentLink, sessionId: CheckoutSessionId | null): boolean => {
  if (link.maxPayments === null) return false
  const others = link.holds.filter((id) => id !== sessionId).length
  return link.paymentsCount + others >= link.maxPayments
}
