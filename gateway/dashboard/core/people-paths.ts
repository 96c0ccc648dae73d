import type { CredentialOptions } from './passkeys.ts'

/** Routes for people, in the shape of the generated types. Each leaves this file when the service's document lists it. */

export type EnvironmentName = 'SANDBOX' | 'PRODUCTION'

export type PersonSession = {
  readonly id: string
  readonly person: { readonly id: string; readonly name: string; readonly email: string }
  readonly csrfToken: string
  readonly memberships: {
    readonly companyId: string
    readonly companyName: string
    readonly roles: Readonly<Record<EnvironmentName, string | null>>
    readonly permissions: Readonly<Record<EnvironmentName, string[]>>
  }[]
  readonly steppedUpUntil: string | null
  readonly idleUntil: string
  readonly endsAt: string
  readonly factors: string[]
}

export type NextFactor = { readonly next: 'SECOND_FACTOR' | 'ENROL'; readonly methods: string[] }
export type Invitation = {
  readonly email: string
  readonly companyName: string
  readonly inviter: string
  readonly roles: Readonly<Record<EnvironmentName, string | null>>
  readonly isKnown: boolean
}
export type TotpSecret = { readonly secret: string; readonly uri: string; readonly qrCode: string }

type Whatever = { query?: object; header?: object; path?: object; cookie?: never }
type Answers<Answer> = { 200: { headers: object; content: { 'application/json': Answer } } }
type Plain<Answer> = { parameters: Whatever; requestBody?: never; responses: Answers<Answer> }
type With<Body, Answer> = {
  parameters: Whatever
  requestBody: { content: { 'application/json': Body } }
  responses: Answers<Answer>
}
type FactorInput = { totp?: string; recoveryCode?: string; assertion?: unknown }
type AnyMethod = 'PIX' | 'BOLETO' | 'CREDIT_CARD' | 'DEBIT_CARD' | 'CRYPTO'
export type Overview = {
  volume: { date: string; method: AnyMethod; count: number; amount: string }[]
  approval: { date: string; attempts: number; approved: number }[]
  mrrAmount: string
  openChargebacks: number
  openMeds: number
  pendingApprovals: number
  failedDeliveries: number
}

export type PeoplePaths = {
  '/v1/overview': { parameters: Whatever; get: Plain<Overview> }
  '/v1/session': {
    parameters: Whatever
    get: Plain<PersonSession>
    post: With<{ email: string; password: string }, NextFactor>
    delete: Plain<unknown>
  }
  '/v1/session/second-factor': { parameters: Whatever; post: With<FactorInput, PersonSession> }
  '/v1/session/passkey/options': { parameters: Whatever; post: Plain<CredentialOptions> }
  '/v1/session/passkey': { parameters: Whatever; post: With<{ assertion: unknown }, PersonSession> }
  '/v1/session/step-up': { parameters: Whatever; post: With<FactorInput, PersonSession> }
  '/v1/session/challenge': {
    parameters: Whatever
    post: With<{ verb: string; path: string; body?: unknown }, CredentialOptions>
  }
  '/v1/me/totp': { parameters: Whatever; post: Plain<TotpSecret>; delete: Plain<unknown> }
  '/v1/me/totp/confirm': { parameters: Whatever; post: With<{ code: string }, { recoveryCodes: string[] }> }
  '/v1/me/passkeys/options': { parameters: Whatever; post: Plain<CredentialOptions> }
  '/v1/me/passkeys': { parameters: Whatever; post: With<{ name: string; registration: unknown }, unknown> }
  '/v1/invitations/read': { parameters: Whatever; post: With<{ token: string }, Invitation> }
  '/v1/invitations/accept': {
    parameters: Whatever
    post: With<{ token: string; name?: string; password?: string }, NextFactor>
  }
  '/v1/password/forgot': { parameters: Whatever; post: With<{ email: string }, unknown> }
  '/v1/password/reset': { parameters: Whatever; post: With<{ token: string; password: string }, unknown> }
}
