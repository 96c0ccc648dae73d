import type { ComponentChildren } from 'preact'
import { t } from '../core/language.ts'
import { Amount, Moment } from './basics.tsx'
import { type AnyStatus, Status, type StatusNoun } from './labels.tsx'
import type { ColumnRow, Look } from './table.tsx'

type Having<Key extends string, Value> = Readonly<Record<Key, Value>>

/** A column of amounts, in the currency of the row where it has one. */
export const amountColumn = <Key extends string>(
  key: Key,
  title: string,
  ...look: readonly Look[]
): ColumnRow<Having<Key, string> & { readonly currency?: string }> => [
  key,
  title,
  (row) => <Amount of={row[key]} currency={row.currency} />,
  ...look,
]

/** A column of instants. */
export const momentColumn = <Key extends string>(
  key: Key,
  title: string,
  ...look: readonly Look[]
): ColumnRow<Having<Key, string>> => [key, title, (row) => <Moment at={row[key]} />, ...look]

/** The column that says how each row stands. */
export const statusColumn = (
  of?: StatusNoun,
  ...look: readonly Look[]
): ColumnRow<{ readonly status: AnyStatus }> => [
  'status',
  t.common.status,
  ({ status }) => <Status is={status} of={of} />,
  ...look,
]

/** A name, with what else is known about it in small letters below. */
export const Who = ({ name, sub }: { name: ComponentChildren; sub?: ComponentChildren }) => (
  <span class="who">
    <span>{name}</span>
    <small class="sub">{sub}</small>
  </span>
)

/** A value, with a remark below it where there is one. */
export const Noted = ({ children, note }: { children: ComponentChildren; note: ComponentChildren }) => (
  <>
    {children}
    {note && <small class="sub">{note}</small>}
  </>
)
