import type { ComponentChildren } from 'preact'
import { count } from '../core/format.ts'
import { t } from '../core/language.ts'
import type { Filters } from '../core/router.ts'
import { Amount, Button, Moment } from './basics.tsx'
import type { ChosenColumns } from './column-choice.tsx'
import { Icon } from './icons.tsx'
import { type AnyStatus, Status, type StatusNoun } from './labels.tsx'
import { PickBox, type Picking } from './pick-box.tsx'

/** A column of a table. Narrow screens show only columns without `from`. */
export type Column<Row> = {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  readonly align?: 'end'
  /** Whether it holds amounts, which stand one below the other by their decimals. */
  readonly isNumber?: boolean
  /**
   * The width of the page from which it is shown: `extra` at none until a person chooses it, and one that was chosen at all but a
   * telephone's.
   */
  readonly from?: 'medium' | 'wide' | 'extra' | 'chosen'
  /** What the list is sorted by when its heading is pressed: first descending, then ascending. */
  readonly sort?: string
  /** Whether it is the date of the row, which every width shows. */
  readonly isDate?: boolean
}

/**
 * How a column looks: at the end of its row, shown from a width of the page on or once it is chosen, with a heading that sorts by its
 * id, as a date, or as amounts.
 */
export type Look = 'end' | 'medium' | 'wide' | 'extra' | 'sorted' | 'when' | 'number'

/** A column by its id, its heading, its cell, and how it looks. */
type ColumnRow<Row> =
  | Column<Row>
  | readonly [id: string, title: string, cell: (row: Row) => ComponentChildren, ...look: readonly Look[]]

/** The columns of a table; `false` stands for one that is left out. */
export type Columns<Row> = readonly (ColumnRow<Row> | false)[]

/** The columns that are not left out, each whole. */
export const columnsOf = <Row,>(given: Columns<Row>): readonly Column<Row>[] =>
  given.filter((one) => one !== false).map(columnOf)

const columnOf = <Row,>(given: ColumnRow<Row>): Column<Row> => {
  if ('id' in given) return given
  const [id, title, cell, ...look] = given
  const from = look.find((one) => one === 'medium' || one === 'wide' || one === 'extra')
  return {
    id,
    title,
    cell,
    ...(look.includes('end') && { align: 'end' }),
    ...(from && { from }),
    ...(look.includes('sorted') && { sort: id }),
    ...(look.includes('when') && { isDate: true }),
    ...(look.includes('number') && { isNumber: true }),
  }
}

/** The columns to show: the first one, which leads, and those that were chosen, at every width but a telephone's. */
const shownColumns = <Row,>(columns: readonly Column<Row>[], chosen: ChosenColumns) =>
  chosen === null
    ? columns
    : columns
        .filter(({ id }, n) => n === 0 || chosen.includes(id))
        .map((column) => (column.from === undefined ? column : { ...column, from: 'chosen' as const }))

