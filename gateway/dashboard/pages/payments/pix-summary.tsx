import type { Schemas } from '../../core/api.ts'
import { count, money, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Loading, Trouble } from '../../parts/basics.tsx'
import { Chart, compactReais, reais } from '../../parts/chart.tsx'
import { amountOf, Figures } from '../../parts/facts.tsx'
import { PeriodPresets, periods } from '../../parts/filter-panels.tsx'

/** PIX in a period: figures, and the amount received on each day. */
export const PixSummary = () => {
  const filters = useFilters()
  const [, from, to] = periods().find(([, first]) => first === filters.get('from')) ?? periods()[3]!
  const { data, isLoading, problem, refresh } = useGet('/v1/pix/overview', { query: { from, to } })
  return (
    <>
      <PeriodPresets from={from} to={to} choose={(from, to) => filters.set({ from, to })} />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={6} />}
      {data && <PixFigures of={data} days={`from=${from}&to=${to}`} />}
      {data && (
        <div class="section">
          <Chart
            title={t.pix.perDay}
            summary={
              <a href={pathTo(`pix/recebidos?status=RECEIVED&from=${from}&to=${to}`)}>
                {t.pix.perDaySummary(money(data.received.amount), count(data.received.count))}
              </a>
            }
            days={data.daily.map(({ date }) => date)}
            series={[
              { id: 'PIX', name: 'PIX', values: data.daily.map((one) => Number(one.receivedAmount) / 100) },
            ]}
            kind="bars"
            valueText={reais}
            axisText={compactReais}
          />
        </div>
      )}
    </>
  )
}

const PixFigures = ({ of, days }: { of: Schemas['PixOverview']; days: string }) => {
  const { paid, created } = of.charges
  const received = { href: pathTo(`pix/recebidos?status=RECEIVED&${days}`) }
  return (
    <Figures
      of={[
        [
          t.pix.received,
          amountOf(of.received.amount),
          { note: t.pix.payments(of.received.count), ...received },
        ],
        [t.transactions.net, amountOf(of.netAmount), received],
        [t.transactions.fees, amountOf(of.feeAmount), received],
        [t.pix.ticket, amountOf(of.averageTicket), received],
        [
          t.pix.conversion,
          created.count === 0 ? '–' : percent(of.conversionBps, 1),
          {
            note: t.pix.conversionNote(count(paid.count), count(created.count)),
            href: pathTo(`pix?${days}`),
          },
        ],
        [t.transactions.refunded, amountOf(of.refunds.amount), { note: count(of.refunds.count) }],
        [
          t.disputes.returned,
          amountOf(of.returned.amount),
          {
            note: count(of.returned.count),
            href: pathTo(`pix/recebidos?status=RETURNED&${days}`),
          },
        ],
        [
          t.pix.openMed,
          amountOf(of.med.open.amount),
          {
            note: count(of.med.open.count),
            href: pathTo(`pix/contestacoes?status=OPEN&${days}`),
          },
        ],
      ]}
    />
  )
}
