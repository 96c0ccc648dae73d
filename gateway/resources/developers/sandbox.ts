import Type, { type Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/event-types.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { eventType } from '../enumerations.ts'
import { booleanOf, instant, instantOrNull, nullableField, objectField, objectName } from '../fields.ts'
import { resource } from '../resource.ts'

/** The clock of a Sandbox (decisions, section 29). */
export const clock = resource<Account, [{ readonly nowMs: number; readonly realMs: number }]>(
  'SandboxClock',
  'The clock of the Sandbox environment.',
).with({
  ...objectField('clock'),
  now: [described(instant, 'What the environment’s clock shows.'), (_, { nowMs }) => isoInstant(nowMs)],
  realNow: [described(instant, 'What a real clock shows.'), (_, { realMs }) => isoInstant(realMs)],
  offsetSeconds: [
    Type.Number({
      description: 'How far the environment’s clock is ahead of the real one.',
    }),
    (_, { nowMs, realMs }) => (nowMs - realMs) / 1000,
  ],
  status: [
    described(choice('IDLE', 'ADVANCING'), 'ADVANCING: jobs that became due are still being done.'),
    ({ advance }) => (advance === null ? 'IDLE' : 'ADVANCING'),
  ],
  target: [
    nullableField(instant, 'Where a clock that is ADVANCING will arrive.'),
    ({ advance }) => instantOrNull(advance?.targetMs),
  ],
})

/** The answer to a request for a sample event. */
export const sentSample = resource<EventType>('SampleEvent', 'A sample event that was sent.').with({
  ...objectField('sample_event'),
  type: [eventType, (type) => type],
  test: [booleanOf('Always true, as in the event’s `data`.'), () => true],
})

/** The answer to the reset of a Sandbox. */
export const sandboxReset = namedObject('SandboxReset', 'The Sandbox has been emptied.', {
  object: objectName('sandbox'),
  reset: booleanOf('Always true.'),
})

/** A Sandbox that was emptied. */
export const sandboxResetView: Static<typeof sandboxReset> = { object: 'sandbox', reset: true }
