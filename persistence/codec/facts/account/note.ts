import type { NoteId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<NoteId>(), atMs: number() }

export const noteFacts = {
  NoteAdded: [1, { ...head, note: json() }],
  NoteRemoved: [2, head],
} satisfies FactLayouts<'note'>
