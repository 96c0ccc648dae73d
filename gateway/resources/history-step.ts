import Type from 'typebox'
import { bounds } from '../../engine/shared/bounds.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import { described } from '../schema/named-schema.ts'
import { choice } from '../schema/schema.ts'
import { anyObject, instant, listOf, nullableText, textOf } from './fields.ts'
import { resource, same } from './resource.ts'

/** Who caused a step. */
export const actorSchema = Type.Object(
  {
    kind: described(
      choice('KEY', 'PERSON', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR', 'PROVIDER'),
      'KEY: a request. CLOCK: its time came. PROVIDER: a bank or acquirer answered.',
    ),
    id: described(nullableText, 'Which one, where it has an id.'),
  },
  { description: 'Who caused it.' },
)

/** A step of a transfer's or a subscription's history. */
export const historyStep = resource<{
  readonly type: string
  readonly actor: Initiator
  readonly atMs: number
  readonly data: object
}>('HistoryStep', 'One step of a history, including steps without a webhook.').with({
  type: [textOf('What happened.'), same],
  actor: [actorSchema, same],
  at: [described(instant, 'When it happened.'), ({ atMs }) => isoInstant(atMs)],
  data: [described(anyObject, 'Details of the step: amounts, codes, reasons.'), same],
})

/** The steps of a resource that is shown alone. */
export const historyField = listOf(
  historyStep.schema,
  `What happened to it and who caused it, oldest first; of a very long history the newest ${bounds.historyEntriesMax} changes.`,
)
