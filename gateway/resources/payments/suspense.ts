import {
  leftInSuspenseCents,
  type Suspense,
  type SuspenseReturning,
  suspenseStatuses,
  type WriteOffProposal,
} from '../../../engine/payments/suspense/suspense.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  count,
  createdAtField,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { actorSchema } from '../history-step.ts'
import { resource, same } from '../resource.ts'
import { payer } from './pix-part.ts'

const returning = resource<SuspenseReturning>(
  'SuspenseReturn',
  'The latest return of money in suspense to its payer.',
).with({
  amount: [nonNegativeAmountOf('What is sent back.'), ({ amountCents }) => String(amountCents)],
  attempts: [
    count(
      'How often the bank was asked, each time by another id; a bank that is silent is asked by the same.',
    ),
    same,
  ],
  message: [described(nullableText, 'Why the bank refused the last attempt; null where it did not.'), same],
  nextAttemptAt: [
    nullableField(instant, 'When the bank is asked once more; null while it is asked, and where it is not.'),
    ({ dueAtMs }) => instantOrNull(dueAtMs),
  ],
  requestedBy: [described(actorSchema, 'Who sent it back.'), ({ by }) => by],
})

const proposal = resource<WriteOffProposal>(
  'WriteOffProposal',
  'A person wants to write money off; another one has to do it, too.',
).with({
  reason: [textOf('Why it is not at the bank.'), same],
  requestedBy: [described(actorSchema, 'Who proposed it.'), ({ by }) => by],
  requestedAt: [described(instant, 'When it was proposed.'), ({ atMs }) => isoInstant(atMs)],
})

/** Money that a bank took and that belongs to nothing here. */
export const suspense = resource<Suspense>(
  'Suspense',
  'Money that a bank took for the company and that belongs to no charge, until people have decided what it is.',
).with({
  ...identityFields('ssp', 'suspense'),
  connectionId: [
    described(nullableText, 'The connection that it came by, `con_…`; null in the Sandbox.'),
    same,
  ],
  providerId: [textOf('The bank.'), same],
  endToEndId: [textOf('Id of the payment between banks.'), same],
  txid: [
    described(nullableText, 'The charge that the bank names, which is none of this company; or null.'),
    same,
  ],
  pixKey: [described(nullableText, 'The key that was paid; null where the bank does not say.'), same],
  amount: [nonNegativeAmountOf('What came.'), ({ amountCents }) => String(amountCents)],
  returnedAmount: [
    nonNegativeAmountOf('What of it the bank has sent back.'),
    (item) => String(item.amountCents - leftInSuspenseCents(item)),
  ],
  status: [
    described(
      choice(...suspenseStatuses),
      'OPEN waits for people. RETURNING: the bank is asked to send it back; it is OPEN as before if the bank refuses on four days. RETURNED, ASSIGNED and WRITTEN_OFF are final.',
    ),
    same,
  ],
  payer: [nullableField(payer, 'Who paid; null where the bank does not say.'), same],
  transactionId: [
    described(nullableText, 'What it was assigned to: a charge, or a deposit of its own.'),
    same,
  ],
  return: [
    nullableField(returning.schema, 'The latest return; null where there was none.'),
    (item) => item.returning && returning.view(item.returning),
  ],
  writeOff: [
    nullableField(proposal.schema, 'Who proposed to write it off; null where no one did.'),
    (item) => item.proposed && proposal.view(item.proposed),
  ],
  paidAt: [described(instant, 'When it was paid, by the bank.'), ({ paidAtMs }) => isoInstant(paidAtMs)],
  createdAt: createdAtField,
  updatedAt: datedFields.updatedAt,
  resolvedAt: [
    nullableField(instant, 'When it was returned, assigned or written off.'),
    ({ resolvedAtMs }) => instantOrNull(resolvedAtMs),
  ],
})
