// The pages where payers pay, on a host of their own: no route of the API is on it, and it sets no cookie.
import type { OpenPage } from '../api/open-pages.ts'
import { takeReport } from '../api/violation-report.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { accentAt } from './accent-style.ts'
import { assetAt, assetPath } from './assets.ts'
import { type Checkout, type CheckoutOptions, refuseOften, strangerResponse, type Visit } from './checkout.ts'
import { answerLink } from './link-pages.ts'
import { openLiveStatus } from './live-status.ts'
import { openFormNonces } from './nonces.ts'
import { isPageToken } from './page-tokens.ts'
import { answerPortal } from './portal-pages.ts'
import { answerSession } from './session-pages.ts'
import { tokenizerFrame } from './tokenizer-frame.ts'
import { openTriers } from './trier.ts'

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
  const reported = takeReport(request, checkout.onViolation)
  if (reported !== null) return reported
  const { verb, path } = request
  if (verb === 'GET' || verb === 'HEAD') {
    const asset =
      path === '/embed.v1.js' ? assetAt({ ...request, path: assetPath('embed.js') }) : assetAt(request)
    const file = asset ?? accentAt(path)
    if (file !== null) return file
  }
  const [, kind = '', token = '', action = '', id = ''] = pagePath.exec(path) ?? []
  if (!isPageToken(kind, token) || (id !== '' && kind !== 'p')) return unknown(request)
  const accountId = checkout.tokens.accountOf(token, checkout.directory.companies)
  if (accountId === null) return refuseOften(checkout, request, 'badTokens') ?? unknown(request)
  const often = verb === 'POST' && action === 'pay' ? refuseOften(checkout, request, 'payments') : null
  if (often !== null) return often
  const visit: Visit = { request, token, accountId, action, id }
  const answered = answerers[kind as keyof typeof answerers](checkout, visit)
  return answered.then(
    (response) => response ?? refuseOften(checkout, request, 'badTokens') ?? unknown(request),
    () => strangerResponse(503, request, 'unavailable', path),
  )
}

/** The kind of page, its token, what is asked of it, and about which thing of a portal. */
const pagePath = /^\/([clp])\/([0-9A-Za-z]+)(?:\/([a-z.]+)(?:\/([a-z]{3}_[0-9A-Z]{26}))?)?$/

const answerers = { c: answerSession, l: answerLink, p: answerPortal }

/** The same bytes for every address that is none, whatever the reason. */
const unknown = (request: HttpRequest): HttpResponse => strangerResponse(404, request, 'unknown', null)
