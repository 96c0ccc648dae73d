import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { problemOfError } from '../core/api.ts'
import { amountText, amountTyped, decimalsOf, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import type { ApiProblem } from '../core/problem.ts'
import { Button, Trouble } from './basics.tsx'

export type Values = Readonly<Record<string, string>>

/** A form's values, what is wrong with each, and how it is sent. */
export type FormState = {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  readonly errorOf: (name: string) => string | null
  readonly problem: ApiProblem | null
  readonly isBusy: boolean
  readonly submit: (event?: Event) => void
  /** The names of the fields that are on the page: each shows its own error. */
  readonly shown: Set<string>
}

/** Finds what is wrong with each field before a form is sent. */
export type FormCheck = (values: Values) => Readonly<Record<string, string | null>>

/**
 * Holds a form. Fields are named by their path in the API's body, such as `customer.document`. `send` reads the values and throws the API's
 * refusal, whose field errors appear at the fields of the same name;
 * `check` finds what the browser knows to be wrong.
 */
export const useForm = (
  initial: Values,
  send: (values: Values) => Promise<unknown>,
  check: FormCheck = () => ({}),
): FormState => {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string | null>>>({})
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const running = useRef(false)
  const shown = useRef(new Set<string>())

  const submit = async (event?: Event): Promise<void> => {
    event?.preventDefault()
    const form = event?.target instanceof HTMLFormElement ? event.target : null
    if (running.current) return
    const found = check(values)
    setErrors(found)
    setProblem(null)
    if (Object.values(found).some((error) => error !== null)) return focusFirstWrong(form)
    running.current = true
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      const problem = problemOfError(error)
      setProblem(problem)
      setErrors(
        Object.fromEntries(problem.fields.map(({ field, message }) => [field, atField(field, message)])),
      )
      focusFirstWrong(form)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    values,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors((before) => ({ ...before, [name]: null }))
    },
    errorOf: (name) => errors[name] ?? null,
    problem,
    isBusy,
    submit: (event) => void submit(event),
    shown: shown.current,
  }
}

/** A message without the API's name of its field, which people read a label for. */
const atField = (field: string, message: string): string => {
  if (!message.startsWith(`${field} `)) return message
  const rest = message.slice(field.length + 1)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

const focusFirstWrong = (form: HTMLFormElement | null): void =>
  void requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

/** The form that a field belongs to, unless it names another. */
const FormContext = createContext<FormState | null>(null)

/** The form around a field or a group of fields. */
export const useFormAround = (): FormState => useContext(FormContext)!

type FormProps = {
  of: FormState
  submit: string
  tone?: 'main' | 'danger'
  onCancel?: () => void
  children: ComponentChildren
}

/** The frame of a form: what was refused as a whole, the fields, and its buttons. */
export const Form = ({ of, submit, tone = 'main', onCancel, children }: FormProps) => (
  <FormContext.Provider value={of}>
    <form class="form" onSubmit={of.submit} noValidate>
      {children}
      <Trouble of={of.problem} shown={[...of.shown]} />
      <div class="form-foot">
        {onCancel && <Button tone="quiet" onClick={onCancel} text={t.common.cancel} />}
        <Button type="submit" tone={tone} isBusy={of.isBusy} text={submit} />
      </div>
    </form>
  </FormContext.Provider>
)

/** Fields of a form that are seldom needed, behind their title. */
export const FormPart = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <details class="form-part">
    <summary>{title}</summary>
    <div class="form">{children}</div>
  </details>
)

/** The props of every field. */
export type FieldProps = {
  form?: FormState
  name: string
  label: string
  hint?: ComponentChildren
  isOptional?: boolean
}

/** A field's value, setter, error and ids, from its form. */
export const useField = ({ form: named, name, hint }: Pick<FieldProps, 'form' | 'name' | 'hint'>) => {
  const around = useFormAround()
  const form = named ?? around
  const id = useId()
  const error = form.errorOf(name)
  useShown(form, name)
  return {
    id,
    error,
    value: form.values[name] ?? '',
    set: (value: string) => form.set(name, value),
    describedBy: [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
  }
}

/** Notes that the form's own list of errors need not show those of this field. */
export const useShown = ({ shown }: FormState, name: string): void =>
  useEffect(() => {
    shown.add(name)
    return () => void shown.delete(name)
  }, [shown, name])

type RemarksProps = { id: string; error?: string | null; hint: ComponentChildren }

/** The error and the hint of a field. */
export const Remarks = ({ id, error = null, hint }: RemarksProps) => (
  <>
    {error && (
      <p class="field-error" id={`${id}-error`}>
        {error}
      </p>
    )}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
)

type LabelledProps = { of: FieldProps; id: string; error: string | null; children: ComponentChildren }

/** The frame of a field: its label above it, its error and hint below. */
export const Labelled = ({ of: { label, hint, isOptional = false }, id, error, children }: LabelledProps) => (
  <div class="field">
    <label for={id}>
      {label}
      {isOptional && <span class="optional">{t.common.optional}</span>}
    </label>
    {children}
    <Remarks id={id} error={error} hint={hint} />
  </div>
)

/** A ref that focuses its field as soon as it is mounted. */
const useFirst = (isFirst: boolean) => {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [])
  return field
}

