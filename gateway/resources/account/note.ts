import type { Note } from '../../../engine/notes/note.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described } from '../../schema/named-schema.ts'
import { createdAtField, identityFields, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** What a person wrote about a transaction or a customer. */
export const note = resource<Note, [OpenPersonal]>(
  'Note',
  'What a person of the company wrote about a transaction or a customer.',
).with({
  ...identityFields('nte', 'note'),
  objectId: [textOf('The transaction (`txn_…`) or customer (`cus_…`).'), same],
  personId: [textOf('Who wrote it.'), same],
  name: [
    described(nullableText, 'The name of the author when it was written; null for a person who was erased.'),
    ({ name }, open) => open(name),
  ],
  text: [textOf('Plain text with line breaks.'), same],
  createdAt: createdAtField,
})
