import type { PlanId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<PlanId>(), atMs: number() }

export const planFacts = {
  PlanCreated: [1, { ...head, plan: json() }],
  PlanChanged: [2, { ...head, changes: json() }],
  PlanUsed: [3, head],
  PlanRemoved: [4, head],
} satisfies FactLayouts<'plan'>
