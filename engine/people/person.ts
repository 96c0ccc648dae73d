import type { ChangeId, CompanyId, InvitationId, MembershipId, PasskeyId, PersonId } from '../shared/ids.ts'
import type { Roles } from './permission.ts'
import type { RoleGrant } from './standing.ts'

/** People who sign in to the dashboard, what they may do for which company, and who is invited. */
export type People = {
  readonly persons: ReadonlyMap<PersonId, Person>
  readonly memberships: ReadonlyMap<MembershipId, CompanyMembership>
  readonly invitations: ReadonlyMap<InvitationId, Invitation>
  /** Changes of roles that wait for the approval of another person. */
  readonly roleChanges: ReadonlyMap<ChangeId, RoleChange>
  readonly byEmail: ReadonlyMap<string, PersonId>
  /** The companies of each person, by their memberships; those that ended are left out. */
  readonly byPerson: ReadonlyMap<PersonId, readonly MembershipId[]>
}

export type Person = {
  readonly id: PersonId
  /** The key of the person, sealed: what is stored about the person is sealed with it. Null for one who was stored before there were any. */
  readonly sealedKey: string | null
  /** In small letters, and of one person only. */
  readonly email: string
  readonly name: string
  readonly language: 'pt' | 'en'
  readonly theme: Theme
  /** PHC text of argon2id; null for a person who has only passkeys. */
  readonly passwordHash: string | null
  /** The sealed secret of the authenticator app; null for none. */
  readonly sealedTotpSecret: string | null
  /** SHA-256 of the recovery codes that are unused, in base64url. */
  readonly recoveryCodeHashes: readonly string[]
  readonly passkeys: readonly Passkey[]
  /** Hashes of the browsers that the person has signed in from, the latest last. */
  readonly browsers: readonly string[]
  /** Since a factor was reset by others: until then no operation can be confirmed by a second factor. */
  readonly factorFrozenUntilMs: number | null
  /** How often password or factors were changed. What was given out at an earlier number (sessions, links by mail) is void. */
  readonly credentialGeneration: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type Theme = 'SYSTEM' | 'LIGHT' | 'DARK'

/** A WebAuthn credential. */
export type Passkey = {
  readonly id: PasskeyId
  /** As the authenticator names it, in base64url. */
  readonly credentialId: string
  /** COSE key, in base64url. */
  readonly publicKey: string
  /** Signatures so far by the authenticator's own count; 0 where it does not count. */
  readonly counter: number
  /** Whether the key may be on several devices (flag BE). Absent from a passkey that was stored before this was, until it signs again. */
  readonly isSynced?: boolean
  /** When its count last fell back, as that of a copied key does; absent for never. */
  readonly counterFellBackAtMs?: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAtMs: number
}

export type PersonChanges = Partial<
  Omit<Person, 'id' | 'credentialGeneration' | 'createdAtMs' | 'updatedAtMs'>
>

/** That a person works for a company. */
export type CompanyMembership = {
  readonly id: MembershipId
  readonly personId: PersonId
  readonly companyId: CompanyId
  readonly roles: Roles
  /** Those of now and before, the latest last. */
  readonly grants: readonly RoleGrant[]
  readonly createdAtMs: number
  readonly removedAtMs: number | null
}

export type Invitation = {
  readonly id: InvitationId
  /** As that of a person: who is invited is none yet. */
  readonly sealedKey: string | null
  readonly companyId: CompanyId
  readonly email: string
  readonly name: string
  readonly roles: Roles
  /** SHA-256 of the link's token, in base64url. */
  readonly tokenHash: string
  /** Null for an operator. */
  readonly invitedBy: PersonId | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly status: 'OPEN' | 'ACCEPTED' | 'REVOKED'
  /** The person who has accepted it; null for none. */
  readonly acceptedBy: PersonId | null
  /** Whether a second person has confirmed its roles. */
  readonly isConfirmed: boolean
}

/** Roles that hold money are given by two people, where there are two (dashboard, section 2.3). */
export type RoleChange = {
  readonly id: ChangeId
  readonly companyId: CompanyId
  /** Null until the invitation that it came with is accepted. */
  readonly membershipId: MembershipId | null
  /** Null for a change that came with no invitation. */
  readonly invitationId: InvitationId | null
  /** All roles that were asked for; the one in Production is what needs a second person. */
  readonly roles: Roles
  readonly requestedBy: PersonId
  readonly requestedAtMs: number
}

/** What facts about roles say since roles that hold money need two people on every road; older ones lack it. */
type Confirmable = {
  /** Whether the roles count as given by more than one person. */
  readonly isConfirmed?: boolean
  /** What a second person has to confirm; null for nothing. */
  readonly change?: RoleChange | null
}

export type PeopleFact =
  | {
      readonly type: 'PersonChanged'
      readonly id: PersonId
      readonly changes: PersonChanges
      /** Whether it changes password or factors, so that a new generation of them begins with it. */
      readonly beginsGeneration?: true
      readonly atMs: number
    }
  | ({
      readonly type: 'InvitationCreated'
      readonly invitation: Omit<Invitation, 'isConfirmed'>
      readonly atMs: number
    } & Confirmable)
  /** The invitation is as one that was made anew by the person who has sent it again. */
  | ({
      readonly type: 'InvitationResent'
      readonly id: InvitationId
      readonly tokenHash: string
      readonly expiresAtMs: number
      /** Older facts leave the one who invited. */
      readonly invitedBy?: PersonId | null
      readonly atMs: number
    } & Confirmable)
  | { readonly type: 'InvitationRevoked'; readonly id: InvitationId; readonly atMs: number }
  /** The person is new unless it is null; then the membership is of one who was there before. */
  | ({
      readonly type: 'InvitationAccepted'
      readonly id: InvitationId
      readonly person: Person | null
      readonly membership: Omit<CompanyMembership, 'grants'>
      readonly atMs: number
    } & Confirmable)
  | ({
      readonly type: 'MembershipChanged'
      readonly id: MembershipId
      readonly roles: Roles
      readonly atMs: number
    } & Pick<Confirmable, 'isConfirmed'>)
  | { readonly type: 'MembershipRemoved'; readonly id: MembershipId; readonly atMs: number }
  | { readonly type: 'RoleChangeRequested'; readonly change: RoleChange; readonly atMs: number }
  /** Approved, it changes the membership, or confirms the invitation. An invitation whose roles are rejected is revoked. */
  | {
      readonly type: 'RoleChangeDecided'
      readonly id: ChangeId
      readonly membershipId: MembershipId | null
      /** Older facts lack it, and name a membership. */
      readonly companyId?: CompanyId
      readonly isApproved: boolean
      readonly by: PersonId
      readonly atMs: number
    }
  | PersonErased

/** A person is forgotten, or one who was only invited: name, address, factors, memberships, and their keys. */
export type PersonErased = {
  readonly type: 'PersonErased'
  /** Null for one who has accepted no invitation. */
  readonly id: PersonId | null
  readonly invitationIds: readonly InvitationId[]
  /** Where the person worked, or was invited to. */
  readonly companyIds: readonly CompanyId[]
  readonly atMs: number
}

/** Whether the person has a second factor. */
export const isEnrolled = ({ sealedTotpSecret, passkeys }: Person): boolean =>
  sealedTotpSecret !== null || passkeys.length > 0

/** The person with an e-mail address, written in any case. */
export const personByEmail = ({ persons, byEmail }: People, email: string): Person | null =>
  persons.get(byEmail.get(email.toLowerCase())!) ?? null

/** The memberships of a person. */
export const membershipsOf = (
  { memberships, byPerson }: People,
  personId: PersonId,
): readonly CompanyMembership[] => (byPerson.get(personId) ?? []).map((id) => memberships.get(id)!)

/** The membership of a person in a company; null for none. */
export const membershipIn = (
  people: People,
  personId: PersonId,
  companyId: CompanyId,
): CompanyMembership | null =>
  membershipsOf(people, personId).find((membership) => membership.companyId === companyId) ?? null

/** The members of a company, in the order in which they joined. */
export const membersOf = (people: People, companyId: CompanyId): readonly CompanyMembership[] =>
  everMembersOf(people, companyId).filter(({ removedAtMs }) => removedAtMs === null)

/** The members of a company, with those who have left. */
export const everMembersOf = ({ memberships }: People, companyId: CompanyId): readonly CompanyMembership[] =>
  [...memberships.values()].filter((membership) => membership.companyId === companyId)
