import type { ComponentChildren } from 'preact'
import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { type Filters, isSandbox } from '../core/router.ts'
import type { Texts } from '../texts/texts.ts'
import { Choice, Field, FormPart, type FormState, useFormAround } from './form.tsx'
import { Picker } from './picker.tsx'

/** A description for the payer. */
export const DescriptionField = ({ hint }: { hint?: string }) => (
  <Field name="description" label={t.common.description} hint={hint} isOptional maxLength={140} />
)

/** The merchant's own id. */
export const ExternalIdField = () => (
  <Field
    name="externalId"
    label={t.common.externalId}
    hint={t.common.externalIdHint}
    isOptional
    maxLength={80}
    autoComplete="off"
  />
)

/** An e-mail address that the browser does not fill in. */
export const EmailField = () => (
  <Field name="email" type="email" label={t.common.email} isOptional autoComplete="off" />
)

/** A code of the authenticator app. */
export const CodeField = ({ hint }: { hint?: string }) => (
  <Field
    name="code"
    label={t.factor.code}
    hint={hint}
    inputMode="numeric"
    autoComplete="one-time-code"
    isFirst
  />
)

/** Who is to pay. */
export const CustomerFields = ({ form, isRequired = false }: { form?: FormState; isRequired?: boolean }) => {
  const common = { ...(form && { form }), isOptional: !isRequired, autoComplete: 'off' }
  return (
    <>
      <div class="form-row">
        <Field {...common} name="customer.name" label={t.common.customer} />
        <Field {...common} name="customer.document" label={t.common.document} inputMode="numeric" />
      </div>
      <Field {...common} name="customer.email" type="email" label={t.common.email} isOptional />
    </>
  )
}

/** The rule that divides a payment; nothing where there is none. */
export const SplitRuleField = () => {
  const { data } = useGet('/v1/split/rules', { query: { active: 'true', pageSize: 200 } })
  if (!data || data.data.length === 0) return null
  const rules = data.data.map(({ id, name }) => ({ id, text: name }))
  return <Picker name="splitRuleId" label={t.split.rule} isOptional none={t.split.noRule} of={rules} />
}

/** The Sandbox scenario that a charge follows. */
const ScenarioField = () => {
  const { values } = useFormAround()
  if (!isSandbox()) return null
  const { scenarios } = t.sandboxGuide
  return (
    <Choice
      name="scenario"
      label={t.sandbox.scenario}
      hint={effectOf(scenarios, values.scenario)}
      isOptional
      of={[['', t.sandbox.noScenario], ...scenarios.map(({ value }) => [value, value] as const)]}
    />
  )
}

const effectOf = (guide: Texts['sandboxGuide']['scenarios'], chosen: string | undefined) =>
  guide.find(({ value }) => value === chosen)?.effect.replaceAll('`', '')

/** Fields that few charges need: those of their method, the merchant's id, a split, a scenario of the Sandbox. */
export const MoreOfCharge = ({ children }: { children: ComponentChildren }) => (
  <FormPart title={t.common.more}>
    {children}
    <ExternalIdField />
    <SplitRuleField />
    <ScenarioField />
  </FormPart>
)

/** The card with which a form begins. */
export const testCard = {
  'card.token': 'tok_test_approved',
  'card.brand': 'VISA',
  'card.last4': '4242',
}

/** A card by its token: card numbers are never typed here. */
export const CardFields = () => {
  const { values } = useFormAround()
  const { tokens } = t.sandboxGuide
  const hint = t.cards.tokenHint
  return (
    <>
      {isSandbox() ? (
        <Choice
          name="card.token"
          label={t.cards.token}
          hint={effectOf(tokens, values['card.token']) ?? hint}
          of={tokens.map(({ value }) => [value, value])}
        />
      ) : (
        <Field name="card.token" label={t.cards.token} hint={hint} autoComplete="off" />
      )}
      <div class="form-row">
        <Choice name="card.brand" label={t.cards.brand} of={Object.entries(t.brand)} />
        <Field name="card.last4" label={t.cards.last4} inputMode="numeric" maxLength={4} autoComplete="off" />
      </div>
    </>
  )
}

/** A number of installments, up to twelve. */
export const InstallmentsField = ({ single = '1×' }: { single?: string }) => (
  <Choice
    name="installments"
    label={t.cards.installments}
    of={Array.from({ length: 12 }, (_, n) => [String(n + 1), n === 0 ? single : `${n + 1}×`])}
  />
)

/** The bank of an account. */
export const BankField = ({ isFirst = false }: { isFirst?: boolean }) => (
  <Field
    name="bankCode"
    label={t.money.bank}
    hint={t.split.bankCodeHint}
    inputMode="numeric"
    maxLength={3}
    isFirst={isFirst}
  />
)

/** An address, part by part, below its path in the API. */
export const AddressFields = ({ path = 'address' }: { path?: string }) => (
  <>
    <div class="form-row">
      <Field name={`${path}.zip`} label={t.address.zip} isOptional inputMode="numeric" maxLength={9} />
      <Field name={`${path}.street`} label={t.address.street} isOptional maxLength={80} />
      <Field name={`${path}.number`} label={t.address.number} isOptional maxLength={10} />
    </div>
    <div class="form-row">
      <Field name={`${path}.complement`} label={t.address.complement} isOptional maxLength={40} />
      <Field name={`${path}.district`} label={t.address.district} isOptional maxLength={60} />
    </div>
    <div class="form-row">
      <Field name={`${path}.city`} label={t.address.city} isOptional maxLength={60} />
      <Field name={`${path}.state`} label={t.address.state} isOptional maxLength={2} />
    </div>
  </>
)

/** A dialog that the address opens, so that a link leads to it and Back closes it. */
export const useDialog = (filters: Pick<Filters, 'get' | 'set'>, name = 'novo') => ({
  open: filters.get(name),
  show: (value = '1') => filters.set({ [name]: value }),
  close: () => filters.set({ [name]: '' }),
})
