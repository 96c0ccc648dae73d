import type { RefundRules } from '../method.ts'
import { cardOf } from './card.ts'

/** A card payment goes back for 180 days from its capture, with its fee. */
export const cardRefunds: RefundRules = {
  days: 180,
  sinceMs: (transaction) => cardOf(transaction)!.capturedAtMs ?? transaction.approvedAtMs!,
  returnsFee: true,
  isReserved: false,
  newReturnId: () => null,
}
