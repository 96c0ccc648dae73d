import type { CheckoutSessionId, PaymentLinkId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'

/** What the merchant says of a charge beside its price: kept and shown as it is, and never changed. */
export type ChargeDetails = {
  readonly description: string | null
  readonly reference: string | null
  /** The merchant's own identifier of the order; it need not be unique. */
  readonly externalId: string | null
  readonly metadata: Metadata
  /** The page where its payer asked for it; null for a charge that the merchant made. */
  readonly checkout: CheckoutDetails | null
}

export type CheckoutDetails = {
  readonly sessionId: CheckoutSessionId
  readonly linkId: PaymentLinkId | null
  /** What the payer pays for instalments, within the amount. */
  readonly interestCents: Cents
}

/** The details of a payment without a merchant's charge, such as a PIX to the key. */
export const noDetails: ChargeDetails = {
  description: null,
  reference: null,
  externalId: null,
  metadata: {},
  checkout: null,
}