/** A table whose rows lead somewhere: by pointer, by Enter, and with j and k from row to row. */
export const DataTable = <Row,>({
  label,
  columns: given,
  rows,
  keyOf = idOf,
  hrefOf,
  nameOf,
  filters,
  isStale = false,
  chosen = null,
  picking,
}: {
  label: string
  columns: Columns<Row>
  rows: readonly Row[]
  /** The key of a row; its id by default. */
  keyOf?: (row: Row) => string
  hrefOf?: (row: Row) => string
  /** The name of the row's link. */
  nameOf?: (row: Row) => string
  filters?: Filters
  isStale?: boolean
  chosen?: ChosenColumns
  /** The rows that are selected by their check boxes; without it there are none. */
  picking?: Picking
}) => {
  const columns = shownColumns(columnsOf(given), chosen)
  return (
    <div class={isStale ? 'table-box stale' : 'table-box'}>
      <table class={picking ? 'data list picking' : 'data list'} aria-label={label} aria-busy={isStale}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} filters={filters} />
            ))}
            {hrefOf && (
              <th class="row-link">
                <span class="visually-hidden">{t.common.open}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, n) => (
                <td key={column.id} class={classOf(column)}>
                  {n === 0 && picking && (
                    <PickBox of={picking} id={keyOf(row)} name={nameOf?.(row) ?? keyOf(row)} />
                  )}
                  {column.cell(row)}
                </td>
              ))}
              {hrefOf && (
                <td class="row-link">
                  <a href={hrefOf(row)} data-row aria-label={nameOf?.(row) ?? t.common.open}>
                    <Icon name="right" size={14} />
                  </a>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const idOf = (row: unknown): string => (row as { readonly id: string }).id

type Looks = Pick<Column<never>, 'align' | 'from' | 'isDate' | 'isNumber'>

const classOf = ({ align, from, isDate, isNumber }: Looks): string | undefined =>
  [align, from && `from-${from}`, isDate && 'when', isNumber && 'number'].filter(Boolean).join(' ') ||
  undefined

const Heading = <Row,>({ column, filters }: { column: Column<Row>; filters: Filters | undefined }) => {
  const { id, title, sort } = column
  const isDate = false
  if (sort === undefined || filters === undefined)
    return (
      <th scope="col" class={classOf({ ...column, isDate })} data-column={id}>
        {title}
      </th>
    )
  const [by = 'createdAt', direction = 'desc'] = (filters.get('sort') || 'createdAt:desc').split(':')
  const isSorted = by === sort
  const next = isSorted && direction === 'desc' ? 'asc' : 'desc'
  const sorted = direction === 'desc' ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      class={classOf({ ...column, isDate })}
      data-column={id}
      aria-sort={isSorted ? sorted : 'none'}
    >
      <button type="button" class="sort" onClick={() => filters.set({ sort: `${sort}:${next}` })}>
        {title}
        <Icon name={isSorted && direction === 'asc' ? 'up' : 'down'} size={12} />
      </button>
    </th>
  )
}

type RowsProps = {
  label?: string
  heads: readonly string[]
  /** Which columns have amounts or numbers, counted from 0: they stand at the end. */
  ends?: readonly number[]
  /** Key, then a cell for each heading. */
  rows: readonly (readonly [key: string, ...cells: ComponentChildren[]])[]
}

/** A small table within a page; where it does not fit, each cell says what it is. */
export const Rows = ({ label, heads, ends = [], rows }: RowsProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
  <section class="table-box scrolls" tabIndex={0} aria-label={label ?? heads.join(', ')}>
    <table class="data small">
      <thead>
        <tr>
          {heads.map((head, n) => (
            <th key={head} scope="col" class={ends.includes(n) ? 'end' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, ...cells]) => (
          <tr key={key}>
            {cells.map((cell, n) => (
              <td key={heads[n]} data-head={heads[n]} class={ends.includes(n) ? 'end' : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** The position in a list: the page, and how many rows there are. */
export type Pagination = {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly totalPages: number
  readonly hasMore: boolean
  readonly asOf: string
}

/** The position in a list, with links to its other pages. */
export const Pages = ({ of, filters }: { of: Pagination; filters: Filters }) => {
  const first = (of.page - 1) * of.pageSize + 1
  const last = Math.min(of.page * of.pageSize, of.total)
  const to = (page: number) =>
    filters.set({ pagina: page === 1 ? '' : String(page), asOf: page === 1 ? '' : of.asOf })
  if (of.total === 0) return null
  return (
    <nav class="pages" aria-label={t.common.pages}>
      <span>{t.common.range(count(first), count(last), count(of.total))}</span>
      <label class="page-size">
        <span>{t.common.perPage}</span>
        <select
          onChange={(event) =>
            filters.set({ porPagina: event.currentTarget.value === '25' ? '' : event.currentTarget.value })
          }
        >
          {[25, 50, 100, 200].map((size) => (
            <option key={size} value={size} selected={size === of.pageSize}>
              {size}
            </option>
          ))}
        </select>
      </label>
      {of.totalPages > 1 && (
        <div class="actions">
          <Button icon="left" isDisabled={of.page === 1} onClick={() => to(of.page - 1)}>
            {t.common.previous}
          </Button>
          <Button isDisabled={!of.hasMore} onClick={() => to(of.page + 1)}>
            {t.common.next}
            <Icon name="right" />
          </Button>
        </div>
      )}
    </nav>
  )
}

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
  'number',
  ...look,
]

/** A column of instants. */
export const momentColumn = <Key extends string>(
  key: Key,
  title: string,
  ...look: readonly Look[]
): ColumnRow<Having<Key, string>> => [key, title, (row) => <Moment at={row[key]} />, 'when', ...look]

/** The status column. */
export const statusColumn = (
  of: StatusNoun,
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
