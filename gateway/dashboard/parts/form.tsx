import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { problemOfError } from '../core/api.ts'
import { amountText, centsOf, money } from '../core/format.ts'
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
}

/** Finds what is wrong with each field before a form is sent. */
export type FormCheck = (values: Values) => Readonly<Record<string, string | null>>

/**
 * Holds a form. `send` reads the values and throws the API's refusal, whose field errors appear at the fields of the same name;
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
      setErrors(Object.fromEntries(problem.fields.map(({ field, message }) => [field, message])))
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
  }
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
      <Trouble of={of.problem} shown={Object.keys(of.values)} />
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
  return {
    id,
    error,
    value: form.values[name] ?? '',
    set: (value: string) => form.set(name, value),
    describedBy: [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
  }
}

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

const Labelled = ({ of: { label, hint, isOptional = false }, id, error, children }: LabelledProps) => (
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

/** An amount of money in reais. The value is kept as it was typed; `cents` reads it. */
export const MoneyField = (props: FieldProps & { isFirst?: boolean }) => {
  const { name, isOptional = false, isFirst = false } = props
  const { id, error, value, set, describedBy } = useField(props)
  return (
    <Labelled of={props} id={id} error={error}>
      <div class="money-field">
        <span aria-hidden="true">R$</span>
        <input
          ref={useFirst(isFirst)}
          id={id}
          name={name}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0,00"
          value={value}
          aria-invalid={error !== null}
          aria-required={!isOptional}
          aria-describedby={describedBy}
          data-first={isFirst || undefined}
          onInput={(event) => set(event.currentTarget.value)}
          onBlur={(event) => {
            const cents = centsOf(event.currentTarget.value)
            if (cents !== null) set(amountText(cents))
          }}
        />
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

/** The API takes no larger amount of reais, in centavos. */
const amountMax = 999_999_999_999n

/** The error of an amount field that is not an amount. */
export const amountError = (text: string | undefined, isOptional = false): string | null => {
  if (!text?.trim()) return isOptional ? null : t.common.required
  const cents = centsOf(text)
  if (cents === null || cents === '0') return t.common.notAnAmount
  return BigInt(cents) > amountMax ? t.common.amountTooLarge(money(amountMax.toString())) : null
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
