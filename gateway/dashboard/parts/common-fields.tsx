import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { currentPlace } from '../core/router.ts'
import { Choice, Field, type FormState } from './form.tsx'

/** Who is to pay. */
export const CustomerFields = ({ form, isRequired = false }: { form: FormState; isRequired?: boolean }) => (
  <>
    <div class="form-row">
      <Field
        form={form}
        name="customerName"
        label={t.common.customer}
        isOptional={!isRequired}
        autoComplete="off"
      />
      <Field
        form={form}
        name="customerDocument"
        label={t.common.document}
        isOptional={!isRequired}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
    <Field
      form={form}
      name="customerEmail"
      type="email"
      label={t.common.email}
      isOptional
      autoComplete="off"
    />
  </>
)

/** The rule that divides a payment; nothing where there is none. */
export const SplitRuleField = ({ form }: { form: FormState }) => {
  const { data } = useGet('/v1/split/rules', { query: { active: 'true', pageSize: 200 } })
  if (!data || data.data.length === 0) return null
  return (
    <Choice
      form={form}
      name="splitRuleId"
      label={t.split.rule}
      isOptional
      of={[['', t.split.noRule], ...data.data.map(({ id, name }) => [id, name] as const)]}
    />
  )
}

/** What is to become of a charge in the Sandbox. */
export const ScenarioField = ({ form }: { form: FormState }) => {
  if (currentPlace()?.environment !== 'SANDBOX') return null
  const { scenarios } = t.sandboxGuide
  const effect = scenarios.find(({ value }) => value === form.values.scenario)?.effect.replaceAll('`', '')
  return (
    <Choice
      form={form}
      name="scenario"
      label={t.sandbox.scenario}
      hint={effect}
      isOptional
      of={[['', t.sandbox.noScenario], ...scenarios.map(({ value }) => [value, value] as const)]}
    />
  )
}

/** A card by its token: card numbers are never typed here. */
export const CardFields = ({ form }: { form: FormState }) => {
  const { tokens } = t.sandboxGuide
  const isSandbox = currentPlace()?.environment === 'SANDBOX'
  return (
    <>
      {isSandbox ? (
        <Choice
          form={form}
          name="token"
          label={t.cards.token}
          hint={
            tokens.find(({ value }) => value === form.values.token)?.effect.replaceAll('`', '') ??
            t.cards.tokenHint
          }
          of={tokens.map(({ value }) => [value, value] as const)}
        />
      ) : (
        <Field form={form} name="token" label={t.cards.token} hint={t.cards.tokenHint} autoComplete="off" />
      )}
      <div class="form-row">
        <Choice form={form} name="brand" label={t.cards.brand} of={Object.entries(t.brand)} />
        <Field
          form={form}
          name="last4"
          label={t.cards.last4}
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
        />
      </div>
    </>
  )
}

/** A dialog that the address opens, so that a link leads to it and Back closes it. */
export const useDialog = (
  filters: { get: (name: string) => string; set: (changes: Record<string, string>) => void },
  name = 'novo',
) => ({
  open: filters.get(name),
  show: (value = '1') => filters.set({ [name]: value }),
  close: () => filters.set({ [name]: '' }),
})
