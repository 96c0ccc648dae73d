import type { Key } from '../../engine/companies/api-key.ts'
import type { Company, CompanyChanges } from '../../engine/companies/company.ts'
import type { CompanyConnection, CompanyConnections } from '../../engine/companies/connection.ts'
import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import type { Endpoint } from '../../engine/companies/endpoint.ts'
import {
  type ConnectionChange,
  evolveConnections,
  newConnections,
} from '../../engine/companies/evolve-connections.ts'
import { membershipsOf, type RoleChange } from '../../engine/people/person.ts'
import {
  type AuditAsker,
  type AuditChange,
  type AuditDraft,
  type AuditedFields,
  auditChanges,
  auditText,
} from '../../engine/shared/audit.ts'
import { type CardLimits, cardLimitNames } from '../../engine/shared/card-limits.ts'
import { maskedDocument } from '../../engine/shared/documents.ts'
import { type AccountId, accountIdOf, type CompanyId, type PersonId } from '../../engine/shared/ids.ts'
import { auditedAgent } from '../api/audit-asker.ts'
import type { Asker } from '../identity/asked.ts'
import { hasFallenBackBy } from '../identity/passkeys.ts'
import type { DataSubject, PersonalTexts } from '../identity/personal-texts.ts'
import { instantOrNull } from '../resources/fields.ts'

/** The directory, and the function that seals the personal texts of records. */
export type Audited = { readonly directory: Directory; readonly personal: Pick<PersonalTexts, 'seal'> }

/**
 * A fact of the directory with the record of its author. The directory is as it was before the fact. Facts that
 * the service appends by itself have no record.
 */
export const withAudit = (
  { directory, personal }: Audited,
  fact: DirectoryFact,
  by: Asker | undefined,
  nowMs: number,
): DirectoryFact => {
  // The key of a new person comes with this very fact.
  const seal: PersonalTexts['seal'] = (owner, text) => personal.seal(owner, text, newKeyIn(fact, owner))
  const act = by === undefined ? null : actOf({ directory, personal: { seal } }, fact)
  if (by === undefined || act === null) return fact
  const audit: AuditDraft = {
    ...askerOf({ directory, personal: { seal } }, by, strangerIn(fact)),
    atMs: nowMs,
    object: { type: act.type, id: act.id },
    changes: act.changes,
    result: 'DONE',
    code: null,
  }
  return { ...fact, audit }
}

/** The author in the audit log. A caller's address is sealed for the person, or for the `stranger` if known. */
export const askerOf = (
  { directory, personal }: Audited,
  by: Asker,
  stranger: PersonId | null = null,
): AuditAsker => {
  const what = {
    sessionId: by.sessionId,
    keyId: null,
    action: by.operation,
    requestId: by.requestId,
  }
  if (by.kind === 'OPERATOR' || by.kind === 'CLOCK')
    return { actor: { kind: by.kind, id: null, name: null }, ip: null, userAgent: null, ...what }
  const person = by.personId === null ? undefined : directory.people.persons.get(by.personId)
  const owner = by.personId ?? stranger
  const sealed = (text: string | null): string | null =>
    owner === null || text === null ? text : personal.seal(owner, text)
  return {
    actor: { kind: 'PERSON', id: by.personId, name: sealed(person?.name ?? null) },
    ip: sealed(by.ip),
    userAgent: sealed(auditedAgent(by.userAgent)),
    ...what,
  }
}

/** Strangers accept invitations, sign in with a passkey, and set a new password by a link. */
const strangerIn = (fact: DirectoryFact): PersonId | null => {
  if (fact.type === 'PersonChanged') return fact.id
  return fact.type === 'InvitationAccepted' ? fact.membership.personId : null
}

const newKeyIn = (fact: DirectoryFact, owner: DataSubject): string | null | undefined => {
  if (fact.type === 'InvitationCreated' && fact.invitation.id === owner) return fact.invitation.sealedKey
  if (fact.type === 'InvitationAccepted' && fact.person?.id === owner) return fact.person.sealedKey
  return undefined
}

type Act = { readonly type: string; readonly id: string; readonly changes: readonly AuditChange[] }

