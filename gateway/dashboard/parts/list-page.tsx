import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { GetPath, Got } from '../core/api.ts'
import { t } from '../core/language.ts'
import { type Query, useGet } from '../core/query.ts'
import { type Filters, pathTo, useAddress, useFilters } from '../core/router.ts'
import { can } from '../core/session.ts'
import { type BackLink, Button, Empty, LinkButton, Loading, Page, Trouble } from './basics.tsx'
import { type Bulk, BulkBar } from './bulk.tsx'
import { ColumnMenu, useChosenColumns } from './column-choice.tsx'
import type { Filter } from './filter.ts'
import { FilterBar } from './filters.tsx'
import { SavedViews } from './saved-views.tsx'
import { type Columns, columnsOf, DataTable, Pages, type Pagination } from './table.tsx'

/** The response of every list of the API. */
type Listed<Row> = { readonly data: readonly Row[]; readonly pagination: Pagination }

/** The query of a list, as the address has it. */
export const listQuery = (filters: Filters, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [
      ['page', filters.get('pagina')],
      ['pageSize', filters.get('porPagina')],
      ...[...names, 'asOf'].map((name) => [name, filters.get(name)] as const),
    ].filter(([, value]) => value !== ''),
  )

/** Reads a list whose filters are in the address; its rows are those of the path's answer. */
export const useList = <Path extends GetPath>(
  path: Path,
  names: readonly string[],
  fixed: Readonly<Record<string, string>> = {},
  parameters: Readonly<Record<string, string>> = {},
): Query<Got<Path>> & { filters: Filters } => {
  const filters = useFilters()
  const query = useGet(path, { query: { ...listQuery(filters, names), ...fixed }, path: parameters })
  return { ...query, filters }
}

type ListProps<Row> = {
  /** What several rows can be selected for; left out where the role can do nothing with them. */
  bulk?: Bulk<Row>
  label: string
  query: Query<Listed<Row>> & { filters: Filters }
  columns: Columns<Row>
  keyOf?: (row: Row) => string
  hrefOf?: (row: Row) => string
  nameOf?: (row: Row) => string
  /** `false` stands for one that is left out. */
  filterBy?: readonly (Filter | false)[]
  search?: string
  /** Shown when the list is empty without any filter. */
  empty: ComponentChildren
  tools?: ComponentChildren
  /** Between the filters and the table. */
  above?: ComponentChildren
}

/** A page that is a list, with its heading and the dialogs that it opens. */
export const ListPage = <Row,>({
  title,
  lead,
  back,
  actions,
  children,
  ...list
}: Omit<ListProps<Row>, 'label'> & {
  title: string
  lead?: string
  back?: BackLink
  actions?: ComponentChildren
  children?: ComponentChildren
}) => (
  <Page title={title} lead={lead} actions={actions} {...(back && { back })}>
    <List label={title} {...list} />
    {children}
  </Page>
)

/** So many columns are all shown at every width: there is nothing to choose. */
const fewColumns = 3

/** A list with its filters: rows, or why there are none. */
export const List = <Row,>({
  label,
  query,
  filterBy: given = [],
  search,
  empty,
  tools,
  above,
  bulk,
  ...table
}: ListProps<Row>) => {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const { filters, data, problem, refresh, isLoading, isStale } = query
  const filterBy = given.filter((one) => one !== false)
  const { path } = useAddress()
  // A list within the page of one object is the same for all of them.
  const list = path
    .slice(2)
    .map((segment) => segment.replace(/_\w{26}$/, ''))
    .join('/')
  const chosen = useChosenColumns(list)
  const columns = columnsOf(table.columns)
  const isFiltered = [...filters.query.keys()].some(
    (name) => !['pagina', 'porPagina', 'sort', 'novo'].includes(name),
  )
  const rows = (data?.data ?? []) as readonly (Row & { readonly id: string })[]
  const selected = rows.filter(({ id }) => picked.has(id))
  const isBare = data !== null && data.pagination.total === 0 && !isFiltered
  return (
    <div class="list">
      {!isBare && filterBy.length > 0 && <SavedViews page={path.slice(2).join('/')} />}
      {!isBare && (filterBy.length > 0 || search !== undefined || tools) && (
        <FilterBar filters={filters} of={filterBy} {...(search !== undefined && { search })}>
          {data !== null && data.data.length > 0 && columns.length > fewColumns && (
            <ColumnMenu list={list} columns={columns} />
          )}
          {tools}
        </FilterBar>
      )}
      {problem?.code === 'PRODUCT_NOT_ACTIVE' ? <NotActive /> : <Trouble of={problem} retry={refresh} />}
      {!isBare && above}
      {bulk && selected.length > 0 && (
        <BulkBar
          of={bulk}
          rows={selected}
          nameOf={table.nameOf ?? (({ id }) => id)}
          onAll={selected.length < rows.length ? () => setPicked(new Set(rows.map(({ id }) => id))) : null}
          onNone={() => setPicked(new Set())}
        />
      )}
      {isLoading && <Loading rows={8} />}
      {data !== null && data.data.length > 0 && (
        <DataTable
          {...table}
          {...{ label, filters, isStale, chosen }}
          rows={data.data}
          {...(bulk && { picking: { picked, onPick: setPicked } })}
        />
      )}
      {data !== null &&
        data.data.length === 0 &&
        problem === null &&
        (isBare ? empty : <NothingFits filters={filters} />)}
      {data !== null && <Pages of={data.pagination} filters={filters} />}
    </div>
  )
}

const NotActive = () => (
  <Empty
    title={t.problems.notActive}
    text={t.problems.notActiveText}
    actions={<LinkButton href={pathTo('suporte')} text={t.nav.support} />}
  />
)

const NothingFits = ({ filters }: { filters: Filters }) => (
  <Empty
    icon="filter"
    title={t.filters.noRow}
    text={t.filters.noRowText}
    actions={<ClearButton of={filters} />}
  />
)

type ClearButtonProps = { of: Filters; names?: readonly string[] }

/** The button that clears filters which nothing matches: those of `names`, or all. */
export const ClearButton = ({ of, names = [...of.query.keys()] }: ClearButtonProps) => (
  <button type="button" class="button plain" onClick={() => of.clear(names)}>
    {t.filters.clear}
  </button>
)

/** The button that opens the dialog for something new, which the key `n` presses too; none for a person who may not make it. */
export const createButton = (permission: string, text: string, onClick: () => void) =>
  can(permission) && <Button tone="main" icon="plus" data-key="n" onClick={() => onClick()} text={text} />
