import { useEffect, useState } from 'preact/hooks'
import { documentNumber, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { type FieldProps, Labelled, useField } from './form.tsx'

/** A row that can be picked: its id, what it is called, and what tells it from another of the same name. */
export type PickerRow = { readonly id: string; readonly text: string; readonly sub?: string | null }

type PickerProps = FieldProps & {
  /** The rows that fit what was typed. */
  of: readonly PickerRow[]
  /** What the chosen value is called while its row is not among them. */
  chosenText?: string
  /** Called with what is typed, where the rows are searched for elsewhere; otherwise they are narrowed here. */
  onSearch?: (text: string) => void
  /** The text that `of` was searched for, null while it is on its way: Enter chooses no row of another. */
  foundFor?: string | null
  /** What choosing nothing means, where a value may be left out. */
  none?: string
  isFirst?: boolean
  /** The value where it is none of the form's own. */
  control?: { readonly value: string; readonly set: (id: string) => void }
}

/** One of many rows, found by typing: a combobox with a list (ARIA Authoring Practices, Combobox). */
export const Picker = (props: PickerProps) => {
  const { name, of, chosenText = '', onSearch, foundFor, none, isOptional = false, isFirst = false } = props
  const { id, error, describedBy, ...own } = useField(props)
  const { value, set } = props.control ?? own
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const [known, setKnown] = useState(chosenText)
  const rows = onSearch === undefined && typed !== null ? of.filter((row) => saysAll(row, typed)) : of
  const isFound = onSearch === undefined || typed === null || foundFor === typed.trim()
  const hasNone = none !== undefined && !typed?.trim()
  const shown: readonly PickerRow[] = hasNone ? [{ id: '', text: none }, ...rows] : rows
  const isOpen = typed !== null
  const close = () => setTyped(null)
  const choose = (row: PickerRow | undefined) => {
    if (row === undefined) return
    set(row.id)
    setKnown(row.text)
    close()
  }
  useEffect(() => {
    if (typed === null || onSearch === undefined) return
    const timer = setTimeout(() => onSearch(typed.trim()), 250)
    return () => clearTimeout(timer)
  }, [typed])
  const chosen = shown.find((row) => row.id === value)?.text ?? known
  return (
    <Labelled of={props} id={id} error={error}>
      <div
        class="picker"
        onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node) && close()}
      >
        <input
          id={id}
          name={name}
          type="text"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(isOpen && shown[at] && { 'aria-activedescendant': `${id}-${at}` })}
          aria-invalid={error !== null}
          aria-required={!isOptional}
          aria-describedby={describedBy}
          data-first={isFirst || undefined}
          autoComplete="off"
          spellcheck={false}
          placeholder={t.common.pick}
          value={typed ?? chosen}
          onClick={() => typed === null && setTyped('')}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && isOpen) {
              // It closes the list alone, and not the dialog around it.
              event.preventDefault()
              event.stopPropagation()
              close()
            } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              if (!isOpen) return setTyped('')
              const step = event.key === 'ArrowDown' ? 1 : -1
              setAt((at + step + shown.length) % Math.max(1, shown.length))
            } else if (event.key === 'Enter' && isOpen) {
              event.preventDefault()
              if (isFound) choose(shown[at])
            }
          }}
        />
        <div
          id={`${id}-list`}
          class="picks"
          role="listbox"
          aria-label={props.label}
          aria-busy={!isFound}
          hidden={!isOpen}
        >
          {shown.map((row, n) => (
            <div
              key={row.id}
              id={`${id}-${n}`}
              role="option"
              aria-selected={n === at}
              tabIndex={-1}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(row)
              }}
            >
              {row.text}
              {row.sub && <small class="sub">{row.sub}</small>}
            </div>
          ))}
          {shown.length === 0 && (
            <div class="hint" role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
              {t.filters.noRow}
            </div>
          )}
        </div>
      </div>
    </Labelled>
  )
}

