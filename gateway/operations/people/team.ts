import type { DirectoryEvent } from '../../../engine/directory/directory.ts'
import {
  confirmersOfChange,
  isOpen,
  isWaiting,
  mayGive,
  type RoleRequest,
  recipientOf,
  rolesMeanwhile,
  waitsForSecondPerson,
} from '../../../engine/people/give-role.ts'
import { permissionsOf, type Roles, roles as roleNames } from '../../../engine/people/permission.ts'
import {
  type CompanyMembership,
  type Invitation,
  isEnrolled,
  membershipIn,
  membersOf,
  type Person,
  personByEmail,
  type RoleChange,
} from '../../../engine/people/person.ts'
import { readEmail } from '../../../engine/shared/documents.ts'
import {
  type ChangeId,
  type CompanyId,
  type InvitationId,
  newId,
  type PersonId,
} from '../../../engine/shared/ids.ts'
import { limits } from '../../base/limits.ts'
import type { Asker } from '../../identity/asked.ts'
import { newPersonKey } from '../../identity/personal-texts.ts'
import { csrfTokenOf, setCookieOf, tokenHash } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { absent, refuse, refuseAs, refuseInvalid } from '../../problems/refusal.ts'
import { invitationResource, memberResource } from '../../resources/people/member.ts'
import { companyAt } from '../account/company-operations.ts'
import { choiceOf, type Input, lineOf, type Operations, readText, taking } from '../input.ts'
import type { AddressThrottle } from './address-throttle.ts'
import { eraseOperation } from './erase.ts'
import { namesOfCompany } from './known-names.ts'
import { isLastOwner } from './last-owner.ts'
import type { PasswordCheck } from './password-check.ts'
import { passwordLink } from './password-link.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleOptions } from './people-options.ts'
import type { SecondFactor } from './second-factor.ts'
import type { SessionsOf, WithCookie } from './sessions-of.ts'
import { voided } from './void.ts'

type Parts = {
  readonly options: PeopleOptions
  readonly sessionsOf: SessionsOf
  readonly secondFactor: Pick<SecondFactor, 'confirm'>
  readonly addresses: AddressThrottle
  readonly checkPassword: PasswordCheck
}

