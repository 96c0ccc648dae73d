import type { ActorFact } from '../kernel/fact.ts'
import type { FailureReason } from '../payments/transaction/transaction.ts'
import { dayMs } from '../shared/calendar.ts'
import type { Customer } from '../shared/customer.ts'
import type {
  AccountId,
  CheckoutSessionId,
  CouponId,
  CustomerId,
  MandateId,
  PaymentLinkId,
  SubscriptionId,
  TransactionId,
} from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { CardLimit } from './card-guard.ts'
import type { CheckoutMethod, Offer } from './offer.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly checkoutSession: CheckoutSession
  }
  interface ActorFacts {
    readonly checkoutSession: CheckoutSessionFact
  }
}

export const sessionStatuses = ['OPEN', 'PROCESSING', 'COMPLETED', 'EXPIRED'] as const
export type CheckoutSessionStatus = (typeof sessionStatuses)[number]

/** One page where one payer pays once: it makes charges, of which at most one can be paid at a time. */
export type CheckoutSession = NewSession & {
  readonly id: CheckoutSessionId
  readonly status: CheckoutSessionStatus
  /** Grows by one with every change. */
  readonly version: number
  readonly tries: readonly Try[]
  /** The charge that paid it. */
  readonly transactionId: TransactionId | null
  readonly subscriptionId: SubscriptionId | null
  /** Whether the card tried last was refused here and not by an acquirer: its payer reads the same. */
  readonly isCardBlocked: boolean
  /** Where the receipt goes, as the payer typed it. */
  readonly receiptEmail: string | null
  /** The language in which the payer read the page last. */
  readonly language: 'pt' | 'en'
  /** Whether its time is over while a charge of it is still being decided. */
  readonly isOver: boolean
  /** Whether its payer was given more time. Absent until then. */
  readonly isProlonged?: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly completedAtMs: number | null
}

/** What a session is made with. */
export type NewSession = {
  readonly accountId: AccountId
  readonly linkId: PaymentLinkId | null
  readonly offer: Offer
  readonly amountCents: Cents
  readonly discount: SessionDiscount | null
  /** What the merchant said of the payer; the page shows it and does not ask. */
  readonly customer: Customer | null
  readonly customerId: CustomerId | null
  readonly customValues: Readonly<Record<string, string>>
  readonly externalId: string | null
  readonly expiresAtMs: number
  /** What the secret part of the page's address hashes to. */
  readonly tokenHash: string
}

/** What a coupon takes off. It is redeemed while a charge can be paid, and once one was. */
export type SessionDiscount = {
  readonly couponId: CouponId
  readonly code: string
  readonly cents: Cents
}

/** A charge that the payer asked for. */
export type Try = NewTry & {
  readonly status: 'PENDING' | 'PAID' | 'ENDED'
  readonly failureReason: FailureReason | null
  /** The mandate that its code also offers. Absent without one. */
  readonly mandateId?: MandateId
  readonly startedAtMs: number
  readonly endedAtMs: number | null
}

export type NewTry = {
  readonly number: number
  readonly method: CheckoutMethod
  readonly transactionId: TransactionId
  readonly installments: number
  /** With interest, less the discount. */
  readonly totalCents: Cents
  readonly interestCents: Cents
}

export type CheckoutSessionFact =
  | (Fact<'SessionOpened'> & { readonly session: NewSession })
  | (Fact<'SessionDiscounted'> & { readonly discount: SessionDiscount | null })
  | TryStarted
  /** The code of a charge also offers a mandate to the subscription that it begins. */
  | (Fact<'SessionMandateOffered'> & { readonly number: number; readonly mandateId: MandateId })
  | (Fact<'CardBlocked'> & { readonly limit: CardLimit })
  | (Fact<'TryEnded'> & { readonly number: number; readonly failureReason: FailureReason | null })
  | (Fact<'SessionCompleted'> & {
      readonly number: number
      readonly subscriptionId: SubscriptionId | null
    })
  /** Its time is over, but a charge is being decided: what becomes of that decides. */
  | Fact<'SessionOver'>
  | Fact<'SessionExpired'>
  /** The payer needed more time. */
  | (Fact<'SessionProlonged'> & { readonly expiresAtMs: number })
  /** The payer's data are forgotten, long after a session that was not paid. */
  | Fact<'SessionCleared'>

export type TryStarted = Fact<'TryStarted'> & {
  readonly started: NewTry
  readonly customer: Customer | null
  readonly customerId: CustomerId | null
  readonly receiptEmail: string | null
  readonly language: 'pt' | 'en'
  readonly customValues: Readonly<Record<string, string>>
}

type Fact<Type extends string> = ActorFact<'checkoutSession', Type>

/** The charge that can be paid now; null between charges. */
export const liveTry = ({ tries }: Pick<CheckoutSession, 'tries'>): Try | null => {
  const last = tries.at(-1)
  return last?.status === 'PENDING' ? last : null
}

/** The price without interest, less what a coupon takes off. */
export const priceCents = ({
  amountCents,
  discount,
}: Pick<CheckoutSession, 'amountCents' | 'discount'>): Cents =>
  (amountCents - (discount?.cents ?? 0)) as Cents

/** Whether it can still be paid. */
export const isPayableSession = ({ status, isOver }: CheckoutSession): boolean =>
  (status === 'OPEN' || status === 'PROCESSING') && !isOver

/**
 * Until when a payer who needs more time can have it, once: half as long again, though no session is longer than thirty days (WCAG 2.2.1). Null
 * where that is not more.
 */
export const prolongedUntilMs = ({
  isProlonged = false,
  createdAtMs,
  expiresAtMs,
}: Pick<CheckoutSession, 'isProlonged' | 'createdAtMs' | 'expiresAtMs'>): number | null => {
  const halfMs = Math.floor((expiresAtMs - createdAtMs) / 2)
  const untilMs = Math.min(expiresAtMs + halfMs, createdAtMs + sessionMsMax)
  return isProlonged || untilMs <= expiresAtMs ? null : untilMs
}

/** The longest life of a session. */
export const sessionMsMax = 30 * dayMs

/** The methods that can pay it now: where nothing is due, only a card, which is verified. */
export const methodsOf = (
  session: Pick<CheckoutSession, 'offer' | 'amountCents' | 'discount'>,
): Offer['methods'] =>
  priceCents(session) > 0
    ? session.offer.methods
    : session.offer.methods.filter((method) => method === 'CREDIT_CARD')
