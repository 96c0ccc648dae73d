import type { components } from '#generated/api'
import type { CredentialOptions } from './passkeys.ts'

/** Routes for people, in the shape of the generated types. Each leaves this file when the service's document lists it. */

export type EnvironmentName = 'SANDBOX' | 'PRODUCTION'
export type RoleName = 'OWNER' | 'ADMIN' | 'FINANCE' | 'DEVELOPER' | 'SUPPORT' | 'VIEWER'
export type MemberRoles = Record<EnvironmentName, RoleName | null>

export type Me = {
  id: string
  email: string
  name: string
  language: 'pt' | 'en'
  theme: 'SYSTEM' | 'LIGHT' | 'DARK'
  hasPassword: boolean
  factors: ('totp' | 'passkey')[]
  passkeys: { id: string; name: string; createdAt: string }[]
  recoveryCodesLeft: number
  factorFrozenUntil: string | null
}
export type PersonSession = {
  id: string
  person: Me
  csrfToken: string
  memberships: {
    companyId: string
    companyName: string
    roles: MemberRoles
    permissions: Record<EnvironmentName, string[]>
  }[]
  enrolmentRequired: boolean
  steppedUpUntil: string | null
  idleUntil: string
  endsAt: string
}
export type SessionRow = {
  id: string
  current: boolean
  ip: string
  userAgent: string
  createdAt: string
  endsAt: string
}
export type NextFactor = { next: 'SECOND_FACTOR' | 'ENROL'; methods: string[]; csrfToken: string }
export type Invitation = {
  email: string
  companyName: string
  inviter: string | null
  name: string
  roles: MemberRoles
  isKnown: boolean
}
export type TotpSecret = { secret: string; uri: string; qrCode: string }

export type Member = {
  id: string
  personId: string
  name: string
  email: string
  roles: MemberRoles
  factors: string[]
  lastSeenAt: string | null
  status: 'ACTIVE' | 'NOT_ENROLLED'
  pendingChange: {
    id: string
    memberId: string
    roles: MemberRoles
    requestedBy: string
    createdAt: string
  } | null
  createdAt: string
}
export type OpenInvitation = {
  id: string
  email: string
  name: string
  roles: MemberRoles
  invitedBy: string | null
  expiresAt: string
  link: string | null
}

type Scope =
  | 'charges.read'
  | 'charges.create'
  | 'transactions.read'
  | 'transactions.export'
  | 'refunds.create'
  | 'subscriptions.read'
  | 'subscriptions.manage'
  | 'marketplace.manage'
export type ApiKey = {
  id: string
  name: string
  clientId: string
  last4: string
  scopes: Scope[]
  ipAllowList: string[]
  status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED'
  createdBy: string | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  lastUsedIp: string | null
  lastRefusedAt: string | null
  lastRefusedIp: string | null
}
type EventType = components['schemas']['EventType']
export type Endpoint = {
  id: string
  url: string
  description: string | null
  events: EventType[]
  status: 'ENABLED' | 'DISABLED'
  formerSecretUntil: string | null
  createdAt: string
  updatedAt: string
  health: {
    successRateBps: number | null
    attempted: number
    p95LatencyMs: number | null
    open: number
    oldestOpenAt: string | null
  }
}
export type Delivery = {
  id: string
  eventId: string
  type: EventType
  objectId: string
  endpointId: string
  status: 'PENDING' | 'RETRYING' | 'SUCCEEDED' | 'EXHAUSTED' | 'CANCELLED'
  attemptCount: number
  lastStatusCode: number | null
  lastError: string | null
  lastAttemptAt: string | null
  nextAttemptAt: string | null
  resendOf: string | null
  createdAt: string
}
export type DeliveryDetail = Delivery & {
  attempts: {
    number: number
    url: string | null
    startedAt: string
    latencyMs: number
    statusCode: number | null
    error: string | null
    snippet: string
  }[]
  requestHeaders: Record<string, string>
  body: string
}

