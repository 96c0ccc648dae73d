import { downloadPath, type Schemas } from '../../core/api.ts'
import { day } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Amount, Empty, Figure, LinkButton, Loading, Moment, Page, Trouble } from '../../parts/basics.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { listQuery } from '../../parts/list-page.tsx'
import { pageOf } from '../../parts/page-of.ts'
import { DataTable, Pages } from '../../parts/table.tsx'

type Days = Schemas['Statement']['days']

/** Every change of the balance, by day. */
export const Statement = () => {
  const filters = useFilters()
  const query = listQuery(filters, ['from', 'to'])
  const { data, problem, isLoading, isStale, refresh } = useGet('/v1/statement', { query })
  const { from, to } = query
  const exported = { format: 'csv', ...(from && { from }), ...(to && { to }) }
  return (
    <Page
      title={t.nav.statement}
      lead={data && t.statement.period(day(data.from), day(data.to))}
      actions={
        <LinkButton icon="download" href={downloadPath('/v1/statement/export', exported)} download>
          {t.common.csv}
        </LinkButton>
      }
    >
      <FilterBar filters={filters} of={[{ kind: 'period' }]} />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={8} />}
      {data && (
        <>
          <dl class={isStale ? 'figures stale' : 'figures'}>
            <Figure name={t.statement.opening}>
              <Amount of={data.openingBalance} />
            </Figure>
            <Figure name={t.statement.closing}>
              <Amount of={data.closingBalance} />
            </Figure>
          </dl>
          <StatementDays of={data.days} />
          {data.days.length === 0 && (
            <Empty
              icon="list"
              title={t.statement.none}
              actions={
                filters.get('from') !== '' && (
                  <button type="button" class="button plain" onClick={() => filters.clear(['from', 'to'])}>
                    {t.filters.clear}
                  </button>
                )
              }
            >
              {t.statement.noneText}
            </Empty>
          )}
          <Pages of={data.pagination} filters={filters} />
        </>
      )}
    </Page>
  )
}

/** Days of a statement, with what they opened and closed with. */
export const StatementDays = ({ of }: { of: Days }) => (
  <>
    {of.map(({ date, openingBalance, closingBalance, lines }) => (
      <section key={date} class="statement-day">
        <header>
          <h3>{day(date, 'weekday')}</h3>
          <span class="note">
            <Amount of={openingBalance} /> → <Amount of={closingBalance} />
          </span>
        </header>
        <DataTable
          label={day(date)}
          rows={lines}
          keyOf={({ objectId, balanceAfter, type }) => `${objectId} ${type} ${balanceAfter}`}
          columns={[
            {
              id: 'type',
              title: t.statement.type,
              cell: ({ type, objectId }) => (
                <span class="who">
                  <span>{t.statement.types[type]}</span>
                  <small class="sub">
                    <Reference id={objectId} />
                  </small>
                </span>
              ),
            },
            {
              id: 'at',
              title: t.statement.time,
              from: 'medium',
              cell: ({ at }) => <Moment at={at} style="time" />,
            },
            {
              id: 'amount',
              title: t.common.amount,
              align: 'end',
              cell: ({ amount }) => <Amount of={amount} isSigned />,
            },
            {
              id: 'after',
              title: t.nav.balance,
              align: 'end',
              from: 'medium',
              cell: ({ balanceAfter }) => <Amount of={balanceAfter} />,
            },
          ]}
        />
      </section>
    ))}
  </>
)

/** What moved the balance, as a link where it has a page. */
const Reference = ({ id }: { id: string }) => {
  const page = pageOf(id)
  return page === null ? <code>{id}</code> : <a href={pathTo(page)}>{id}</a>
}
