import { randomUUID } from 'node:crypto'
import type {
  Deadline,
  ProviderHttp,
  ProviderHttpRequest,
  ProviderReply,
  TlsCredentials,
} from '../http/http.ts'
import type { ProviderConnection, ProviderIo } from '../port.ts'
import type { BankHeader, BankProfile, Resource } from './profile.ts'
import type { BankSettings } from './settings.ts'
import { type BankTokens, openBankTokens, type TokenUse } from './tokens.ts'

/** One connection to a bank: calls with certificate, token and headers. */
export type BankClient = {
  readonly profile: BankProfile
  readonly settings: BankSettings
  readonly io: ProviderIo
  readonly call: (call: BankCall, deadline: Deadline) => Promise<ProviderReply>
  readonly certificateEndsAtMs: ProviderHttp['certificateEndsAtMs']
  readonly close: () => void
}

export type BankCall = {
  readonly verb: ProviderHttpRequest['verb']
  /** Parts of the path below the version of a resource of API Pix, the first of which it is; or a whole path. */
  readonly path: readonly [Resource, ...string[]] | string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Another host of the bank than that of API Pix; a connection whose host an operator has named uses that one for all. */
  readonly host?: string
  /** What its token is for; API Pix unless it says otherwise. */
  readonly use?: TokenUse
}

/** Opens the calls of one connection. */
export const openBankClient = (
  profile: BankProfile,
  connection: Pick<ProviderConnection, 'settings'>,
  io: ProviderIo,
): BankClient => {
  const settings = connection.settings as BankSettings
  const host = profile.hosts[settings.host ?? 'PRODUCTION']
  const api = (settings.apiAddress ?? host.api).replace(/\/$/, '')
  // A host of the operator's own has the paths of the real one.
  const prefix = settings.apiAddress === undefined ? host.prefix : profile.hosts.PRODUCTION.prefix
  const http = io.openHttp(credentialsOf(settings))
  const address = settings.tokenAddress ?? host.token
  const tokensByUse = new Map<TokenUse, BankTokens>()
  const tokensFor = (use: TokenUse): BankTokens => {
    // Where scopes are not requested one token is for all.
    const shared = profile.token.scopesAreRequested ? use : 'PIX'
    const known = tokensByUse.get(shared)
    if (known !== undefined) return known
    const opened = openBankTokens({ use: shared, profile, settings, address, http, io })
    tokensByUse.set(shared, opened)
    return opened
  }

  const requestOf = ({ verb, path, query, body, headers, host: other }: BankCall): ProviderHttpRequest => {
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
    const isWhole = typeof path === 'string'
    const below = isWhole
      ? path
      : `${prefix}/${profile.versions[path[0]] ?? 'v2'}/${path.map(encodeURIComponent).join('/')}`
    return {
      verb,
      url: (settings.apiAddress === undefined && other !== undefined ? other : api) + below + search,
      headers: {
        accept: 'application/json, application/problem+json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(profile.headers.flatMap((header) => headerOf(header, settings))),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    }
  }

  const sendWith = (
    token: string,
    request: ProviderHttpRequest,
    deadline: Deadline,
  ): Promise<ProviderReply> =>
    http.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }, deadline)

  return {
    profile,
    settings,
    io,
    call: async (call, deadline) => {
      const tokens = tokensFor(call.use ?? 'PIX')
      const first = await tokens.current(deadline)
      if ('why' in first) return withoutToken(first.why, address)
      const request = requestOf(call)
      const reply = await sendWith(first.token, request, deadline)
      if (reply.type === 'NONE' || reply.status !== 401) return reply
      // The bank has read the token and nothing else: the same may go once more with another.
      tokens.drop(first.token)
      const renewed = await tokens.current(deadline)
      return 'why' in renewed
        ? withoutToken(renewed.why, address)
        : sendWith(renewed.token, request, deadline)
    },
    certificateEndsAtMs: http.certificateEndsAtMs,
    close: http.close,
  }
}

/** The host is named, because tokens often come from another one than what is asked with them. */
const withoutToken = (why: string, address: string): ProviderReply => ({
  type: 'NONE',
  why: `no token from ${hostOf(address)} (${why})`,
})

/** The host of an address, which an operator may have typed wrong. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

const headerOf = (
  { name, is }: BankHeader,
  { clientId, appKey, account }: BankSettings,
): readonly (readonly [string, string])[] => {
  const value = { CLIENT_ID: clientId, APP_KEY: appKey, ACCOUNT: account, UUID: randomUUID() }[is]
  return value === undefined ? [] : [[name, value]]
}

const credentialsOf = ({
  certificate,
  privateKey,
  pfx,
  passphrase,
  serverAuthority,
}: BankSettings): TlsCredentials => ({
  ...(certificate === undefined ? {} : { cert: certificate }),
  ...(privateKey === undefined ? {} : { key: privateKey }),
  ...(pfx === undefined ? {} : { pfx: Buffer.from(pfx, 'base64') }),
  ...(passphrase === undefined ? {} : { passphrase }),
  ...(serverAuthority === undefined ? {} : { ca: serverAuthority }),
})
