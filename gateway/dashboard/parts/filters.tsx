import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { now } from '../core/clock.ts'
import { amountText, centsOf, count, day, isoDay, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import type { Filters } from '../core/router.ts'
import { Button } from './basics.tsx'
import { Icon } from './icons.tsx'

/** What a list can be narrowed by. */
export type Filter =
  | {
      readonly kind: 'choices'
      readonly name: string
      readonly title: string
      readonly options: readonly FilterOption[]
      /** Whether only one value is taken. */
      readonly isSingle?: boolean
    }
  | { readonly kind: 'text'; readonly name: string; readonly title: string; readonly hint?: string }
  | { readonly kind: 'amount' }
  | { readonly kind: 'period' }

export type FilterOption = { readonly value: string; readonly text: string; readonly count?: number }

const namesOf = (filter: Filter): readonly string[] => {
  if (filter.kind === 'amount') return ['minAmount', 'maxAmount']
  return filter.kind === 'period' ? ['from', 'to'] : [filter.name]
}

/** How many filters a bar shows; the others wait behind a button. */
const shownFirst = 4

/** The search box and filters of a list. All of it stands in the address: a link shows what its sender saw. */
export const FilterBar = ({
  filters,
  of,
  search,
  children,
}: {
  filters: Filters
  of: readonly Filter[]
  /** What the search box finds; none without it. */
  search?: string
  children?: ComponentChildren
}) => {
  const names = [...of.flatMap(namesOf), 'q']
  const isFiltered = names.some((name) => filters.get(name) !== '')
  const [areAllShown, setAllShown] = useState(false)
  const isShown = (filter: Filter, n: number) =>
    areAllShown ||
    of.length <= shownFirst + 1 ||
    n < shownFirst ||
    namesOf(filter).some((name) => filters.get(name) !== '')
  const shown = of.filter(isShown)
  const rest = of.filter((filter, n) => !isShown(filter, n))
  return (
    <div class="filters">
      {search !== undefined && <SearchBox filters={filters} label={search} />}
      {shown.map((filter) => (
        <FilterMenu key={namesOf(filter)[0]} filter={filter} filters={filters} />
      ))}
      {rest.length > 0 && (
        <button type="button" class="filter-more" onClick={() => setAllShown(true)}>
          {t.filters.more(rest.length)}
        </button>
      )}
      {isFiltered && (
        <button type="button" class="link" onClick={() => filters.clear(names)}>
          {t.filters.clear}
        </button>
      )}
      {children && <div class="actions">{children}</div>}
    </div>
  )
}

/** A box whose text becomes the filter `q` once the typing pauses. */
export const SearchBox = ({
  filters,
  label,
  name = 'q',
}: {
  filters: Filters
  label: string
  name?: string
}) => {
  const [text, setText] = useState(filters.get(name))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const inAddress = filters.get(name)
  useEffect(() => setText(inAddress), [inAddress])
  const apply = (value: string) => {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    // The API wants two characters: one finds nothing that helps.
    if (trimmed !== inAddress && trimmed.length !== 1) filters.set({ [name]: trimmed }, { replaces: true })
  }
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        data-search
        value={text}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellcheck={false}
        maxLength={100}
        onInput={(event) => {
          const { value } = event.currentTarget
          setText(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => apply(value), 300)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(event.currentTarget.value)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </div>
  )
}

const FilterMenu = ({ filter, filters }: { filter: Filter; filters: Filters }) => {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { title, value } = summaryOf(filter, filters)
  const close = () => panel.current?.hidePopover()
  const clear = () => filters.set(Object.fromEntries(namesOf(filter).map((name) => [name, ''])))
  return (
    <div class={value === null ? 'filter' : 'filter active'}>
      <button type="button" ref={button} popovertarget={id} aria-expanded={isOpen}>
        {value === null && <Icon name="plus" size={12} />}
        {title}
        {value !== null && <strong>{value}</strong>}
      </button>
      {value !== null && (
        <button type="button" class="filter-off" aria-label={t.filters.remove(title)} onClick={clear}>
          <Icon name="x" size={12} />
        </button>
      )}
      <div
        id={id}
        ref={panel}
        popover="auto"
        class="popover"
        onBeforeToggle={(event) => {
          const isOpening = event.newState === 'open'
          if (isOpening) place(panel.current!, button.current!)
          setOpen(isOpening)
        }}
        onToggle={(event) => {
          if (event.newState === 'open') panel.current?.querySelector<HTMLElement>('input, button')?.focus()
        }}
      >
        {isOpen && <FilterPanel filter={filter} filters={filters} close={close} />}
      </div>
    </div>
  )
}

/** Puts a popover below its button, within the window. */
export const place = (panel: HTMLElement, button: HTMLElement): void => {
  const at = button.getBoundingClientRect()
  const width = Math.min(320, innerWidth - 16)
  panel.style.setProperty('--left', `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`)
  panel.style.setProperty('--top', `${at.bottom + 6}px`)
  panel.style.setProperty('--height', `${Math.max(200, innerHeight - at.bottom - 24)}px`)
}

const FilterPanel = ({ filter, filters, close }: { filter: Filter; filters: Filters; close: () => void }) => {
  switch (filter.kind) {
    case 'choices':
      return <ChoicePanel filter={filter} filters={filters} close={close} />
    case 'text':
      return <TextPanel filter={filter} filters={filters} close={close} />
    case 'amount':
      return <AmountPanel filters={filters} close={close} />
    case 'period':
      return <PeriodPanel filters={filters} close={close} />
  }
}

const ChoicePanel = ({
  filter: { name, title, options, isSingle },
  filters,
  close,
}: {
  filter: Extract<Filter, { kind: 'choices' }>
  filters: Filters
  close: () => void
}) => {
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

const TextPanel = ({
  filter: { name, title, hint },
  filters,
  close,
}: {
  filter: Extract<Filter, { kind: 'text' }>
  filters: Filters
  close: () => void
}) => {
  const id = useId()
  return (
    <form
      class="panel-form"
      onSubmit={(event) => {
        event.preventDefault()
        filters.set({ [name]: String(new FormData(event.currentTarget).get('text') ?? '').trim() })
        close()
      }}
    >
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
      <Button type="submit" tone="main">
        {t.filters.apply}
      </Button>
    </form>
  )
}

const AmountPanel = ({ filters, close }: { filters: Filters; close: () => void }) => {
  const id = useId()
  const shown = (name: string) => (filters.get(name) === '' ? '' : amountText(filters.get(name)))
  return (
    <form
      class="panel-form"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const read = (name: string) => centsOf(String(data.get(name) ?? '')) ?? ''
        filters.set({ minAmount: read('min'), maxAmount: read('max') })
        close()
      }}
    >
      <label for={`${id}-min`}>{t.filters.from}</label>
      <input
        id={`${id}-min`}
        name="min"
        inputMode="decimal"
        placeholder="0,00"
        defaultValue={shown('minAmount')}
      />
      <label for={`${id}-max`}>{t.filters.to}</label>
      <input
        id={`${id}-max`}
        name="max"
        inputMode="decimal"
        placeholder="0,00"
        defaultValue={shown('maxAmount')}
      />
      <Button type="submit" tone="main">
        {t.filters.apply}
      </Button>
    </form>
  )
}

/** Periods by name: their first and last day. */
export const periods = (): readonly (readonly [text: string, from: string, to: string])[] => {
  const at = now()
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

const PeriodPanel = ({ filters, close }: { filters: Filters; close: () => void }) => {
  const id = useId()
  return (
    <form
      class="panel-form"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        filters.set({ from: String(data.get('from') ?? ''), to: String(data.get('to') ?? '') })
        close()
      }}
    >
      <div class="presets">
        {periods().map(([text, from, to]) => (
          <button
            key={text}
            type="button"
            aria-pressed={filters.get('from') === from && filters.get('to') === to}
            onClick={() => {
              filters.set({ from, to })
              close()
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <label for={`${id}-from`}>{t.filters.from}</label>
      <input id={`${id}-from`} name="from" type="date" defaultValue={filters.get('from')} />
      <label for={`${id}-to`}>{t.filters.to}</label>
      <input id={`${id}-to`} name="to" type="date" defaultValue={filters.get('to')} />
      <Button type="submit" tone="main">
        {t.filters.apply}
      </Button>
    </form>
  )
}

/** What a filter is called, and what it is set to; null where it is not. */
const summaryOf = (filter: Filter, filters: Filters): { title: string; value: string | null } => {
  switch (filter.kind) {
    case 'choices': {
      const chosen = filters.list(filter.name)
      const texts = chosen.map(
        (value) => filter.options.find((option) => option.value === value)?.text ?? value,
      )
      const value = texts.length > 2 ? t.filters.several(texts[0]!, texts.length - 1) : texts.join(', ')
      return { title: filter.title, value: value || null }
    }
    case 'text':
      return { title: filter.title, value: filters.get(filter.name) || null }
    case 'amount': {
      const [min, max] = [filters.get('minAmount'), filters.get('maxAmount')]
      const both = [min && `≥ ${money(min)}`, max && `≤ ${money(max)}`].filter(Boolean).join(' ')
      return { title: t.filters.amount, value: both || null }
    }
    case 'period': {
      const [from, to] = [filters.get('from'), filters.get('to')]
      if (from === '' && to === '') return { title: t.filters.period, value: null }
      const known = periods().find(([, first, last]) => first === from && last === to)
      if (known !== undefined) return { title: t.filters.period, value: known[0] }
      const ends = [from && day(from), to && day(to)]
      return {
        title: t.filters.period,
        value: from === to ? day(from) : `${ends[0] || '…'} – ${ends[1] || '…'}`,
      }
    }
  }
}
