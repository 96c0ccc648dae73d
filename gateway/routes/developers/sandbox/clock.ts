import Type from 'typebox'
import type { AdvanceClock } from '../../../../engine/ledger/commands.ts'
import { readInstant } from '../../../../engine/shared/calendar.ts'
import { commandRoute, queryRoute, type Read } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { unavailable } from '../../../problems/problem.ts'
import { clock } from '../../../resources/developers/sandbox.ts'
import { exactlyOneOf } from '../../../schema/rules.ts'
import { refusedField } from '../../charge-input.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const getSandboxClockRoute = queryRoute({
  ...sandboxRoute,
  permission: 'charges.read',
  verb: 'GET',
  path: '/v1/sandbox/clock',
  operationId: 'getSandboxClock',
  summary: 'Get the clock',
  description:
    'Shows the company’s Sandbox clock, by which charges expire, settle and are billed. While it is `ADVANCING` it shows the time of the job that was done last; requests that come meanwhile see what has happened so far, and what they change happens at that time.',
  refusals: [403],
  answer: clock.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: clock.view(found.account, found) }),
})

export const advanceSandboxClockRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/clock/advance',
  operationId: 'advanceSandboxClock',
  summary: 'Advance the clock',
  description:
    'Moves the clock forward, at most two years a call, and answers after every job that became due has run, in order of time. While the clock is `ADVANCING` another call is refused with `INVALID_STATE`, so that a repeated call never advances it twice.',
  refusals: [403, 409],
  later:
    'It takes longer than 25 seconds: the clock is `ADVANCING`, and continues to `target` in the background. Read the clock until it is `IDLE`.',
  body: Type.Object({
    by: Type.Optional(
      Type.String({
        format: 'duration',
        description: 'How far: an ISO 8601 duration.',
        examples: ['P1M', 'PT2H'],
      }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: 'Or to when: an ISO 8601 date-time.' }),
    ),
  }),
  rules: exactlyOneOf('by', 'to'),
  answer: clock.schema,
  read: ({ by, to }): Read<AdvanceClock['step']> => {
    if (by !== undefined && to !== undefined)
      return refusedField('by', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('by', 'to'))
    if (to !== undefined) return { ok: true, input: { toMs: readInstant(to)! } }
    if (by === undefined) return refusedField('by', 'REQUIRED', (say) => say.oneOfTwo('by', 'to'))
    return { ok: true, input: { by } }
  },
  command: (step, { accountId, by }) => ({
    type: 'AdvanceClock',
    accountId,
    by,
    step,
    answerWithinMs: bounds.clockAnswerMs,
  }),
  view: (reply) => ({
    ...(reply.state.advance !== null && { status: 202 }),
    body: clock.view(reply.state, reply),
  }),
})

export const resetSandboxClockRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/clock/reset',
  operationId: 'resetSandboxClock',
  summary: 'Reset the clock',
  description:
    'Sets the clock back to real time. It ends an advance, whose own call is then refused with `INVALID_STATE`: jobs that were due until then have run, the others wait for their time.',
  refusals: [403],
  answer: clock.schema,
  command: (_, { accountId, by }) => ({ type: 'ResetClock', accountId, by }),
  view: (reply) => ({ body: clock.view(reply.state, reply) }),
})
