import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { contestableUntilMs } from '../../../engine/payments/methods/pix/med.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import type {
  Med,
  MedContest,
  Statement,
  Transaction,
} from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  enumeration,
  identity,
  instant,
  instantOrNull,
  nullable,
  text,
  textOf,
} from '../fields.ts'
import type { Sample } from '../sample.ts'
import { paidSample } from './payment-samples.ts'
import { endToEndId } from './pix-part.ts'

/** A MED is OPEN or CLOSED. */
export const medStatus = described(enumeration('OPEN', 'CLOSED'), 'OPEN: it is being analysed.')

const statementFields = {
  text: textOf('As it was sent.'),
  files: Type.Array(
    Type.Object({
      name: textOf('The name of the file.'),
      mediaType: described(
        enumeration('application/pdf', 'image/png', 'image/jpeg'),
        'What it is, by its first bytes.',
      ),
      size: count('Its bytes.'),
      sha256: textOf('The SHA-256 of its bytes, in hexadecimal.'),
    }),
    { description: 'The files that were sent with it.' },
  ),
  submittedAt: described(instant, 'When it was sent.'),
}

const medFields = {
  ...identity('med', 'med'),
  transactionId: textOf('The transaction that it belongs to.'),
  endToEndId,
  amount: amountOf('What is contested.'),
  blockedAmount: amountOf(
    'What is blocked of it: at first what the balance has, and while it is OPEN also what becomes available later.',
  ),
  returnedAmount: amountOf('What was returned.'),
  reason: described(enumeration('FRAUD', 'OPERATIONAL_FAILURE'), 'Why the payer’s bank contests it.'),
  rootEndToEndId: described(
    text,
    'The contested payment, where it was not to you: the money was followed from there (MED 2.0).',
  ),
  status: medStatus,
  result: nullable(enumeration('ACCEPTED', 'REJECTED', 'CANCELLED'), 'ACCEPTED: the money went back.'),
  details: described(text, 'What the payer’s bank says.'),
  openedAt: described(instant, 'When it was opened.'),
  analysisDueAt: described(
    instant,
    'Without a decision until then it is accepted: 7 days, or 24 hours for an OPERATIONAL_FAILURE.',
  ),
  defense: nullable(Type.Object(statementFields), 'What you said while it was open, once it was sent.'),
  contestUntil: nullable(instant, 'Until when you can ask for what it returned: 80 days from `closedAt`.'),
  contest: nullable(
    Type.Object({
      ...statementFields,
      status: described(
        enumeration('UNDER_REVIEW', 'WON', 'LOST'),
        'WON: what was returned is credited again.',
      ),
      resolvedAt: nullable(instant, 'When it was won or lost.'),
    }),
    'What you asked for after it, once it was sent.',
  ),
  closedAt: nullable(instant, 'When it was decided.'),
}

/** A MED (Mecanismo Especial de Devolução). */
export const med = namedObject(
  'Med',
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução). It opens and closes without you; you can answer it, and contest what it returned.',
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
  rootEndToEndId: med.rootEndToEndId ?? null,
  status: med.status,
  result: med.result,
  details: med.details,
  openedAt: isoInstant(med.openedAtMs),
  analysisDueAt: isoInstant(med.analysisDueAtMs),
  defense: med.defense === undefined ? null : statementView(med.defense),
  contestUntil: instantOrNull(contestableUntilMs(med)),
  contest: med.contest === undefined ? null : contestView(med.contest),
  closedAt: instantOrNull(med.closedAtMs),
})

const statementView = ({ text, files, submittedAtMs }: Statement) => ({
  text,
  files: files.map(({ name, mediaType, base64 }) => {
    const bytes = Buffer.from(base64, 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { name, mediaType, size: bytes.length, sha256 }
  }),
  submittedAt: isoInstant(submittedAtMs),
})

const contestView = (contest: MedContest) => ({
  ...statementView(contest),
  status: contest.status,
  resolvedAt: instantOrNull(contest.resolvedAtMs),
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
