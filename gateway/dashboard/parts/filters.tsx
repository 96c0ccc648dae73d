import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { day, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import type { Filters } from '../core/router.ts'
import { OffButton, TextButton } from './buttons.tsx'
import { type Filter, namesOf } from './filter.ts'
import { FilterPanel, PrintedDays, periods } from './filter-panels.tsx'
import { Icon } from './icons.tsx'
import { type Pickable, usePickedName } from './picker.tsx'
import { usePopover } from './popover.ts'

/** How many filters a bar shows; the others wait behind a button. */
const shownFirst = 4

type FilterBarProps = {
  filters: Filters
  of: readonly Filter[]
  /** The label of the search box; without it there is no box. */
  search?: string
  children?: ComponentChildren
}

/** The search box and filters of a list. All of it stands in the address: a link shows what its sender saw. */
export const FilterBar = ({ filters, of, search, children }: FilterBarProps) => {
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
      {isFiltered && <TextButton text={t.filters.clear} onClick={() => filters.clear(names)} />}
      {children && <div class="actions">{children}</div>}
    </div>
  )
}

type SearchBoxProps = { filters: Filters; label: string; name?: string }

/** A box whose text becomes the filter `q` once the typing pauses. */
export const SearchBox = ({ filters, label, name = 'q' }: SearchBoxProps) => {
  const [text, setText] = useState(filters.get(name))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const inAddress = filters.get(name)
  useEffect(() => setText(inAddress), [inAddress])
  const apply = (value: string) => {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    // The API searches from two characters on.
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
  const { button, panel, isOpen, close } = usePopover(id)
  const { title, value } = summaryOf(filter, filters)
  const clear = () => filters.set(Object.fromEntries(namesOf(filter).map((name) => [name, ''])))
  return (
    <div class={value === null ? 'filter' : 'filter active'}>
      <button type="button" {...button}>
        {value === null && <Icon name="plus" size={12} />}
        {title}
        {value !== null && <strong>{value}</strong>}
      </button>
      {value !== null && <OffButton name={t.filters.remove(title)} onClick={clear} />}
      <div
        {...panel}
        class="popover"
        onToggle={(event) => {
          if (event.newState === 'open')
            event.currentTarget.querySelector<HTMLElement>('input, button')?.focus()
        }}
      >
        {isOpen && <FilterPanel filter={filter} filters={filters} close={close} />}
      </div>
    </div>
  )
}

const PickedName = ({ of, id }: { of: Pickable; id: string }) => <>{usePickedName(of, id)}</>

/** A filter's title, and its value in words; null where it is not set. */
const summaryOf = (filter: Filter, filters: Filters): { title: string; value: ComponentChildren } => {
  switch (filter.kind) {
    case 'choices': {
      const chosen = filters.list(filter.name)
      const texts = chosen.map(
        (value) => filter.options.find((option) => option.value === value)?.text ?? value,
      )
      const value = texts.length > 2 ? t.filters.several(texts[0]!, texts.length - 1) : texts.join(', ')
      return { title: filter.title, value: value || null }
    }
    case 'picked': {
      const id = filters.get(filter.name)
      return { title: filter.title, value: id === '' ? null : <PickedName of={filter.of} id={id} /> }
    }
    case 'text':
      return { title: filter.title, value: filters.get(filter.name) || null }
    case 'amount': {
      const [min, max] = [filters.get('minAmount'), filters.get('maxAmount')]
      const both = [min && `≥ ${money(min)}`, max && `≤ ${money(max)}`].filter(Boolean).join(' ')
      return { title: t.common.amount, value: both || null }
    }
    case 'period': {
      const [from, to] = [filters.get('from'), filters.get('to')]
      if (from === '' && to === '') return { title: t.filters.period, value: null }
      const known = periods().find(([, first, last]) => first === from && last === to)
      if (known !== undefined)
        return {
          title: t.filters.period,
          value: (
            <>
              {known[0]} <PrintedDays from={from} to={to} />
            </>
          ),
        }
      const ends = [from && day(from), to && day(to)]
      return {
        title: t.filters.period,
        value: from === to ? day(from) : `${ends[0] || '…'} – ${ends[1] || '…'}`,
      }
    }
  }
}
