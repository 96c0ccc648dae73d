import { isOpen, rolesMeanwhile } from '../../../engine/people/give-role.ts'
import {
  type CompanyMembership,
  type Invitation,
  isEnrolled,
  membershipIn,
  type Person,
  personByEmail,
  type RoleChange,
} from '../../../engine/people/person.ts'
import { type ChangeId, type InvitationId, newId, type PersonId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail } from '../../base/emails.ts'
import type { Asker } from '../../identity/asked.ts'
import { newPersonKey } from '../../identity/personal-texts.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { refuseAs, refuseInvalid } from '../../problems/refusal.ts'
import { logoUri } from '../../resources/account/company.ts'
import { companyAt } from '../account/company-operations.ts'
import { type Input, lineOf, type Operations, operationsOn, readText, taking } from '../input.ts'
import { namesOfCompany } from './known-names.ts'
import { requireMayGive, rolesOf, showInvitation, teamCompanyOf } from './members.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { waitingChange } from './role-changes.ts'
import { openSession, signInAnswer } from './sessions-of.ts'

/** Invitations to the team of a company (dashboard, sections 1.2 and 2.3). */
export const invitationOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'team invite': invite,
    'team resend': resend,
    'team revoke': revoke,
    'invitations read': read,
    'invitations accept': accept,
    'people invite': taking(['company', 'email', 'name', 'role'], invite),
  })

const invite = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, entropy, randomBytes, masterKey } = options
  const { people } = directory
  const company = companyAt(directory, input, 'company')
  const email =
    readInternationalEmail(readText(input, 'email'))?.toLowerCase() ??
    refuseInvalid((say) => say.operations.noEmail())
  const name = lineOf(input.name ?? email.slice(0, email.indexOf('@')), 'name', bounds.nameCharsMax)
  const roles = rolesOf(input)
  const isOperator = by.kind === 'OPERATOR'
  const { link, tokenHash, expiresAtMs } = newInvitationLink(options, isOperator ? 24 : 72)
  const atMs = realNow()
  const id = newId('ivt', atMs, entropy)
  const changeId = newId('chg', atMs, entropy)
  const invitation: Omit<Invitation, 'isConfirmed'> = {
    id,
    sealedKey: newPersonKey(id, masterKey, randomBytes),
    companyId: company.id,
    email,
    name,
    roles,
    tokenHash,
    invitedBy: by.personId,
    createdAtMs: atMs,
    expiresAtMs,
    status: 'OPEN',
    acceptedBy: null,
  }
  await options.commit(() => {
    requireMayGive(options, by, company.id, null, roles)
    const person = personByEmail(people, email)
    if (person !== null && membershipIn(people, person.id, company.id) !== null)
      refuseAs('DUPLICATE', { existingId: membershipIn(people, person.id, company.id)!.id })
    return {
      type: 'InvitationCreated',
      invitation,
      isConfirmed: isOperator,
      change: changeOfInvitation(options, changeId, invitation),
      atMs,
    }
  }, by)
  await mailInvitation(options, invitation, link)
  const shownLink = isOperator || !options.sendsMail ? link : null
  return showInvitation(options, people.invitations.get(id)!, shownLink, by)
}

const newInvitationLink = ({ origin, randomBytes, realNow }: PeopleOptions, hours: number) => {
  const token = randomBytes(32).toString('base64url')
  return {
    link: `${origin()}/painel/convite#${token}`,
    tokenHash: tokenHash(token),
    expiresAtMs: realNow() + hours * 3_600_000,
  }
}

const changeOfInvitation = (
  options: PeopleOptions,
  changeId: ChangeId,
  { id, companyId, invitedBy, roles }: Pick<Invitation, 'id' | 'companyId' | 'invitedBy' | 'roles'>,
): RoleChange | null =>
  waitingChange(
    options,
    changeId,
    { companyId, requestedBy: invitedBy, recipient: null, before: null, after: roles },
    { membershipId: null, invitationId: id },
  )

const mailInvitation = async (
  options: PeopleOptions,
  { email, companyId, invitedBy, expiresAtMs }: Omit<Invitation, 'isConfirmed'>,
  link: string,
): Promise<void> => {
  const { directory, realNow } = options
  const company = directory.companies.get(companyId)!.name
  const inviter = nameOf(options, invitedBy)
  const language = personByEmail(directory.people, email)?.language ?? 'pt'
  const hours = Math.round((expiresAtMs - realNow()) / 3_600_000)
  await options.record(() => [
    options.mail(email, language, { kind: 'INVITATION', company, inviter, hours, link }),
  ])
}

/** Null for an operator, and for a person who was erased. */
const nameOf = ({ directory }: PeopleOptions, personId: PersonId | null): string | null =>
  directory.people.persons.get(personId as PersonId)?.name ?? null

const invitationAt = (options: PeopleOptions, input: Input): Invitation =>
  [...options.directory.people.invitations.values()].find(
    ({ id, companyId }) => id === input.id && companyId === teamCompanyOf(options, input),
  ) ?? refuseAs('NOT_FOUND', { resource: 'invitation' })

