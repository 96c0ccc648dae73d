import type { KeyLookupId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<KeyLookupId>(), atMs: number() }
const answer = { ...head, callId: text() }

export const keyLookupFacts = {
  KeyAsked: [1, { ...answer, lookup: json() }],
  KeyFound: [2, { ...answer, owner: json(), endToEndId: text(), expiresAtMs: number() }],
  KeyNotFound: [3, answer],
  KeyUnanswered: [4, answer],
  KeyUsed: [5, { ...head, transferId: text() }],
} satisfies FactLayouts<'keyLookup'>
