import type { ViewId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<ViewId>(), atMs: number() }

export const viewFacts = {
  ViewSaved: [1, { ...head, view: json() }],
  ViewChanged: [2, { ...head, query: text() }],
  ViewRemoved: [3, head],
} satisfies FactLayouts<'view'>
