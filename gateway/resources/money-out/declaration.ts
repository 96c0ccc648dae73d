import Type from 'typebox'
import type { DeclaredOutcome } from '../../../engine/payments/sent-money.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { instant, nullableField, nullableText, textOf } from '../fields.ts'
import { actorSchema } from '../history-step.ts'
import { fieldsOf, leftOut, resource, same } from '../resource.ts'

const declaration = resource<DeclaredOutcome>(
  'OutcomeDeclaration',
  'What people say became of money whose bank can be asked about it no more. It takes two of them.',
).with({
  outcome: [described(choice('SENT', 'NOT_SENT'), 'Whether the bank has sent it.'), same],
  endToEndId: [
    described(nullableText, 'The id by which the bank’s statement names it; null where it was not sent.'),
    same,
  ],
  reason: [textOf('What the first person has seen.'), same],
  declaredBy: [described(actorSchema, 'Who said so first.'), ({ by }) => by],
  declaredAt: [described(instant, 'When.'), ({ atMs }) => isoInstant(atMs)],
  confirmedBy: [
    nullableField(actorSchema, 'Who said the same; null while it waits for a second person.'),
    same,
  ],
})

type MayBeLost = { readonly lostAtMs?: number; readonly declared?: DeclaredOutcome }

/** The fields of money about which its bank may be silent for good. */
export const lostFields = fieldsOf<MayBeLost>().with({
  lostAt: [
    Type.Optional(
      described(
        instant,
        'Since when the bank can be asked about it no more, so that it waits for two people. Missing for what it answers.',
      ),
    ),
    ({ lostAtMs }) => (lostAtMs === undefined ? leftOut() : isoInstant(lostAtMs)),
  ],
  declaration: [
    Type.Optional(described(declaration.schema, 'What people say became of it. Missing until one does.')),
    ({ declared }) => (declared === undefined ? leftOut() : declaration.view(declared)),
  ],
})
