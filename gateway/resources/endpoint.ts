import type { Endpoint } from '../../engine/directory/directory.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instantOrNull } from './fields.ts'

/** An endpoint without its secret, as operators see it. */
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
  deletedAt: instantOrNull(endpoint.deletedAtMs),
})

const endpointStatus = ({ hearsAfter, deletedAtMs }: Endpoint): 'ENABLED' | 'DISABLED' | 'DELETED' => {
  if (deletedAtMs !== null) return 'DELETED'
  return hearsAfter === null ? 'DISABLED' : 'ENABLED'
}
