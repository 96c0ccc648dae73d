import type { Key } from '../../engine/directory/directory.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instant } from './transaction.ts'

/** A key without its secret, which nobody has any more. */
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
  expiresAt: instant(key.expiresAtMs),
  rolledTo: key.rolledTo,
  revokedAt: instant(key.revokedAtMs),
})

const statusOf = (
  { revokedAtMs, expiresAtMs }: Key,
  nowMs: number,
): 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' => {
  if (revokedAtMs !== null) return 'REVOKED'
  if (expiresAtMs === null) return 'ACTIVE'
  return expiresAtMs <= nowMs ? 'EXPIRED' : 'EXPIRING'
}