type AnyMethod = components['schemas']['PaymentMethod']
export type Overview = {
  volume: { date: string; method: AnyMethod; count: number; amount: string }[]
  approval: { date: string; attempts: number; approved: number }[]
  mrrAmount: string | null
  openChargebacks: number
  openMeds: number
  pendingApprovals: number
  failedDeliveries: number | null
}
export type CompanyProfile = {
  id: string
  legalName: string
  tradeName: string | null
  document: string
  companyType: 'MEI' | 'OTHER'
  address: {
    street: string
    number: string
    complement: string | null
    district: string
    city: string
    state: string
    zip: string
  } | null
  email: string | null
  phone: string | null
  website: string | null
  statementDescriptor: string | null
  timeZone: string
  bankAccount: { bankCode: string; branch: string; account: string; accountType: string } | null
  logo: string | null
  pendingTimeZone: { timeZone: string; effectiveAt: string } | null
  pendingBankAccount: {
    bankAccount: { bankCode: string; branch: string; account: string } | null
    effectiveAt: string
  } | null
}
type CompanyChange = Partial<Omit<CompanyProfile, 'address'>> & {
  address?: components['schemas']['AddressInput']
}
export type AuditEntry = {
  id: string
  at: string
  actor: { kind: 'PERSON' | 'KEY' | 'OPERATOR' | 'CLOCK'; id: string | null; name: string | null }
  ip: string | null
  userAgent: string | null
  action: string
  object: { type: string; id: string }
  changes: { field: string; before: unknown; after: unknown }[]
  result: 'DONE' | 'REFUSED'
  code: string | null
  requestId: string | null
  hash: string
}
export type SearchHit = {
  object:
    | 'transaction'
    | 'customer'
    | 'subscription'
    | 'invoice'
    | 'plan'
    | 'coupon'
    | 'api_key'
    | 'webhook_endpoint'
    | 'webhook_delivery'
  id: string
  title: string
  detail: string | null
  status: string | null
  amount: string | null
  createdAt: string
}

type Whatever = { query?: object; header?: object; path?: object; cookie?: never }
type Answers<Answer> = { 200: { headers: object; content: { 'application/json': Answer } } }
type Plain<Answer> = { parameters: Whatever; requestBody?: never; responses: Answers<Answer> }
type With<Body, Answer> = {
  parameters: Whatever
  requestBody: { content: { 'application/json': Body } }
  responses: Answers<Answer>
}
type Listed<Row> = { data: Row[]; pagination: components['schemas']['Pagination'] }
type FactorInput = { totp?: string; recoveryCode?: string; assertion?: unknown }
type P = { parameters: Whatever }

