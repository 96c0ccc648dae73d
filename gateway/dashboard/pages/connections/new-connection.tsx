import { post } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Loading, Trouble } from '../../parts/basics.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { type Closable, Dialog, FormDialog } from '../../parts/dialog.tsx'
import { Choice, FormPart, requiredError, type Values } from '../../parts/form.tsx'
import type { Connection } from './connection-labels.tsx'
import { saying } from './connection-texts.tsx'
import { missingSettings, type Provider, SettingFields, settingsTyped, WhereFrom } from './setting-fields.tsx'

type Rail = Connection['rails'][number]

/** Makes a connection, as a draft: the fields are those that the chosen bank needs. */
export const NewConnection = ({ onClose }: Closable) => {
  const { data, problem } = useGet('/v1/connections/providers')
  if (data === null)
    return (
      <Dialog title={saying.create} onClose={onClose}>
        {problem ? <Trouble of={problem} /> : <Loading rows={4} />}
      </Dialog>
    )
  const providers = data.data
  const chosen = ({ provider }: Values): Provider | undefined =>
    providers.find(({ name }) => name === provider)
  return (
    <FormDialog
      title={saying.create}
      submit={saying.createAction}
      isWide
      // All that the bank has, whichever is chosen.
      values={{ provider: '', role: 'PRIMARY', rails: providers.flatMap(({ rails }) => rails).join() }}
      check={(values) => {
        const of = chosen(values)
        return of === undefined
          ? { provider: requiredError('') }
          : {
              ...missingSettings(of, values),
              rails: railsOf(of, values).length === 0 ? t.common.required : null,
            }
      }}
      send={(values) => {
        const of = chosen(values)!
        return post('/v1/connections', {
          body: {
            provider: of.name,
            settings: settingsTyped(of, values),
            role: values.role as Connection['role'],
            rails: railsOf(of, values),
          },
        })
      }}
      changes="/v1/connections"
      opens={({ id }) => `conexoes/${id}`}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Choice
            name="provider"
            label={saying.bank}
            of={[['', saying.choose], ...providers.map(({ name, label }) => [name, label] as const)]}
          />
          <OfProvider of={chosen(form.values)} />
        </>
      )}
    </FormDialog>
  )
}

const railsOf = ({ rails }: Provider, values: Values): Rail[] =>
  rails.filter((rail) => listOf(values.rails).includes(rail))

const OfProvider = ({ of }: { of: Provider | undefined }) => {
  if (of === undefined) return null
  return (
    <>
      <WhereFrom of={of} />
      <SettingFields key={of.name} of={of} />
      <FormPart title={t.common.more}>
        {of.rails.length > 1 && (
          <Checks
            name="rails"
            label={saying.rails}
            hint={saying.railsHint}
            of={of.rails.map((rail) => [rail, saying.rail[rail] ?? rail])}
          />
        )}
        <Choice name="role" label={saying.role} hint={saying.roleHint} of={Object.entries(saying.roles)} />
      </FormPart>
    </>
  )
}
