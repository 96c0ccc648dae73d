import type { RequestLine } from '../api/api.ts'
import { openDashboard } from '../api/dashboard-pages.ts'
import { type OpenPage, openPages } from '../api/open-pages.ts'
import { openPipeline, type Pipeline } from '../api/pipeline.ts'
import { originOfRequests } from '../api/public-origin.ts'
import { openUnsubscribePage } from '../api/unsubscribe-page.ts'
import { timeout } from '../base/delay.ts'
import { checkoutOriginOf, openPageTokens, pagesOf, tokenizerOriginOf } from '../checkout/page-tokens.ts'
import { openCheckout } from '../checkout/serve.ts'
import { strangerLimits } from '../checkout/stranger-limits.ts'
import { buildText } from '../docs/build-text.ts'
import { openDocs } from '../docs/pages.ts'
import { openSiteFiles } from '../docs/site-files.ts'
import type { LiveFeeds } from '../events/live/feeds.ts'
import { type LiveStreams, openLiveStreams } from '../events/live/streams.ts'
import { openPersonalTexts, sealedKeyIn } from '../identity/personal-texts.ts'
import { newRateLimit, ratePoliciesOf } from '../identity/rate-limit.ts'
import { sessionKeysOf } from '../identity/session-cookie.ts'
import { openSessionGate } from '../identity/session-gate.ts'
import { unsubscribeTokens } from '../identity/unsubscribe-token.ts'
import type { Router } from '../link/router.ts'
import { openReference } from '../openapi/reference-pages.ts'
import { hasContact } from '../operations/people/heard-memory.ts'
import { originsOf } from '../operations/people/origins.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import { routes } from '../routes/index.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { openCsvThread } from './open-csv-thread.ts'
import type { Readiness } from './readiness.ts'
import type { WorkerBase } from './worker-base.ts'

/** The API and the pages, as one worker serves them. */
export type WorkerApi = {
  readonly pipeline: Pipeline
  /** The live streams of this worker's connections. */
  readonly streams: LiveStreams
}

/** Opens the API of a worker. */
export const openWorkerApi = (
  base: WorkerBase,
  options: {
    readonly router: Router
    readonly readiness: Readiness
    readonly feeds: LiveFeeds
    readonly cardTokens: Pick<CardTokens, 'seal'>
    /** The port that the worker listens on; 0 before it does. */
    readonly port: () => number
    readonly onAnswered: (line: RequestLine) => void
  },
): WorkerApi => {
  const { start, log, directory, sessions, keyring, keyUsage, mainThread, entropy } = base
  const { settings, masterKey } = start
  const { router, readiness, feeds, cardTokens, port, onAnswered } = options
  const gate = openSessionGate({
    directory,
    sessions,
    keys: sessionKeysOf(masterKey),
    origins: () => originsOf(settings.publicUrl, settings.tls !== null, port()),
    isCurrent: () => hasContact(start.sessionsHeard, Date.now()),
  })
  const streams = openLiveStreams({
    memory: start.liveStreamsMemory,
    isStillIn: gate.isStillIn,
    realNow: Date.now,
  })
  const rates = ratePoliciesOf(settings)
  const tokens = openPageTokens(masterKey)
  const checkoutOrigin = () => checkoutOriginOf(settings, port())
  const pipeline = openPipeline({
    routes,
    router,
    directory,
    keyring,
    keyUsage,
    people: settings.dashboard
      ? {
          gate,
          operate: mainThread.operate,
          rateLimit: newRateLimit(rates.sessions, start.sessionRateLimitMemory),
          feeds,
          streams,
        }
      : null,
    rateLimit: newRateLimit(rates.keys, start.rateLimitMemory),
    exportRateLimit: newRateLimit(rates.exports, start.exportRateLimitMemory),
    realNow: Date.now,
    entropy,
    openPage: openWorkerPages(base, readiness, router),
    publicUrl: settings.publicUrl,
    csvOf: openCsvThread(),
    personal: openPersonalTexts(masterKey, sealedKeyIn(directory)),
    cardTokens,
    pagesOf: pagesOf(tokens, checkoutOrigin),
    openCheckout: openCheckout({
      masterKey,
      directory,
      router,
      tokens,
      cardTokens,
      entropy,
      realNow: Date.now,
      later: timeout,
      limits: strangerLimits({
        badTokens: newRateLimit(rates.badTokens, start.strangerRateLimitMemory),
        payments: newRateLimit(rates.payments, start.strangerRateLimitMemory),
      }),
      origin: checkoutOrigin,
      tokenizerOrigin: () => tokenizerOriginOf(settings, port()),
      onViolation: logOncePerSecond(log),
    }),
    onAnswered,
  })
  return { pipeline, streams }
}

/** The pages that need no key: health, documentation, the OpenAPI document and its reference, the dashboard. */
const openWorkerPages = (
  { start, log, events }: WorkerBase,
  readiness: Readiness,
  router: Router,
): ((request: HttpRequest) => OpenPage) => {
  const { settings, index } = start
  const dashboard = settings.dashboard ? openDashboard() : null
  if (settings.dashboard && dashboard === null && index === 0)
    log.warn('the dashboard was not built, and is not served: npm run build builds it')
  const originOf = originOfRequests({ publicUrl: settings.publicUrl, isTls: settings.tls !== null })
  return openPages({
    dashboard,
    unsubscribe: openUnsubscribePage(unsubscribeTokens(start.masterKey), router),
    onViolation: logOncePerSecond(log),
    reference: openReference((asked) => buildText({ kind: 'document', ...asked }), originOf),
    docs: openDocs((language) => buildText({ kind: 'search', language }), originOf),
    files: openSiteFiles({ originOf, securityContacts: settings.securityContacts, realNow: Date.now }),
    unready: readiness.reasons,
    eventStream: () => events?.state().toLowerCase() ?? null,
  })
}

/** Logs browsers' reports of violated policies. Strangers can send reports: the log gets one a second at most. */
const logOncePerSecond = (log: WorkerBase['log']): ((report: string) => void) => {
  let loggedAtMs = 0
  return (report) => {
    if (Date.now() - loggedAtMs < 1000) return
    loggedAtMs = Date.now()
    log.warn({ report }, 'a page broke its content security policy')
  }
}
