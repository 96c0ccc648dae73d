import type { Endpoint } from '../../engine/directory/directory.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { instant } from './transaction.ts'

/** A delivery with its attempts (decisions, section 28). */
export const deliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  object: 'delivery',
  eventId: delivery.eventId,
  type: delivery.eventType,
  endpointId: delivery.endpointId,
  status: delivery.status,
  attempts: delivery.attempts.map(
    ({ number, url, startedAtMs, latencyMs, statusCode, error, responseSnippet }) => ({
      number,
      url: url === '' ? null : url,
      startedAt: isoInstant(startedAtMs),
      latencyMs: Math.round(latencyMs),
      statusCode,
      error,
      responseSnippet,
    }),
  ),
  nextAttemptAt: instant(delivery.nextAttemptAtMs),
  resendOf: delivery.resendOf,
  createdAt: isoInstant(delivery.createdAtMs),
})

/** An endpoint without its secret. */
export const endpointView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  companyId: endpoint.companyId,
  environment: endpoint.environment,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.eventTypes,
  status: endpointStatus(endpoint),
  createdAt: isoInstant(endpoint.createdAtMs),
  updatedAt: isoInstant(endpoint.updatedAtMs),
  deletedAt: instant(endpoint.deletedAtMs),
})

const endpointStatus = ({ hearsFromMs, deletedAtMs }: Endpoint): 'ENABLED' | 'DISABLED' | 'DELETED' => {
  if (deletedAtMs !== null) return 'DELETED'
  return hearsFromMs === null ? 'DISABLED' : 'ENABLED'
}