/** What a fact does to which object; null for those that are about the service alone. */
const actOf = ({ directory, personal }: Audited, fact: DirectoryFact): Act | null => {
  switch (fact.type) {
    case 'CompanyCreated':
      return act('company', fact.company.id, created(companyFields(fact.company)))
    case 'CompanyChanged': {
      const company = directory.companies.get(fact.id)!
      return act('company', fact.id, between(companyFields(company, fact.changes), fact.changes, company))
    }
    case 'CompanySuspended':
      return act('company', fact.id, [change('status', 'ACTIVE', 'SUSPENDED')])
    case 'CompanyResumed':
      return act('company', fact.id, [change('status', 'SUSPENDED', 'ACTIVE')])
    case 'PayerKeyDestroyed': {
      const { companyId, year } = directory.payerKeys.get(fact.number)!
      return act('company', companyId, [change('payersOfYear', String(year), null)])
    }
    case 'KeyCreated':
      return act('api_key', fact.key.id, created(keyFields(fact.key)))
    case 'KeyRolled':
      return act('api_key', fact.id, [
        change('rolledTo', null, fact.key.id),
        change(
          'expiresAt',
          instantOrNull(directory.keys.get(fact.id)!.expiresAtMs),
          instantOrNull(fact.expiresAtMs),
        ),
      ])
    case 'KeyChanged':
      return act('api_key', fact.id, altered(directory.keys.get(fact.id)!, fact.changes, keyFields))
    case 'KeyRevoked':
      return act('api_key', fact.id, [change('status', 'ACTIVE', 'REVOKED')])
    case 'EndpointCreated':
      return act('webhook_endpoint', fact.endpoint.id, created(endpointFields(fact.endpoint)))
    case 'EndpointChanged':
      return act('webhook_endpoint', fact.id, [
        ...altered(directory.endpoints.get(fact.id)!, fact.changes, endpointFields),
        ...('sealedSecret' in fact.changes ? [change('secret', null, null)] : []),
        ...('headers' in fact.changes ? [change('headers', null, null)] : []),
      ])
    case 'EndpointDisabled':
      return act('webhook_endpoint', fact.id, [change('status', 'ENABLED', 'DISABLED')])
    case 'EndpointEnabled':
      return act('webhook_endpoint', fact.id, [change('status', 'DISABLED', 'ENABLED')])
    case 'EndpointDeleted':
      return act('webhook_endpoint', fact.id, [change('status', null, 'DELETED')])
    case 'PersonChanged':
      // Only the names of fields are recorded, because some values are secrets.
      return act(
        'person',
        fact.id,
        Object.keys(fact.changes).map((field) =>
          change(isCounterNews(fact) ? 'passkeyCounter' : nameless(field), null, null),
        ),
      )
    case 'InvitationCreated': {
      const { id, roles, email } = fact.invitation
      const fields = created({ roles, email: personal.seal(id, email) })
      return act('invitation', id, [...fields, ...requestedRoles(fact.change)])
    }
    case 'InvitationResent':
      return act('invitation', fact.id, requestedRoles(fact.change))
    case 'InvitationRevoked':
      return act('invitation', fact.id, [change('status', 'OPEN', 'REVOKED')])
    case 'InvitationAccepted':
      return act('membership', fact.membership.id, [
        ...created({ roles: fact.membership.roles }),
        ...requestedRoles(fact.change),
      ])
    case 'MembershipChanged': {
      const { roles } = directory.people.memberships.get(fact.id)!
      return act('membership', fact.id, [change('roles', auditText(roles), auditText(fact.roles))])
    }
    case 'MembershipRemoved':
      return act('membership', fact.id, [change('status', 'ACTIVE', 'REMOVED')])
    case 'RoleChangeRequested':
      return act('membership', fact.change.membershipId!, requestedRoles(fact.change))
    case 'RoleChangeDecided': {
      const { people } = directory
      const { membershipId, invitationId, roles } = people.roleChanges.get(fact.id)!
      if (membershipId === null) {
        const [before, after] = ['REQUESTED', fact.isApproved ? 'CONFIRMED' : 'REJECTED']
        return act('invitation', invitationId!, [change('requestedRoles', before!, after!)])
      }
      const { roles: before } = people.memberships.get(membershipId)!
      const after = fact.isApproved ? roles : before
      return act('membership', membershipId, [change('roles', auditText(before), auditText(after))])
    }
    case 'ConnectionCreated':
    case 'ConnectionRecovered':
      return act('connection', fact.connection.id, created(connectionFields(fact.connection)))
    case 'ConnectionVerified':
    case 'ConnectionActivated':
    case 'ConnectionSuspended':
    case 'ConnectionResumed':
    case 'ConnectionRotated':
    case 'ConnectionRestored':
    case 'ConnectionRetired':
    case 'ConnectionOutdated':
      return act('connection', fact.id, connectionChanges(directory.connections.byId.get(fact.id)!, fact))
    case 'ConnectionActivationRequested':
      return act('connection', fact.id, [change('requestedStatus', null, 'ACTIVE')])
    case 'PersonErased':
      return fact.id === null
        ? act('invitation', fact.invitationIds[0]!, [change('status', null, 'ERASED')])
        : act('person', fact.id, [change('status', 'ACTIVE', 'ERASED')])
    case 'AccountsOpened':
    case 'AuditsTold':
    case 'ClusterFormed':
    case 'ConnectionApplied':
    case 'ConnectionAddressNoted':
    case 'CopiesPlaced':
    case 'PayerKeyMade':
    case 'ShardBalanced':
    case 'ShardPinned':
    case 'VersionRaised':
      return null
  }
}

