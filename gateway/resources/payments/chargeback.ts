import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { Chargeback, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { brand, chargebackReason, chargebackStatus, currency } from '../enumerations.ts'
import {
  amountOf,
  createdAt,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  textOf,
} from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const defense = part<NonNullable<Chargeback['defense']>>().with({
  text: [textOf('As it was sent.'), same],
  submittedAt: [described(instant, 'When it happened.'), ({ submittedAtMs }) => isoInstant(submittedAtMs)],
})

/** A chargeback of a transaction (decisions, section 13). */
export const chargeback = resource<Chargeback, [Transaction]>(
  'Chargeback',
  'The holder of a card contests a payment.',
).with({
  ...identityFields('cbk', 'chargeback'),
  transactionId: [textOf('The transaction that it belongs to.'), (_, { id }) => id],
  amount: [amountOf('What is contested.'), (c) => String(c.amountCents)],
  disputedAmount: [
    amountOf(
      'What the issuer disputes, less what refunds have returned since. More than `amount` while a refund is PROCESSING that was on its way when the chargeback came: it takes that part if the refund is not made.',
    ),
    ({ amountCents, disputedCents = amountCents }) => String(disputedCents),
  ],
  currency: [currency, (_, t) => t.currency],
  brand: [brand, (_, t) => cardOf(t)?.brand ?? 'OTHER'],
  reasonCode: [textOf('The network’s own code.'), same],
  reason: [chargebackReason, same],
  status: [chargebackStatus, same],
  lostReason: [nullableField(choice('NO_DEFENSE', 'DEFENSE_REJECTED'), 'Why it is LOST.'), same],
  openedAt: [described(instant, 'When the issuer opened it.'), (c) => isoInstant(c.openedAtMs)],
  defenseDueAt: [
    described(instant, 'Until when a defense can be sent: 10 days, to the end of the day.'),
    (c) => isoInstant(c.defenseDueAtMs),
  ],
  defense: [
    nullableField(defense.schema, 'The defense, once it was sent.'),
    (c) => c.defense && defense.view(c.defense),
  ],
  resolvedAt: [nullableField(instant, 'When it was won or lost.'), (c) => instantOrNull(c.resolvedAtMs)],
  createdAt: [createdAt, (c) => isoInstant(c.openedAtMs)],
  updatedAt: datedFields.updatedAt,
})

/** The chargeback that a command created or changed. */
export const chargebackOf = (transaction: Transaction, reversalId: string | null) =>
  chargeback.view(transaction.reversals.chargebacks.find(({ id }) => id === reversalId)!, transaction)
