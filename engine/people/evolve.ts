import { unreachable } from '../shared/assert.ts'
import type { ChangeId, CompanyId, InvitationId, MembershipId, PersonId } from '../shared/ids.ts'
import { changeEntry, putEntry } from '../shared/register.ts'
import type { Roles } from './permission.ts'
import {
  type Invitation,
  membershipsOf,
  type People,
  type PeopleFact,
  type Person,
  type RoleChange,
} from './person.ts'
import type { Session, SessionFact, Sessions } from './session.ts'

/** Applies a fact about people. The registers are written in place, like those of the directory. */
export const evolvePeople = (people: People, fact: PeopleFact): void => {
  const { persons, memberships, invitations } = people
  const [byEmail, byPerson] = [
    people.byEmail as Map<string, PersonId>,
    people.byPerson as Map<PersonId, readonly MembershipId[]>,
  ]
  switch (fact.type) {
    case 'PersonChanged':
      byEmail.delete(persons.get(fact.id)!.email)
      changeEntry(persons, fact.id, { ...fact.changes, updatedAtMs: fact.atMs })
      byEmail.set(persons.get(fact.id)!.email, fact.id)
      if (fact.beginsGeneration === true) beginGeneration(persons, fact.id)
      return
    case 'InvitationCreated':
      putEntry(invitations, {
        ...invitationBefore,
        ...fact.invitation,
        isConfirmed: fact.isConfirmed ?? false,
      })
      wait(people, fact.change)
      return
    case 'InvitationResent': {
      const { tokenHash, expiresAtMs, invitedBy, isConfirmed = false } = fact
      changeEntry(invitations, fact.id, {
        tokenHash,
        expiresAtMs,
        isConfirmed,
        ...(invitedBy !== undefined && { invitedBy }),
      })
      forgetChanges(people, ({ invitationId }) => invitationId === fact.id)
      wait(people, fact.change)
      return
    }
    case 'InvitationRevoked':
      changeEntry(invitations, fact.id, { status: 'REVOKED' })
      forgetChanges(people, ({ invitationId }) => invitationId === fact.id)
      return
    case 'InvitationAccepted': {
      const { id, personId, companyId, roles, createdAtMs } = fact.membership
      changeEntry(invitations, fact.id, { status: 'ACCEPTED', acceptedBy: personId })
      if (fact.person !== null) {
        putEntry(persons, { ...personBefore, ...fact.person })
        byEmail.set(fact.person.email, fact.person.id)
      }
      const isConfirmed = fact.isConfirmed ?? false
      putEntry(memberships, { ...fact.membership, grants: [{ roles, atMs: createdAtMs, isConfirmed }] })
      byPerson.set(personId, [...(byPerson.get(personId) ?? []), id])
      for (const waiting of people.roleChanges.values())
        if (waiting.invitationId === fact.id) putEntry(people.roleChanges, { ...waiting, membershipId: id })
      wait(people, fact.change)
      endInvitations(people, companyId, invitations.get(fact.id)!.email)
      return
    }
    case 'MembershipChanged':
      giveRoles(people, fact.id, fact.roles, fact.atMs, fact.isConfirmed ?? false)
      return
    case 'MembershipRemoved': {
      const { personId, companyId } = memberships.get(fact.id)!
      changeEntry(memberships, fact.id, { removedAtMs: fact.atMs })
      byPerson.set(
        personId,
        byPerson.get(personId)!.filter((id) => id !== fact.id),
      )
      forgetChanges(people, ({ membershipId }) => membershipId === fact.id)
      endInvitations(people, companyId, persons.get(personId)!.email)
      return
    }
    case 'RoleChangeRequested':
      // The new request replaces one that has lapsed.
      forgetChanges(people, ({ membershipId }) => membershipId === fact.change.membershipId)
      wait(people, fact.change)
      return
    case 'RoleChangeDecided': {
      const waiting = people.roleChanges.get(fact.id)
      // Old journals also hold decisions about members who had left.
      if (waiting === undefined) return
      const { membershipId, invitationId, roles } = waiting
      if (membershipId !== null) {
        if (fact.isApproved) giveRoles(people, membershipId, roles, fact.atMs, true)
      } else if (fact.isApproved) changeEntry(invitations, invitationId!, { isConfirmed: true })
      else changeEntry(invitations, invitationId!, { status: 'REVOKED' })
      ;(people.roleChanges as Map<ChangeId, RoleChange>).delete(fact.id)
      return
    }
    case 'PersonErased':
      for (const id of fact.invitationIds) {
        ;(invitations as Map<InvitationId, Invitation>).delete(id)
        forgetChanges(
          people,
          ({ membershipId, invitationId }) => membershipId === null && invitationId === id,
        )
      }
      if (fact.id !== null) erase(people, fact.id, fact.atMs)
      return
    default:
      unreachable(fact)
  }
}

