import type { AccountId } from '../../engine/shared/ids.ts'
import type { OpenPage } from '../api/open-pages.ts'
import type { CompanyPages } from '../api/route.ts'
import { timeout } from '../base/delay.ts'
import { checkoutOriginOf, openPageTokens, pagesOf, tokenizerOriginOf } from '../checkout/page-tokens.ts'
import { openCheckout } from '../checkout/serve.ts'
import { strangerLimits } from '../checkout/stranger-limits.ts'
import { newRateLimit, ratePoliciesOf } from '../identity/rate-limit.ts'
import type { Router } from '../link/router.ts'
import { mailWayOf } from '../mail/mail-way.ts'
import type { CardTokens } from '../providers/card-tokens.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { logOncePerSecond } from './log-once.ts'
import type { WorkerBase } from './worker-base.ts'

/** The pages where payers pay, as one worker serves them. */
export type PayerPages = {
  readonly open: (request: HttpRequest) => OpenPage
  readonly pagesOf: (accountId: AccountId) => CompanyPages
  /** Their hosts, once the port is known. */
  readonly hosts: ReadonlySet<string>
  readonly onListening: () => void
}

/** Opens the pages of a worker. */
export const openPayerPages = (
  { start, log, directory, entropy }: WorkerBase,
  options: {
    readonly router: Router
    readonly cardTokens: Pick<CardTokens, 'seal'>
    readonly port: () => number
    readonly onPageViolation: () => void
  },
): PayerPages => {
  const { settings, masterKey } = start
  const { router, cardTokens, port, onPageViolation } = options
  const rates = ratePoliciesOf(settings)
  const tokens = openPageTokens(masterKey)
  const origin = () => checkoutOriginOf(settings, port())
  const tokenizerOrigin = () => tokenizerOriginOf(settings, port())
  const sendsMail = mailWayOf(settings) !== null
  const hosts = new Set<string>()
  const logViolation = logOncePerSecond(log)
  return {
    open: openCheckout({
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
        portalMails: newRateLimit(rates.portalMails, start.strangerRateLimitMemory),
      }),
      origin,
      tokenizerOrigin,
      sendsMail,
      onTrouble: (error) => log.warn({ err: error }, 'no link to a portal is mailed'),
      onViolation: (report) => {
        onPageViolation()
        logViolation(report)
      },
    }),
    pagesOf: pagesOf(tokens, origin, sendsMail),
    hosts,
    onListening: () => {
      for (const one of [origin(), tokenizerOrigin()]) if (one !== '') hosts.add(new URL(one).host)
    },
  }
}
