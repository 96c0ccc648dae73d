import type { Schemas } from '../../core/api.ts'
import { docsPath } from '../../core/language.ts'
import { Check, Choice, Field, FormPart, requiredError, type Values } from '../../parts/form.tsx'
import { CertificateFiles, certificateErrors } from './certificate-files.tsx'
import { saying } from './connection-texts.tsx'

export type Provider = Schemas['ConnectionProvider']
type Setting = Provider['settings'][number]

const inFiles = ['certificate', 'privateKey', 'pfx', 'passphrase']
const ofMandates = /^(pixAutomatic|receiver)/

/** The settings of a provider that a company's people give in a form: neither those of the operator, nor objects, which the API takes. */
const ownSettings = ({ settings }: Provider): readonly Setting[] =>
  settings.filter(({ operatorOnly, type }) => !operatorOnly && type !== 'OBJECT')

const takesFiles = (of: Provider): boolean => ownSettings(of).some(({ name }) => name === 'pfx')

type SettingFieldsProps = { of: Provider; isRotation?: boolean; except?: readonly string[] }

/** The fields of a provider's settings; where credentials change, none has to be filled in. */
export const SettingFields = ({ of, isRotation = false, except = [] }: SettingFieldsProps) => {
  const settings = ownSettings(of).filter(({ name }) => !except.includes(name))
  const fieldsOf = (isWanted: (name: string) => boolean) =>
    settings
      .filter(({ name }) => isWanted(name))
      .map((setting) => <SettingField key={setting.name} of={setting} isRotation={isRotation} />)
  const mandates = fieldsOf((name) => ofMandates.test(name))
  return (
    <>
      {fieldsOf((name) => credentials.includes(name))}
      {takesFiles(of) && <CertificateFiles isOptional={isRotation} />}
      {fieldsOf((name) => name === 'passphrase')}
      {fieldsOf((name) => name === 'pixKey')}
      <div class="form-row">{fieldsOf((name) => ofPayee.includes(name))}</div>
      {fieldsOf((name) => !placed.includes(name) && !ofMandates.test(name))}
      {mandates.length > 0 && <FormPart title={saying.automatic}>{mandates}</FormPart>}
    </>
  )
}

const credentials: readonly string[] = ['clientId', 'clientSecret', 'appKey']
const ofPayee: readonly string[] = ['merchantName', 'merchantCity']
const placed: readonly string[] = [...credentials, ...inFiles, 'pixKey', ...ofPayee]

const SettingField = ({ of, isRotation }: { of: Setting; isRotation: boolean }) => {
  const { name, type, choices, secret, required, charsMax } = of
  const common = {
    name: `settings.${name}`,
    label: labelOf(name),
    hint: saying.field[name]?.[1] ?? of.description,
    isOptional: isRotation || !required,
  }
  if (type === 'BOOLEAN') return <Check {...common} />
  if (type === 'CHOICE')
    return (
      <Choice
        {...common}
        of={[...(common.isOptional ? [['', '–'] as const] : []), ...choices.map(choiceText)]}
      />
    )
  return (
    <Field
      {...common}
      type={secret ? 'password' : 'text'}
      autoComplete={secret ? 'new-password' : 'off'}
      {...(isRotation && { placeholder: saying.keeps })}
      {...(charsMax !== null && { maxLength: charsMax })}
    />
  )
}

const choiceText = (value: string) => [value, saying.choice[value] ?? value] as const

/** A setting in words. */
export const labelOf = (name: string): string => saying.field[name]?.[0] ?? name

/** What is missing before a connection can be made. */
export const missingSettings = (of: Provider, values: Values): Record<string, string | null> => ({
  ...Object.fromEntries(
    ownSettings(of)
      .filter(({ required }) => required)
      .map(({ name }) => [`settings.${name}`, requiredError(values[`settings.${name}`])]),
  ),
  ...(takesFiles(of) && certificateErrors(values, true)),
})

/** The settings that were filled in, as the API takes them. */
export const settingsTyped = (of: Provider, values: Values): Record<string, string | boolean> =>
  Object.fromEntries(
    ownSettings(of).flatMap(({ name, type }) => {
      const text = values[`settings.${name}`]?.trim()
      return text ? [[name, type === 'BOOLEAN' ? text === 'true' : text]] : []
    }),
  )

/** What a company asks its bank for, and where its certificate comes from. */
export const WhereFrom = ({ of: { name } }: { of: Provider }) => {
  const { [name]: found } = saying.where
  if (found === undefined) return null
  const [ask, certificate] = found
  return (
    <div class="notice-line calm">
      <ul class="where-from">
        <li>{ask}</li>
        <li>{saying.scopes}</li>
        {saying.scopesOut[name] && <li>{saying.scopesOut[name]}</li>}
        <li>{certificate}</li>
      </ul>
      <a href={`${docsPath()}/banks`} target="_blank" rel="noreferrer">
        {saying.guide}
      </a>
    </div>
  )
}
