import type { SplitRuleId } from '../../../../engine/shared/ids.ts'
import { json, nullable, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<SplitRuleId>(), atMs: number() }

export const splitRuleFacts = {
  SplitRuleCreated: [1, { ...head, rule: json() }],
  SplitRuleChanged: [2, { ...head, changes: json() }],
  SplitRuleRemoved: [3, head],
  SplitRuleUsed: [4, { ...head, whole: nullable(json()) }],
} satisfies FactLayouts<'splitRule'>
