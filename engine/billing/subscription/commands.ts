import type { Request } from '../../kernel/command.ts'
import type { CardTerms } from '../../payments/methods/card/terms.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import type { CustomerId, InvoiceId, PlanId, SubscriptionId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Product } from '../../shared/product.ts'
import type { BillingMethod } from '../catalog/plan.ts'
import type { MandateJourney, PayerAccount } from '../mandate/mandate.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly billing: SubscriptionCommand
  }
}

export type SubscriptionCommand =
  | CreateSubscription
  | BillSubscription
  | PauseSubscription
  | ResumeSubscription
  | CancelSubscription
  | ChangePlan
  | ChangeCard
  | OfferMandate
  | DunInvoice
  | RetryInvoice

export type CreateSubscription = Request<'CreateSubscription'> & {
  readonly subscriptionId: SubscriptionId
  readonly planId: PlanId
  /** An entry in the register; null for the person in `customer`. */
  readonly customerId: CustomerId | null
  readonly customer: Customer | null
  readonly method: BillingMethod
  readonly card: CardTerms['card'] | null
  readonly couponCode: string | null
  /** Null for today. */
  readonly startOn: CalendarDate | null
  readonly metadata: Metadata
  /** Collect it by Pix Automático; otherwise by a QR code each time. Without a journey it follows from the rest. */
  readonly pixAutomatic?: {
    readonly journey: MandateJourney | null
    readonly payerAccount: PayerAccount | null
  } | null
  /** The product that this method needs and the company has not activated. */
  readonly missingProduct: Product | null
}

/** The clock has reached a subscription's next date. */
export type BillSubscription = Request<'BillSubscription'> & { readonly subscriptionId: SubscriptionId }
export type PauseSubscription = Request<'PauseSubscription'> & { readonly subscriptionId: SubscriptionId }
export type ResumeSubscription = Request<'ResumeSubscription'> & { readonly subscriptionId: SubscriptionId }

export type CancelSubscription = Request<'CancelSubscription'> & {
  readonly subscriptionId: SubscriptionId
  readonly reason: string
  readonly atPeriodEnd: boolean
}

export type ChangePlan = Request<'ChangePlan'> & {
  readonly subscriptionId: SubscriptionId
  readonly planId: PlanId
  readonly effective: 'AUTO' | 'NOW' | 'PERIOD_END'
  /** Only computes what would happen. */
  readonly isPreview: boolean
}

/** Offers a mandate of Pix Automático once more, where the one before has ended. */
export type OfferMandate = Request<'OfferMandate'> & { readonly subscriptionId: SubscriptionId }

/** The customer pays by another card from now on. */
export type ChangeCard = Request<'ChangeCard'> & {
  readonly subscriptionId: SubscriptionId
  readonly card: CardTerms['card']
}

/** The clock has reached an invoice's next step. */
export type DunInvoice = Request<'DunInvoice'> & { readonly invoiceId: InvoiceId }

/** A manual attempt. */
export type RetryInvoice = Request<'RetryInvoice'> & {
  readonly invoiceId: InvoiceId
  /** Null for the subscription's own method. */
  readonly method: BillingMethod | null
  readonly card: CardTerms['card'] | null
  readonly missingProduct: Product | null
}
