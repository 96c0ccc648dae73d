import { cardOf } from '../../engine/payments/methods/card/card.ts'
import type { Chargeback, Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** A chargeback (decisions, section 13). */
export const chargebackView = (transaction: Transaction, chargeback: Chargeback) => {
  const { defense, resolvedAtMs } = chargeback
  return {
    id: chargeback.id,
    object: 'chargeback',
    transactionId: transaction.id,
    amount: String(chargeback.amountCents),
    currency: transaction.currency,
    brand: cardOf(transaction)?.brand ?? 'OTHER',
    reasonCode: chargeback.reasonCode,
    reason: chargeback.reason,
    status: chargeback.status,
    lostReason: chargeback.lostReason,
    openedAt: isoInstant(chargeback.openedAtMs),
    defenseDueAt: isoInstant(chargeback.defenseDueAtMs),
    defense: defense && { text: defense.text, submittedAt: isoInstant(defense.submittedAtMs) },
    resolvedAt: resolvedAtMs === null ? null : isoInstant(resolvedAtMs),
    createdAt: isoInstant(chargeback.openedAtMs),
    updatedAt: isoInstant(chargeback.updatedAtMs),
  }
}
