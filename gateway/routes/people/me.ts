import Type from 'typebox'
import { operationRoute } from '../../api/route.ts'
import { anyObject, listOf } from '../../resources/fields.ts'
import {
  doneResource,
  personResource,
  recoveryCodes,
  totpEnrolment,
  webAuthnOptions,
} from '../../resources/people/session.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { secretText, withCookie } from './session.ts'

const ofMe = { tag: 'Sign-in', product: null, permission: 'SELF' } as const

const nameText = Type.String({ minLength: 1, maxLength: 120, format: 'text', description: 'A name.' })

export const getMeRoute = operationRoute({
  ...ofMe,
  verb: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  summary: 'Get oneself',
  description: 'The person who is signed in.',
  operation: 'me show',
  answer: personResource.schema,
})

export const changeMeRoute = operationRoute({
  ...ofMe,
  factorFields: ['email'],
  verb: 'PATCH',
  path: '/v1/me',
  operationId: 'changeMe',
  summary: 'Change oneself',
  description:
    'Changes what is sent. A new e-mail address needs a second factor for this very operation; the present address is told, and the new one counts once it is confirmed by the link that goes there.',
  refusals: [403, 429],
  body: Type.Object({
    name: Type.Optional(nameText),
    language: Type.Optional(described(choice('pt', 'en'), 'Of the dashboard and of mails.')),
    theme: Type.Optional(described(choice('SYSTEM', 'LIGHT', 'DARK'), 'Of the dashboard.')),
    email: Type.Optional(Type.String({ format: 'e-mail', description: 'The new address.' })),
  }),
  operation: 'me update',
  answer: personResource.schema,
})

export const confirmEmailRoute = operationRoute({
  ...ofMe,
  permission: 'OPEN',
  verb: 'POST',
  path: '/v1/email/confirm',
  operationId: 'confirmEmail',
  summary: 'Confirm a new e-mail address',
  description: 'By the link that went there.',
  refusals: [410],
  body: Type.Object({ token: secretText('What stands behind # in the link.') }),
  operation: 'me confirm-email',
  answer: doneResource,
})

export const changeMyPasswordRoute = operationRoute({
  ...ofMe,
  factor: 'SESSION',
  verb: 'POST',
  path: '/v1/me/password',
  operationId: 'changeMyPassword',
  summary: 'Change one’s own password',
  description:
    'Ends the other sessions, links by mail, and a change of the e-mail address that is not confirmed.',
  refusals: [403, 409, 422, 429],
  body: Type.Object({
    current: Type.Optional(secretText('The present password; left out by a person who has none.')),
    new: secretText('The new one, of 12 to 128 characters.'),
  }),
  operation: 'me password',
  answer: doneResource,
  view: withCookie,
})

export const startTotpRoute = operationRoute({
  ...ofMe,
  factor: 'OPERATION',
  verb: 'POST',
  path: '/v1/me/totp',
  operationId: 'startTotp',
  summary: 'Start adding an authenticator app',
  description:
    'Answers a secret, shown this once. It counts after the first code is confirmed, and replaces the present one then. A person who has a second factor confirms with it.',
  refusals: [403, 429],
  operation: 'me totp',
  answer: totpEnrolment,
})

export const confirmTotpRoute = operationRoute({
  ...ofMe,
  verb: 'POST',
  path: '/v1/me/totp/confirm',
  operationId: 'confirmTotp',
  summary: 'Finish adding an authenticator app',
  description: 'With the first code that the app shows. Answers recovery codes, shown this once.',
  refusals: [403, 409, 429],
  body: Type.Object({
    code: Type.String({ format: 'one-time-code', description: 'The code that the app shows.' }),
  }),
  operation: 'me totp-confirm',
  answer: recoveryCodes,
  view: withCookie,
})

export const renewRecoveryCodesRoute = operationRoute({
  ...ofMe,
  factor: 'SESSION',
  verb: 'POST',
  path: '/v1/me/recovery-codes',
  operationId: 'renewRecoveryCodes',
  summary: 'Make new recovery codes',
  description: 'Ten codes, shown this once. The former ones no longer work, and the other sessions end.',
  refusals: [403, 409],
  operation: 'me recovery-codes',
  answer: recoveryCodes,
})

export const startPasskeyRoute = operationRoute({
  ...ofMe,
  factor: 'OPERATION',
  verb: 'POST',
  path: '/v1/me/passkeys/options',
  operationId: 'startPasskey',
  summary: 'Start adding a passkey',
  description:
    'Answers options for `navigator.credentials.create`, good for two minutes. A person who has a second factor confirms with it.',
  refusals: [403, 409, 429],
  operation: 'me passkey-options',
  answer: webAuthnOptions,
})

export const addPasskeyRoute = operationRoute({
  ...ofMe,
  verb: 'POST',
  path: '/v1/me/passkeys',
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description:
    'What the browser made of the options. The first factor of a person brings recovery codes, shown this once.',
  refusals: [403, 409],
  body: Type.Object({
    name: nameText,
    credential: Type.Unsafe<object>({
      ...anyObject,
      description: 'What the browser answered, in its JSON form.',
    }),
  }),
  operation: 'me add-passkey',
  answer: namedObject('PasskeyAdded', 'The person with the new passkey.', {
    person: personResource.schema,
    codes: listOf(Type.String(), 'Recovery codes with the first factor; otherwise none.'),
  }),
  view: withCookie,
})

export const renamePasskeyRoute = operationRoute({
  ...ofMe,
  verb: 'PATCH',
  path: '/v1/me/passkeys/:id',
  operationId: 'renamePasskey',
  summary: 'Rename a passkey',
  description: 'Changes what it is called.',
  refusals: [404],
  body: Type.Object({ name: nameText }),
  operation: 'me rename-passkey',
  answer: personResource.schema,
})

export const removePasskeyRoute = operationRoute({
  ...ofMe,
  factor: 'SESSION',
  verb: 'DELETE',
  path: '/v1/me/passkeys/:id',
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description: 'The last second factor of a person stays.',
  refusals: [403, 404, 409],
  operation: 'me remove-passkey',
  answer: personResource.schema,
})