/** A text, number, day or secret. */
export const Field = (
  props: FieldProps & {
    isFirst?: boolean
    lines?: number
    type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'tel' | 'url' | 'search'
    inputMode?: 'numeric' | 'decimal' | 'email' | 'tel'
    autoComplete?: string
    placeholder?: string
    min?: string | number
    max?: string | number
    maxLength?: number
    pattern?: string
  },
) => {
  const {
    form,
    name,
    label,
    hint,
    isOptional = false,
    isFirst = false,
    lines,
    type = 'text',
    ...rest
  } = props
  const { id, error, value, set, describedBy } = useField(props)
  const common = {
    ref: useFirst(isFirst),
    id,
    name,
    value,
    'aria-invalid': error !== null,
    'aria-describedby': describedBy,
    'aria-required': !isOptional,
    'data-first': isFirst || undefined,
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
    ...rest,
  }
  return (
    <Labelled of={props} id={id} error={error}>
      {lines ? <textarea {...common} rows={lines} /> : <input {...common} {...({ type } as object)} />}
    </Labelled>
  )
}

/** An amount of a currency. The value is kept as it was typed, and what it is read as stands below it; `unitsOf` reads it. */
export const MoneyField = (props: FieldProps & { isFirst?: boolean; currency?: string }) => {
  const { name, isOptional = false, isFirst = false, currency = 'BRL' } = props
  const { id, error, value, set, describedBy } = useField(props)
  const { units } = amountTyped(value, currency)
  return (
    <Labelled of={props} id={id} error={error}>
      <div class="money-field" data-currency={currency}>
        <span aria-hidden="true">{currency === 'BRL' ? 'R$' : currency}</span>
        <input
          ref={useFirst(isFirst)}
          id={id}
          name={name}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder={amountText('0', currency)}
          value={value}
          aria-invalid={error !== null}
          aria-required={!isOptional}
          aria-describedby={describedBy}
          data-first={isFirst || undefined}
          onInput={(event) => set(event.currentTarget.value)}
          onBlur={(event) => {
            const { units } = amountTyped(event.currentTarget.value, currency)
            if (units !== null) set(amountText(units, currency))
          }}
        />
        <output for={id}>{units === null ? '' : money(units, currency)}</output>
      </div>
    </Labelled>
  )
}

/** The choices of a field: values with their texts. */
export type Options = readonly (readonly [value: string, text: string])[]

/** One of several values. */
export const Choice = ({ of, ...props }: FieldProps & { of: Options }) => {
  const { id, error, value, set, describedBy } = useField(props)
  return (
    <Labelled of={props} id={id} error={error}>
      <select
        id={id}
        name={props.name}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={describedBy}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {of.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** Yes or no; the value is `true` or empty. */
export const Check = (props: FieldProps) => {
  const { name, label, hint } = props
  const { id, value, set } = useField(props)
  return (
    <div class="field check">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={value === 'true'}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => set(event.currentTarget.checked ? 'true' : '')}
      />
      <label for={id}>{label}</label>
      <Remarks id={id} hint={hint} />
    </div>
  )
}

/** The API takes no larger amount, in centavos or millionths. */
const amountMax = 999_999_999_999n

/** What is wrong with an amount field. */
export const amountError = (
  text: string | undefined,
  { isOptional = false, mayBeZero = false, currency = 'BRL' } = {},
): string | null => {
  if (!text?.trim()) return isOptional ? null : t.common.required
  const { units, fault } = amountTyped(text, currency)
  if (units === null)
    switch (fault) {
      case 'NOT_AN_AMOUNT':
        return t.common.notAnAmount
      case 'TOO_PRECISE':
        return t.common.tooManyDecimals(decimalsOf(currency))
      case 'AMBIGUOUS':
        return t.common.ambiguousAmount(text.trim())
    }
  if (units === '0' && !mayBeZero) return t.common.amountIsZero
  return BigInt(units) > amountMax ? t.common.amountTooLarge(money(amountMax.toString(), currency)) : null
}

/** The error of a field that may not be left empty. */
export const requiredError = (text: string | undefined): string | null =>
  text?.trim() ? null : t.common.required

/** The check of a form whose fields of these names may not be left empty. */
export const required =
  (...names: readonly string[]) =>
  (values: Values): Record<string, string | null> =>
    Object.fromEntries(names.map((name) => [name, requiredError(values[name])]))

/** The values that were filled in, trimmed. */
export const filled = (values: Values, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (values[name]?.trim() ? [[name, values[name].trim()]] : [])))
