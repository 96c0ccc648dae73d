// What the API shows of an account and its company: profile, balance, statement, settlements, notices, tickets,
// search and the audit log.
import Type from 'typebox'
import type { AuditEntry } from '../../../engine/audit/audit-entry.ts'
import type { VerifiedChain } from '../../../engine/audit/queries.ts'
import type { ActedOn } from '../../../engine/search/acted-on.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { currencies } from '../../../engine/shared/method.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import {
  booleanOf,
  count,
  identity,
  instant,
  listOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { listFields } from '../list.ts'
import { resource, same } from '../resource.ts'

const sha256Of = (description: string) =>
  described({ ...nullableText, pattern: '^[0-9a-f]{64}$' }, description)

/** One act in the audit log. */
export const auditEntry = resource<AuditEntry>('AuditEntry', 'Who did what, when and from where.').with({
  id: [identity('aud', 'audit_entry').id, same],
  at: [described(instant, 'When, on the real clock.'), (e) => isoInstant(e.createdAtMs)],
  actor: [
    namedObject('AuditActor', 'Who did it.', {
      kind: described(
        choice('PERSON', 'KEY', 'OPERATOR', 'CLOCK'),
        'A person, an API key, the command line, or the service itself.',
      ),
      id: described(nullableText, 'Of the person or key; null for others.'),
      name: described(nullableText, 'What they were called then; null for a person who was erased.'),
    }),
    same,
  ],
  sessionId: [described(nullableText, 'The session of the person.'), same],
  keyId: [described(nullableText, 'The API key.'), same],
  ip: [
    described(nullableText, 'The address that the request came from; null for a person who was erased.'),
    same,
  ],
  userAgent: [
    described(nullableText, 'What the browser or program calls itself; null for a person who was erased.'),
    same,
  ],
  action: [textOf('The operation, such as `refundTransaction` or `keys roll`.'), same],
  object: [
    nullableField(
      namedObject('AuditedObject', 'What it was done to.', {
        type: textOf('The kind of object, such as `transaction`.'),
        id: textOf('Its id.'),
      }),
    ),
    same,
  ],
  changes: [
    listOf(
      namedObject('AuditChange', 'One field that changed.', {
        field: textOf('Its name.'),
        before: described(nullableText, 'What it was; null for nothing.'),
        after: described(nullableText, 'What it is now; null for nothing. Both are null for a secret.'),
      }),
      'What changed. Documents are masked, and secrets are left out.',
    ),
    same,
  ],
  result: [described(choice('DONE', 'REFUSED'), 'Whether it was done.'), same],
  code: [described(nullableText, 'Why it was refused: the code of the problem.'), same],
  requestId: [described(nullableText, 'The `Request-Id` of the request.'), same],
  previousHash: [sha256Of('The hash of the entry before; null in the first.'), same],
  hash: [sha256Of('SHA-256 of this entry with the hash before it.'), same],
})

/** An entry with its personal texts opened; the texts of erased people are null. */
export const openEntry = (entry: AuditEntry, open: OpenPersonal): AuditEntry => {
  const opened = (text: string | null): string | null => text && open(text)
  const { actor, ip, userAgent, object, changes } = entry
  return {
    ...entry,
    ...(actor.kind === 'PERSON' && {
      actor: { ...actor, name: opened(actor.name) },
      ip: opened(ip),
      userAgent: opened(userAgent),
    }),
    ...(object?.type === 'invitation' && {
      changes: changes.map(({ field, before, after }) => ({
        field,
        before: opened(before),
        after: opened(after),
      })),
    }),
  }
}

const actedOnObject = resource<ActedOn>(
  'AuditedObjectName',
  'What entries are about, as it is called now. What was erased or removed may be missing.',
).with({
  id: [textOf('The id in `object` of the entries.'), same],
  name: [described(nullableText, 'A payer, a payee, the name of a plan, the address of an endpoint …'), same],
  amount: [
    described(nullableText, 'The sum of money that it is about, in the currency’s smallest unit.'),
    ({ money }) => money && String(money.cents),
  ],
  currency: [nullableField(choice(...currencies), 'Of the amount.'), ({ money }) => money?.currency ?? null],
  shownBy: [
    described(
      nullableText,
      'The object whose page shows it: for a refund its transaction; null for its own.',
    ),
    same,
  ],
})

/** A page of the audit log, with the names of what it is about. */
export const auditList = named(
  'AuditEntryList',
  Type.Object({
    ...listFields(auditEntry.schema),
    objects: listOf(actedOnObject.schema, 'The objects of this page’s entries. No part of what is hashed.'),
  }),
)

/** What names the objects of a page show. */
export const actedOnView = actedOnObject.view

/** The outcome of verifying the chain. */
export const auditCheck = resource<VerifiedChain>(
  'AuditCheck',
  'Whether the audit log is as it was written.',
).with({
  ...objectField('audit_check'),
  valid: [
    booleanOf('Whether every entry has the hash of its contents and follows the one before.'),
    ({ brokenAt }) => brokenAt === null,
  ],
  entries: [count('How many entries there are.'), same],
  headHash: [
    sha256Of(
      'The hash of the last entry: who keeps it can tell later whether anything before it was changed.',
    ),
    same,
  ],
  brokenAt: [
    nullableField(
      namedObject('AuditBreak', 'The first entry that is not as it was written.', {
        position: count('Its place in the log; the first is 1.'),
        id: described(nullableText, 'Its id; null if it is not there.'),
        reason: described(
          choice('CHANGED', 'UNLINKED', 'MISSING'),
          'Its contents changed, it does not follow the entry before, or it is not there.',
        ),
      }),
      'Null if all are.',
    ),
    ({ brokenAt }) => brokenAt && { position: brokenAt.number, id: brokenAt.id, reason: brokenAt.reason },
  ],
})

/** The columns of an export of the audit log, in order. */
const columns: CsvColumns<AuditEntry> = {
  id: ({ id }) => id,
  at: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }, { text }) => text(actor.name),
  sessionId: ({ sessionId }) => sessionId,
  keyId: ({ keyId }) => keyId,
  ip: ({ ip }, { code }) => code(ip),
  userAgent: ({ userAgent }, { text }) => text(userAgent),
  action: ({ action }) => action,
  objectType: ({ object }) => object?.type ?? null,
  objectId: ({ object }, { text }) => object && text(object.id),
  changes: ({ changes }, { text }) => text(changes.length === 0 ? null : JSON.stringify(changes)),
  result: ({ result }) => result,
  code: ({ code }) => code,
  requestId: ({ requestId }) => requestId,
  previousHash: ({ previousHash }, { code }) => code(previousHash),
  hash: ({ hash }, { code }) => code(hash),
}

/** Entries as an export has them. */
export const auditCsv = csvOfColumns(columns)
