import type { Key } from '../../engine/directory/directory.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instantOrNull } from './fields.ts'

/** A key as operators see it; the secret is not stored. */
export const keyView = (key: Key, nowMs: number) => ({
  id: key.id,
  object: 'api_key',
  companyId: key.companyId,
  environment: key.environment,
  clientId: key.clientId,
  last4: key.last4,
  scopes: key.scopes,
  status: statusOf(key, nowMs),
  createdAt: isoInstant(key.createdAtMs),
  expiresAt: instantOrNull(key.expiresAtMs),
  rolledTo: key.rolledTo,
  revokedAt: instantOrNull(key.revokedAtMs),
})

const statusOf = (
  { revokedAtMs, expiresAtMs }: Key,
  nowMs: number,
): 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' => {
  if (revokedAtMs !== null) return 'REVOKED'
  if (expiresAtMs === null) return 'ACTIVE'
  return expiresAtMs <= nowMs ? 'EXPIRED' : 'EXPIRING'
}
