import { downloadPath, type Schemas } from '../../core/api.ts'
import { day, shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { useFilters } from '../../core/router.ts'
import { Amount, Empty, Loading, Moment, Page, Trouble } from '../../parts/basics.tsx'
import { dialect } from '../../parts/buttons.tsx'
import { amountOf, Figures, linkTo } from '../../parts/facts.tsx'
import { period } from '../../parts/filter.ts'
import { FilterBar } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ClearButton, listQuery } from '../../parts/list-page.tsx'
import { usePopover } from '../../parts/popover.ts'
import { amountColumn, DataTable, Pages } from '../../parts/table.tsx'

/** Every change of the balance, by day. */
export const Statement = () => {
  const filters = useFilters()
  const query = listQuery(filters, ['from', 'to'])
  const { data, problem, isLoading, isStale, refresh } = useGet('/v1/statement', { query })
  const clear = query.from && <ClearButton of={filters} names={['from', 'to']} />
  return (
    <Page
      title={t.nav.statement}
      lead={data && t.statement.period(day(data.from), day(data.to))}
      actions={data && <Downloads of={data} />}
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
          <h3>
            <time dateTime={date}>{day(date, 'weekday')}</time>
          </h3>
          <span class="note">
            <Amount of={openingBalance} /> → <Amount of={closingBalance} />
          </span>
        </header>
        <DataTable
          label={day(date)}
          rows={lines}
          keyOf={({ objectId, balanceAfter, type }) => `${objectId} ${type} ${balanceAfter}`}
          columns={[
            ['type', t.statement.type, (line) => <Line of={line} />],
            ['at', t.statement.time, ({ at }) => <Moment at={at} style="time" />, 'medium'],
            ['amount', t.common.amount, ({ amount }) => <Amount of={amount} isSigned />, 'end'],
            amountColumn('balanceAfter', t.nav.balance, 'end', 'medium'),
          ]}
        />
      </section>
    ))}
  </>
)

type StatementLine = Schemas['StatementLine']

/** What a line is about: who paid or was paid, how, what for, and the object that moved the money. */
const Line = ({ of: { type, counterpart, method, description, objectId } }: { of: StatementLine }) => {
  const kind = t.statement.types[type]
  // Fees are the service's, whatever payee the transfer had.
  const [name, ...about] = counterpart === null || type === 'FEE' ? [kind, counterpart] : [counterpart, kind]
  const how = method === 'TED' || method === null ? method : t.method[method]
  return (
    <span class="who wide">
      <span>{name}</span>
      <small class="sub">{[...about, how, description].filter(Boolean).join(' · ')}</small>
      <small class="sub">{linkTo(objectId, shortId(objectId))}</small>
    </span>
  )
}

/** The files of the statement: of which days they are, and what they say. */
const Downloads = ({ of: { from, to } }: { of: Schemas['Statement'] }) => {
  const { button, panel, close } = usePopover('downloads')
  const file = (format: string) => downloadPath('/v1/statement/export', { from, to, format, ...dialect() })
  return (
    <>
      <button {...button} type="button" class="button plain">
        <Icon name="download" />
        {t.common.download}
      </button>
      <div {...panel} class="popover menu downloads">
        <p>
          <strong>{t.statement.period(day(from), day(to))}</strong>
          <small class="sub">{t.statement.otherPeriod}</small>
        </p>
        {(['csv', 'ofx'] as const).map((format) => (
          <a key={format} href={file(format)} download onClick={close}>
            <span>{t.statement.file[format]}</span>
            <small class="sub">{t.statement.fileText[format]}</small>
          </a>
        ))}
      </div>
    </>
  )
}
