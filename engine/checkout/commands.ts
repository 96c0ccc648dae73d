import type { Request } from '../kernel/command.ts'
import type { CardTerms } from '../payments/methods/card/terms.ts'
import type { CryptoTerms } from '../payments/methods/crypto/terms.ts'
import type { Customer } from '../shared/customer.ts'
import type { CheckoutSessionId, PaymentLinkId, TransactionId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { CardTrier } from './card-guard.ts'
import type { LinkChanges, NewLink } from './link.ts'
import type { CheckoutMethod } from './offer.ts'
import type { NewSession } from './session.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly checkout: CheckoutCommand
  }
}

/** Commands about pages where payers pay. */
export type CheckoutCommand =
  | OpenSession
  | PaySession
  | LeaveTry
  | DiscountSession
  | ExpireSession
  | LapseSession
  | ProlongSession
  | CreateLink
  | EditLink
  | PayLink

export type OpenSession = Request<'OpenSession'> & {
  readonly checkoutSessionId: CheckoutSessionId
  readonly session: Omit<NewSession, 'accountId' | 'discount' | 'linkId' | 'expiresAtMs'>
  /** How long it can be paid. */
  readonly lifeMs: number
  readonly couponCode: string | null
}

/** What the payer chose and typed. */
export type Payment = {
  readonly transactionId: TransactionId
  readonly method: CheckoutMethod
  readonly installments: number
  readonly card: CardTerms['card'] | null
  /** Who tries the card, without which none is tried; null for every other method. */
  readonly trier: CardTrier | null
  readonly crypto: Pick<CryptoTerms, 'asset' | 'network'> | null
  /** What the page asked for; null where it asked for nothing. */
  readonly customer: Customer | null
  /** Where the receipt goes, and in which language. */
  readonly receiptEmail: string | null
  readonly language: 'pt' | 'en'
  readonly customValues: Readonly<Record<string, string>>
}

/** The payer asks for a charge. One that waits for a payment by another method is cancelled first. */
export type PaySession = Request<'PaySession'> & {
  readonly checkoutSessionId: CheckoutSessionId
  /** The version that the page showed: a page that was sent twice, or stayed open in another tab, makes no charge. */
  readonly version: number
  readonly payment: Payment
}

/** The payer goes back to choose again: the charge that waits is cancelled. */
export type LeaveTry = Request<'LeaveTry'> & { readonly checkoutSessionId: CheckoutSessionId }

/** The payer uses a coupon, or (null) none. */
export type DiscountSession = Request<'DiscountSession'> & {
  readonly checkoutSessionId: CheckoutSessionId
  readonly couponCode: string | null
}

/** The merchant ends it. */
export type ExpireSession = Request<'ExpireSession'> & { readonly checkoutSessionId: CheckoutSessionId }

/** Its time is over. */
export type LapseSession = Request<'LapseSession'> & { readonly checkoutSessionId: CheckoutSessionId }

/** The payer needs more time. Asked again, it does nothing more. */
export type ProlongSession = Request<'ProlongSession'> & { readonly checkoutSessionId: CheckoutSessionId }

export type CreateLink = Request<'CreateLink'> & {
  readonly paymentLinkId: PaymentLinkId
  readonly link: Omit<NewLink, 'accountId'>
}

/** Members that are left out stay as they are. */
export type EditLink = Request<'EditLink'> & {
  readonly paymentLinkId: PaymentLinkId
  readonly changes: LinkChanges
}

/** A payer pays at a link: a session is opened, and its first charge made. Sent again with the same session, it does nothing more. */
export type PayLink = Request<'PayLink'> & {
  readonly linkId: PaymentLinkId
  /** The session that is opened. */
  readonly checkoutSessionId: CheckoutSessionId
  readonly tokenHash: string
  /** What the payer decides to pay, where the link leaves that open. */
  readonly amountCents: Cents | null
  readonly quantity: number
  readonly couponCode: string | null
  readonly payment: Payment
}
