import type { Schemas } from '../core/api.ts'
import { count, money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'
import { pathTo } from '../core/router.ts'
import { Amount } from '../parts/basics.tsx'
import { Chart, reais } from '../parts/chart.tsx'
import { MethodLabel } from '../parts/labels.tsx'

type Overview = Schemas['Overview']
type ChartProps = { readonly of: Overview; readonly days: readonly string[] }

/** How the weeks went: the volume by method, the share of cards that were approved, and the mix of methods. */
export const Charts = ({ of, from, days: many }: { of: Overview; from: string; days: number }) => {
  const days = Array.from({ length: many }, (_, n) =>
    new Date(Date.parse(`${from}T12:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10),
  )
  return (
    <div class="charts">
      <div class="section wide">
        <VolumeChart of={of} days={days} />
      </div>
      <div class="section">
        <ApprovalChart of={of} days={days} />
      </div>
      <div class="section">
        <h2>{t.home.mix}</h2>
        <Mix of={of} days={days} />
      </div>
    </div>
  )
}

/** The filter of what was received on a day, or from one to another. */
export const receivedOn = (from: string, to = from) => ({ dateField: 'approvedAt', from, to }) as const

/** The address of the list of transactions with these filters. */
export const listPathOf = (filters: Readonly<Record<string, string>>): string =>
  pathTo(`transacoes?${new URLSearchParams(filters)}`)

/** What was received on each day, by all methods together. */
export const dailyTotals = ({ volume }: Overview): number[] => {
  const byDay = new Map<string, number>()
  for (const { date, amount } of volume) byDay.set(date, (byDay.get(date) ?? 0) + Number(amount))
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/** The methods that occur, with the volume of each. */
const sumsOf = ({ volume }: Overview) =>
  (Object.keys(t.method) as Schemas['PaymentMethod'][])
    .map((method) => ({ method, rows: volume.filter((one) => one.method === method) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ method, rows }) => ({
      method,
      rows,
      sum: rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    }))

const totalOf = (sums: ReturnType<typeof sumsOf>): bigint => sums.reduce((total, { sum }) => total + sum, 0n)

const VolumeChart = ({ of, days }: ChartProps) => {
  const sums = sumsOf(of)
  return (
    <Chart
      title={t.home.volume}
      summary={
        <a href={listPathOf(receivedOn(days[0]!, days.at(-1)))}>
          {t.home.volumeSummary(money(totalOf(sums).toString()), days.length)}
        </a>
      }
      days={days}
      series={sums.map(({ method, rows }) => ({
        id: method,
        name: t.method[method],
        values: days.map((day) => Number(rows.find(({ date }) => date === day)?.amount ?? 0) / 100),
      }))}
      kind="bars"
      valueText={reais}
      axisText={compact}
    />
  )
}

const ApprovalChart = ({ of: { approval }, days }: ChartProps) => {
  const attempts = approval.reduce((sum, one) => sum + one.attempts, 0)
  const approved = approval.reduce((sum, one) => sum + one.approved, 0)
  const rateText = (rate: number, digits: number) => percent(Math.round(rate * 10_000), digits)
  const values = days.map((day) => {
    const found = approval.find(({ date }) => date === day)
    return found === undefined || found.attempts === 0 ? null : found.approved / found.attempts
  })
  return (
    <Chart
      title={t.home.approvalRate}
      summary={
        <a href={listPathOf({ ...decidedAuthorizations, from: days[0]!, to: days.at(-1)! })}>
          {t.home.approvalSummary(rateText(attempts === 0 ? 0 : approved / attempts, 1), count(attempts))}
        </a>
      }
      days={days}
      series={[{ id: 'rate', name: t.home.approvalRate, values }]}
      kind="line"
      valueText={(rate) => rateText(rate, 1)}
      axisText={(rate) => rateText(rate, 0)}
    />
  )
}

/** The card payments whose authorisation was approved or declined. */
const decidedAuthorizations = {
  method: 'CREDIT_CARD,DEBIT_CARD',
  status: 'AUTHORIZED,APPROVED,DECLINED,CANCELLED,EXPIRED,PARTIALLY_REFUNDED,REFUNDED,CHARGEBACK',
}

const Mix = ({ of, days }: ChartProps) => {
  const sums = sumsOf(of)
  const total = totalOf(sums)
  return (
    <dl class="mix">
      {sums.map(({ method, sum }) => {
        const share = total === 0n ? 0 : Number((sum * 10_000n) / total)
        return (
          <div key={method}>
            <dt>
              <MethodLabel is={method} />
            </dt>
            <dd>
              <a href={listPathOf({ method, ...receivedOn(days[0]!, days.at(-1)) })}>
                <Amount of={sum.toString()} />
              </a>{' '}
              <span class="muted">{percent(share, 1)}</span>
            </dd>
            <span
              class={`mix-bar series-${method}`}
              style={{ '--share': `${share / 100}%` }}
              aria-hidden="true"
            />
          </div>
        )
      })}
    </dl>
  )
}

const compact = (value: number): string => {
  if (value >= 1_000_000) return `${count(Math.round(value / 100_000) / 10)} ${t.home.millions}`
  if (value >= 1000) return `${count(Math.round(value / 100) / 10)} ${t.home.thousands}`
  return count(value)
}
