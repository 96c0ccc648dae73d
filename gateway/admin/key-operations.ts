import { type Directory, defaultScopes, type Key } from '../../engine/directory/directory.ts'
import { scopes } from '../../engine/people/permission.ts'
import { type Environment, type KeyId, newId } from '../../engine/shared/ids.ts'
import { hashSecret, newSecret } from '../api-key.ts'
import { limits } from '../limits.ts'
import { keyView } from '../resources/key.ts'
import { companyAt } from './company-operations.ts'
import {
  choicesOf,
  durationMsOf,
  environmentOf,
  type Input,
  type Operations,
  readText,
  taking,
} from './input.ts'
import type { OperationsOptions } from './operation-options.ts'
import { absent, refuse } from './refusal.ts'

type Options = Pick<OperationsOptions, 'directory' | 'commit' | 'realNow' | 'entropy' | 'randomBytes'>

/** The operations on API keys. A secret appears only in the answer that creates it. */
export const keyOperations = ({ directory, commit, realNow, entropy, randomBytes }: Options): Operations => {
  const newKey = (
    terms: Pick<Key, 'companyId' | 'environment' | 'clientId' | 'scopes'>,
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
      expiresAtMs: null,
      rolledTo: null,
    }
    return { key, secret }
  }

  const createKey = async (input: Input): Promise<object> => {
    const company = companyAt(directory, input, 'company')
    const environment: Environment = environmentOf(input)
    const { key, secret } = newKey({
      companyId: company.id,
      environment,
      clientId: newId('cli', realNow(), entropy),
      scopes: choicesOf(input, 'scopes', scopes) ?? defaultScopes,
    })
    await commit(() => ({ type: 'KeyCreated', key }))
    return { ...keyView(key, realNow()), secret }
  }

  const listKeys = async (input: Input): Promise<object> => {
    const company = input.company === undefined ? null : companyAt(directory, input, 'company')
    const keys = [...directory.keys.values()].filter(
      ({ companyId }) => company === null || companyId === company.id,
    )
    return { object: 'list', data: keys.map((key) => keyView(key, realNow())) }
  }

  /** Makes a new secret for the same client with the same scopes; the old one works until the overlap ends. */
  const rollKey = async (input: Input): Promise<object> => {
    const { id, companyId, environment, clientId, scopes } = keyAt(directory, input)
    const overlapMs = durationMsOf(input.overlap ?? '24h', 'overlap', limits.keyOverlapMsMax)
    const { key, secret } = newKey({ companyId, environment, clientId, scopes })
    await commit(() => {
      const { revokedAtMs, rolledTo } = keyAt(directory, input)
      if (revokedAtMs !== null) refuse(`key ${id} was revoked: create another one`)
      if (rolledTo !== null) refuse(`key ${id} was rolled already, into ${rolledTo}: roll that one`)
      return { type: 'KeyRolled', id, key, expiresAtMs: realNow() + overlapMs }
    })
    const old = keyView(directory.keys.get(id)!, realNow())
    return { ...keyView(key, realNow()), secret, rolledFrom: id, rolledFromExpiresAt: old.expiresAt }
  }

  const revokeKey = async (input: Input): Promise<object> => {
    const { id } = keyAt(directory, input)
    await commit(() =>
      directory.keys.get(id)!.revokedAtMs === null ? { type: 'KeyRevoked', id, atMs: realNow() } : null,
    )
    return keyView(directory.keys.get(id)!, realNow())
  }

  return {
    'keys create': taking(['company', 'environment', 'scopes'], createKey),
    'keys list': taking(['company'], listKeys),
    'keys roll': taking(['id', 'overlap'], rollKey),
    'keys revoke': taking(['id'], revokeKey),
  }
}

const keyAt = ({ keys }: Directory, input: Input): Key => {
  const id = readText(input, 'id') as KeyId
  return keys.get(id) ?? absent(`there is no key ${id}`)
}
