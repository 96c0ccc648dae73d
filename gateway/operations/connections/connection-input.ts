import type { CompanyConnection, Credentials } from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import type { ConnectionId } from '../../../engine/shared/ids.ts'
import type { Rail } from '../../../engine/shared/rail.ts'
import type { Asker } from '../../identity/asked.ts'
import { messages } from '../../problems/messages/messages.ts'
import { absent, missing, OperationRefusal, refuse, refuseField } from '../../problems/refusal.ts'
import {
  openedSettings,
  operatorSettings,
  type PlainSettings,
  sealedCredentials,
  settingsErrors,
} from '../../providers/connection-settings.ts'
import type { ProviderModule } from '../../providers/port.ts'
import { choicesOf, type Input, isWithin, readText } from '../input.ts'

type Modules = Readonly<Record<string, ProviderModule>>

/** The connection that the input names, of the asker's company and environment. */
export const connectionAt = (
  { connections }: Pick<Directory, 'connections'>,
  input: Input,
): CompanyConnection => {
  const id = readText(input, 'id') as ConnectionId
  const connection = connections.byId.get(id)
  return connection !== undefined && isWithin(input, connection)
    ? connection
    : absent(`there is no connection ${id}`, 'connection')
}

/** The provider that the input names. */
export const moduleOfInput = (modules: Modules, input: Input): ProviderModule => {
  const name = readText(input, 'provider')
  return Object.hasOwn(modules, name)
    ? modules[name]!
    : refuseField('provider', 'INVALID_VALUE', (say) =>
        say.operations.noProvider(name, Object.keys(modules).join(', ')),
      )
}

/** The rails that the input names, by default all that the provider serves. */
export const railsOfInput = ({ rails }: ProviderModule, input: Input): readonly Rail[] => {
  const wanted = choicesOf(input, 'rails', rails)
  if (wanted === null) return rails
  return wanted.length > 0 ? wanted : missing('rails')
}

/** The credentials that settings stand for, checked by the schema of the provider. */
export const credentialsOf = (
  module: ProviderModule,
  id: ConnectionId,
  given: PlainSettings,
  masterKey: Buffer,
): Credentials => {
  // It would do nothing, and people would wait for a statement that never comes.
  if ('readsStatement' in given && !takesSetting(module, 'readsStatement'))
    refuseField('settings.readsStatement', 'INVALID_VALUE', (say) =>
      say.operations.noStatementInterface(module.label),
    )
  const errors = settingsErrors(module, given)
  if (errors.length > 0)
    throw new OperationRefusal('VALIDATION_ERROR', 'VALIDATION_ERROR', {
      errors: errors.map(({ field, code, message }) => ({
        field,
        code,
        texts: { en: message(messages.en), pt: message(messages.pt) },
      })),
    })
  // Payers would authorize what could never be charged (rails, section 10, R3).
  if (given.pixAutomatic === true && given.receiverAccount === undefined)
    refuseField('settings.receiverAccount', 'REQUIRED', (say) => say.operations.receiverAccountMissing())
  return sealedCredentials(module, id, given, masterKey)
}

/** The settings of an input: an object, of which only operators choose which machines are asked. */
export const settingsOfInput = (module: ProviderModule, input: Input, { kind }: Asker): PlainSettings => {
  const { settings } = input
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    refuseField('settings', 'INVALID_TYPE', (say) => say.mustBe('settings', say.wanted.object))
  const given = settings as PlainSettings
  const refused = kind === 'OPERATOR' ? [] : operatorSettings(module).filter((name) => name in given)
  if (refused.length > 0)
    refuseField(`settings.${refused[0]!}`, 'INVALID_VALUE', (say) =>
      say.operations.operatorSetting(refused[0]!),
    )
  return given
}

const takesSetting = ({ settings }: ProviderModule, name: string): boolean =>
  Object.hasOwn(settings.properties, name)

/**
 * The settings after a rotation: those that are given replace the former ones, null removes one, and all others stay, but for those that the
 * provider no longer has.
 */
export const rotatedSettings = (
  module: ProviderModule,
  { id, credentials }: CompanyConnection,
  given: PlainSettings,
  masterKey: Buffer,
): PlainSettings => {
  const before = openedSettings(id, credentials, masterKey)
  if ('pixKey' in given && given.pixKey !== before.pixKey)
    refuseField('settings.pixKey', 'INVALID_VALUE', (say) => say.operations.otherPixKey(id))
  const stays = Object.entries(before).filter(([name]) => takesSetting(module, name))
  const after = { ...Object.fromEntries(stays), ...given }
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null))
}

/** Refuses unless the connection is in one of these states. */
export const requireState = (
  { id, state }: CompanyConnection,
  ...allowed: readonly CompanyConnection['state'][]
): void => {
  if (allowed.includes(state)) return
  throw new OperationRefusal(
    (say) => say.operations.connectionIs(id, state, allowed.join(', ')),
    'INVALID_STATE',
    { currentStatus: state, allowedStatuses: allowed },
  )
}

/** Refuses a certificate that is over. */
export const requireCertificate = (
  { id, credentials: { certificate } }: CompanyConnection,
  nowMs: number,
): void => {
  if (certificate !== null && certificate.endsAtMs <= nowMs)
    refuse((say) => say.operations.certificateExpired(id))
}
