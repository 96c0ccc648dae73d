import { t } from '../core/language.ts'
import { type AnyStatus, type StatusNoun, statusText } from './labels.tsx'
import type { Pickable } from './picker.tsx'

/** A filter of a list. */
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
  | { readonly kind: 'picked'; readonly name: string; readonly title: string; readonly of: Pickable }
  | { readonly kind: 'amount' }
  | { readonly kind: 'period' }

export type FilterOption = { readonly value: string; readonly text: string; readonly count?: number }

/** A filter from one day to another. */
export const period: Filter = { kind: 'period' }

/** A filter by some of these values, or by one. */
export const choices = (
  name: string,
  title: string,
  options: readonly FilterOption[],
  isSingle = false,
): Filter => ({ kind: 'choices', name, title, options, isSingle })

/** A filter by one of very many, which is searched for. */
export const picked = (name: string, title: string, of: Pickable): Filter => ({
  kind: 'picked',
  name,
  title,
  of,
})

/** A filter by a typed text. */
export const textFilter = (name: string, title: string, hint?: string): Filter => ({
  kind: 'text',
  name,
  title,
  ...(hint && { hint }),
})

/** The choice of what the days of a list are about. */
export const dateFieldFilter = (texts: Readonly<Record<string, string>>): Filter =>
  choices(
    'dateField',
    t.transactions.dateField,
    Object.entries(texts).map(([value, text]) => ({ value, text })),
    true,
  )

/** A filter by status. */
export const statusFilter = (values: readonly AnyStatus[], of: StatusNoun): Filter =>
  choices(
    'status',
    t.common.status,
    values.map((value) => ({ value, text: statusText(value, of) })),
  )

/** A filter by whether rows are in use. */
export const activeFilter = (of: StatusNoun): Filter =>
  choices(
    'active',
    t.common.status,
    [
      { value: 'true', text: statusText('ACTIVE', of) },
      { value: 'false', text: statusText('INACTIVE', of) },
    ],
    true,
  )

/** A filter by the merchant's own id. */
export const externalIdFilter = (): Filter =>
  textFilter('externalId', t.common.externalId, t.transactions.externalIdHint)

/** Filter options for rows by their names; none while the rows are loading. */
export const nameOptions = (
  rows: readonly { readonly id: string; readonly name: string }[] | undefined,
): FilterOption[] => (rows ?? []).map(({ id, name }) => ({ value: id, text: name }))

/** The query parameters that a filter sets. */
export const namesOf = (filter: Filter): readonly string[] => {
  if (filter.kind === 'amount') return ['minAmount', 'maxAmount']
  return filter.kind === 'period' ? ['from', 'to'] : [filter.name]
}
