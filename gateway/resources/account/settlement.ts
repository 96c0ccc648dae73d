import type { Settlement } from '../../../engine/ledger/account.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { currency, paymentMethod } from '../enumerations.ts'
import { eventResource } from '../event-data.ts'
import {
  count,
  createdAtField,
  date,
  identityFields,
  instant,
  nullableField,
  nullableText,
  shareFields,
} from '../fields.ts'
import { same } from '../resource.ts'
import type { Sample } from '../sample.ts'

/** `data` of the events of settlements, which start or are completed. */
export const settlementEvent = eventResource<Settlement, [boolean]>(
  'SettlementEventData',
  'Receivables whose day has come.',
).with({
  ...identityFields('set', 'settlement'),
  status: [
    described(choice('PROCESSING', 'COMPLETED'), 'COMPLETED: the money is in the balance.'),
    (_, isCompleted) => (isCompleted ? 'COMPLETED' : 'PROCESSING'),
  ],
  method: [paymentMethod, same],
  currency: [currency, same],
  ...shareFields('Before fees.', 'The fees.'),
  receivablesCount: [count('How many receivables it settles.'), same],
  transactionId: [
    described(nullableText, 'The transaction, where it settles a single one: PIX, boleto and stablecoin.'),
    same,
  ],
  date: [described(date, 'The day on which it settles.'), same],
  createdAt: createdAtField,
  completedAt: [
    nullableField(instant, 'When it was completed.'),
    ({ completedAtMs }, isCompleted) => (isCompleted ? isoInstant(completedAtMs) : null),
  ],
})

/** A settlement of one PIX; its sample events are rendered from it. */
export const settlementSample = ({ id, atMs, day }: Sample): Settlement => ({
  id: id('set'),
  method: 'PIX',
  currency: 'BRL',
  grossCents: toCents(1000),
  feeCents: toCents(10),
  receivablesCount: 1,
  transactionId: id('txn'),
  date: day(0),
  createdAtMs: atMs,
  completedAtMs: atMs,
})
