import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BankContext } from './context.ts'
import type { Answered } from './interface.ts'
import { refuse } from './problems.ts'

/** A client of the bank: what it was given when it signed up. */
export type BankClient = {
  readonly clientId: string
  readonly clientSecret: string
  /** Banco do Brasil's application key. */
  readonly appKey: string
  readonly scopes: readonly string[]
}

/** Tokens by client credentials (RFC 6749, section 4.4), in the form that the bank wants. */
export type Tokens = {
  readonly give: (request: IncomingMessage, text: string) => Answered
  /** What a request's token allows; null if it has none that is good. */
  readonly scopesOf: (request: IncomingMessage) => readonly string[] | null
  readonly revokeAll: () => void
}

/** Opens the tokens of one client. */
export const openTokens = ({ clock, profile }: BankContext, client: BankClient): Tokens => {
  const tokens = new Map<string, { readonly untilMs: number; readonly scopes: readonly string[] }>()
  const basic = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`

  const isKnown = ({ headers }: IncomingMessage, form: Readonly<Record<string, string>>): boolean => {
    if (profile.clientAuth === 'BASIC') return headers.authorization === basic
    const secret = profile.clientAuth === 'ID_ONLY' ? undefined : client.clientSecret
    return form.client_id === client.clientId && form.client_secret === secret
  }

  return {
    give: (request, text) => {
      const form: Readonly<Record<string, string>> = /json/.test(request.headers['content-type'] ?? '')
        ? JSON.parse(text)
        : Object.fromEntries(new URLSearchParams(text))
      if (!isKnown(request, form)) return refuse(401, 'invalid_client', 'Credenciais inválidas')
      if (form.grant_type !== 'client_credentials')
        return refuse(400, 'unsupported_grant_type', 'Tipo de concessão não suportado')
      const scopes =
        form.scope === undefined ? client.scopes : form.scope.split(' ').filter((scope) => scope !== '')
      if (scopes.some((scope) => !client.scopes.includes(scope)))
        return refuse(400, 'invalid_scope', 'Escopo não concedido')
      const token = randomBytes(24).toString('base64url')
      const { tokenSeconds } = profile
      tokens.set(token, { untilMs: clock.nowMs() + tokenSeconds * 1000, scopes })
      const body = {
        access_token: token,
        token_type: 'Bearer',
        expires_in: tokenSeconds,
        scope: scopes.join(' '),
      }
      return { status: 200, body }
    },
    scopesOf: ({ headers }) => {
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
      const found = token === undefined ? undefined : tokens.get(token)
      return found === undefined || found.untilMs <= clock.nowMs() ? null : found.scopes
    },
    revokeAll: () => tokens.clear(),
  }
}

/** The first header that the bank wants and that is absent or wrong. */
export const wrongHeader = (
  { profile, receiver }: BankContext,
  client: BankClient,
  { headers }: IncomingMessage,
  query: URLSearchParams,
): string | null => {
  for (const { name, is, orQuery } of profile.headers) {
    const value = headers[name.toLowerCase()] ?? (orQuery ? query.get(name) : null) ?? undefined
    const isRight = {
      CLIENT_ID: value === client.clientId,
      APP_KEY: value === client.appKey,
      ACCOUNT: value === receiver.conta,
      UUID: /^[0-9a-f-]{36}$/i.test(String(value)),
      TEXT: value !== undefined && value !== '',
    }[is]
    if (!isRight) return name
  }
  return null
}
