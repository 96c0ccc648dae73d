import Type from 'typebox'
import { type OutstandingRequest, operationRoute, type RequestContext } from '../../api/route.ts'
import { type FieldError, invalid, problem } from '../../problems/problem.ts'
import { anyObject, listOf, textOf } from '../../resources/fields.ts'
import {
  doneResource,
  sessionResource,
  sessionRow,
  signInStep,
  webAuthnOptions,
} from '../../resources/people/session.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { exactlyOneOf, has } from '../../schema/rules.ts'

const ofSession = { tag: 'Sign-in', product: null } as const

/** Secrets are compared as they are, so their length alone is bounded here. */
export const secretText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, format: 'text', description })
const assertion = Type.Optional(
  Type.Unsafe<object>({ ...anyObject, description: 'What the browser answered, in its JSON form.' }),
)
const totp = Type.Optional(
  Type.String({ format: 'one-time-code', description: 'The code that the authenticator app shows.' }),
)

/** Moves the cookie of an operation's answer into the header. */
export const withCookie = ({ setCookie, body }: { readonly setCookie: string; readonly body: object }) => ({
  body,
  headers: { 'Set-Cookie': setCookie },
})

/** Refuses a body that has not exactly one of these. */
const oneOf =
  (...names: readonly string[]) =>
  (body: unknown) => {
    const given = names.filter((name) => (body as Record<string, unknown>)[name] !== undefined)
    return given.length === 1
      ? null
      : problem('VALIDATION_ERROR', (say) => say.oneOfTwo(names[0]!, names.slice(1).join(', ')))
  }

export const signInRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session',
  operationId: 'signIn',
  summary: 'Sign in with a password',
  description:
    'Checks e-mail and password. The answer says what has to follow: a second factor, or adding one. A wrong password and an unknown address are answered alike.',
  permission: 'OPEN',
  refusals: [429],
  body: Type.Object({ email: secretText('The address.'), password: secretText('The password.') }),
  operation: 'session sign-in',
  answer: signInStep,
  view: withCookie,
})

export const giveSecondFactorRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session/second-factor',
  operationId: 'giveSecondFactor',
  summary: 'Give the second factor',
  description: 'Completes the sign-in, within five minutes of the password. Exactly one factor is sent.',
  permission: 'HALF_SESSION',
  refusals: [403, 409, 429],
  body: Type.Object({
    totp,
    recoveryCode: Type.Optional(secretText('A recovery code, instead.')),
    assertion,
  }),
  rules: { oneOf: [has('totp'), has('recoveryCode'), has('assertion')] },
  guard: oneOf('totp', 'recoveryCode', 'assertion'),
  operation: 'session factor',
  answer: sessionResource.schema,
  view: withCookie,
})

export const startPasskeySignInRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session/passkey/options',
  operationId: 'startPasskeySignIn',
  summary: 'Get a challenge for signing in with a passkey',
  description:
    'Answers options for `navigator.credentials.get`. The challenge is good for two minutes, once.',
  permission: 'OPEN',
  refusals: [409, 429],
  operation: 'session passkey-options',
  answer: webAuthnOptions,
})

export const signInWithPasskeyRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session/passkey',
  operationId: 'signInWithPasskey',
  summary: 'Sign in with a passkey',
  description: 'A passkey is both factors in one: no password is asked.',
  permission: 'OPEN',
  refusals: [403, 429],
  body: Type.Object({
    assertion: Type.Unsafe<object>({
      ...anyObject,
      description: 'What the browser answered, in its JSON form.',
    }),
  }),
  operation: 'session passkey',
  answer: sessionResource.schema,
  view: withCookie,
})

export const getSessionRoute = operationRoute({
  ...ofSession,
  verb: 'GET',
  path: '/v1/session',
  operationId: 'getSession',
  summary: 'Get the session',
  description: 'Shows who is signed in, for which companies, and with what permissions.',
  permission: 'SELF',
  operation: 'session show',
  answer: sessionResource.schema,
})

export const signOutRoute = operationRoute({
  ...ofSession,
  verb: 'DELETE',
  path: '/v1/session',
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session, at once and everywhere.',
  permission: 'SELF',
  operation: 'session end',
  answer: doneResource,
  view: (answer: { readonly setCookie: string; readonly body: object }) => ({
    body: answer.body,
    headers: { 'Set-Cookie': answer.setCookie, 'Clear-Site-Data': '"cache", "storage"' },
  }),
})