/** The team of a company: invitations, roles, and lost factors (dashboard, sections 1.2, 1.6 and 2.3). */
export const teamOperations = ({
  options,
  sessionsOf,
  secondFactor,
  addresses,
  checkPassword,
}: Parts): Operations => {
  const { directory, sessions, hasher, keys, realNow, entropy, randomBytes, masterKey } = options
  const { people } = directory

  const companyOf = (input: Input): CompanyId => companyAt(directory, input, 'company').id

  const memberAt = (input: Input, companyId: CompanyId): CompanyMembership => {
    const found = [...membersOf(people, companyId)].find(({ id }) => id === input.id)
    return found ?? refuseAs('NOT_FOUND', { resource: 'member' })
  }

  /** Only owners make owners, and change or remove them. */
  const requireMayGive = (
    by: Asker,
    companyId: CompanyId,
    before: Roles | null,
    after: Roles | null,
  ): void => {
    const isAllowed = by.kind === 'OPERATOR' || mayGive(people, by.personId, companyId, [before, after])
    if (!isAllowed) refuseAs('NO_PERMISSION')
  }

  /** What a second person has to confirm of roles before they count; null for nothing. Every road asks here. */
  const waitingChange = (
    id: ChangeId,
    request: RoleRequest,
    place: Pick<RoleChange, 'membershipId' | 'invitationId'>,
  ): RoleChange | null =>
    waitsForSecondPerson(people, request, realNow())
      ? {
          id,
          companyId: request.companyId,
          ...place,
          roles: request.after,
          requestedBy: request.requestedBy!,
          requestedAtMs: realNow(),
        }
      : null

  const requireOwnerLeft = (without: CompanyMembership): void => {
    if (isLastOwner(people, without)) refuseAs('LAST_OWNER')
  }

  const show = async (input: Input, by: Asker): Promise<object> => {
    const companyId = companyOf(input)
    const open = [...people.invitations.values()].filter(
      (invitation) => invitation.companyId === companyId && isOpen(people, invitation, realNow()),
    )
    return {
      object: 'team',
      members: membersOf(people, companyId).map((member) => showMember(member, by)),
      invitations: open.map((invitation) => showInvitation(invitation, null, by)),
    }
  }

  const showMember = (member: CompanyMembership, by: Asker): object =>
    memberResource.view(member, { lastSeenAtMs: lastSeenMs(member.personId), ...whoAsks(by) })

  const showInvitation = (invitation: Invitation, link: string | null, by: Asker): object =>
    invitationResource.view(invitation, { link, ...whoAsks(by) })

  const whoAsks = ({ personId }: Asker) => ({ people, askedBy: personId, nowMs: realNow() })

  const lastSeenMs = (personId: PersonId): number | null =>
    sessionsOf
      .ofPerson(personId)
      .filter(({ stage }) => stage === 'FULL')
      .reduce<number | null>((last, { createdAtMs }) => Math.max(last ?? 0, createdAtMs), null)

  const newLink = (hours: number) => {
    const token = randomBytes(32).toString('base64url')
    return {
      link: `${options.origin()}/painel/convite#${token}`,
      tokenHash: tokenHash(token),
      expiresAtMs: realNow() + hours * 3_600_000,
    }
  }

  const invite = async (input: Input, by: Asker): Promise<object> => {
    const company = companyAt(directory, input, 'company')
    const email =
      readEmail(readText(input, 'email'))?.toLowerCase() ?? refuseInvalid((say) => say.operations.noEmail())
    const name = lineOf(input.name ?? email.slice(0, email.indexOf('@')), 'name', limits.nameCharsMax)
    const roles = rolesOf(input)
    const isOperator = by.kind === 'OPERATOR'
    const { link, tokenHash, expiresAtMs } = newLink(isOperator ? 24 : 72)
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
      requireMayGive(by, company.id, null, roles)
      const person = personByEmail(people, email)
      if (person !== null && membershipIn(people, person.id, company.id) !== null)
        refuseAs('DUPLICATE', { existingId: membershipIn(people, person.id, company.id)!.id })
      return {
        type: 'InvitationCreated',
        invitation,
        isConfirmed: isOperator,
        change: changeOfInvitation(changeId, invitation),
        atMs,
      }
    }, by)
    await mailInvitation(invitation, link)
    return showInvitation(people.invitations.get(id)!, isOperator || !options.sendsMail ? link : null, by)
  }

  const changeOfInvitation = (
    changeId: ChangeId,
    { id, companyId, invitedBy, roles }: Pick<Invitation, 'id' | 'companyId' | 'invitedBy' | 'roles'>,
  ): RoleChange | null =>
    waitingChange(
      changeId,
      { companyId, requestedBy: invitedBy, recipient: null, before: null, after: roles },
      { membershipId: null, invitationId: id },
    )

  /** Null for an operator, and for a person who was erased. */
  const nameOf = (personId: PersonId | null): string | null =>
    people.persons.get(personId as PersonId)?.name ?? null

  const mailInvitation = async (
    { email, companyId, invitedBy, expiresAtMs }: Omit<Invitation, 'isConfirmed'>,
    link: string,
  ): Promise<void> => {
    const company = directory.companies.get(companyId)!.name
    const inviter = nameOf(invitedBy)
    const language = personByEmail(people, email)?.language ?? 'pt'
    const hours = Math.round((expiresAtMs - realNow()) / 3_600_000)
    await options.record(() => [
      options.mail(email, language, { kind: 'INVITATION', company, inviter, hours, link }),
    ])
  }

  const invitationAt = (input: Input): Invitation => {
    const invitation = [...people.invitations.values()].find(
      ({ id, companyId }) => id === input.id && companyId === companyOf(input),
    )
    return invitation ?? refuseAs('NOT_FOUND', { resource: 'invitation' })
  }

  const resend = async (input: Input, by: Asker): Promise<object> => {
    const { id, companyId, roles } = invitationAt(input)
    const { link, tokenHash, expiresAtMs } = newLink(72)
    const atMs = realNow()
    const changeId = newId('chg', atMs, entropy)
    await options.commit(() => {
      const invitation = people.invitations.get(id)
      if (invitation?.status !== 'OPEN') return refuseAs('LINK_INVALID')
      requireMayGive(by, companyId, null, roles)
      // The person who sends it again asks for its roles: what was confirmed before was the request of another.
      const invitedBy = by.personId
      return {
        type: 'InvitationResent',
        id,
        tokenHash,
        expiresAtMs,
        invitedBy,
        isConfirmed: by.kind === 'OPERATOR',
        change: changeOfInvitation(changeId, { ...invitation, invitedBy }),
        atMs,
      }
    }, by)
    await mailInvitation(people.invitations.get(id)!, link)
    return showInvitation(people.invitations.get(id)!, options.sendsMail ? null : link, by)
  }

  const revoke = async (input: Input, by: Asker): Promise<object> => {
    const { id } = invitationAt(input)
    await options.commit(
      () =>
        people.invitations.get(id)?.status === 'OPEN'
          ? { type: 'InvitationRevoked', id, atMs: realNow() }
          : null,
      by,
    )
    return { done: true }
  }

  const openInvitation = (input: Input): Invitation => {
    const hash = tokenHash(readText(input, 'token'))
    const found = [...people.invitations.values()].find((invitation) => invitation.tokenHash === hash)
    if (found === undefined || !isOpen(people, found, realNow())) return refuseAs('LINK_INVALID')
    return found
  }

  const read = async (input: Input): Promise<object> => {
    const { companyId, email, name, roles, invitedBy } = openInvitation(input)
    const isKnown = personByEmail(people, email) !== null
    return {
      companyName: directory.companies.get(companyId)!.name,
      inviter: nameOf(invitedBy),
      email,
      name,
      roles,
      isKnown,
    }
  }

  /**
   * A new person gets a name, a password and a half session in which a factor is added. One who is known proves the password, and then signs
   * in as always.
   */
  const accept = async (input: Input, by: Asker): Promise<object> => {
    const invitation = openInvitation(input)
    const password = readText(input, 'password')
    const isKnown = personByEmail(people, invitation.email) !== null
    const known = isKnown
      ? await checkPassword(by, { email: invitation.email, password, refusal: 'PASSWORD_WRONG' })
      : null
    if (!isKnown) addresses.take(by.ip)
    const person = known ?? (await newPerson(invitation, input, password))
    const atMs = realNow()
    const id = newId('mbr', atMs, entropy)
    const changeId = newId('chg', atMs, entropy)
    await options.commit(() => {
      if (openInvitation(input).id !== invitation.id) refuseAs('LINK_INVALID')
      // Another invitation of the same address was accepted meanwhile, or the person was erased.
      if (personByEmail(people, invitation.email)?.id !== known?.id) refuseAs('LINK_INVALID')
      if (membershipIn(people, person.id, invitation.companyId) !== null) refuseAs('LINK_INVALID')
      return {
        type: 'InvitationAccepted',
        id: invitation.id,
        person: known === null ? person : null,
        ...joining(invitation.id, { id, personId: person.id, createdAtMs: atMs }, changeId),
        atMs,
      }
    }, by)
    const opened = sessionsOf.open(person, isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL', by)
    await options.record(() => opened.facts)
    return {
      setCookie: setCookieOf(opened.secret, realNow(), keys),
      body: {
        next: isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL',
        methods: factorMethodsOf(person),
        csrfToken: csrfTokenOf(opened.session.id, keys),
      },
    } satisfies WithCookie
  }

  /** The membership of a person who accepts: roles that a second person still has to confirm wait. */
  const joining = (
    invitationId: InvitationId,
    member: Pick<CompanyMembership, 'id' | 'personId' | 'createdAtMs'>,
    changeId: ChangeId,
  ) => {
    const { companyId, roles, invitedBy, isConfirmed } = people.invitations.get(invitationId)!
    const isAskedFor = [...people.roleChanges.values()].some((change) => change.invitationId === invitationId)
    const request = {
      companyId,
      requestedBy: invitedBy,
      recipient: member.personId,
      before: null,
      after: roles,
    }
    const change =
      isConfirmed || isAskedFor
        ? null
        : waitingChange(changeId, request, { membershipId: member.id, invitationId })
    const waits = isAskedFor || change !== null
    return {
      membership: { ...member, companyId, roles: waits ? rolesMeanwhile(roles) : roles, removedAtMs: null },
      isConfirmed,
      change,
    }
  }

  const newPerson = async (invitation: Invitation, input: Input, password: string): Promise<Person> => {
    const name = lineOf(input.name, 'name', limits.nameCharsMax)
    const company = directory.companies.get(invitation.companyId)!
    await requireGoodPassword(password, [name, invitation.email, ...namesOfCompany(company)])
    const passwordHash = await hasher.hash(password)
    const atMs = realNow()
    const id = newId('per', atMs, entropy)
    return {
      id,
      sealedKey: newPersonKey(id, masterKey, randomBytes),
      email: invitation.email,
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

  const changeRoles = async (input: Input, by: Asker): Promise<object> => {
    const companyId = companyOf(input)
    const roles = rolesOf(input)
    const { id, personId } = memberAt(input, companyId)
    if (personId === by.personId) refuseAs('OWN_REQUEST')
    const atMs = realNow()
    const changeId = newId('chg', atMs, entropy)
    await options.commit(() => {
      const member = memberAt(input, companyId)
      requireMayGive(by, companyId, member.roles, roles)
      if (roles.PRODUCTION !== 'OWNER') requireOwnerLeft(member)
      const pending = pendingOf(member)
      if (pending !== null) refuseAs('CHANGE_PENDING', { existingId: pending.id })
      const change = waitingChange(
        changeId,
        { companyId, requestedBy: by.personId, recipient: personId, before: member.roles, after: roles },
        { membershipId: id, invitationId: null },
      )
      return change === null
        ? { type: 'MembershipChanged', id, roles, isConfirmed: by.kind === 'OPERATOR', atMs }
        : { type: 'RoleChangeRequested', change, atMs }
    }, by)
    return showMember(memberAt(input, companyId), by)
  }

  const pendingOf = ({ id }: CompanyMembership): RoleChange | null =>
    [...people.roleChanges.values()].find(
      (change) => change.membershipId === id && isWaiting(people, change, realNow()),
    ) ?? null

  const decideChange =
    (isApproved: boolean) =>
    async (input: Input, by: Asker): Promise<object> => {
      const companyId = companyOf(input)
      requireMightDecide(companyId, by)
      const changeAt = (): RoleChange => {
        const found = people.roleChanges.get(input.id as ChangeId)
        if (found === undefined || found.companyId !== companyId || !isWaiting(people, found, realNow()))
          return refuseAs('NOT_FOUND', { resource: 'change' })
        return found
      }
      const decide = (): DirectoryEvent => {
        const change = changeAt()
        requireMayDecide(change, isApproved, by)
        const { id, membershipId } = change
        const about = { id, membershipId, companyId }
        return { type: 'RoleChangeDecided', ...about, isApproved, by: by.personId!, atMs: realNow() }
      }
      decide()
      const { membershipId, invitationId } = changeAt()
      if (isApproved) await secondFactor.confirm(by)
      await options.commit(decide, by)
      const member = membershipId === null ? undefined : people.memberships.get(membershipId)
      const invitation = people.invitations.get(invitationId as InvitationId)
      const isInvited =
        member === undefined && invitation !== undefined && isOpen(people, invitation, realNow())
      return {
        object: 'role_decision',
        approved: isApproved,
        member: member === undefined ? null : showMember(member, by),
        invitation: isInvited ? showInvitation(invitation, null, by) : null,
      }
    }

  /** Members who could never decide a change do not learn which changes there are. */
  const requireMightDecide = (companyId: CompanyId, { kind, personId }: Asker): void => {
    const held = personId === null ? null : (membershipIn(people, personId, companyId)?.roles ?? null)
    const may = held === null ? null : permissionsOf(held, 'PRODUCTION')
    if (kind === 'OPERATOR' || may?.has('team.manage') || may?.has('transfers.approve')) return
    refuseAs('NO_PERMISSION', { requiredPermission: 'team.manage' })
  }

  /** The members who can confirm a change may reject it, too, as may all who manage the team; the person who has asked for it may take it back. */
  const requireMayDecide = (change: RoleChange, isApproved: boolean, { kind, personId }: Asker): void => {
    if (kind === 'OPERATOR') return
    if (confirmersOfChange(people, change).some((member) => member.personId === personId)) return
    const isParty = personId === change.requestedBy || personId === recipientOf(people, change)
    if (isApproved && isParty) refuseAs('OWN_REQUEST')
    if (!isApproved && mayGive(people, personId, change.companyId, [])) return
    refuseAs('NO_PERMISSION', { requiredPermission: 'team.manage' })
  }

  const remove = async (input: Input, by: Asker): Promise<object> => {
    const companyId = companyOf(input)
    const { id, personId } = memberAt(input, companyId)
    await options.commit(() => {
      const member = memberAt(input, companyId)
      requireMayGive(by, companyId, member.roles, null)
      requireOwnerLeft(member)
      return { type: 'MembershipRemoved', id, atMs: realNow() }
    }, by)
    const keysMade = [...directory.keys.values()].filter(
      (key) => key.companyId === companyId && key.createdBy === personId && key.revokedAtMs === null,
    )
    return { done: true, keys: keysMade.map(({ id }) => id) }
  }

  /** Never one's own, and only of people of no other company: an admin of one must not open the door of another. */
  const resettable = (input: Input, by: Asker): Person => {
    const companyId = companyOf(input)
    const member = memberAt(input, companyId)
    if (member.personId === by.personId) refuseAs('OWN_REQUEST')
    requireMayGive(by, companyId, member.roles, null)
    const isElsewhere = [...people.memberships.values()].some(
      ({ personId, companyId: other, removedAtMs }) =>
        personId === member.personId && other !== companyId && removedAtMs === null,
    )
    if (isElsewhere) refuse((say) => say.operations.worksElsewhere())
    return people.persons.get(member.personId)!
  }

  const resetFactor = async (by: Asker, person: Person): Promise<object> => {
    const atMs = realNow()
    await options.commit(() => {
      if (!people.persons.has(person.id)) absent(`there is no person ${person.id}`)
      return {
        type: 'PersonChanged',
        id: person.id,
        changes: {
          sealedTotpSecret: null,
          passkeys: [],
          recoveryCodeHashes: [],
          factorFrozenUntilMs: atMs + limits.factorFrozenMs,
        },
        beginsGeneration: true,
        atMs,
      }
    }, by)
    const mails = ownersBeside(person).map(({ owner, company }) =>
      options.mail(owner.email, owner.language, { kind: 'FACTOR_RESET', person: person.name, company }),
    )
    await options.record(() => {
      const facts = [...voided(sessions, person.id, null), ...mails]
      return facts.length === 0 ? null : facts
    })
    return { done: true }
  }

  const ownersBeside = ({ id }: Person): readonly { readonly owner: Person; readonly company: string }[] =>
    [...people.memberships.values()]
      .filter(({ personId, removedAtMs }) => personId === id && removedAtMs === null)
      .flatMap(({ companyId }) =>
        membersOf(people, companyId)
          .filter(({ roles }) => roles.PRODUCTION === 'OWNER')
          .map(({ personId }) => ({
            owner: people.persons.get(personId)!,
            company: directory.companies.get(companyId)!.name,
          })),
      )

  const endSessions = async (input: Input, by: Asker): Promise<object> => {
    const companyId = companyOf(input)
    const member = memberAt(input, companyId)
    requireMayGive(by, companyId, member.roles, null)
    await options.record(() => {
      const object = { type: 'membership', id: member.id }
      return [
        ...voided(sessions, member.personId, null),
        ...options.act(by, by.personId!, { companyId, object }),
      ]
    })
    return { done: true }
  }

  /** At the command line, for the first owner and for the lost last one. */
  const personAt = (input: Input): Person =>
    [...people.persons.values()].find(({ id, email }) => input.id === id || input.id === email) ??
    absent(`there is no person ${String(input.id)}`)

  const list = async (input: Input, by: Asker): Promise<object> => {
    const companyId = input.company === undefined ? null : companyOf(input)
    const rows = [...people.memberships.values()].filter(
      (member) => member.removedAtMs === null && (companyId === null || member.companyId === companyId),
    )
    return {
      object: 'list',
      data: rows.map((member) => ({
        ...showMember(member, by),
        companyId: member.companyId,
      })),
    }
  }

  return {
    'team show': show,
    'team invite': invite,
    'team resend': resend,
    'team revoke': revoke,
    'team change': changeRoles,
    'team approve': decideChange(true),
    'team reject': decideChange(false),
    'team remove': remove,
    'team reset-second-factor': async (input, by) => resetFactor(by, resettable(input, by)),
    'team end-sessions': endSessions,
    'invitations read': read,
    'invitations accept': accept,
    'people invite': taking(['company', 'email', 'name', 'role'], invite),
    'people list': taking(['company'], list),
    'people erase': taking(['id'], eraseOperation(options)),
    'people reset-password': taking(['id'], async (input, by) => passwordLink(options, personAt(input), by)),
    'people reset-second-factor': taking(['id'], async (input, by) => resetFactor(by, personAt(input))),
  }
}

/** Roles of an invitation or a change: one for each environment, or at the command line one word for both. */
const rolesOf = ({ roles, role }: Input): Roles => {
  if (role !== undefined) {
    const both = choiceOf(role, 'role', roleNames)
    return { SANDBOX: both, PRODUCTION: both }
  }
  const { SANDBOX = null, PRODUCTION = null } = (roles ?? {}) as Partial<Roles>
  if (SANDBOX === null && PRODUCTION === null) refuseInvalid((say) => say.operations.noRole())
  return { SANDBOX, PRODUCTION }
}
