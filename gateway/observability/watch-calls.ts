import { environmentOf } from '../../engine/shared/ids.ts'
import type { ProviderDriverOptions } from '../providers/driver.ts'
import type { Delivering } from '../webhooks/delivering.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'

/** Counts webhook attempts, and traces them if an operator enabled traces. */
export const watchAttempts =
  ({ onAttempt }: Pick<Metrics, 'onAttempt'>, tracing: Tracing | null): Delivering['watch'] =>
  (delivery, { url }) => {
    const span = tracing?.begin({
      name: `webhook ${delivery.eventType}`,
      kind: 'CLIENT',
      parent: delivery.traceparent,
      attributes: {
        'http.request.method': 'POST',
        'server.address': new URL(url).hostname,
        'payments.event.type': delivery.eventType,
        'payments.event.id': delivery.eventId,
        'payments.delivery.id': delivery.id,
        'payments.delivery.attempt': delivery.attempts.length + 1,
      },
    })
    return {
      traceparent: span === undefined ? delivery.traceparent : span.traceparent,
      onOutcome: ({ statusCode, error }) => {
        const isDelivered = error === null && statusCode !== null && statusCode < 300
        span?.end(
          statusCode === null ? {} : { 'http.response.status_code': statusCode },
          isDelivered ? undefined : (error ?? String(statusCode)),
        )
        onAttempt(error ?? String(statusCode))
      },
    }
  }

/** Measures calls to providers, and traces them if an operator enabled traces. */
export const watchProviderCalls =
  (
    { onProviderCall }: Pick<Metrics, 'onProviderCall'>,
    tracing: Tracing | null,
  ): NonNullable<ProviderDriverOptions['watch']> =>
  ({ accountId, operation, reference }, parent) => {
    const environment = environmentOf(accountId)
    const askedMs = performance.now()
    const span = tracing?.begin({
      name: `provider ${operation}`,
      kind: 'CLIENT',
      parent,
      attributes: { 'payments.provider.operation': operation, 'payments.provider.reference': reference },
    })
    return ({ type: outcome }) => {
      onProviderCall({ environment, operation, outcome }, performance.now() - askedMs)
      span?.end({ 'payments.provider.outcome': outcome }, outcome === 'SILENT' ? outcome : undefined)
    }
  }
