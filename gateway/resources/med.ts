import type { Static } from 'typebox'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import { noDetails } from '../../engine/payments/transaction/details.ts'
import type { Med, Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { toCents } from '../../engine/shared/money.ts'
import { described, namedObject } from '../http/named-schema.ts'
import { eventData } from './event-data.ts'
import { amountOf, enumeration, identity, instant, instantOrNull, nullable, text, textOf } from './fields.ts'
import { paidSample } from './payment-samples.ts'
import { endToEndId } from './pix-part.ts'
import type { Sample } from './sample.ts'

const medFields = {
  ...identity('med', 'med'),
  transactionId: textOf('The transaction that it belongs to.'),
  endToEndId,
  amount: amountOf('What is contested.'),
  blockedAmount: amountOf('What is blocked meanwhile.'),
  returnedAmount: amountOf('What was returned.'),
  reason: described(enumeration('FRAUD', 'OPERATIONAL_FAILURE'), 'Why the payer’s bank contests it.'),
  status: described(enumeration('OPEN', 'CLOSED'), 'OPEN: it is being analysed.'),
  result: nullable(enumeration('ACCEPTED', 'REJECTED', 'CANCELLED'), 'ACCEPTED: the money went back.'),
  details: described(text, 'What the payer’s bank says.'),
  openedAt: described(instant, 'When it was opened.'),
  analysisDueAt: described(instant, 'Without a decision until then it is accepted: 7 days.'),
  closedAt: nullable(instant, 'When it was decided.'),
}

/** A MED (Mecanismo Especial de Devolução). */
export const med = namedObject(
  'Med',
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução). It opens and closes without you.',
  medFields,
)

type View = Static<typeof med>

/** A MED of a PIX. */
export const medView = (transaction: Transaction, med: Med): View => ({
  id: med.id,
  object: 'med',
  transactionId: transaction.id,
  endToEndId: pixOf(transaction)?.payment?.endToEndId ?? null,
  amount: String(med.amountCents),
  blockedAmount: String(med.blockedCents),
  returnedAmount: String(med.returnedCents),
  reason: med.reason,
  status: med.status,
  result: med.result,
  details: med.details,
  openedAt: isoInstant(med.openedAtMs),
  analysisDueAt: isoInstant(med.analysisDueAtMs),
  closedAt: instantOrNull(med.closedAtMs),
})

/** The MED of a transaction that a command or an event is about. */
export const medOf = (transaction: Transaction, medId: string | null): View =>
  medView(transaction, transaction.reversals.meds.find(({ id }) => id === medId)!)

/** `data` of the events of MEDs. */
export const medEvent = eventData(
  'MedEventData',
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução).',
  { ...medFields, externalId: described(text, 'Your own identifier, where the charge has one.') },
)

/** A MED as in its events. */
export const medEventView = (transaction: Transaction, medId: string): Static<typeof medEvent> => ({
  externalId: transaction.details.externalId,
  ...medOf(transaction, medId),
})

/** A PIX whose MED is open, or was accepted; sample events are rendered from it. */
export const contestedSample = (sample: Sample, isClosed: boolean): Transaction => {
  const { id, atMs, afterMs } = sample
  const paid = paidSample(sample)
  const med: Med = {
    id: id('med'),
    amountCents: paid.amountCents,
    blockedCents: paid.amountCents,
    returnedCents: isClosed ? paid.amountCents : toCents(0),
    reason: 'FRAUD',
    status: isClosed ? 'CLOSED' : 'OPEN',
    result: isClosed ? 'ACCEPTED' : null,
    details: null,
    openedAtMs: atMs,
    analysisDueAtMs: afterMs(7 * 24),
    closedAtMs: isClosed ? afterMs(48) : null,
  }
  return { ...paid, details: noDetails, reversals: { ...paid.reversals, meds: [med] } }
}
