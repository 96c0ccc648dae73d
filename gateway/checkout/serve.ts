// The pages where payers pay, on a host of their own: no route of the API is on it, and it sets no cookie.
import { isActive } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { type AccountId, companyIdOf, type Entropy, environmentOf } from '../../engine/shared/ids.ts'
import type { OpenPage } from '../api/open-pages.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { assetAt, assetPath } from './assets.ts'
import { pageResponse } from './headers.ts'
import { answerLink } from './link-pages.ts'
import { openLiveStatus } from './live-status.ts'
import { openFormNonces } from './nonces.ts'
import { languageFor } from './page-language.ts'
import { isPageToken, type PageTokens } from './page-tokens.ts'
import { strangerPage } from './pages/closed.ts'
import { answerSession } from './session-pages.ts'
import { tokenizerFrame } from './tokenizer-frame.ts'
import { openTriers } from './trier.ts'

export type CheckoutOptions = {
  readonly masterKey: Uint8Array
  readonly directory: Directory
  readonly router: Pick<Handler, 'execute' | 'query'>
  readonly tokens: PageTokens
  readonly cardTokens: Pick<CardTokens, 'seal'>
  readonly entropy: Entropy
  readonly realNow: () => number
  readonly later: (ms: number, callback: () => void) => () => void
  /** The origin of the pages; empty where there are none. */
  readonly origin: () => string
  /** The origin of the frame where cards are typed; empty where there is none. */
  readonly tokenizerOrigin: () => string
  readonly onViolation: (report: string) => void
}

/** The pages of one worker, with what all of them use. */
export type Checkout = CheckoutOptions & {
  readonly nonces: ReturnType<typeof openFormNonces>
  readonly live: ReturnType<typeof openLiveStatus>
  readonly trierOf: ReturnType<typeof openTriers>
}

/** One request for a page, of a company that is known. */
export type Visit = {
  readonly request: HttpRequest
  readonly token: string
  readonly accountId: AccountId
  /** What is asked of the page: empty for itself, or as `pay` and `boleto.pdf`. */
  readonly action: string
}

/** Serves the hosts of the pages; null for every other host. */
export const openCheckout = (options: CheckoutOptions): ((request: HttpRequest) => OpenPage) => {
  const { masterKey, entropy, later } = options
  const checkout: Checkout = {
    ...options,
    nonces: openFormNonces(masterKey, entropy),
    live: openLiveStatus({ later }),
    trierOf: openTriers(masterKey),
  }
  return (request) => {
    const host = request.headers.host?.toLowerCase()
    if (host === undefined) return null
    if (host === hostOf(checkout.tokenizerOrigin()))
      return tokenizerFrame(checkout, request) ?? unknown(request)
    return host === hostOf(checkout.origin()) ? answer(checkout, request) : null
  }
}

const hostOf = (origin: string): string | null => {
  const at = origin.indexOf('://')
  return at === -1 ? null : origin.slice(at + 3)
}

const answer = (checkout: Checkout, request: HttpRequest): HttpResponse | Promise<HttpResponse> => {
  const { verb, path, body } = request
  if (verb === 'POST' && path === '/csp-report') {
    checkout.onViolation(body.toString('utf8', 0, 2000))
    return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
  }
  if (verb === 'GET' || verb === 'HEAD') {
    const asset =
      path === '/embed.v1.js' ? assetAt({ ...request, path: assetPath('embed.js') }) : assetAt(request)
    if (asset !== null) return asset
  }
  const [, kind = '', token = '', action = ''] = /^\/([cl])\/([0-9A-Za-z]+)(?:\/([a-z.]+))?$/.exec(path) ?? []
  if (!isPageToken(token) || (kind === 'c') !== token.length > 40) return unknown(request)
  const accountId = checkout.tokens.accountOf(token, checkout.directory.companies)
  if (accountId === null) return unknown(request)
  const visit: Visit = { request, token, accountId, action }
  const answered = kind === 'c' ? answerSession(checkout, visit) : answerLink(checkout, visit)
  return answered.then(
    (response) => response ?? unknown(request),
    () => stranger(503, request, 'unavailable', path),
  )
}

/** The same bytes for every address that is none, whatever the reason. */
const unknown = (request: HttpRequest): HttpResponse => stranger(404, request, 'unknown', null)

/** A page that names no company. */
export const stranger = (
  status: number,
  request: HttpRequest,
  kind: Parameters<typeof strangerPage>[1],
  path: string | null,
): HttpResponse => pageResponse(status, strangerPage(languageFor(request, 'auto').language, kind, path))

/** The company of a visit, and whether it takes payments at its pages. */
export const companyOf = ({ directory }: Checkout, accountId: AccountId) => {
  const company = directory.companies.get(companyIdOf(accountId)) ?? null
  const environment = environmentOf(accountId)
  const isOpen =
    company !== null && company.suspendedAtMs === null && isActive(company, environment, 'CHECKOUT')
  return { company, environment, isOpen }
}

/** Whether a form was sent by a page of ours: browsers say where it came from (Fetch Metadata), and older ones at least its origin. */
export const isOwnForm = ({ origin }: Checkout, { headers }: HttpRequest): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  return headers.origin === origin() || (headers.origin === undefined && site === 'same-origin')
}