/** Whether a row has every word that was typed. */
const saysAll = ({ text, sub }: PickerRow, typed: string): boolean => {
  const plain = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const own = plain(`${text} ${sub ?? ''}`)
  return plain(typed)
    .split(/\s+/)
    .every((part) => own.includes(part))
}

type SearchedProps = FieldProps & Pick<PickerProps, 'chosenText' | 'none' | 'control'>

/** What a picker searches for: the query of the rows, and the picker's props about it. */
const useSearch = () => {
  const [q, setQ] = useState('')
  return {
    query: { pageSize: 8, ...(q !== '' && { q }) },
    searching: (isStale: boolean) => ({ onSearch: setQ, foundFor: isStale ? null : q }),
  }
}

/** A registered customer, found by name, document or e-mail. */
export const CustomerPicker = (props: SearchedProps) => {
  const { query, searching } = useSearch()
  const { data, isStale } = useGet('/v1/customers', { query })
  const rows = (data?.data ?? []).map(({ id, name, document, email }) => ({
    id,
    text: name,
    sub: document ? documentNumber(document) : email,
  }))
  return <Picker {...props} of={rows} {...searching(isStale)} />
}

/** A plan, found by its name. */
const PlanPicker = ({ active, ...props }: SearchedProps & { active?: 'true' }) => {
  const { query, searching } = useSearch()
  const { data, isStale } = useGet('/v1/plans', { query: { ...query, ...(active && { active }) } })
  const rows = (data?.data ?? []).map(({ id, name, amount }) => ({ id, text: name, sub: money(amount) }))
  return <Picker {...props} of={rows} {...searching(isStale)} />
}

/** A plan that takes new subscriptions. */
export const ActivePlanPicker = (props: FieldProps) => <PlanPicker {...props} active="true" />

/** A wallet, found by its name, its holder or its address. */
const WalletPicker = (props: SearchedProps) => {
  const { query, searching } = useSearch()
  const { data, isStale } = useGet('/v1/crypto/wallets', { query })
  const rows = (data?.data ?? []).map(({ id, name, holderName }) => ({ id, text: name, sub: holderName }))
  return <Picker {...props} of={rows} {...searching(isStale)} />
}

/** A payee, found by name, document or key. */
const BeneficiaryPicker = (props: SearchedProps) => {
  const { query, searching } = useSearch()
  const { data, isStale } = useGet('/v1/beneficiaries', { query })
  const rows = (data?.data ?? []).map(({ id, name, nickname }) => ({
    id,
    text: nickname ?? name,
    sub: nickname && name,
  }))
  return <Picker {...props} of={rows} {...searching(isStale)} />
}

/** A recipient of splits, found by name or document. */
export const RecipientPicker = (props: SearchedProps) => {
  const { query, searching } = useSearch()
  const { data, isStale } = useGet('/v1/split/recipients', { query })
  const rows = (data?.data ?? []).map(({ id, name, document }) => ({
    id,
    text: name,
    sub: documentNumber(document),
  }))
  return <Picker {...props} of={rows} {...searching(isStale)} />
}

/** What a list can be narrowed to by picking one: the picker, and where the API has the one. */
const pickable = {
  beneficiary: [BeneficiaryPicker, '/v1/beneficiaries/{id}'],
  customer: [CustomerPicker, '/v1/customers/{id}'],
  plan: [PlanPicker, '/v1/plans/{id}'],
  recipient: [RecipientPicker, '/v1/split/recipients/{id}'],
  wallet: [WalletPicker, '/v1/crypto/wallets/{id}'],
} as const

export type Pickable = keyof typeof pickable

/** What one that was picked is called; its id until that is known. */
export const usePickedName = (kind: Pickable, id: string): string => {
  const { data } = useGet(id === '' ? null : pickable[kind][1], { path: { id } })
  return data?.name ?? id
}

/** The picker of a kind. */
export const AnyPicker = ({ kind, ...props }: SearchedProps & { kind: Pickable }) => {
  const [Own] = pickable[kind]
  return <Own {...props} />
}
