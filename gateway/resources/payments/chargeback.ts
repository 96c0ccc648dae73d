import Type, { type Static } from 'typebox'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { Chargeback, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { brand, chargebackReason, chargebackStatus, currency } from '../enumerations.ts'
import {
  amountOf,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  nullable,
  textOf,
} from '../fields.ts'

/** A chargeback (decisions, section 13). */
export const chargeback = namedObject('Chargeback', 'The holder of a card contests a payment.', {
  ...identity('cbk', 'chargeback'),
  transactionId: textOf('The transaction that it belongs to.'),
  amount: amountOf('What is contested.'),
  currency,
  brand,
  reasonCode: textOf('The network’s own code.'),
  reason: chargebackReason,
  status: chargebackStatus,
  lostReason: nullable(enumeration('NO_DEFENSE', 'DEFENSE_REJECTED'), 'Why it is LOST.'),
  openedAt: described(instant, 'When the issuer opened it.'),
  defenseDueAt: described(instant, 'Until when a defense can be sent: 10 days, to the end of the day.'),
  defense: nullable(
    Type.Object({ text: textOf('As it was sent.'), submittedAt: described(instant, 'When it happened.') }),
    'The defense, once it was sent.',
  ),
  resolvedAt: nullable(instant, 'When it was won or lost.'),
  ...dated,
})

type View = Static<typeof chargeback>

/** A chargeback of a transaction. */
export const chargebackView = (transaction: Transaction, chargeback: Chargeback): View => {
  const { defense } = chargeback
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
    resolvedAt: instantOrNull(chargeback.resolvedAtMs),
    createdAt: isoInstant(chargeback.openedAtMs),
    updatedAt: isoInstant(chargeback.updatedAtMs),
  }
}

/** The chargeback that a command created or changed. */
export const chargebackOf = (transaction: Transaction, reversalId: string | null) =>
  chargebackView(transaction, transaction.reversals.chargebacks.find(({ id }) => id === reversalId)!)
