import Type, { type Static } from 'typebox'
import type { EventType } from '../../../engine/kernel/public-event.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { eventType } from '../enumerations.ts'
import { booleanOf, enumeration, instant, instantOrNull, nullable, objectName } from '../fields.ts'

/** The clock of a Sandbox (decisions, section 29). */
export const clock = namedObject('SandboxClock', 'The clock of the Sandbox environment.', {
  object: objectName('clock'),
  now: described(instant, 'What the environment’s clock shows.'),
  realNow: described(instant, 'What a real clock shows.'),
  offsetSeconds: Type.Number({
    description: 'How far the environment’s clock is ahead of the real one.',
  }),
  status: described(
    enumeration('IDLE', 'ADVANCING'),
    'ADVANCING: jobs that became due are still being done.',
  ),
  target: nullable(instant, 'Where a clock that is ADVANCING will arrive.'),
})

/** The clock of a Sandbox account next to the real one. */
export const clockView = (
  { advance }: Account,
  { nowMs, realMs }: { readonly nowMs: number; readonly realMs: number },
): Static<typeof clock> => ({
  object: 'clock',
  now: isoInstant(nowMs),
  realNow: isoInstant(realMs),
  offsetSeconds: (nowMs - realMs) / 1000,
  status: advance === null ? 'IDLE' : 'ADVANCING',
  target: instantOrNull(advance?.targetMs ?? null),
})

/** The answer to a request for a sample event. */
export const sentSample = namedObject('SampleEvent', 'A sample event that was sent.', {
  object: objectName('sample_event'),
  type: eventType,
  test: booleanOf('Always true, as in the event’s `data`.'),
})

/** A sample event that was sent. */
export const sentSampleView = (type: EventType): Static<typeof sentSample> => ({
  object: 'sample_event',
  type,
  test: true,
})

/** The answer to the reset of a Sandbox. */
export const sandboxReset = namedObject('SandboxReset', 'The Sandbox has been emptied.', {
  object: objectName('sandbox'),
  reset: booleanOf('Always true.'),
})

/** A Sandbox that was emptied. */
export const sandboxResetView: Static<typeof sandboxReset> = { object: 'sandbox', reset: true }
