import { defaultScopes, isLiving, type Key, type KeyChanges } from '../../../engine/companies/api-key.ts'
import type { Directory, DirectoryFact } from '../../../engine/companies/directory.ts'
import { isScope, type Scope, scopes } from '../../../engine/people/permission.ts'
import { isoInstant, readInstant } from '../../../engine/shared/calendar.ts'
import { type CompanyId, type Environment, type KeyId, newId } from '../../../engine/shared/ids.ts'
import { statusClasses } from '../../../engine/webhooks/delivery.ts'
import { bounds } from '../../base/bounds.ts'
import { readNetwork } from '../../base/networks.ts'
import { hashSecret, newSecret } from '../../identity/api-key.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, refuse, refuseAs, refuseField } from '../../problems/refusal.ts'
import { apiKey, rolledKeyView } from '../../resources/developers/key.ts'
import { keyRequest } from '../../resources/developers/key-request.ts'
import { companyAt } from '../account/company-operations.ts'
import { confirmed } from '../confirmed.ts'
import {
  choicesOf,
  durationMsOf,
  type Input,
  isWithin,
  lineOf,
  listOfInput,
  type Operations,
  operationsOn,
  optionalTextOf,
  readText,
  requiredEnvironmentOf,
  taking,
} from '../input.ts'
import { listed, pagingMembers } from '../listed.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { permissionsOfAsker } from '../permissions-of-asker.ts'

type Options = Pick<
  OperationsOptions,
  'directory' | 'commit' | 'confirm' | 'keyUses' | 'keyLog' | 'realNow' | 'entropy' | 'randomBytes'
>

/** The operations on API keys. A secret appears only in the answer that creates it. */
export const keyOperations = (options: Options): Operations =>
  operationsOn(options, {
    'keys create': taking([...place, 'name', 'scopes', 'ipAllowList', 'expiresAt'], createKey),
    'keys list': taking([...place, ...pagingMembers], listKeys),
    'keys get': taking(['id', ...place], getKey),
    'keys update': taking(['id', ...place, 'name', 'scopes', 'ipAllowList'], updateKey),
    'keys roll': taking(['id', ...place, 'overlap'], rollKey),
    'keys requests': taking(['id', ...place, 'statusClass', 'path', ...pagingMembers], listRequests),
    'keys revoke': taking(['id', ...place], revokeKey),
  })

const place = ['company', 'environment']

const newKey = (
  { randomBytes, realNow, entropy }: Options,
  terms: Omit<Key, 'id' | 'secretHash' | 'last4' | 'createdAtMs' | 'revokedAtMs' | 'rolledTo'>,
): { readonly key: Key; readonly secret: string } => {
  const secret = newSecret(terms.environment, randomBytes)
  const atMs = realNow()
  const key: Key = {
    ...terms,
    id: newId('key', atMs, entropy),
    secretHash: hashSecret(secret),
    last4: secret.slice(-4),
    createdAtMs: atMs,
    revokedAtMs: null,
    rolledTo: null,
  }
  return { key, secret }
}

const createKey = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, entropy } = options
  const company = companyAt(directory, input, 'company')
  const environment: Environment = requiredEnvironmentOf(input)
  const { key, secret } = newKey(options, {
    companyId: company.id,
    environment,
    name: nameOf(input.name ?? 'API key'),
    clientId: newId('cli', realNow(), entropy),
    scopes: scopesOf(options, input, by, company.id, environment),
    ipAllowList: networksOf(input),
    expiresAtMs: endOf(input, realNow()),
    createdBy: by.personId,
  })
  await confirmed(options, by, () => {
    refuseBeyondMax(options, key)
    return { type: 'KeyCreated', key }
  })
  return { ...view(options, key), secret }
}

/** The scopes asked for, or the default ones that the asker has. People can grant only what they have. */
const scopesOf = (
  { directory }: Options,
  input: Input,
  by: Asker,
  companyId: CompanyId,
  environment: Environment,
): readonly Scope[] => {
  const own = permissionsOfAsker(directory, by, companyId, environment)
  const wanted = choicesOf(input, 'scopes', scopes)
  if (wanted === null) return defaultScopes.filter((scope) => own === null || own.has(scope))
  const missing = wanted.find((scope) => own !== null && !own.has(scope))
  return missing === undefined ? wanted : refuseAs('NO_PERMISSION', { requiredPermission: missing })
}

const refuseBeyondMax = ({ directory, realNow }: Options, { companyId, environment }: Key): void => {
  const living = [...directory.keys.values()].filter(
    (key) => key.companyId === companyId && key.environment === environment && isLiving(key, realNow()),
  )
  if (living.length >= bounds.keysLivingMax) refuse((say) => say.operations.tooManyKeys(bounds.keysLivingMax))
}

const listKeys = async ({ keyUses, directory, realNow }: Options, input: Input): Promise<object> => {
  const uses = await keyUses.current()
  const company = input.company === undefined ? null : companyAt(directory, input, 'company')
  const keys = [...directory.keys.values()].filter(
    (key) => (company === null || key.companyId === company.id) && isWithin(input, key),
  )
  return listed(input, keys, (key) => apiKey.view(key, realNow(), uses.get(key.id)))
}

const getKey = async ({ keyUses, directory, realNow }: Options, input: Input): Promise<object> => {
  const uses = await keyUses.current()
  const key = keyAt(directory, input)
  return apiKey.view(key, realNow(), uses.get(key.id))
}

