import Type from 'typebox'
import type { Deadline, ProviderHttp, ProviderHttpRequest } from '../http/http.ts'
import type { ProviderIo } from '../port.ts'
import { waits, within } from './deadline.ts'
import type { BankProfile, StatementProfile } from './profile.ts'
import type { BankSettings } from './settings.ts'
import { hasShape } from './shape.ts'

/** The token of a connection (OAuth 2 client credentials, RFC 6749, section 4.4): cached, and requested once at a time. */
export type BankTokens = {
  readonly current: (deadline: Deadline) => Promise<TokenOrWhy>
  /** The bank no longer takes this token. */
  readonly drop: (token: string) => void
}

/** A token, or why there is none: a code or a status, for people. */
export type TokenOrWhy = { readonly token: string } | { readonly why: string }

/**
 * What a token is for. A bank that gives scopes on request refuses a token altogether when one of them was not granted: an application that sends
 * no PIX must get one for charges.
 */
export type TokenUse = 'PIX' | 'PAY_OUT' | 'BALANCE' | 'STATEMENT'

export type TokenOptions = {
  readonly use: TokenUse
  readonly profile: BankProfile
  readonly settings: BankSettings
  readonly address: string
  readonly http: Pick<ProviderHttp, 'send'>
  readonly io: Pick<ProviderIo, 'realNow' | 'timeout'>
}

/** A token is renewed so long before its end, or halfway where it lasts shorter than that twice. */
const renewBeforeMs = 60_000

/** Opens the tokens of one connection. */
export const openBankTokens = (options: TokenOptions): BankTokens => {
  const { use, settings, profile, address, http, io } = options
  let held: { readonly token: string; readonly untilMs: number } | null = null
  let underWay: Promise<TokenOrWhy> | null = null

  const request = async (): Promise<TokenOrWhy> => {
    const reply = await within(io, waits.tokenMs, (deadline) =>
      http.send(requestFor(profile, settings, use, address), deadline),
    )
    if (reply.type === 'NONE') return { why: reply.why }
    if (reply.status < 200 || reply.status > 299) return { why: `status ${reply.status}` }
    if (!hasShape(TokenReply, reply.body)) return { why: 'no token in the answer' }
    const { access_token: token, expires_in: seconds = 60 } = reply.body
    const lifetimeMs = seconds * 1_000
    held = {
      token,
      untilMs: io.realNow() + Math.max(lifetimeMs - renewBeforeMs, lifetimeMs / 2),
    }
    return { token }
  }

  return {
    current: async (deadline) => {
      if (settings.host === 'TEST' && settings.fixedToken !== undefined) return { token: settings.fixedToken }
      if (held !== null && io.realNow() < held.untilMs) return { token: held.token }
      underWay ??= request().finally(() => {
        underWay = null
      })
      return inTime(underWay, deadline)
    },
    drop: (token) => {
      if (held?.token === token) held = null
    },
  }
}

/** The token goes on for others when one ask can wait no longer. */
const inTime = (requested: Promise<TokenOrWhy>, deadline: Deadline): Promise<TokenOrWhy> =>
  new Promise((resolve, reject) => {
    const forget = deadline.onPassed(() => resolve({ why: 'no answer in time' }))
    requested.then(resolve, reject).finally(forget)
  })

const TokenReply = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 20_000 }),
  expires_in: Type.Optional(Type.Number({ minimum: 1 })),
})

const requestFor = (
  { token, medFeed, statement }: BankProfile,
  { clientId, clientSecret = '', pixAutomatic }: BankSettings,
  use: TokenUse,
  url: string,
): ProviderHttpRequest => {
  const fields = {
    grant_type: 'client_credentials',
    ...(token.client === 'BASIC' ? {} : { client_id: clientId }),
    ...(token.client === 'BODY' ? { client_secret: clientSecret } : {}),
    ...(token.scopesAreRequested
      ? {
          scope: [
            ...(use === 'STATEMENT' ? scopesOfStatements[statement?.kind ?? 'INTER'] : scopes[use]),
            ...(use === 'PIX' && medFeed !== null ? scopesOfMeds : []),
            ...(use === 'PIX' && pixAutomatic === true ? scopesOfMandates : []),
          ].join(' '),
        }
      : {}),
  }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const isJson = token.form === 'JSON'
  return {
    verb: 'POST',
    url,
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(token.client === 'BASIC' ? { authorization: `Basic ${basic}` } : {}),
    },
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  }
}

const readAndWrite = (...resources: readonly string[]): readonly string[] =>
  resources.flatMap((resource) => [`${resource}.read`, `${resource}.write`])

/** Those of sending are Inter's. */
const scopes: Readonly<Record<Exclude<TokenUse, 'STATEMENT'>, readonly string[]>> = {
  PIX: readAndWrite('cob', 'cobv', 'pix', 'webhook'),
  PAY_OUT: readAndWrite('pagamento-pix'),
  BALANCE: ['extrato.read'],
}
const scopesOfStatements: Readonly<Record<StatementProfile['kind'], readonly string[]>> = {
  INTER: ['extrato.read'],
  BB: ['extrato-info'],
  SICOOB: ['cco_consulta'],
}
const scopesOfMeds = readAndWrite('gn.infractions')
/** R5. */
const scopesOfMandates = readAndWrite(
  'rec',
  'solicrec',
  'cobr',
  'payloadlocationrec',
  'webhookrec',
  'webhookcobr',
)
