import type { Schemas } from '../../core/api.ts'
import { day } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { useFilters } from '../../core/router.ts'
import { Amount, Empty, Loading, Moment, Page, Trouble } from '../../parts/basics.tsx'
import { CsvButton } from '../../parts/buttons.tsx'
import { amountOf, Figures, linkTo } from '../../parts/facts.tsx'
import { period } from '../../parts/filter.ts'
import { FilterBar } from '../../parts/filters.tsx'
import { ClearButton, listQuery } from '../../parts/list-page.tsx'
import { amountColumn, DataTable, Pages, Who } from '../../parts/table.tsx'

/** Every change of the balance, by day. */
export const Statement = () => {
  const filters = useFilters()
  const query = listQuery(filters, ['from', 'to'])
  const { data, problem, isLoading, isStale, refresh } = useGet('/v1/statement', { query })
  const { from, to } = query
  const exported = { format: 'csv', ...(from && { from }), ...(to && { to }) }
  const clear = from && <ClearButton of={filters} names={['from', 'to']} />
  return (
    <Page
      title={t.nav.statement}
      lead={data && t.statement.period(day(data.from), day(data.to))}
      actions={<CsvButton path="/v1/statement/export" query={exported} />}
    >
      <FilterBar filters={filters} of={[period]} />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={8} />}
      {data && (
        <>
          <Figures
            isStale={isStale}
            of={[
              [t.statement.opening, amountOf(data.openingBalance)],
              [t.statement.closing, amountOf(data.closingBalance)],
            ]}
          />
          <StatementDays of={data.days} />
          {data.days.length === 0 && (
            <Empty icon="list" title={t.statement.none} text={t.statement.noneText} actions={clear} />
          )}
          <Pages of={data.pagination} filters={filters} />
        </>
      )}
    </Page>
  )
}

/** Days of a statement, each with its opening and closing balance. */
export const StatementDays = ({ of }: { of: Schemas['Statement']['days'] }) => (
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
            [
              'type',
              t.statement.type,
              ({ type, objectId: id, counterpart }) => (
                <Who
                  name={t.statement.types[type]}
                  sub={
                    <>
                      {counterpart && `${counterpart} · `}
                      {linkTo(id, id)}
                    </>
                  }
                />
              ),
            ],
            ['at', t.statement.time, ({ at }) => <Moment at={at} style="time" />, 'medium'],
            ['amount', t.common.amount, ({ amount }) => <Amount of={amount} isSigned />, 'end'],
            amountColumn('balanceAfter', t.nav.balance, 'end', 'medium'),
          ]}
        />
      </section>
    ))}
  </>
)
