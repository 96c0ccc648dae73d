import type { Directory } from '../../engine/companies/directory.ts'
import type { RequestLine } from '../api/api.ts'
import { openDashboard } from '../api/dashboard-pages.ts'
import { type ConnectionsOfProvider, type OpenPage, openPages } from '../api/open-pages.ts'
import { openPipeline, type Pipeline } from '../api/pipeline.ts'
import { originOfRequests } from '../api/public-origin.ts'
import { openUnsubscribePage } from '../api/unsubscribe-page.ts'
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
import { logOncePerSecond } from './log-once.ts'
import { openCsvThread } from './open-csv-thread.ts'
import { openPayerPages } from './payer-pages.ts'
import type { Readiness } from './readiness.ts'
import type { WorkerBase } from './worker-base.ts'

/** The API and the pages, as one worker serves them. */
export type WorkerApi = {
  readonly pipeline: Pipeline
  /** The live streams of this worker's connections. */
  readonly streams: LiveStreams
  /** The port is known: the pages where payers pay have their addresses. */
  readonly onListening: () => void
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
    /** Called with each report that a page where payers pay broke its policy. */
    readonly onPageViolation: () => void
    readonly onAnswered: (line: RequestLine) => void
  },
): WorkerApi => {
  const { start, directory, sessions, keyring, keyUsage, mainThread, entropy } = base
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
  const payerPages = openPayerPages(base, options)
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
    openPage: openWorkerPages(base, readiness, router, payerPages.open),
    publicUrl: settings.publicUrl,
    csvOf: openCsvThread(base.payerKeys),
    personal: openPersonalTexts(masterKey, sealedKeyIn(directory)),
    cardTokens,
    pagesOf: payerPages.pagesOf,
    pageHosts: payerPages.hosts,
    onAnswered,
  })
  return { pipeline, streams, onListening: payerPages.onListening }
}

/** The pages that need no key: health, documentation, the OpenAPI document and its reference, the dashboard. */
const openWorkerPages = (
  { start, log, events, directory }: WorkerBase,
  readiness: Readiness,
  router: Router,
  checkout: (request: HttpRequest) => OpenPage,
): ((request: HttpRequest) => OpenPage) => {
  const { settings, index } = start
  const dashboard = settings.dashboard ? openDashboard() : null
  if (settings.dashboard && dashboard === null && index === 0)
    log.warn('the dashboard was not built, and is not served: npm run build builds it')
  const originOf = originOfRequests({ publicUrl: settings.publicUrl, isTls: settings.tls !== null })
  return openPages({
    checkout,
    dashboard,
    unsubscribe: openUnsubscribePage(unsubscribeTokens(start.masterKey), router),
    onViolation: logOncePerSecond(log),
    reference: openReference((asked) => buildText({ kind: 'document', ...asked }), originOf),
    docs: openDocs((language) => buildText({ kind: 'search', language }), originOf),
    files: openSiteFiles({ originOf, securityContacts: settings.securityContacts, realNow: Date.now }),
    unready: readiness.reasons,
    eventStream: () => events?.state().toLowerCase() ?? null,
    connections: () => countsOfConnections(directory),
  })
}

/** Connections in use, by provider and status. */
const countsOfConnections = ({ connections }: Directory): readonly ConnectionsOfProvider[] => {
  const counts = new Map<string, ConnectionsOfProvider>()
  for (const { provider, state: status } of connections.byId.values()) {
    if (status !== 'ACTIVE' && status !== 'SUSPENDED') continue
    const count = (counts.get(`${provider} ${status}`)?.count ?? 0) + 1
    counts.set(`${provider} ${status}`, { provider, status, count })
  }
  return [...counts.values()]
}
