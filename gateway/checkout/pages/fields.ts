import type { CustomField, FieldUse, PayerField } from '../../../engine/checkout/offer.ts'
import { states } from '../../../engine/shared/address.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'
import { customName, type FormState } from './typed.ts'

type Field = {
  readonly name: string
  readonly label: string
  readonly isRequired: boolean
  readonly hint?: string
  /** More attributes of the input, such as its `autocomplete`. */
  readonly input: Html
  readonly value?: string
}

/** A labelled input, with what was wrong with it beside it. */
export const fieldOf = ({ texts }: Shown, { typed, errors }: FormState, field: Field): Html => {
  const { name, label, isRequired, hint, input, value } = field
  const error = errors[name]
  const notes = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean)
  return html`<div class="field"><label for="${name}">${label}${!isRequired && html` <small>(${texts.choose.optional})</small>`}</label>
<input id="${name}" name="${name}" value="${typed[name] ?? value ?? ''}" ${input}${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}${error && html` aria-invalid="true"`}>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${errorOf(name, error)}</div>`
}

/** What was wrong with a field, in words; null where nothing was. */
export const errorOf = (name: string, error: string | undefined): Html | null =>
  error === undefined ? null : html`<p class="error" id="${name}-error" role="alert">${error}</p>`

const inputs: Readonly<Record<Exclude<PayerField, 'address'>, Html>> = {
  name: html`autocomplete="name" maxlength="120"`,
  document: html`inputmode="text" autocomplete="off" maxlength="20"`,
  email: html`type="email" autocomplete="email" maxlength="254"`,
  phone: html`type="tel" autocomplete="tel-national" maxlength="30"`,
}

/** The fields of the payer that a page asks for, in the order in which people say them. */
export const payerFieldsOf = (
  shown: Shown,
  form: FormState,
  collect: Readonly<Record<PayerField, FieldUse>>,
  /** Whether a boleto may be chosen, which names its payer. */
  mayBeBoleto: boolean,
): readonly Html[] =>
  (['name', 'document', 'email', 'phone', 'address'] as const).flatMap((field) => {
    const use = collect[field]
    const isForBoleto = mayBeBoleto && use !== 'REQUIRED' && (field === 'name' || field === 'document')
    if (use === 'HIDDEN' && !isForBoleto) return []
    if (field === 'address') return [addressFields(shown, form, use === 'REQUIRED')]
    const isRequired = use === 'REQUIRED' || isForBoleto
    const { texts } = shown
    const one = fieldOf(shown, form, {
      name: field,
      label: texts.fields[field],
      isRequired,
      input: inputs[field],
    })
    return [isForBoleto && use === 'HIDDEN' ? html`<div class="for-boleto">${one}</div>` : one]
  })

const addressFields = (shown: Shown, form: FormState, isRequired: boolean): Html => {
  const { texts } = shown
  const names = texts.addressFields
  const part = (name: keyof typeof names, input: Html, required = isRequired): Html =>
    fieldOf(shown, form, { name, label: names[name], isRequired: required, input })
  const { state: chosen } = form.typed
  return html`<fieldset class="address"><legend>${texts.fields.address}</legend>
${part('zip', html`inputmode="numeric" autocomplete="postal-code" maxlength="10"`)}
${part('street', html`autocomplete="address-line1" maxlength="120"`)}
${part('number', html`autocomplete="off" maxlength="20"`)}
${part('complement', html`autocomplete="address-line2" maxlength="60"`, false)}
${part('district', html`autocomplete="address-level3" maxlength="80"`)}
${part('city', html`autocomplete="address-level2" maxlength="80"`)}
<div class="field"><label for="state">${names.state}${!isRequired && html` <small>(${texts.choose.optional})</small>`}</label><select id="state" name="state" autocomplete="address-level1"><option value="">${texts.choose.pickOne}</option>${states.map((state) => html`<option${state === chosen && html` selected`}>${state}</option>`)}</select>${errorOf('state', form.errors.state)}</div>
</fieldset>`
}

/** A field of the merchant's own. */
export const customFieldOf = (shown: Shown, form: FormState, field: CustomField): Html => {
  const name = customName(field.key)
  const { label, required: isRequired, type, options } = field
  if (type !== 'OPTION')
    return fieldOf(shown, form, {
      name,
      label,
      isRequired,
      input:
        type === 'NUMBER'
          ? html`inputmode="numeric" maxlength="20" autocomplete="off"`
          : html`maxlength="200" autocomplete="off"`,
    })
  const { texts } = shown
  const chosen = form.typed[name]
  return html`<div class="field"><label for="${name}">${label}${!isRequired && html` <small>(${texts.choose.optional})</small>`}</label><select id="${name}" name="${name}"><option value="">${texts.choose.pickOne}</option>${options.map((option) => html`<option${option === chosen && html` selected`}>${option}</option>`)}</select>${errorOf(name, form.errors[name])}</div>`
}
