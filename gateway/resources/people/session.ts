import Type, { type Static } from 'typebox'
import type { Directory } from '../../../engine/directory/directory.ts'
import { permissionsOf, type Roles, roles as roleNames } from '../../../engine/people/permission.ts'
import { membershipsOf, type Passkey, type Person } from '../../../engine/people/person.ts'
import type { Session } from '../../../engine/people/session.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { limits } from '../../base/limits.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { csrfTokenOf, type SessionKeys } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { booleanOf, createdAt, enumeration, identity, instant, listOf, nullable, textOf } from '../fields.ts'

/** The role in each environment; null for none. */
export const memberRoles = namedObject('MemberRoles', 'The role in each environment; null for none.', {
  SANDBOX: nullable(enumeration(...roleNames), 'In the Sandbox.'),
  PRODUCTION: nullable(
    enumeration(...roleNames),
    'In Production, and for what concerns the company as a whole.',
  ),
})

export const factorMethods = described(
  listOf(enumeration('totp', 'passkey')),
  'The second factors that the person has.',
)

const passkey = namedObject('Passkey', 'A passkey of a person.', {
  ...identity('psk', 'passkey'),
  name: textOf('What the person calls it.'),
  createdAt,
})

/** A person, as only this person sees it. */
export const personResource = namedObject('Person', 'A person who uses the dashboard.', {
  ...identity('per', 'person'),
  email: textOf('In small letters.'),
  name: textOf('The name that others see.'),
  language: described(enumeration('pt', 'en'), 'Of the dashboard and of mails.'),
  theme: described(enumeration('SYSTEM', 'LIGHT', 'DARK'), 'Of the dashboard.'),
  hasPassword: booleanOf('Whether the person can sign in with a password.'),
  factors: factorMethods,
  passkeys: listOf(passkey, 'The oldest first.'),
  recoveryCodesLeft: Type.Integer({ description: 'Recovery codes that are not used.' }),
  factorFrozenUntil: described(
    nullable(instant),
    'After a reset by others: until then no operation can be confirmed. Null otherwise.',
  ),
  createdAt,
})

/** What roles allow. */
export const memberPermissions = namedObject('MemberPermissions', 'What the roles allow.', {
  SANDBOX: listOf(Type.String(), 'In the Sandbox.'),
  PRODUCTION: listOf(Type.String(), 'In Production.'),
})

/** What a person may do for a company. */
const membershipResource = namedObject('Membership', 'What a person may do for a company.', {
  companyId: textOf('The company.'),
  companyName: textOf('Its name.'),
  roles: memberRoles,
  permissions: memberPermissions,
})

/** A session of the dashboard. */
export const sessionResource = namedObject('Session', 'A browser in which a person is signed in.', {
  ...identity('ses', 'session'),
  person: personResource,
  csrfToken: textOf('To be sent as `Service-CSRF` with everything but GET.'),
  memberships: listOf(membershipResource, 'The companies that the person works for.'),
  enrolmentRequired: booleanOf('Whether a second factor has to be added before anything else.'),
  steppedUpUntil: described(
    nullable(instant),
    'Until then the second factor counts as just given. Null when it has to be given again.',
  ),
  idleUntil: described(instant, 'When the session ends unless it is used before.'),
  endsAt: described(instant, 'When it ends in any case.'),
})

/** A session among those of a person. */
export const sessionRow = namedObject('SessionRow', 'One of the browsers in which a person is signed in.', {
  ...identity('ses', 'session'),
  current: booleanOf('Whether it is the one that asks.'),
  ip: textOf('The address at the sign-in.'),
  userAgent: textOf('The browser, as it calls itself.'),
  createdAt,
  endsAt: described(instant, 'When it ends in any case.'),
})

/** The answer to a password: what is to be done next. */
export const signInStep = namedObject('SignInStep', 'What has to follow a password.', {
  next: described(
    enumeration('SECOND_FACTOR', 'ENROL'),
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

/** Nothing to tell. */
export const doneResource = namedObject('Done', 'It was done.', { done: booleanOf('Always true.') })

/** A person for itself. */
export const personView = (person: Person): Static<typeof personResource> => ({
  id: person.id,
  object: 'person',
  email: person.email,
  name: person.name,
  language: person.language,
  theme: person.theme,
  hasPassword: person.passwordHash !== null,
  factors: factorMethodsOf(person),
  passkeys: person.passkeys.map(passkeyView),
  recoveryCodesLeft: person.recoveryCodeHashes.length,
  factorFrozenUntil: person.factorFrozenUntilMs === null ? null : isoInstant(person.factorFrozenUntilMs),
  createdAt: isoInstant(person.createdAtMs),
})

const passkeyView = ({ id, name, createdAtMs }: Passkey): Static<typeof passkey> => ({
  id,
  object: 'passkey',
  name,
  createdAt: isoInstant(createdAtMs),
})

/** A session for the person whose it is. */
export const sessionView = (
  { people, companies }: Pick<Directory, 'people' | 'companies'>,
  session: Session,
  keys: SessionKeys,
  nowMs: number,
): Static<typeof sessionResource> => {
  const { id, personId, factorAtMs, endsAtMs } = session
  const freshUntilMs = (factorAtMs ?? 0) + limits.factorFreshMs
  return {
    id,
    object: 'session',
    person: personView(people.persons.get(personId)!),
    csrfToken: csrfTokenOf(id, keys),
    memberships: membershipsOf(people, personId).map(({ companyId, roles }) => ({
      companyId,
      companyName: companies.get(companyId)!.name,
      roles,
      permissions: permissionsView(roles),
    })),
    enrolmentRequired: session.stage === 'ENROL',
    steppedUpUntil: freshUntilMs > nowMs ? isoInstant(freshUntilMs) : null,
    idleUntil: isoInstant(Math.min(nowMs + limits.sessionIdleMs, endsAtMs)),
    endsAt: isoInstant(endsAtMs),
  }
}

/** The permissions of roles in each environment. */
export const permissionsView = (roles: Roles) => ({
  SANDBOX: [...permissionsOf(roles, 'SANDBOX')],
  PRODUCTION: [...permissionsOf(roles, 'PRODUCTION')],
})

/** A session in the list of a person's. */
export const sessionRowView = (
  session: Session,
  currentId: string,
  open: OpenPersonal,
): Static<typeof sessionRow> => ({
  id: session.id,
  object: 'session',
  current: session.id === currentId,
  ip: open(session.ip) ?? '',
  userAgent: open(session.userAgent) ?? '',
  createdAt: isoInstant(session.createdAtMs),
  endsAt: isoInstant(session.endsAtMs),
})
