import type { ComponentChildren } from 'preact'
import type { GetPath, Got } from '../core/api.ts'
import { t } from '../core/language.ts'
import { type Query, useGet } from '../core/query.ts'
import { type Filters, pathTo, useAddress, useFilters } from '../core/router.ts'
import { Empty, Loading, Trouble } from './basics.tsx'
import { type Filter, FilterBar } from './filters.tsx'
import { SavedViews } from './saved-views.tsx'
import { type Column, DataTable, Pages } from './table.tsx'

/** What every list of the API answers. */
type Listed<Row> = {
  readonly data: readonly Row[]
  readonly pagination: {
    page: number
    pageSize: number
    total: number
    totalPages: number
    hasMore: boolean
    asOf: string
  }
}

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

/** A list with its filters: rows, or why there are none. */
export const List = <Row,>({
  label,
  query,
  columns,
  keyOf,
  hrefOf,
  nameOf,
  filterBy = [],
  search,
  empty,
  tools,
  above,
}: {
  label: string
  query: Query<Listed<Row>> & { filters: Filters }
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  hrefOf?: (row: Row) => string
  nameOf?: (row: Row) => string
  filterBy?: readonly Filter[]
  search?: string
  /** What is said where there is nothing at all, without any filter. */
  empty: ComponentChildren
  tools?: ComponentChildren
  /** Between the filters and the table. */
  above?: ComponentChildren
}) => {
  const { filters, data, problem } = query
  const { path } = useAddress()
  const isFiltered = [...filters.query.keys()].some(
    (name) => !['pagina', 'porPagina', 'sort', 'novo'].includes(name),
  )
  const isBare = data !== null && data.pagination.total === 0 && !isFiltered
  return (
    <div class="list">
      {!isBare && filterBy.length > 0 && <SavedViews page={path.slice(2).join('/')} />}
      {!isBare && (filterBy.length > 0 || search !== undefined || tools) && (
        <FilterBar filters={filters} of={filterBy} {...(search !== undefined && { search })}>
          {tools}
        </FilterBar>
      )}
      {problem?.code === 'PRODUCT_NOT_ACTIVE' ? (
        <Empty
          icon="info"
          title={t.problems.notActive}
          actions={
            <a class="button plain" href={pathTo('suporte')}>
              {t.nav.support}
            </a>
          }
        >
          {t.problems.notActiveText}
        </Empty>
      ) : (
        <Trouble of={problem} retry={query.refresh} />
      )}
      {!isBare && above}
      {query.isLoading && <Loading rows={8} />}
      {data !== null && data.data.length > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={data.data}
          keyOf={keyOf}
          filters={filters}
          isStale={query.isStale}
          {...(hrefOf && { hrefOf })}
          {...(nameOf && { nameOf })}
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

const NothingFits = ({ filters }: { filters: Filters }) => (
  <Empty
    icon="filter"
    title={t.filters.noRow}
    actions={
      <button type="button" class="button plain" onClick={() => filters.clear([...filters.query.keys()])}>
        {t.filters.clear}
      </button>
    }
  >
    {t.filters.noRowText}
  </Empty>
)
