import Type from 'typebox'
import type { Directory } from '../../../engine/companies/directory.ts'
import { permissionsOf, type Roles, roles as roleNames } from '../../../engine/people/permission.ts'
import {
  type CompanyMembership,
  membershipsOf,
  type Passkey,
  type Person,
} from '../../../engine/people/person.ts'
import type { Session } from '../../../engine/people/session.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { bounds } from '../../base/bounds.ts'
import { shownEmail } from '../../base/emails.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { csrfTokenOf, type SessionKeys } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The role in each environment; null for none. */
export const memberRoles = namedObject('MemberRoles', 'The role in each environment; null for none.', {
  SANDBOX: nullableField(choice(...roleNames), 'In the Sandbox.'),
  PRODUCTION: nullableField(
    choice(...roleNames),
    'In Production, and for what concerns the company as a whole.',
  ),
})

export const factorMethods = described(
  listOf(choice('totp', 'passkey')),
  'The second factors that the person has.',
)

const passkey = resource<Passkey>('Passkey', 'A passkey of a person.').with({
  ...identityFields('psk', 'passkey'),
  name: [textOf('What the person calls it.'), same],
  createdAt: createdAtField,
})

/** A person, as only this person sees it. */
export const personResource = resource<Person>('Person', 'A person who uses the dashboard.').with({
  ...identityFields('per', 'person'),
  email: [textOf('In small letters.'), ({ email }) => shownEmail(email)],
  name: [textOf('The name that others see.'), same],
  language: [described(choice('pt', 'en'), 'Of the dashboard and of mails.'), same],
  theme: [described(choice('SYSTEM', 'LIGHT', 'DARK'), 'Of the dashboard.'), same],
  hasPassword: [booleanOf('Whether the person can sign in with a password.'), (p) => p.passwordHash !== null],
  factors: [factorMethods, (p) => factorMethodsOf(p)],
  passkeys: [listOf(passkey.schema, 'The oldest first.'), (p) => p.passkeys.map(passkey.view)],
  recoveryCodesLeft: [
    Type.Integer({ description: 'Recovery codes that are not used.' }),
    (p) => p.recoveryCodeHashes.length,
  ],
  factorFrozenUntil: [
    described(
      nullableField(instant),
      'After a reset by others: until then no operation can be confirmed. Null otherwise.',
    ),
    (p) => instantOrNull(p.factorFrozenUntilMs),
  ],
  createdAt: createdAtField,
})

/** What roles allow. */
export const memberPermissions = namedObject('MemberPermissions', 'What the roles allow.', {
  SANDBOX: listOf(Type.String(), 'In the Sandbox.'),
  PRODUCTION: listOf(Type.String(), 'In Production.'),
})

/** What a person may do for a company. */
const membershipResource = resource<CompanyMembership, [Context]>(
  'Membership',
  'What a person may do for a company.',
).with({
  companyId: [textOf('The company.'), same],
  companyName: [textOf('Its name.'), (m, { directory }) => directory.companies.get(m.companyId)!.name],
  roles: [memberRoles, same],
  permissions: [memberPermissions, ({ roles }) => permissionsView(roles)],
})

type Context = {
  readonly directory: Pick<Directory, 'people' | 'companies'>
  readonly keys: SessionKeys
  readonly nowMs: number
  readonly sendsMail: boolean
}

/** A session of the dashboard, for its own person. */
export const sessionResource = resource<Session, [Context]>(
  'Session',
  'A browser in which a person is signed in.',
).with({
  ...identityFields('ses', 'session'),
  person: [
    personResource.schema,
    ({ personId }, { directory }) => personResource.view(directory.people.persons.get(personId)!),
  ],
  csrfToken: [
    textOf('To be sent as `Service-CSRF` with everything but GET.'),
    ({ id }, { keys }) => csrfTokenOf(id, keys),
  ],
  memberships: [
    listOf(membershipResource.schema, 'The companies that the person works for.'),
    ({ personId }, context) =>
      membershipsOf(context.directory.people, personId).map((one) => membershipResource.view(one, context)),
  ],
  enrolmentRequired: [
    booleanOf('Whether a second factor has to be added before anything else.'),
    ({ stage }) => stage === 'ENROL',
  ],
  steppedUpUntil: [
    described(
      nullableField(instant),
      'Until then the second factor counts as just given. Null when it has to be given again.',
    ),
    ({ factorAtMs }, { nowMs }) => {
      const freshUntilMs = (factorAtMs ?? 0) + bounds.factorFreshMs
      return freshUntilMs > nowMs ? isoInstant(freshUntilMs) : null
    },
  ],
  sendsMail: [booleanOf('Whether the service sends mail.'), (_, { sendsMail }) => sendsMail],
  answeredAt: [
    described(instant, 'What the service’s clock shows: a browser’s own may be off.'),
    (_, { nowMs }) => isoInstant(nowMs),
  ],
  idleUntil: [
    described(instant, 'When the session ends unless it is used before.'),
    ({ endsAtMs }, { nowMs }) => isoInstant(Math.min(nowMs + bounds.sessionIdleMs, endsAtMs)),
  ],
  endsAt: [described(instant, 'When it ends in any case.'), ({ endsAtMs }) => isoInstant(endsAtMs)],
})

/** A session in the list of a person's sessions. */
export const sessionRow = resource<Session, [string, OpenPersonal]>(
  'SessionRow',
  'One of the browsers in which a person is signed in.',
).with({
  ...identityFields('ses', 'session'),
  current: [booleanOf('Whether it is the one that asks.'), (s, currentId) => s.id === currentId],
  ip: [textOf('The address at the sign-in.'), (s, __, open) => open(s.ip) ?? ''],
  userAgent: [textOf('The browser, as it calls itself.'), (s, __, open) => open(s.userAgent) ?? ''],
  createdAt: createdAtField,
  endsAt: [described(instant, 'When it ends in any case.'), (s) => isoInstant(s.endsAtMs)],
})

/** The answer to a password: what is to be done next. */
export const signInStep = namedObject('SignInStep', 'What has to follow a password.', {
  next: described(
    choice('SECOND_FACTOR', 'ENROL'),
    'SECOND_FACTOR: send a factor. ENROL: the person has none, and has to add one.',
  ),
  methods: factorMethods,
  csrfToken: textOf('To be sent as `Service-CSRF` with the factor.'),
})

/** Codes, shown once. */
export const recoveryCodes = namedObject('RecoveryCodes', 'New recovery codes, shown this once.', {
  codes: described(listOf(Type.String()), 'Each can be used once, to sign in without a second factor.'),
})

/** An authenticator app that is being added. */
export const totpEnrolment = namedObject('TotpEnrolment', 'An authenticator app to be added.', {
  secret: textOf('Base32, for typing.'),
  uri: textOf('What the app scans.'),
  qrCode: textOf('The same as an image, in a data URI.'),
})

/** The options of WebAuthn, as browsers take them. */
export const webAuthnOptions = named(
  'WebAuthnOptions',
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'Options of WebAuthn, in their JSON form (Web Authentication Level 3, section 5.1.8).',
  }),
)

/** The answer of an operation that has nothing to show. */
export const doneResource = namedObject('Done', 'It was done.', { done: booleanOf('Always true.') })

/** The permissions of roles in each environment. */
export const permissionsView = (roles: Roles) => ({
  SANDBOX: [...permissionsOf(roles, 'SANDBOX')],
  PRODUCTION: [...permissionsOf(roles, 'PRODUCTION')],
})
