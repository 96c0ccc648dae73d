import Type from 'typebox'
import { isoInstant, readInstant } from '../../../engine/calendar.ts'
import type { AdvanceClock } from '../../../engine/commands.ts'
import { unavailable } from '../../http/problem.ts'
import { commandRoute, queryRoute, type Read } from '../../http/route.ts'
import { clock } from '../answers.ts'
import { refused } from '../charge-input.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const getSandboxClock = queryRoute({
  ...sandboxRoute,
  verb: 'GET',
  path: '/v1/sandbox/clock',
  operationId: 'getSandboxClock',
  summary: 'What the Sandbox clock of the company shows',
  refusals: [403],
  answer: clock,
  read: () => null,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: clockView(found) }),
})

export const advanceSandboxClock = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/clock/advance',
  operationId: 'advanceSandboxClock',
  summary: 'Move the Sandbox clock forward',
  description: 'Answers after every job that became due has run, in order of time. At most two years a call.',
  refusals: [403],
  body: Type.Object({
    by: Type.Optional(
      Type.String({ format: 'duration', description: 'ISO 8601 duration.', examples: ['P1M', 'PT2H'] }),
    ),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 date-time.' })),
  }),
  answer: clock,
  read: ({ by, to }): Read<AdvanceClock['step']> => {
    if (by !== undefined && to !== undefined)
      return refused('by', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('by', 'to'))
    if (to !== undefined) return { ok: true, input: { toMs: readInstant(to)! } }
    if (by === undefined) return refused('by', 'REQUIRED', (say) => say.oneOfTwo('by', 'to'))
    return { ok: true, input: { by } }
  },
  command: (step, { accountId, by }) => ({ type: 'AdvanceClock', accountId, by, step }),
  view: (reply) => ({ body: clockView(reply) }),
})

export const resetSandboxClock = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/clock/reset',
  operationId: 'resetSandboxClock',
  summary: 'Set the Sandbox clock back to real time',
  refusals: [403],
  answer: clock,
  read: () => null,
  command: (_, { accountId, by }) => ({ type: 'ResetClock', accountId, by }),
  view: (reply) => ({ body: clockView(reply) }),
})

const clockView = ({ nowMs, realMs }: { readonly nowMs: number; readonly realMs: number }) => ({
  object: 'clock',
  now: isoInstant(nowMs),
  realNow: isoInstant(realMs),
  offsetSeconds: (nowMs - realMs) / 1000,
})
