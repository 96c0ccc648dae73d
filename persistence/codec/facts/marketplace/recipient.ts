import type { RecipientId } from '../../../../engine/shared/ids.ts'
import { json, nullable, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<RecipientId>(), atMs: number() }

export const recipientFacts = {
  RecipientCreated: [1, { ...head, recipient: json() }],
  RecipientChanged: [2, { ...head, changes: json() }],
  RecipientRemoved: [3, head],
  RecipientNamed: [4, { ...head, rulesCount: number() }],
  RecipientBooked: [5, { ...head, balanceCents: number(), pendingCents: number(), whole: nullable(json()) }],
} satisfies FactLayouts<'recipient'>