const act = (type: string, id: string, changes: readonly AuditChange[]): Act => ({ type, id, changes })

const change = (field: string, before: string | null, after: string | null): AuditChange => ({
  field,
  before,
  after,
})

/** The roles that a second person has to confirm, as a recorded change. */
const requestedRoles = (waiting: RoleChange | null | undefined): readonly AuditChange[] =>
  waiting == null ? [] : [change('requestedRoles', null, auditText(waiting.roles))]

/** The recorded fields of an object, under their names in the API. */
const keyFields = ({ name, scopes, ipAllowList, expiresAtMs }: Key): AuditedFields => ({
  name,
  scopes,
  ipAllowList,
  expiresAt: instantOrNull(expiresAtMs),
})

/** No setting is recorded: where one is no secret, it may still be someone's. */
const connectionFields = (connection: CompanyConnection): AuditedFields => ({
  provider: connection.provider,
  rails: connection.rails,
  role: connection.role,
  status: connection.state,
  suspension: connection.suspension,
  certificateUntil: instantOrNull(connection.credentials.certificate?.endsAtMs ?? null),
})

/** Credentials are recorded as changed, and no more of them. */
const connectionChanges = (connection: CompanyConnection, fact: ConnectionChange): readonly AuditChange[] => {
  const connections: CompanyConnections = {
    ...newConnections(),
    byId: new Map([[connection.id, connection]]),
  }
  evolveConnections(connections, fact)
  const changes = auditChanges(
    connectionFields(connection),
    connectionFields(connections.byId.get(connection.id)!),
  )
  const isRotation = fact.type === 'ConnectionRotated' || fact.type === 'ConnectionRestored'
  return isRotation ? [change('credentials', null, null), ...changes] : changes
}

const endpointFields = (endpoint: Endpoint): AuditedFields => ({
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.eventTypes,
  extraEvents: endpoint.extraEvents,
  signature: endpoint.signature,
  headerNames: endpoint.headers.map(({ name }) => name),
})

/** A pending change counts as done: the asker has decided it. */
const companyFields = (company: Company, changes: CompanyChanges = {}): AuditedFields => {
  const { cardLimits, ...checkout } = company.checkout
  const { pendingTimeZone: zone, pendingBankAccount: account } = changes
  return {
    legalName: company.name,
    tradeName: company.tradeName,
    document: maskedDocument(company.document),
    companyType: company.companyType,
    email: company.email,
    phone: company.phone,
    website: company.website,
    statementDescriptor: company.statementDescriptor,
    city: company.city,
    address: company.address,
    timeZone: zone === undefined || zone === null ? company.timeZone : zone.value,
    bankAccount: account === undefined || account === null ? company.bankAccount : account.value,
    logo: company.logo && `${company.logo.mediaType} ${company.logo.width} × ${company.logo.height}`,
    ...checkout,
    ...cardLimitFields(cardLimits),
    products: company.products,
    fees: company.fees,
    forgetPayersAfterYears: company.forgetPayersAfterYears,
  }
}

/** Each limit by itself, so that the log says which was changed. */
const cardLimitFields = (limits: CardLimits): AuditedFields =>
  Object.fromEntries(cardLimitNames.map((name) => [`cardLimits.${name}`, limits[name]]))

const between = (after: AuditedFields, changes: CompanyChanges, company: Company): readonly AuditChange[] =>
  auditChanges(companyFields(company), {
    ...companyFields({ ...company, ...changes }),
    ...pendingOnly(after, changes),
  })

