import type { Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { count, day, daysFrom, daysText, isoDay, money, shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Amount, Empty, Loading, Page, Section, Tabs, Trouble } from '../../parts/basics.tsx'
import { Chart, compactReais, reais } from '../../parts/chart.tsx'
import { amountOf, Figures } from '../../parts/facts.tsx'
import { choices, period } from '../../parts/filter.ts'
import { MethodLabel } from '../../parts/labels.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { RecipientName, useRecipientNames } from '../../parts/recipient.tsx'
import { amountColumn, DataTable, Noted, statusColumn } from '../../parts/table.tsx'

type Agenda = Schemas['ReceivablesAgenda']
type Day = Agenda['days'][number]
type Sums = Agenda['totals']

/** What comes into the balance on which day, or the receivables behind it. */
export const Receivables = ({ rest: [part] }: { rest: readonly string[] }) =>
  part === 'lista' ? <ReceivableList /> : <AgendaPage />

const spans = [30, 90, 365]

const AgendaPage = () => {
  const filters = useFilters()
  const span = spans.find((days) => String(days) === filters.get('dias')) ?? 90
  const from = isoDay(clockMs())
  const query = { from, to: isoDay(clockMs(), span - 1) }
  const { data, problem, refresh, isLoading } = useGet('/v1/receivables/agenda', { query })
  return (
    <Page title={t.nav.receivables} lead={t.receivables.lead}>
      <Tabs
        label={t.filters.period}
        current={String(span)}
        of={spans.map((days) => ({
          id: String(days),
          text: t.receivables.nextDays(days),
          href: pathTo(days === 90 ? 'recebiveis' : `recebiveis?dias=${days}`),
        }))}
      />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={12} />}
      {data?.days.length === 0 && (
        <Empty icon="wallet" title={t.receivables.none} text={t.receivables.noneText} />
      )}
      {data && data.days.length > 0 && (
        <>
          <SumFigures of={data.totals} href={listPathOf(query)} />
          <div class="section">
            <ByDay of={data} />
          </div>
          <Section title={t.receivables.days}>
            <DataTable
              label={t.receivables.days}
              rows={data.days}
              keyOf={({ date }) => date}
              hrefOf={({ date }) => listPathOf({ from: date, to: date })}
              nameOf={({ date }) => day(date, 'weekday')}
              columns={dayColumns()}
            />
          </Section>
        </>
      )}
    </Page>
  )
}

const listPathOf = (filters: Readonly<Record<string, string>>): string =>
  pathTo(`recebiveis/lista?${new URLSearchParams(filters)}`)

const dayColumns = () =>
  [
    ['date', t.common.day, ({ date }: Day) => day(date, 'weekday')],
    amountColumn('netAmount', t.transactions.net),
    ['parts', t.common.method, ({ date, parts }: Day) => <Parts of={parts} on={date} />, 'medium'],
    ['count', t.nav.receivables, ({ count: many }: Day) => count(many), 'end', 'wide'],
    amountColumn('grossAmount', t.transactions.gross, 'end', 'medium'),
    amountColumn('feeAmount', t.transactions.fees, 'end', 'medium'),
  ] as const

/** What a day brings by method and acquirer, each a link to its receivables. */
const Parts = ({ of, on }: { of: Day['parts']; on: string }) => (
  <ul class="agenda-parts">
    {of.map(({ method, providerId, netAmount }) => (
      <li key={`${method} ${providerId}`}>
        <MethodLabel is={method} />
        <a href={listPathOf({ from: on, to: on, method, providerId })}>
          <Amount of={netAmount} />
        </a>
        <small class="sub">{providerId}</small>
      </li>
    ))}
  </ul>
)

/** Sums of receivables: links to their list, where that is another page. */
const SumFigures = ({ of, href }: { of: Sums; href?: string }) => {
  const more = { ...(href && { href }) }
  return (
    <Figures
      of={[
        [t.transactions.net, amountOf(of.netAmount), more],
        [t.transactions.gross, amountOf(of.grossAmount), more],
        [t.transactions.fees, amountOf(of.feeAmount), more],
        [t.nav.receivables, count(of.count), more],
      ]}
    />
  )
}

const ByDay = ({ of: { days, from, to, totals } }: { of: Agenda }) => {
  const byDate = new Map(days.map((one) => [one.date, one]))
  const methods = new Set(days.flatMap(({ parts }) => parts.map(({ method }) => method)))
  const all = daysFrom(from, to)
  return (
    <Chart
      title={t.receivables.byDay}
      summary={
        <a href={listPathOf({ from, to })}>{t.receivables.summary(money(totals.netAmount), days.length)}</a>
      }
      days={all}
      series={[...methods].map((method) => ({
        id: method,
        name: t.method[method],
        values: all.map((date) => {
          const own = byDate.get(date)?.parts.filter((part) => part.method === method) ?? []
          return own.reduce((sum, { netAmount }) => sum + Number(netAmount), 0) / 100
        }),
      }))}
      kind="bars"
      valueText={reais}
      axisText={compactReais}
      hasTable={false}
    />
  )
}

const ReceivableList = () => {
  const query = useList('/v1/receivables', ['from', 'to', 'method', 'providerId'])
  const methods = ['CREDIT_CARD', 'DEBIT_CARD'] as const
  const names = useRecipientNames(query.data?.data.map(({ recipientId }) => recipientId) ?? [])
  return (
    <ListPage
      title={t.receivables.list}
      back={{ href: pathTo('recebiveis'), text: t.nav.receivables }}
      query={query}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ transactionId }) => shortId(transactionId)}
      filterBy={[
        period,
        choices(
          'method',
          t.common.method,
          methods.map((value) => ({ value, text: t.method[value] })),
        ),
      ]}
      above={
        query.data && (
          <>
            <p class="hint">
              {t.filters.totalsOf(daysText(query.filters.get('from'), query.filters.get('to')))}
            </p>
            <SumFigures of={query.data.totals} />
          </>
        )
      }
      columns={[
        ['expectedOn', t.transactions.expectedOn, ({ expectedOn }) => day(expectedOn)],
        statusColumn('receivable'),
        [
          'installment',
          t.transactions.installment,
          ({ installment, installments, recipientId }) => (
            <Noted note={recipientId && <RecipientName id={recipientId} names={names} />}>
              {installment}/{installments}
            </Noted>
          ),
        ],
        ['transactionId', t.transactions.one, ({ transactionId }) => shortId(transactionId), 'medium'],
        [
          'method',
          t.common.method,
          ({ method, providerId }) => (
            <Noted note={providerId}>
              <MethodLabel is={method} />
            </Noted>
          ),
          'wide',
        ],
        amountColumn('grossAmount', t.transactions.gross, 'end', 'medium'),
        amountColumn('feeAmount', t.transactions.fees, 'end', 'wide'),
        amountColumn('netAmount', t.transactions.net, 'end'),
      ]}
      empty={<Empty icon="wallet" title={t.receivables.none} text={t.receivables.noneText} />}
    />
  )
}
