import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
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

/**
 * Holds a form. `send` reads the values and throws the API's refusal, whose field errors appear at the fields of the same name;
 * `check` finds what the browser knows to be wrong.
 */
export const useForm = (
  initial: Values,
  send: (values: Values) => Promise<unknown>,
  check: (values: Values) => Readonly<Record<string, string | null>> = () => ({}),
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

/** The frame of a form: what was refused as a whole, the fields, and its buttons. */
export const Form = ({
  of,
  submit,
  tone = 'main',
  onCancel,
  children,
}: {
  of: FormState
  submit: string
  tone?: 'main' | 'danger'
  onCancel?: () => void
  children: ComponentChildren
}) => (
  <form class="form" onSubmit={of.submit} noValidate>
    {children}
    <Trouble of={of.problem} shown={Object.keys(of.values)} />
    <div class="form-foot">
      {onCancel && (
        <Button tone="quiet" onClick={onCancel}>
          {t.common.cancel}
        </Button>
      )}
      <Button type="submit" tone={tone} isBusy={of.isBusy}>
        {submit}
      </Button>
    </div>
  </form>
)

type FieldProps = {
  form: FormState
  name: string
  label: string
  hint?: ComponentChildren
  isOptional?: boolean
}

const Labelled = ({
  id,
  label,
  hint,
  isOptional,
  error,
  children,
}: Omit<FieldProps, 'form' | 'name'> & { id: string; error: string | null; children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>
      {label}
      {isOptional && <span class="optional">{t.common.optional}</span>}
    </label>
    {children}
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
  </div>
)

const described = (id: string, error: string | null, hint: ComponentChildren) =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

/** The reference of a field that has the focus as soon as it is there; a dialog that opens gives it too. */
const useFirst = (isFirst: boolean) => {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [])
  return field
}

/** A text, number, day or secret. */
export const Field = ({
  form,
  name,
  label,
  hint,
  isOptional = false,
  isFirst = false,
  lines,
  type = 'text',
  ...rest
}: FieldProps & {
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
}) => {
  const id = useId()
  const error = form.errorOf(name)
  const common = {
    ref: useFirst(isFirst),
    id,
    name,
    value: form.values[name] ?? '',
    'aria-invalid': error !== null,
    'aria-describedby': described(id, error, hint),
    'aria-required': !isOptional,
    'data-first': isFirst || undefined,
    spellcheck: false,
    ...rest,
  }
  const onInput = (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value)
  return (
    <Labelled id={id} label={label} hint={hint} isOptional={isOptional} error={error}>
      {lines ? (
        <textarea {...common} rows={lines} onInput={onInput} />
      ) : (
        <input {...common} {...({ type } as object)} onInput={onInput} />
      )}
    </Labelled>
  )
}

/** An amount of money in reais. The value is kept as it was typed; `cents` reads it. */
export const MoneyField = ({
  form,
  name,
  label,
  hint,
  isOptional = false,
  isFirst = false,
}: FieldProps & { isFirst?: boolean }) => {
  const id = useId()
  const field = useFirst(isFirst)
  const error = form.errorOf(name)
  return (
    <Labelled id={id} label={label} hint={hint} isOptional={isOptional} error={error}>
      <div class="money-field">
        <span aria-hidden="true">R$</span>
        <input
          ref={field}
          id={id}
          name={name}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0,00"
          value={form.values[name] ?? ''}
          aria-invalid={error !== null}
          aria-required={!isOptional}
          aria-describedby={described(id, error, hint)}
          data-first={isFirst || undefined}
          onInput={(event) => form.set(name, event.currentTarget.value)}
          onBlur={(event) => {
            const cents = centsOf(event.currentTarget.value)
            if (cents !== null) form.set(name, amountText(cents))
          }}
        />
      </div>
    </Labelled>
  )
}

/** One of several values. */
export const Choice = ({
  form,
  name,
  label,
  hint,
  isOptional = false,
  of,
}: FieldProps & { of: readonly (readonly [value: string, text: string])[] }) => {
  const id = useId()
  const error = form.errorOf(name)
  return (
    <Labelled id={id} label={label} hint={hint} isOptional={isOptional} error={error}>
      <select
        id={id}
        name={name}
        value={form.values[name] ?? ''}
        aria-invalid={error !== null}
        aria-describedby={described(id, error, hint)}
        onChange={(event) => form.set(name, event.currentTarget.value)}
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
export const Check = ({ form, name, label, hint }: FieldProps) => {
  const id = useId()
  return (
    <div class="field check">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={form.values[name] === 'true'}
        aria-describedby={described(id, null, hint)}
        onChange={(event) => form.set(name, event.currentTarget.checked ? 'true' : '')}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Several values of a few; kept by commas. */
export const Checks = ({
  form,
  name,
  label,
  hint,
  of,
}: FieldProps & { of: readonly (readonly [string, string])[] }) => {
  const id = useId()
  const chosen = (form.values[name] ?? '').split(',').filter(Boolean)
  const error = form.errorOf(name)
  return (
    <fieldset class="field checks" aria-describedby={described(id, error, hint)}>
      <legend>{label}</legend>
      {of.map(([value, text]) => (
        <label key={value} class="pill-check">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            aria-invalid={error !== null}
            onChange={(event) => {
              const rest = chosen.filter((one) => one !== value)
              form.set(name, (event.currentTarget.checked ? [...rest, value] : rest).join(','))
            }}
          />
          {text}
        </label>
      ))}
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
    </fieldset>
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

/** The values that were filled in, trimmed. */
export const filled = (values: Values, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (values[name]?.trim() ? [[name, values[name].trim()]] : [])))
