import type { Static } from 'typebox'
import type { Settlement } from '../../../engine/ledger/account.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { currency, paymentMethod } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  createdAt,
  date,
  enumeration,
  grossAndNet,
  identity,
  instant,
  nullable,
  text,
} from '../fields.ts'
import type { Sample } from '../sample.ts'

/** `data` of the events of settlements. */
export const settlementEvent = eventData('SettlementEventData', 'Receivables whose day has come.', {
  ...identity('set', 'settlement'),
  status: described(enumeration('PROCESSING', 'COMPLETED'), 'COMPLETED: the money is in the balance.'),
  method: paymentMethod,
  currency,
  grossAmount: amountOf('Before fees.'),
  feeAmount: amountOf('The fees.'),
  netAmount: amountOf('`grossAmount` less `feeAmount`.'),
  receivablesCount: count('How many receivables it settles.'),
  transactionId: described(
    text,
    'The transaction, where it settles a single one: PIX, boleto and stablecoin.',
  ),
  date: described(date, 'The day on which it settles.'),
  createdAt,
  completedAt: nullable(instant, 'When it was completed.'),
})

/** A settlement that starts or is completed, as in its events. */
export const settlementEventView = (
  settlement: Settlement,
  completed: boolean,
): Static<typeof settlementEvent> => ({
  id: settlement.id,
  object: 'settlement',
  status: completed ? 'COMPLETED' : 'PROCESSING',
  method: settlement.method,
  currency: settlement.currency,
  receivablesCount: settlement.receivablesCount,
  transactionId: settlement.transactionId,
  date: settlement.date,
  createdAt: isoInstant(settlement.createdAtMs),
  completedAt: completed ? isoInstant(settlement.completedAtMs) : null,
  ...grossAndNet(settlement),
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