const pendingOnly = (after: AuditedFields, changes: CompanyChanges): AuditedFields => ({
  ...('pendingTimeZone' in changes && { timeZone: after.timeZone }),
  ...('pendingBankAccount' in changes && { bankAccount: after.bankAccount }),
})

const altered = <Entry extends object>(
  entry: Entry,
  changes: Partial<Entry>,
  fields: (entry: Entry) => AuditedFields,
): readonly AuditChange[] => auditChanges(fields(entry), fields({ ...entry, ...changes }))

const created = (fields: AuditedFields): readonly AuditChange[] =>
  auditChanges(Object.fromEntries(Object.keys(fields).map((name) => [name, null])), fields)

/** Whether the fact records that the count of a passkey fell back. */
const isCounterNews = (fact: Extract<DirectoryFact, { type: 'PersonChanged' }>): boolean =>
  fact.changes.passkeys?.some((passkey) => hasFallenBackBy(passkey, fact)) ?? false

/** `passwordHash` is the password, and `sealedTotpSecret` the authenticator app. */
const nameless = (field: string): string =>
  ({ passwordHash: 'password', sealedTotpSecret: 'totp', recoveryCodeHashes: 'recoveryCodes' })[field] ??
  field

/** The accounts whose audit log has a fact. What concerns a company as a whole is in that of Production. */
export const accountsOfFact = (directory: Directory, fact: DirectoryFact): readonly AccountId[] => {
  switch (fact.type) {
    case 'CompanyCreated':
      return ofCompanies(fact.company.id)
    case 'CompanyChanged':
    case 'CompanySuspended':
    case 'CompanyResumed':
      return ofCompanies(fact.id)
    case 'PayerKeyDestroyed':
      return ofCompanies(directory.payerKeys.get(fact.number)!.companyId)
    case 'KeyCreated':
      return ofEntry(fact.key)
    case 'KeyRolled':
    case 'KeyChanged':
    case 'KeyRevoked':
      return ofEntry(directory.keys.get(fact.id)!)
    case 'EndpointCreated':
      return ofEntry(fact.endpoint)
    case 'EndpointChanged':
    case 'EndpointDisabled':
    case 'EndpointEnabled':
    case 'EndpointDeleted':
      return ofEntry(directory.endpoints.get(fact.id)!)
    case 'PersonChanged':
      return ofCompanies(...membershipsOf(directory.people, fact.id).map(({ companyId }) => companyId))
    case 'InvitationCreated':
      return ofCompanies(fact.invitation.companyId)
    case 'InvitationResent':
    case 'InvitationRevoked':
      return ofCompanies(directory.people.invitations.get(fact.id)!.companyId)
    case 'InvitationAccepted':
      return ofCompanies(fact.membership.companyId)
    case 'MembershipChanged':
    case 'MembershipRemoved':
      return ofCompanies(directory.people.memberships.get(fact.id)!.companyId)
    case 'RoleChangeRequested':
      return ofCompanies(fact.change.companyId)
    case 'RoleChangeDecided':
      return ofCompanies(fact.companyId ?? directory.people.memberships.get(fact.membershipId!)!.companyId)
    case 'PersonErased':
      return ofCompanies(...fact.companyIds)
    case 'ConnectionCreated':
    case 'ConnectionRecovered':
      return ofEntry(fact.connection)
    case 'ConnectionVerified':
    case 'ConnectionActivationRequested':
    case 'ConnectionActivated':
    case 'ConnectionSuspended':
    case 'ConnectionResumed':
    case 'ConnectionRotated':
    case 'ConnectionRestored':
    case 'ConnectionRetired':
    case 'ConnectionOutdated':
      return ofEntry(directory.connections.byId.get(fact.id)!)
    case 'AccountsOpened':
    case 'AuditsTold':
    case 'ConnectionApplied':
    case 'ConnectionAddressNoted':
    case 'ClusterFormed':
    case 'CopiesPlaced':
    case 'PayerKeyMade':
    case 'ShardBalanced':
    case 'ShardPinned':
    case 'VersionRaised':
      return []
  }
}

const ofCompanies = (...ids: readonly CompanyId[]): readonly AccountId[] =>
  [...new Set(ids)].map((id) => accountIdOf(id, 'PRODUCTION'))

const ofEntry = ({
  companyId,
  environment,
}: Pick<Key, 'companyId' | 'environment'>): readonly AccountId[] => [accountIdOf(companyId, environment)]