const beginGeneration = (persons: People['persons'], id: PersonId): void =>
  changeEntry(persons, id, { credentialGeneration: persons.get(id)!.credentialGeneration + 1 })

/** Memberships stay, as ended ones: other records name their ids. */
const erase = (people: People, id: PersonId, atMs: number): void => {
  for (const { id: membershipId } of membershipsOf(people, id)) {
    changeEntry(people.memberships, membershipId, { removedAtMs: atMs })
    forgetChanges(people, (roleChange) => roleChange.membershipId === membershipId)
  }
  ;(people.byPerson as Map<PersonId, readonly MembershipId[]>).delete(id)
  ;(people.byEmail as Map<string, PersonId>).delete(people.persons.get(id)!.email)
  ;(people.persons as Map<PersonId, Person>).delete(id)
}

const giveRoles = (
  { memberships }: People,
  id: MembershipId,
  roles: Roles,
  atMs: number,
  isConfirmed: boolean,
): void =>
  changeEntry(memberships, id, {
    roles,
    grants: [...memberships.get(id)!.grants, { roles, atMs, isConfirmed }],
  })

/** Older facts name no invitation. */
const wait = ({ roleChanges }: People, roleChange: RoleChange | null | undefined): void => {
  if (roleChange != null) putEntry(roleChanges, { ...changeBefore, ...roleChange })
}

const forgetChanges = ({ roleChanges }: People, isOver: (roleChange: RoleChange) => boolean): void => {
  for (const roleChange of roleChanges.values())
    if (isOver(roleChange)) (roleChanges as Map<ChangeId, RoleChange>).delete(roleChange.id)
}

/** Revokes a person's open invitations: members need no other link, and former members must not return by one. */
const endInvitations = (people: People, companyId: CompanyId, email: string): void => {
  // Erased people have no address, and their invitations are gone.
  if (email === '') return
  for (const invitation of people.invitations.values())
    if (invitation.companyId === companyId && invitation.email === email && invitation.status === 'OPEN') {
      changeEntry(people.invitations, invitation.id, { status: 'REVOKED' })
      forgetChanges(
        people,
        ({ invitationId, membershipId }) => membershipId === null && invitationId === invitation.id,
      )
    }
}

/** Defaults for what was stored before people had keys and credentials had generations. */
const personBefore = { sealedKey: null, credentialGeneration: 0 } as const
const invitationBefore = { sealedKey: null, acceptedBy: null } as const
const changeBefore = { invitationId: null } as const

/** No people. */
export const newPeople = (): People => ({
  persons: new Map(),
  memberships: new Map(),
  invitations: new Map(),
  roleChanges: new Map(),
  byEmail: new Map(),
  byPerson: new Map(),
})

