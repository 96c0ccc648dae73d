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
  /** The person's own key, sealed; all other data about the person is sealed with it. Null in older data. */
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
  /** Until then the person confirms no operation by a second factor, because other people reset it. */
  readonly factorFrozenUntilMs: number | null
  /** Counts changes of password and factors. Sessions and mailed links from an earlier generation are void. */
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
  /** Whether the key may be on several devices (WebAuthn BE). Absent from older passkeys until they sign again. */
  readonly isSynced?: boolean
  /** When the counter last went back, which is the sign of a copied key; absent if it never did. */
  readonly counterFellBackAtMs?: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAtMs: number
}

export type PersonChanges = Partial<
  Omit<Person, 'id' | 'credentialGeneration' | 'createdAtMs' | 'updatedAtMs'>
>

/** A person's work for a company. */
export type CompanyMembership = {
  readonly id: MembershipId
  readonly personId: PersonId
  readonly companyId: CompanyId
  readonly roles: Roles
  /** Present and earlier roles, the latest last. */
  readonly grants: readonly RoleGrant[]
  readonly createdAtMs: number
  readonly removedAtMs: number | null
}

export type Invitation = {
  readonly id: InvitationId
  /** Like a person's key: an invited person has none yet. */
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

/** Members of facts about roles since roles that hold money need two people; older facts lack them. */
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
  /** Sending an invitation again is like making it anew: its new sender becomes the inviter. */
  | ({
      readonly type: 'InvitationResent'
      readonly id: InvitationId
      readonly tokenHash: string
      readonly expiresAtMs: number
      /** Absent from older facts, which leave the inviter unchanged. */
      readonly invitedBy?: PersonId | null
      readonly atMs: number
    } & Confirmable)
  | { readonly type: 'InvitationRevoked'; readonly id: InvitationId; readonly atMs: number }
  /** `person` is null when the membership is of an existing person. */
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
  /** An approved change applies to its membership or confirms its invitation; a rejected one revokes that. */
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

/** Erases a person, joined or only invited: name, address, factors, memberships, and their keys. */
export type PersonErased = {
  readonly type: 'PersonErased'
  /** Null for an invited person who never joined. */
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
