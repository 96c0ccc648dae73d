import { X509Certificate } from 'node:crypto'
import Type, { type TObject, type TSchema } from 'typebox'
import type {
  CompanyConnection,
  ConnectionCertificate,
  Credentials,
} from '../../engine/companies/connection.ts'
import { type ConnectionId, type Entropy, randomAlphanumerics } from '../../engine/shared/ids.ts'
import { seal, unseal } from '../base/seal.ts'
import type { FieldError } from '../problems/problem.ts'
import { compile } from '../schema/schema.ts'
import type { ProviderModule } from './port.ts'

/** The settings of a connection as they were typed: by name, secrets in the clear. They are never logged, and never answered. */
export type PlainSettings = Readonly<Record<string, unknown>>

/** What is wrong with settings. No value is repeated: it may be a secret that was given under a wrong name. */
export const settingsErrors = (
  { settings }: Pick<ProviderModule, 'settings'>,
  given: PlainSettings,
): readonly FieldError[] => {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(settings.properties, name))
  return [
    ...unknown.map(
      (name): FieldError => ({
        field: name,
        code: 'INVALID_VALUE',
        message: (say) => say.operations.unknownSetting(name),
      }),
    ),
    ...checkOf(settings)(given),
  ].map((error) => ({ ...error, field: `settings.${error.field}` }))
}

/** The check of a module's settings: the schemas of adapters mark what is no word of JSON Schema. */
const checkOf = (settings: TObject): ReturnType<typeof compile> => {
  let check = checks.get(settings)
  if (check === undefined) {
    const properties = Object.fromEntries(
      Object.entries<TSchema>(settings.properties).map(
        ([name, { secret: _, operatorOnly: __, default: ___, ...schema }]: [string, TSchema & Marks]) => [
          name,
          schema as TSchema,
        ],
      ),
    )
    check = compile(Type.Unsafe({ type: 'object', required: settings.required ?? [], properties }))
    checks.set(settings, check)
  }
  return check
}

const checks = new WeakMap<TObject, ReturnType<typeof compile>>()

type Marks = { readonly secret?: boolean; readonly operatorOnly?: boolean; readonly default?: unknown }

const marksOf = ({ settings }: Pick<ProviderModule, 'settings'>, name: string): Marks =>
  (settings.properties[name] ?? {}) as Marks

/**
 * The settings that only operators give: they say which machine is asked, and whose certificate it has. A company that chose them
 * would have the service call into the operator’s own network, or take a bank’s test for money.
 */
export const operatorSettings = (module: Pick<ProviderModule, 'settings'>): readonly string[] =>
  Object.keys(module.settings.properties).filter(
    (name) => marksOf(module, name).operatorOnly === true || /(address|authority|url|host)$/i.test(name),
  )

/** What the value of a setting is; an OBJECT is as its description says. */
export const settingTypes = ['TEXT', 'CHOICE', 'BOOLEAN', 'OBJECT'] as const

/** A setting as forms and people need to know it. */
export type SettingForm = {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly type: (typeof settingTypes)[number]
  readonly choices: readonly string[]
  readonly charsMax: number | null
}

/** The settings of a module, those that every connection needs first. */
export const settingForms = (module: Pick<ProviderModule, 'settings'>): readonly SettingForm[] => {
  const { properties } = module.settings
  const required: readonly string[] = module.settings.required ?? []
  const forms = Object.entries<SettingSchema>(properties).map(
    ([
      name,
      { type, description = '', enum: choices = [], maxLength = null, secret = false },
    ]): SettingForm => ({
      ...{ name, description, choices, charsMax: maxLength },
      isRequired: required.includes(name),
      isSecret: secret,
      type: choices.length > 0 ? 'CHOICE' : (typesOfSchema[type ?? ''] ?? 'TEXT'),
    }),
  )
  return [...forms.filter(({ isRequired }) => isRequired), ...forms.filter(({ isRequired }) => !isRequired)]
}

const typesOfSchema: Readonly<Record<string, SettingForm['type']>> = { boolean: 'BOOLEAN', object: 'OBJECT' }

type SettingSchema = {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly secret?: boolean
}

/**
 * Whether a connection says who may report for it: with which certificate, or, at a bank’s own host for tests, that the token alone will
 * do.
 */
export const doesReport = ({ credentials: { settings } }: Pick<CompanyConnection, 'credentials'>): boolean =>
  settings.host === 'TEST' ||
  ['noticeAuthority', 'noticeIssuer', 'noticeSubject'].every((name) => typeof settings[name] === 'string')

/** Credentials with their secrets sealed, each for this connection and its own name: none can be moved. */
export const sealedCredentials = (
  module: Pick<ProviderModule, 'settings'>,
  id: ConnectionId,
  given: PlainSettings,
  masterKey: Buffer,
): Credentials => {
  const isSecret = (name: string): boolean => marksOf(module, name).secret === true
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    sealed: Object.fromEntries(
      entries
        .filter(([name]) => isSecret(name))
        .map(([name, value]) => [name, seal(JSON.stringify(value), masterKey, ownerOfField(id, name))]),
    ),
    certificate: certificateIn(given),
  }
}

/** All settings of a connection, secrets in the clear. Throws where one was sealed for another connection, or under another name. */
export const openedSettings = (
  id: ConnectionId,
  { settings, sealed }: Pick<Credentials, 'settings' | 'sealed'>,
  masterKey: Buffer,
): PlainSettings => ({ ...settings, ...openedSecrets(id, sealed, masterKey) })

const openedSecrets = (id: ConnectionId, sealed: Credentials['sealed'], masterKey: Buffer): PlainSettings =>
  Object.fromEntries(
    Object.entries(sealed).map(([name, text]) => [
      name,
      JSON.parse(unseal(text, masterKey, ownerOfField(id, name))) as unknown,
    ]),
  )

/** A text without the secrets of these credentials: adapters repeat what providers say, and some of those repeat what they were sent. */
export const withoutSecrets = (
  text: string,
  id: ConnectionId,
  { sealed }: Pick<Credentials, 'sealed'>,
  masterKey: Buffer,
): string =>
  Object.values(openedSecrets(id, sealed, masterKey))
    .filter((secret): secret is string => typeof secret === 'string' && secret.length >= 4)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text)

/** The certificate among settings, as PEM; null where there is none, or it cannot be read. */
const certificateIn = ({ certificate }: PlainSettings): ConnectionCertificate | null => {
  if (typeof certificate !== 'string') return null
  try {
    const { subject, validTo } = new X509Certificate(certificate)
    return { subject: subject.replaceAll('\n', ', '), endsAtMs: Date.parse(validTo) }
  } catch {
    return null
  }
}

/** The random part of a connection's address for notices (rails, section 1.3). */
export const sealedHookToken = (token: string, id: ConnectionId, masterKey: Buffer): string =>
  seal(token, masterKey, ownerOfField(id, 'hookToken'))

/** A new one of those. */
export const newHookToken = (id: ConnectionId, entropy: Entropy, masterKey: Buffer): string =>
  sealedHookToken(randomAlphanumerics(hookTokenChars, entropy), id, masterKey)

/** 256 bits. */
const hookTokenChars = 43

/** The random part of a connection's address for notices, in the clear. */
export const hookTokenOf = (
  { id, sealedHookToken: sealed }: Pick<CompanyConnection, 'id' | 'sealedHookToken'>,
  masterKey: Buffer,
): string => unseal(sealed, masterKey, ownerOfField(id, 'hookToken'))

const ownerOfField = (id: ConnectionId, name: string): string => `${id}/${name}`
