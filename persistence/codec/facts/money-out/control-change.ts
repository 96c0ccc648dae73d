import type { ControlChangeFact } from '../../../../engine/approval-and-limits/control-change.ts'
import { json, nullable, number, record, repeatedText, since, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId } from '../shared.ts'

const head = { id: text<ControlChangeFact['id']>(), atMs: number() }

const request = record<Extract<ControlChangeFact, { type: 'ChangeRequested' }>['request']>({
  accountId,
  requestedBy: nullable(repeatedText()),
  before: json(),
  after: json(),
  askedAtMs: since(7, nullable(number()), null),
})

export const controlChangeFacts = {
  ChangeRequested: [1, { ...head, request, effectiveAtMs: nullable(number()) }],
  ChangeApproved: [2, { ...head, by: nullable(repeatedText()), effectiveAtMs: number() }],
  ChangeRejected: [3, { ...head, by: nullable(repeatedText()) }],
  ChangeSuperseded: [4, head],
  ChangeTookEffect: [5, head],
} satisfies FactLayouts<'controlChange'>
