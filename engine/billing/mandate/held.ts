import type { Draft } from '../../kernel/draft.ts'
import { pixOf } from '../../payments/methods/pix/pix.ts'
import type { MandateId, SubscriptionId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { changeSubscription } from '../subscription/change.ts'
import { type ChargeByMandate, heldOf, type Mandate } from './mandate.ts'

/** A charge by a mandate, with the mandate. */
export type ChargeOfMandate = { readonly mandate: Mandate; readonly charge: ChargeByMandate }

/** The charge by a mandate that a transaction stands for; null when it is over, or when it is not one by a mandate. */
export const mandateChargeOf = (
  draft: Draft,
  transactionId: TransactionId | null,
): ChargeOfMandate | null => {
  const transaction = transactionId === null ? undefined : draft.find('transaction', transactionId)
  const mandateId = transaction === undefined ? null : (pixOf(transaction)?.mandateId ?? null)
  const mandate = mandateId === null ? undefined : draft.find('mandate', mandateId)
  const charge = mandate?.charges.find((one) => one.transactionId === transactionId)
  return mandate === undefined || charge === undefined ? null : { mandate, charge }
}

/**
 * Shows the mandate as it is in its subscription, unless that has another one by now. One that is offered with the first payment has none before
 * that payment.
 */
export const showMandate = (
  draft: Draft,
  { subscriptionId, id }: { readonly subscriptionId: SubscriptionId; readonly id: MandateId },
  by: Initiator,
): void => {
  const subscription = draft.find('subscription', subscriptionId)
  if (subscription === undefined || (subscription.mandate !== null && subscription.mandate.id !== id)) return
  const mandate = heldOf(draft.find('mandate', id)!)
  changeSubscription(draft, subscriptionId, by, 'MandateChanged', { mandate })
}