/** Applies a fact about signing in, in place. */
export const evolveSessions = (sessions: Sessions, fact: SessionFact): Sessions => {
  const { byId, bySecret, spentSteps, challenges, links, attempts, mails, acts } = sessions as Writable
  const keep = (session: Session): void => {
    const before = byId.get(session.id)
    if (before !== undefined) bySecret.delete(before.secretHash)
    byId.set(session.id, session)
    bySecret.set(session.secretHash, session)
  }
  switch (fact.type) {
    case 'SessionOpened':
      keep({ ...sessionBefore, ...fact.session })
      break
    case 'SessionChanged': {
      const session = byId.get(fact.id)
      if (session !== undefined) keep({ ...session, ...fact.changes })
      break
    }
    case 'SessionsEnded':
      for (const id of fact.ids) {
        const session = byId.get(id)
        if (session !== undefined) bySecret.delete(session.secretHash)
        byId.delete(id)
      }
      break
    case 'SessionsPruned':
      prune(sessions as Writable, fact.atMs)
      break
    case 'CodeSpent':
      spentSteps.set(fact.personId, Math.max(fact.step, spentSteps.get(fact.personId) ?? 0))
      break
    case 'ChallengeIssued':
      challenges.set(fact.challenge, fact)
      break
    case 'ChallengeSpent':
      challenges.delete(fact.challenge)
      break
    case 'LinkIssued':
      links.set(fact.link.tokenHash, { ...linkBefore, ...fact.link })
      break
    case 'LinkUsed':
      links.delete(fact.tokenHash)
      break
    case 'MailQueued':
      mails.set(fact.id, fact)
      break
    case 'MailDone':
      mails.delete(fact.id)
      break
    case 'ActQueued':
      acts.set(fact.act.sequence, fact.act)
      ;(sessions as Writable).lastAct = fact.act.sequence
      break
    case 'ActsRecorded':
      for (const sequence of acts.keys()) if (sequence <= fact.upTo) acts.delete(sequence)
      ;(sessions as Writable).lastAct = Math.max(sessions.lastAct, fact.upTo)
      break
    case 'AttemptsChanged':
      if (fact.attempts === null) attempts.delete(fact.subject)
      else attempts.set(fact.subject, fact.attempts)
      break
    default:
      unreachable(fact)
  }
  return sessions
}

/** Defaults for what was stored before credentials had generations. */
const sessionBefore = { credentialGeneration: 0, pendingTotpStep: 0 } as const
const linkBefore = { credentialGeneration: 0 } as const

/** No sessions. */
export const newSessions = (): Sessions => ({
  byId: new Map(),
  bySecret: new Map(),
  spentSteps: new Map(),
  challenges: new Map(),
  links: new Map(),
  attempts: new Map(),
  mails: new Map(),
  acts: new Map(),
  lastAct: 0,
})

/** The facts that rebuild this register. */
export const factsOf = (sessions: Sessions): readonly SessionFact[] => [
  ...[...sessions.byId.values()].map((session): SessionFact => ({ type: 'SessionOpened', session })),
  ...[...sessions.spentSteps].map(([personId, step]): SessionFact => ({ type: 'CodeSpent', personId, step })),
  ...[...sessions.challenges].map(
    ([challenge, of]): SessionFact => ({ ...of, type: 'ChallengeIssued', challenge }),
  ),
  ...[...sessions.links.values()].map((link): SessionFact => ({ type: 'LinkIssued', link })),
  ...[...sessions.attempts].map(
    ([subject, attempts]): SessionFact => ({
      type: 'AttemptsChanged',
      subject,
      attempts,
      atMs: attempts.recentMs.at(-1) ?? 0,
    }),
  ),
  ...[...sessions.mails].map(
    ([id, { sealedMail, atMs }]): SessionFact => ({ type: 'MailQueued', id, sealedMail, atMs }),
  ),
  ...(sessions.lastAct === 0 || sessions.acts.size > 0
    ? []
    : [{ type: 'ActsRecorded', upTo: sessions.lastAct } as const]),
  ...[...sessions.acts.values()].map((act): SessionFact => ({ type: 'ActQueued', act })),
]

/** Removes what has expired. Spent codes stay: there is one number per person, and no code may count twice. */
const prune = ({ byId, bySecret, challenges, links, attempts }: Writable, nowMs: number): void => {
  for (const [id, { endsAtMs, secretHash }] of byId)
    if (endsAtMs <= nowMs) {
      byId.delete(id)
      bySecret.delete(secretHash)
    }
  for (const [challenge, { expiresAtMs }] of challenges)
    if (expiresAtMs <= nowMs) challenges.delete(challenge)
  for (const [hash, { expiresAtMs }] of links) if (expiresAtMs <= nowMs) links.delete(hash)
  for (const [subject, { recentMs }] of attempts)
    if ((recentMs.at(-1) ?? 0) <= nowMs - attemptsKeptMs) attempts.delete(subject)
}

const attemptsKeptMs = 24 * 3_600_000

type Writable = {
  -readonly [Name in keyof Sessions]: Sessions[Name] extends ReadonlyMap<infer Key, infer Value>
    ? Map<Key, Value>
    : Sessions[Name]
}
