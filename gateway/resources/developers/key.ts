import Type from 'typebox'
import type { Key } from '../../../engine/directory/directory.ts'
import { scopes } from '../../../engine/people/permission.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { limits } from '../../base/limits.ts'
import type { KeySighting } from '../../identity/key-usage.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { environment } from '../enumerations.ts'
import {
  createdAt,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  text,
  textOf,
} from '../fields.ts'

export const scope = named(
  'Scope',
  described(enumeration(...scopes), 'What a key may do; each is also a permission of people.'),
)

const keyFields = {
  ...identity('key', 'api_key'),
  name: textOf('For people to tell keys apart.'),
  companyId: textOf('The company, `cmp_…`.'),
  environment,
  clientId: textOf('The user name of HTTP Basic, `cli_…`. A rolled key keeps it.'),
  last4: textOf('The last four characters of the secret, which is stored nowhere.'),
  scopes: listOf(scope, 'What the key may do.'),
  ipAllowList: listOf(
    Type.String(),
    'The networks (CIDR) that may use it; empty for all. Others get the 401 of a wrong key.',
  ),
  status: described(
    enumeration('ACTIVE', 'EXPIRING', 'EXPIRED', 'REVOKED'),
    'EXPIRING: it works, and was rolled or ends within seven days.',
  ),
  createdBy: nullable(Type.String(), 'The person who made it, `per_…`; null for an operator.'),
  createdAt,
  expiresAt: nullable(instant, 'When it stops working; null for never.'),
  rolledTo: nullable(Type.String(), 'The key that replaces it, `key_…`.'),
  revokedAt: nullable(instant, 'When it was revoked.'),
  lastUsedAt: nullable(instant, 'The minute of its last use, on any node.'),
  lastUsedIp: described(text, 'The address that used it then.'),
  lastRefusedAt: nullable(instant, 'The minute when another address last tried.'),
  lastRefusedIp: described(text, 'The address that is not in `ipAllowList` and tried last.'),
}

export const apiKey = namedObject('ApiKey', 'A key of the API, without its secret.', keyFields)

const secret = textOf('The secret. It is shown this once.')

export const newApiKey = namedObject('NewApiKey', 'A key of the API with its secret.', {
  ...keyFields,
  secret,
})

export const rolledApiKey = namedObject('RolledApiKey', 'The key that replaces another, with its secret.', {
  ...keyFields,
  secret,
  rolledFrom: textOf('The key that it replaces, `key_…`.'),
  rolledFromExpiresAt: described(instant, 'Until when that one works.'),
})

/** A key as people and operators see it; the secret is not stored. */
export const keyView = (key: Key, nowMs: number, sighting: KeySighting | undefined) => ({
  id: key.id,
  object: 'api_key',
  name: key.name,
  companyId: key.companyId,
  environment: key.environment,
  clientId: key.clientId,
  last4: key.last4,
  scopes: key.scopes,
  ipAllowList: key.ipAllowList,
  status: statusOf(key, nowMs),
  createdBy: key.createdBy,
  createdAt: isoInstant(key.createdAtMs),
  expiresAt: instantOrNull(key.expiresAtMs),
  rolledTo: key.rolledTo,
  revokedAt: instantOrNull(key.revokedAtMs),
  lastUsedAt: instantOrNull(sighting?.used?.atMs ?? null),
  lastUsedIp: sighting?.used?.ip ?? null,
  lastRefusedAt: instantOrNull(sighting?.refused?.atMs ?? null),
  lastRefusedIp: sighting?.refused?.ip ?? null,
})

/** A key that replaces another, with its secret. */
export const rolledKeyView = (view: ReturnType<typeof keyView>, secret: string, old: Key) => ({
  ...view,
  secret,
  rolledFrom: old.id,
  rolledFromExpiresAt: instantOrNull(old.expiresAtMs),
})

const statusOf = (
  { revokedAtMs, expiresAtMs, rolledTo }: Key,
  nowMs: number,
): 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED' => {
  if (revokedAtMs !== null) return 'REVOKED'
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'EXPIRED'
  const endsSoon = expiresAtMs !== null && expiresAtMs <= nowMs + limits.keyExpiringMs
  return rolledTo !== null || endsSoon ? 'EXPIRING' : 'ACTIVE'
}
