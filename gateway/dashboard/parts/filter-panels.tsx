import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { clockMs } from '../core/clock.ts'
import { amountText, count, day, isoDay } from '../core/format.ts'
import { unitsOf } from '../core/inputs.ts'
import { t } from '../core/language.ts'
import type { Filters } from '../core/router.ts'
import { Button } from './basics.tsx'
import type { Filter } from './filter.ts'
import { amountError, Form, MoneyField, useForm, type Values } from './form.tsx'
import { AnyPicker, usePickedName } from './picker.tsx'

type PanelProps = { filters: Filters; close: () => void }

/** The panel that a filter opens: its values, or fields to type them into. */
export const FilterPanel = ({ filter, filters, close }: PanelProps & { filter: Filter }) => {
  switch (filter.kind) {
    case 'choices':
      return <ChoicePanel filter={filter} filters={filters} close={close} />
    case 'picked':
      return <PickedPanel filter={filter} filters={filters} close={close} />
    case 'text':
      return <TextPanel filter={filter} filters={filters} close={close} />
    case 'amount':
      return <AmountPanel filters={filters} close={close} />
    case 'period':
      return <PeriodPanel filters={filters} close={close} />
  }
}

type ChoicePanelProps = PanelProps & { filter: Extract<Filter, { kind: 'choices' }> }

const ChoicePanel = ({ filter: { name, title, options, isSingle }, filters, close }: ChoicePanelProps) => {
  const chosen = filters.list(name)
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {options.map(({ value, text, count: rows }) => (
        <label key={value}>
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            checked={chosen.includes(value)}
            onChange={(event) => {
              const rest = isSingle ? [] : chosen.filter((one) => one !== value)
              filters.set({ [name]: (event.currentTarget.checked ? [...rest, value] : rest).join(',') })
              if (isSingle) close()
            }}
          />
          <span>{text}</span>
          {rows !== undefined && <span class="count">{count(rows)}</span>}
        </label>
      ))}
      {options.length === 0 && <p class="hint">{t.filters.nothing}</p>}
    </fieldset>
  )
}

type PanelFormProps = {
  apply: (read: (name: string) => string) => void
  close: () => void
  children: ComponentChildren
}

/** The form of a filter: its fields become values of the address. */
const PanelForm = ({ apply, close, children }: PanelFormProps) => (
  <form
    class="panel-form"
    onSubmit={(event) => {
      event.preventDefault()
      const data = new FormData(event.currentTarget)
      apply((name) => String(data.get(name) ?? ''))
      close()
    }}
  >
    {children}
    <Button type="submit" tone="main" text={t.filters.apply} />
  </form>
)

type PickedPanelProps = PanelProps & { filter: Extract<Filter, { kind: 'picked' }> }

const PickedPanel = ({ filter: { name, title, of }, filters, close }: PickedPanelProps) => {
  const id = filters.get(name)
  const chosen = usePickedName(of, id)
  const form = useForm({ [name]: id }, async (values) => {
    filters.set({ [name]: values[name]! })
    close()
  })
  return (
    <Form of={form} submit={t.filters.apply}>
      <AnyPicker key={chosen} kind={of} name={name} label={title} chosenText={chosen} />
    </Form>
  )
}

type TextPanelProps = PanelProps & { filter: Extract<Filter, { kind: 'text' }> }

const TextPanel = ({ filter: { name, title, hint }, filters, close }: TextPanelProps) => {
  const id = useId()
  return (
    <PanelForm close={close} apply={(read) => filters.set({ [name]: read('text').trim() })}>
      <label for={id}>{title}</label>
      <input
        id={id}
        name="text"
        type="text"
        defaultValue={filters.get(name)}
        autoComplete="off"
        spellcheck={false}
      />
      {hint && <p class="hint">{hint}</p>}
    </PanelForm>
  )
}

const AmountPanel = ({ filters, close }: PanelProps) => {
  const shown = (name: string) => (filters.get(name) === '' ? '' : amountText(filters.get(name)))
  const readable = ({ minAmount = '', maxAmount = '' }: Values) =>
    Object.entries({ minAmount, maxAmount }).map(([name, typed]) => [name, typed.trim()] as const)
  const form = useForm(
    { minAmount: shown('minAmount'), maxAmount: shown('maxAmount') },
    async (values) => {
      filters.set(
        Object.fromEntries(readable(values).map(([name, typed]) => [name, typed && unitsOf(typed)])),
      )
      close()
    },
    (values) =>
      Object.fromEntries(
        readable(values).map(([name, typed]) => [
          name,
          amountError(typed, { isOptional: true, mayBeZero: true }),
        ]),
      ),
  )
  return (
    <Form of={form} submit={t.filters.apply}>
      <MoneyField name="minAmount" label={t.filters.from} isOptional />
      <MoneyField name="maxAmount" label={t.filters.to} isOptional />
    </Form>
  )
}

/** Periods by name: their first and last day. */
export const periods = (): readonly (readonly [text: string, from: string, to: string])[] => {
  const at = clockMs()
  const today = isoDay(at)
  const firstOfMonth = `${today.slice(0, 8)}01`
  const lastOfPrevious = isoDay(Date.parse(`${firstOfMonth}T12:00:00Z`) - 86_400_000)
  return [
    [t.filters.today, today, today],
    [t.filters.yesterday, isoDay(at, -1), isoDay(at, -1)],
    [t.filters.days(7), isoDay(at, -6), today],
    [t.filters.days(30), isoDay(at, -29), today],
    [t.filters.thisMonth, firstOfMonth, today],
    [t.filters.previousMonth, `${lastOfPrevious.slice(0, 8)}01`, lastOfPrevious],
  ]
}

type PeriodPresetsProps = { from: string; to: string; choose: (from: string, to: string) => void }

/** Periods by name, one of which may be chosen. */
export const PeriodPresets = ({ from, to, choose }: PeriodPresetsProps) => (
  <div class="presets">
    {periods().map(([text, first, last]) => (
      <button
        key={text}
        type="button"
        aria-pressed={first === from && last === to}
        onClick={() => choose(first, last)}
      >
        {text}
      </button>
    ))}
    <PrintedDays from={from} to={to} />
  </div>
)

/** The days of a period that has a name, which on paper says nothing later. */
export const PrintedDays = ({ from, to }: { from: string; to: string }) => (
  <span class="print-only">
    {day(from)} – {day(to)}
  </span>
)

const PeriodPanel = ({ filters, close }: PanelProps) => {
  const id = useId()
  const [from, to] = [filters.get('from'), filters.get('to')]
  const choose = (from: string, to: string) => {
    filters.set({ from, to })
    close()
  }
  return (
    <PanelForm close={close} apply={(read) => filters.set({ from: read('from'), to: read('to') })}>
      <PeriodPresets {...{ from, to, choose }} />
      <label for={`${id}-from`}>{t.filters.from}</label>
      <input id={`${id}-from`} name="from" type="date" defaultValue={from} />
      <label for={`${id}-to`}>{t.filters.to}</label>
      <input id={`${id}-to`} name="to" type="date" defaultValue={to} />
    </PanelForm>
  )
}
