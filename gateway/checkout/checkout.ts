import { isActive } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { type AccountId, companyIdOf, type Entropy, environmentOf } from '../../engine/shared/ids.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { pageResponse } from './headers.ts'
import type { LiveStatus } from './live-status.ts'
import type { FormNonces } from './nonces.ts'
import { readPageQuery } from './page-query.ts'
import type { PageTokens } from './page-tokens.ts'
import { strangerPage } from './pages/closed.ts'
import type { StrangerAct, StrangerLimits } from './stranger-limits.ts'
import type { TrierOf } from './trier.ts'

export type CheckoutOptions = {
  readonly masterKey: Uint8Array
  readonly directory: Directory
  readonly router: Pick<Handler, 'execute' | 'query'>
  readonly tokens: PageTokens
  readonly cardTokens: Pick<CardTokens, 'seal'>
  readonly entropy: Entropy
  readonly realNow: () => number
  readonly later: (ms: number, callback: () => void) => () => void
  readonly limits: StrangerLimits
  /** The origin of the pages; empty where there are none. */
  readonly origin: () => string
  /** The origin of the frame where cards are typed; empty where there is none. */
  readonly tokenizerOrigin: () => string
  /** Whether mail leaves the service. */
  readonly sendsMail: boolean
  /** Hears of what failed after its page was answered. */
  readonly onTrouble: (error: unknown) => void
  readonly onViolation: (report: string) => void
}

/** The pages of one worker, with what all of them use. */
export type Checkout = CheckoutOptions & {
  readonly nonces: FormNonces
  readonly live: LiveStatus
  readonly trierOf: TrierOf
}

/** One request for a page, of a company that is known. */
export type Visit = {
  readonly request: HttpRequest
  readonly token: string
  readonly accountId: AccountId
  /** What is asked of the page: empty for itself, or as `pay` and `boleto.pdf`. */
  readonly action: string
  /** The thing of a portal that it is about; empty for none. */
  readonly id: string
}

/** A page that names no company. */
export const strangerResponse = (
  status: number,
  request: HttpRequest,
  kind: Parameters<typeof strangerPage>[1],
  path: string | null,
): HttpResponse =>
  pageResponse(
    status,
    strangerPage(readPageQuery(request, { locale: 'auto', embedOrigins: null }).language, kind, path),
  )

/** The page for an address that asks too much; null where it does not. */
export const refuseOften = (
  { limits, realNow }: Checkout,
  request: HttpRequest,
  what: StrangerAct,
): HttpResponse | null => {
  const seconds = limits.take(what, request.remoteAddress, realNow())
  if (seconds === null) return null
  const page = strangerResponse(429, request, 'tooMany', null)
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } }
}

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

export const byPayer = { kind: 'PAYER', id: null } as const
