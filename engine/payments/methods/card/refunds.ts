import type { RefundRules } from '../method.ts'
import { cardOf } from './card.ts'

/** Card payments can be refunded for 180 days from capture, with their fee. */
export const cardRefunds: RefundRules = {
  days: 180,
  sinceMs: (transaction) => cardOf(transaction)!.capturedAtMs ?? transaction.approvedAtMs!,
  returnsFee: true,
  isReserved: false,
  newReturnId: () => null,
}