export const stepUpRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session/step-up',
  operationId: 'stepUp',
  summary: 'Give the second factor once more',
  description: 'For five minutes, operations that need a fresh factor are open. Exactly one factor is sent.',
  permission: 'SELF',
  refusals: [403, 429],
  body: Type.Object({ totp, assertion }),
  rules: exactlyOneOf('totp', 'assertion'),
  guard: oneOf('totp', 'assertion'),
  operation: 'session step-up',
  answer: sessionResource.schema,
  view: withCookie,
})

/** The request that a challenge is for; null for a step-up; errors if only some of its members are given. */
const outstandingIn = ({
  verb,
  path,
  body,
}: Partial<OutstandingRequest>): OutstandingRequest | { readonly errors: readonly FieldError[] } | null => {
  if (verb === undefined && path === undefined && body === undefined) return null
  if (verb !== undefined && path !== undefined) return { verb, path, body: body ?? {} }
  const missing = Object.entries({ verb, path }).filter(([, value]) => value === undefined)
  return {
    errors: missing.map(([field]) => ({ field, code: 'REQUIRED', message: (say) => say.required(field) })),
  }
}

export const getChallengeRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/session/challenge',
  operationId: 'getChallenge',
  summary: 'Get a challenge for a passkey',
  description:
    'Answers options for `navigator.credentials.get`. With `verb`, `path` and `body` of a request that has to be confirmed, the answer counts for exactly that request, on this session and in the company and environment of the headers, once and within five minutes; without them it counts for a step-up. What the request itself would be refused for is refused here.',
  permission: 'SELF',
  refusals: [403, 404],
  body: Type.Object({
    verb: Type.Optional(secretText('Of the request to be confirmed.')),
    path: Type.Optional(secretText('Of the request to be confirmed, with its query.')),
    body: Type.Optional(
      Type.Unsafe<object>({ ...anyObject, description: 'Of the request to be confirmed.' }),
    ),
  }),
  rules: { dependentRequired: { verb: ['path'], path: ['verb'], body: ['verb', 'path'] } },
  operation: 'session challenge',
  refuse: (sent, request) => {
    const outstanding = outstandingIn(sent)
    if (outstanding === null) return null
    if ('errors' in outstanding) return invalid(outstanding.errors)
    const confirmable = request.confirmableOf(outstanding)
    return 'code' in confirmable ? confirmable : null
  },
  input: (sent, _, request: RequestContext) => {
    const outstanding = outstandingIn(sent)
    return outstanding === null ? {} : { operation: request.confirmableOf(outstanding as OutstandingRequest) }
  },
  answer: webAuthnOptions,
})

export const forgotPasswordRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/password/forgot',
  operationId: 'forgotPassword',
  summary: 'Ask for a link to set a new password',
  description:
    'Answered alike for every address. The link goes by mail, at most three times an hour, and works for 30 minutes; an earlier one no longer works.',
  permission: 'OPEN',
  refusals: [429],
  status: 202,
  body: Type.Object({ email: secretText('The address.') }),
  operation: 'password forgot',
  answer: doneResource,
})

export const resetPasswordRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/password/reset',
  operationId: 'resetPassword',
  summary: 'Set a new password by a link',
  description: 'Ends all sessions and signs nobody in. The second factor stays as it is.',
  permission: 'OPEN',
  refusals: [410, 429],
  body: Type.Object({
    token: secretText('What stands behind # in the link.'),
    password: secretText('The new password, of 12 to 128 characters.'),
  }),
  operation: 'password reset',
  answer: doneResource,
})

export const listMySessionsRoute = operationRoute({
  ...ofSession,
  verb: 'GET',
  path: '/v1/me/sessions',
  operationId: 'listMySessions',
  summary: 'List one’s own sessions',
  description: 'The browsers in which the person is signed in, the latest first.',
  permission: 'SELF',
  operation: 'me sessions',
  answer: namedObject('SessionList', 'Sessions of a person.', {
    object: textOf('`list`'),
    data: listOf(sessionRow.schema, 'The latest first.'),
  }),
})

export const endMySessionRoute = operationRoute({
  ...ofSession,
  verb: 'DELETE',
  path: '/v1/me/sessions/:id',
  operationId: 'endMySession',
  summary: 'End one of one’s own sessions',
  description: 'That browser is signed out at once.',
  permission: 'SELF',
  refusals: [404],
  operation: 'me end-session',
  answer: doneResource,
})

export const endMyOtherSessionsRoute = operationRoute({
  ...ofSession,
  verb: 'POST',
  path: '/v1/me/sessions/end-others',
  operationId: 'endMyOtherSessions',
  summary: 'End all other sessions of one’s own',
  description:
    'Every other browser is signed out at once. Links by mail end, too, and a change of the e-mail address that is not confirmed.',
  permission: 'SELF',
  operation: 'me end-others',
  answer: doneResource,
})
