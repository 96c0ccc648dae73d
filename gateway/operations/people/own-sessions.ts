import type { Asker } from '../../identity/asked.ts'
import { clearedCookie } from '../../identity/session-cookie.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { sessionResource, sessionRow } from '../../resources/people/session.ts'
import { type Input, type Operations, operationsOn } from '../input.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { currentSession, sessionsOf, type WithCookie } from './sessions-of.ts'
import { voided } from './void.ts'

/** A person's own sessions: the one that asks, and the others (dashboard, sections 1.3 and 2.2). */
export const ownSessionOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'session show': showSession,
    'session end': signOut,
    'session catch-up': async ({ catchUp }) => {
      await catchUp()
      return { done: true }
    },
    'me sessions': listSessions,
    'me end-session': endSession,
    'me end-others': endOthers,
  })

const showSession = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  const { directory, keys, realNow, sendsMail } = options
  return sessionResource.view(currentSession(options, by), { directory, keys, nowMs: realNow(), sendsMail })
}

const signOut = async ({ record, act }: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  await record(() => [{ type: 'SessionsEnded', ids: [by.sessionId!] }, ...act(by, by.personId!)])
  return { setCookie: clearedCookie, body: { done: true } } satisfies WithCookie
}

const listSessions = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => ({
  object: 'list',
  data: sessionsOf(options, by.personId!)
    .filter(({ stage }) => stage !== 'SECOND_FACTOR')
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
    .map((session) => sessionRow.view(session, by.sessionId!, options.personal.open)),
})

const endSession = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const ended = sessionsOf(options, by.personId!).find(({ id }) => id === input.id)
  if (ended === undefined) refuseAs('NOT_FOUND', { resource: 'session' })
  const { id } = ended
  await options.record(() => [{ type: 'SessionsEnded', ids: [id] }, ...options.act(by, by.personId!)])
  return { done: true }
}

const endOthers = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  await options.record(() => [
    ...voided(options.sessions, by.personId!, by.sessionId),
    ...options.act(by, by.personId!),
  ])
  return { done: true }
}