const resend = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { realNow, entropy } = options
  const { invitations } = options.directory.people
  const { id, companyId, roles } = invitationAt(options, input)
  const { link, tokenHash, expiresAtMs } = newInvitationLink(options, 72)
  const atMs = realNow()
  const changeId = newId('chg', atMs, entropy)
  await options.commit(() => {
    const invitation = invitations.get(id)
    if (invitation?.status !== 'OPEN') return refuseAs('LINK_INVALID')
    requireMayGive(options, by, companyId, null, roles)
    // The resender now asks for these roles: an earlier confirmation was for another person's request.
    const invitedBy = by.personId
    return {
      type: 'InvitationResent',
      id,
      tokenHash,
      expiresAtMs,
      invitedBy,
      isConfirmed: by.kind === 'OPERATOR',
      change: changeOfInvitation(options, changeId, { ...invitation, invitedBy }),
      atMs,
    }
  }, by)
  await mailInvitation(options, invitations.get(id)!, link)
  return showInvitation(options, invitations.get(id)!, options.sendsMail ? null : link, by)
}

const revoke = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow } = options
  const { id } = invitationAt(options, input)
  await options.commit(
    () =>
      directory.people.invitations.get(id)?.status === 'OPEN'
        ? { type: 'InvitationRevoked', id, atMs: realNow() }
        : null,
    by,
  )
  return { done: true }
}

const openInvitation = ({ directory, realNow }: PeopleOptions, input: Input): Invitation => {
  const { people } = directory
  const hash = tokenHash(readText(input, 'token'))
  const found = [...people.invitations.values()].find((invitation) => invitation.tokenHash === hash)
  if (found === undefined || !isOpen(people, found, realNow())) return refuseAs('LINK_INVALID')
  return found
}

const read = async (options: PeopleOptions, input: Input): Promise<object> => {
  const { people, companies } = options.directory
  const { companyId, email, name, roles, invitedBy } = openInvitation(options, input)
  const { name: companyName, logo } = companies.get(companyId)!
  return {
    companyName,
    logo: logoUri(logo),
    inviter: nameOf(options, invitedBy),
    email,
    name,
    roles,
    isKnown: personByEmail(people, email) !== null,
  }
}

/**
 * A new person gets a name, a password and a half session in which to add a factor. A known person proves the
 * password, and then signs in as always.
 */
const accept = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  const { realNow, entropy } = context
  const { people } = context.directory
  const invitation = openInvitation(context, input)
  const { email, companyId } = invitation
  const password = readText(input, 'password')
  const isKnown = personByEmail(people, email) !== null
  const known = isKnown
    ? await context.checkPassword(by, { email, password, refusal: 'PASSWORD_WRONG' })
    : null
  if (!isKnown) context.addresses.take(by.ip)
  const person = known ?? (await newPerson(context, invitation, input, password))
  const atMs = realNow()
  const member = { id: newId('mbr', atMs, entropy), personId: person.id, createdAtMs: atMs }
  const changeId = newId('chg', atMs, entropy)
  await context.commit(() => {
    if (openInvitation(context, input).id !== invitation.id) refuseAs('LINK_INVALID')
    // Another invitation of the same address was accepted meanwhile, or the person was erased.
    if (personByEmail(people, email)?.id !== known?.id) refuseAs('LINK_INVALID')
    if (membershipIn(people, person.id, companyId) !== null) refuseAs('LINK_INVALID')
    return {
      type: 'InvitationAccepted',
      id: invitation.id,
      person: known === null ? person : null,
      ...joining(context, invitation.id, member, changeId),
      atMs,
    }
  }, by)
  const opened = openSession(context, person, isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL', by)
  await context.record(() => opened.facts)
  return signInAnswer(context, person, opened)
}

/** The membership of a person who accepts; roles that a second person has to confirm are pending. */
const joining = (
  options: PeopleOptions,
  invitationId: InvitationId,
  member: Pick<CompanyMembership, 'id' | 'personId' | 'createdAtMs'>,
  changeId: ChangeId,
) => {
  const { people } = options.directory
  const { companyId, roles, invitedBy, isConfirmed } = people.invitations.get(invitationId)!
  const isAskedFor = [...people.roleChanges.values()].some((change) => change.invitationId === invitationId)
  const change =
    isConfirmed || isAskedFor
      ? null
      : waitingChange(
          options,
          changeId,
          { companyId, requestedBy: invitedBy, recipient: member.personId, before: null, after: roles },
          { membershipId: member.id, invitationId },
        )
  const waits = isAskedFor || change !== null
  return {
    membership: { ...member, companyId, roles: waits ? rolesMeanwhile(roles) : roles, removedAtMs: null },
    isConfirmed,
    change,
  }
}

const newPerson = async (
  options: PeopleOptions,
  { companyId, email }: Invitation,
  input: Input,
  password: string,
): Promise<Person> => {
  const { directory, hasher, realNow, entropy, randomBytes, masterKey } = options
  const name = lineOf(input.name, 'name', bounds.nameCharsMax)
  const company = directory.companies.get(companyId)!
  await requireGoodPassword(password, [name, email, ...namesOfCompany(company)])
  const passwordHash = await hasher.hash(password)
  const atMs = realNow()
  const id = newId('per', atMs, entropy)
  return {
    id,
    sealedKey: newPersonKey(id, masterKey, randomBytes),
    email,
    name,
    language: input.language === 'en' ? 'en' : 'pt',
    theme: 'SYSTEM',
    passwordHash,
    sealedTotpSecret: null,
    recoveryCodeHashes: [],
    passkeys: [],
    browsers: [],
    factorFrozenUntilMs: null,
    credentialGeneration: 0,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}
