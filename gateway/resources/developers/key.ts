import Type from 'typebox'
import type { Key } from '../../../engine/companies/api-key.ts'
import { scopes } from '../../../engine/people/permission.ts'
import { bounds } from '../../base/bounds.ts'
import type { KeySighting } from '../../identity/key-usage.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { environment } from '../enumerations.ts'
import {
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

export const scope = named(
  'Scope',
  described(choice(...scopes), 'What a key may do; each is also a permission of people.'),
)

/** A key as people and operators see it, with its last uses; the secret is not stored. */
export const apiKey = resource<Key, [number, KeySighting | undefined]>(
  'ApiKey',
  'A key of the API, without its secret.',
).with({
  ...identityFields('key', 'api_key'),
  name: [textOf('For people to tell keys apart.'), same],
  companyId: [textOf('The company, `cmp_…`.'), same],
  environment: [environment, same],
  clientId: [textOf('The user name of HTTP Basic, `cli_…`. A rolled key keeps it.'), same],
  last4: [textOf('The last four characters of the secret, which is stored nowhere.'), same],
  scopes: [listOf(scope, 'What the key may do.'), same],
  ipAllowList: [
    listOf(
      Type.String(),
      'The networks (CIDR) that may use it; empty for all. Others get the 401 of a wrong key.',
    ),
    same,
  ],
  status: [
    described(
      choice('ACTIVE', 'EXPIRING', 'EXPIRED', 'REVOKED'),
      'EXPIRING: it works, and was rolled or ends within seven days.',
    ),
    (k, nowMs) => statusOf(k, nowMs),
  ],
  createdBy: [nullableField(Type.String(), 'The person who made it, `per_…`; null for an operator.'), same],
  createdAt: createdAtField,
  expiresAt: [
    nullableField(instant, 'When it stops working; null for never.'),
    (k) => instantOrNull(k.expiresAtMs),
  ],
  rolledTo: [nullableField(Type.String(), 'The key that replaces it, `key_…`.'), same],
  revokedAt: [nullableField(instant, 'When it was revoked.'), (k) => instantOrNull(k.revokedAtMs)],
  lastUsedAt: [
    nullableField(instant, 'The minute of its last use, on any node.'),
    (_, __, seen) => instantOrNull(seen?.used?.atMs),
  ],
  lastUsedIp: [
    described(nullableText, 'The address that used it then.'),
    (_, __, seen) => seen?.used?.ip ?? null,
  ],
  lastRefusedAt: [
    nullableField(instant, 'The minute when another address last tried.'),
    (_, __, seen) => instantOrNull(seen?.refused?.atMs),
  ],
  lastRefusedIp: [
    described(nullableText, 'The address that is not in `ipAllowList` and tried last.'),
    (_, __, seen) => seen?.refused?.ip ?? null,
  ],
})

const secret = textOf('The secret. It is shown this once.')

export const newApiKey = namedObject('NewApiKey', 'A key of the API with its secret.', {
  ...apiKey.schema.properties,
  secret,
})

export const rolledApiKey = namedObject('RolledApiKey', 'The key that replaces another, with its secret.', {
  ...apiKey.schema.properties,
  secret,
  rolledFrom: textOf('The key that it replaces, `key_…`.'),
  rolledFromExpiresAt: described(instant, 'Until when that one works.'),
})

/** A key that replaces another, with its secret. */
export const rolledKeyView = (view: ReturnType<typeof apiKey.view>, secret: string, old: Key) => ({
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
  const endsSoon = expiresAtMs !== null && expiresAtMs <= nowMs + bounds.keyExpiringMs
  return rolledTo !== null || endsSoon ? 'EXPIRING' : 'ACTIVE'
}