/** The newest requests of a key, narrowed to classes of statuses and a part of the path. */
const listRequests = async ({ directory, keyLog }: Options, input: Input): Promise<object> => {
  const { id } = keyAt(directory, input)
  const classes = choicesOf(input, 'statusClass', statusClasses)
  const part = optionalTextOf(input, 'path')
  const requests = (await keyLog(id)).filter(
    ({ status, path, route }) =>
      (classes === null || classes.some((one) => one[0] === String(status)[0])) &&
      (part === null || (route !== null && path.includes(part))),
  )
  return listed(input, requests, keyRequest.view)
}

/** Changes the name or networks, or takes scopes away: more scopes need a new key, with a second factor. */
const updateKey = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, commit, realNow } = options
  const { id } = keyAt(directory, input)
  const changes: KeyChanges = {
    ...(input.name !== undefined && { name: nameOf(input.name) }),
    ...(input.ipAllowList !== undefined && { ipAllowList: networksOf(input) }),
    ...(input.scopes !== undefined && { scopes: choicesOf(input, 'scopes', scopes) ?? [] }),
  }
  await commit((): DirectoryFact | null => {
    const key = keyAt(directory, input)
    if (key.revokedAtMs !== null) refuse((say) => say.operations.keyRevoked(id))
    const wider = changes.scopes?.find((scope) => !key.scopes.includes(scope))
    if (wider !== undefined)
      refuseField('scopes', 'INVALID_VALUE', (say) => say.operations.scopesOnlyFewer(wider))
    const others = Object.fromEntries(
      Object.entries(changes).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(key[name as keyof KeyChanges]),
      ),
    ) as KeyChanges
    return Object.keys(others).length === 0
      ? null
      : { type: 'KeyChanged', id, changes: others, atMs: realNow() }
  }, by)
  return getKey(options, { id })
}

/** Makes a new secret for the same client on the same terms; the old one works until the overlap ends. */
const rollKey = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow } = options
  const { id, companyId, environment, name, clientId, scopes, ipAllowList, expiresAtMs } = keyAt(
    directory,
    input,
  )
  const overlapMs = durationMsOf(input.overlap ?? '24h', 'overlap', bounds.keyOverlapMsMax)
  const own = permissionsOfAsker(directory, by, companyId, environment)
  const missing = scopes.find((scope) => own !== null && isScope(scope) && !own.has(scope))
  if (missing !== undefined) refuseAs('NO_PERMISSION', { requiredPermission: missing })
  const { key, secret } = newKey(options, {
    companyId,
    environment,
    name,
    clientId,
    scopes,
    ipAllowList,
    expiresAtMs,
    createdBy: by.personId,
  })
  await confirmed(options, by, () => {
    const { revokedAtMs, rolledTo } = keyAt(directory, input)
    if (revokedAtMs !== null) refuse((say) => say.operations.keyRevoked(id))
    if (rolledTo !== null) refuse((say) => say.operations.keyRolled(id, rolledTo))
    if (expiresAtMs !== null && expiresAtMs <= realNow()) refuse((say) => say.operations.keyExpired(id))
    const endsAtMs = realNow() + overlapMs
    return { type: 'KeyRolled', id, key, expiresAtMs: Math.min(endsAtMs, expiresAtMs ?? endsAtMs) }
  })
  return rolledKeyView(view(options, key), secret, directory.keys.get(id)!)
}

/** When it answers, every node that lives refuses the key. */
const revokeKey = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, commit, realNow } = options
  const { id } = keyAt(directory, input)
  await commit(
    () => (directory.keys.get(id)!.revokedAtMs === null ? { type: 'KeyRevoked', id, atMs: realNow() } : null),
    by,
  )
  return getKey(options, { id })
}

/** A key that was just made has not been used. */
const view = ({ realNow }: Options, key: Key) => apiKey.view(key, realNow(), undefined)

const keyAt = ({ keys }: Directory, input: Input): Key => {
  const id = readText(input, 'id') as KeyId
  const key = keys.get(id)
  return key !== undefined && isWithin(input, key) ? key : absent(`there is no key ${id}`, 'api_key')
}

const nameOf = (value: unknown): string => lineOf(value, 'name', bounds.keyNameCharsMax)

const networksOf = (input: Input): readonly string[] => {
  const given = listOfInput(input, 'ipAllowList') ?? []
  if (given.length > bounds.keyNetworksMax)
    refuseField('ipAllowList', 'TOO_MANY', (say) => say.operations.tooManyNetworks(bounds.keyNetworksMax))
  const networks = given.map(
    (text) =>
      (typeof text === 'string' ? readNetwork(text) : null) ??
      refuseField('ipAllowList', 'INVALID_FORMAT', (say) => say.operations.noNetwork(String(text))),
  )
  return [...new Set(networks)]
}

const endOf = (input: Input, nowMs: number): number | null => {
  const text = optionalTextOf(input, 'expiresAt')
  if (text === null) return null
  const endsAtMs = readInstant(text)
  if (endsAtMs === null)
    return refuseField('expiresAt', 'INVALID_FORMAT', (say) => say.operations.noDateTime('expiresAt'))
  if (endsAtMs <= nowMs)
    refuseField('expiresAt', 'IN_THE_PAST', (say) => say.operations.notAhead('expiresAt'))
  if (endsAtMs > nowMs + bounds.keyLifeMsMax)
    refuseField('expiresAt', 'OUT_OF_RANGE', (say) =>
      say.operations.beyondTwoYears('expiresAt', isoInstant(nowMs + bounds.keyLifeMsMax)),
    )
  return endsAtMs
}