export type PeoplePaths = {
  '/v1/overview': P & { get: Plain<Overview> }
  '/v1/search': P & { get: Plain<{ data: SearchHit[] }> }
  '/v1/session': P & {
    get: Plain<PersonSession>
    post: With<{ email: string; password: string }, NextFactor>
    delete: Plain<unknown>
  }
  '/v1/session/second-factor': P & { post: With<FactorInput, PersonSession> }
  '/v1/session/passkey/options': P & { post: Plain<CredentialOptions> }
  '/v1/session/passkey': P & { post: With<{ assertion: unknown }, PersonSession> }
  '/v1/session/step-up': P & { post: With<FactorInput, PersonSession> }
  '/v1/session/challenge': P & {
    post: With<{ verb?: string; path?: string; body?: unknown }, CredentialOptions>
  }
  '/v1/me': P & {
    get: Plain<Me>
    patch: With<{ name?: string; language?: Me['language']; theme?: Me['theme']; email?: string }, Me>
  }
  '/v1/me/password': P & { post: With<{ current?: string; new: string }, unknown> }
  '/v1/me/totp': P & { post: Plain<TotpSecret> }
  '/v1/me/totp/confirm': P & { post: With<{ code: string }, { codes: string[] }> }
  '/v1/me/recovery-codes': P & { post: Plain<{ codes: string[] }> }
  '/v1/me/passkeys/options': P & { post: Plain<CredentialOptions> }
  '/v1/me/passkeys': P & {
    post: With<{ name: string; credential: unknown }, { person: Me; codes: string[] }>
  }
  '/v1/me/passkeys/{id}': P & { patch: With<{ name: string }, Me>; delete: Plain<Me> }
  '/v1/me/sessions': P & { get: Plain<{ data: SessionRow[] }> }
  '/v1/me/sessions/{id}': P & { delete: Plain<unknown> }
  '/v1/me/sessions/end-others': P & { post: Plain<unknown> }
  '/v1/email/confirm': P & { post: With<{ token: string }, unknown> }
  '/v1/password/forgot': P & { post: With<{ email: string }, unknown> }
  '/v1/password/reset': P & { post: With<{ token: string; password: string }, unknown> }
  '/v1/invitations/read': P & { post: With<{ token: string }, Invitation> }
  '/v1/invitations/accept': P & {
    post: With<{ token: string; name?: string; password: string; language?: string }, NextFactor>
  }
  '/v1/team': P & { get: Plain<{ members: Member[]; invitations: OpenInvitation[] }> }
  '/v1/team/invitations': P & {
    post: With<{ email: string; name?: string; roles: MemberRoles }, OpenInvitation>
  }
  '/v1/team/invitations/{id}': P & { delete: Plain<unknown> }
  '/v1/team/invitations/{id}/resend': P & { post: Plain<OpenInvitation> }
  '/v1/team/{id}': P & { patch: With<{ roles: MemberRoles }, Member>; delete: Plain<{ keys: string[] }> }
  '/v1/team/{id}/reset-second-factor': P & { post: Plain<unknown> }
  '/v1/team/{id}/end-sessions': P & { post: Plain<unknown> }
  '/v1/team/changes/{id}/approve': P & { post: Plain<Member> }
  '/v1/team/changes/{id}/reject': P & { post: Plain<Member> }
  '/v1/keys': P & {
    get: Plain<Listed<ApiKey>>
    post: With<
      { name: string; scopes?: Scope[]; expiresAt?: string | null; ipAllowList?: string[] },
      ApiKey & { secret: string }
    >
  }
  '/v1/keys/{id}': P & { patch: With<{ name?: string; scopes?: Scope[]; ipAllowList?: string[] }, ApiKey> }
  '/v1/keys/{id}/roll': P & { post: With<{ overlapSeconds?: number }, ApiKey & { secret: string }> }
  '/v1/keys/{id}/revoke': P & { post: Plain<ApiKey> }
  '/v1/webhooks/event-types': P & {
    get: Plain<{ data: { type: EventType; text: string; sample: object }[] }>
  }
  '/v1/webhooks/endpoints': P & {
    get: Plain<Listed<Endpoint>>
    post: With<
      { url: string; description?: string | null; events?: EventType[] },
      Endpoint & { secret: string }
    >
  }
  '/v1/webhooks/endpoints/{id}': P & {
    get: Plain<Endpoint>
    patch: With<
      { url?: string; description?: string | null; events?: EventType[]; status?: Endpoint['status'] },
      Endpoint
    >
    delete: Plain<Endpoint>
  }
  '/v1/webhooks/endpoints/{id}/roll-secret': P & {
    post: With<{ overlapSeconds?: number }, Endpoint & { secret: string }>
  }
  '/v1/webhooks/endpoints/{id}/test': P & { post: With<{ type?: EventType }, { deliveryId: string }> }
  '/v1/webhooks/endpoints/{id}/replay': P & {
    post: With<
      { from: string; to?: string; types?: EventType[]; after?: number },
      { count: number; after: number | null }
    >
  }
  '/v1/webhooks/deliveries': P & { get: Plain<Listed<Delivery>> }
  '/v1/webhooks/deliveries/{id}': P & { get: Plain<DeliveryDetail> }
  '/v1/webhooks/deliveries/{id}/resend': P & { post: Plain<Delivery> }
  '/v1/webhooks/deliveries/resend': P & { post: With<Record<string, unknown>, { count: number }> }
  '/v1/company': P & { get: Plain<CompanyProfile>; patch: With<CompanyChange, CompanyProfile> }
  '/v1/company/logo': P & { put: With<{ image: string }, CompanyProfile> }
  '/v1/audit': P & { get: Plain<Listed<AuditEntry>> }
  '/v1/audit/verify': P & { get: Plain<{ valid: boolean; entries: number; headHash: string }> }
}
