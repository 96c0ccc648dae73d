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
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { eventResource } from '../event-data.ts'
import {
  amountOf,
  count,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { leftOut, part, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { paidSample } from './payment-samples.ts'
import { endToEndId } from './pix-part.ts'

/** A MED is OPEN or CLOSED. */
export const medStatus = described(choice('OPEN', 'CLOSED'), 'OPEN: it is being analysed.')

const file = part<Statement['files'][number], [Buffer]>().with({
  name: [textOf('The name of the file.'), same],
  mediaType: [
    described(choice('application/pdf', 'image/png', 'image/jpeg'), 'What it is, by its first bytes.'),
    same,
  ],
  size: [count('Its bytes.'), (_, bytes) => bytes.length],
  sha256: [
    textOf('The SHA-256 of its bytes, in hexadecimal.'),
    (_, bytes) => createHash('sha256').update(bytes).digest('hex'),
  ],
})

const statement = part<Statement>().with({
  text: [textOf('As it was sent.'), same],
  files: [
    Type.Array(file.schema, { description: 'The files that were sent with it.' }),
    ({ files }) => files.map((sent) => file.view(sent, Buffer.from(sent.base64, 'base64'))),
  ],
  submittedAt: [described(instant, 'When it was sent.'), ({ submittedAtMs }) => isoInstant(submittedAtMs)],
})

const contest = part<MedContest>().with({
  ...statement.fields,
  status: [
    described(choice('UNDER_REVIEW', 'WON', 'LOST'), 'WON: what was returned is credited again.'),
    same,
  ],
  resolvedAt: [nullableField(instant, 'When it was won or lost.'), (c) => instantOrNull(c.resolvedAtMs)],
})

/** A MED (Mecanismo Especial de Devolução) of a PIX. */
export const med = resource<Med, [Transaction]>(
  'Med',
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução). It opens and closes without you; you can answer it, and contest what it returned.',
).with({
  ...identityFields('med', 'med'),
  transactionId: [textOf('The transaction that it belongs to.'), (_, { id }) => id],
  endToEndId: [endToEndId, (_, t) => pixOf(t)?.payment?.endToEndId ?? null],
  amount: [amountOf('What is contested.'), (m) => String(m.amountCents)],
  blockedAmount: [
    amountOf(
      'What is blocked of it: at first what the balance has, and while it is OPEN also what becomes available later.',
    ),
    (m) => String(m.blockedCents),
  ],
  returnedAmount: [amountOf('What was returned.'), (m) => String(m.returnedCents)],
  reason: [described(choice('FRAUD', 'OPERATIONAL_FAILURE'), 'Why the payer’s bank contests it.'), same],
  rootEndToEndId: [
    described(
      nullableText,
      'The contested payment, where it was not to you: the money was followed from there (MED 2.0).',
    ),
    (m) => m.rootEndToEndId ?? null,
  ],
  status: [medStatus, same],
  result: [
    nullableField(choice('ACCEPTED', 'REJECTED', 'CANCELLED'), 'ACCEPTED: the money went back.'),
    same,
  ],
  details: [described(nullableText, 'What the payer’s bank says.'), same],
  openedAt: [described(instant, 'When it was opened.'), (m) => isoInstant(m.openedAtMs)],
  analysisDueAt: [
    described(
      instant,
      'Without a decision until then it is accepted: 7 days, or 24 hours for an OPERATIONAL_FAILURE.',
    ),
    (m) => isoInstant(m.analysisDueAtMs),
  ],
  defense: [
    nullableField(statement.schema, 'What you said while it was open, once it was sent.'),
    (m) => (m.defense === undefined ? null : statement.view(m.defense)),
  ],
  defenseRefusal: [
    Type.Optional(
      textOf(
        'Why the bank did not take what you said; missing unless it refused. While the MED is open you can say it once more.',
      ),
    ),
    (m) => m.defenseRefusal ?? leftOut(),
  ],
  contestUntil: [
    nullableField(instant, 'Until when you can ask for what it returned: 80 days from `closedAt`.'),
    (m) => instantOrNull(contestableUntilMs(m)),
  ],
  contest: [
    nullableField(contest.schema, 'What you asked for after it, once it was sent.'),
    (m) => (m.contest === undefined ? null : contest.view(m.contest)),
  ],
  closedAt: [nullableField(instant, 'When it was decided.'), (m) => instantOrNull(m.closedAtMs)],
})

/** The MED of a transaction that a command or an event is about. */
export const medOf = (transaction: Transaction, medId: string | null): Static<typeof med.schema> =>
  med.view(kept(transaction, medId), transaction)

const kept = ({ reversals }: Transaction, medId: string | null): Med =>
  reversals.meds.find(({ id }) => id === medId)!

/** `data` of the events of MEDs. */
export const medEvent = eventResource<Med, [Transaction]>(
  'MedEventData',
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução).',
).with({
  ...med.fields,
  externalId: [
    described(nullableText, 'Your own identifier, where the charge has one.'),
    (_, { details }) => details.externalId,
  ],
})

/** A MED as in its events. */
export const medEventView = (transaction: Transaction, medId: string): Static<typeof medEvent.schema> =>
  medEvent.view(kept(transaction, medId), transaction)

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
