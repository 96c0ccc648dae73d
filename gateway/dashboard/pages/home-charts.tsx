import type { Schemas } from '../core/api.ts'
import { count, money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'
import { pathTo } from '../core/router.ts'
import { Amount } from '../parts/basics.tsx'
import { Chart, compactReais, reais } from '../parts/chart.tsx'
import { amountOf, Figures } from '../parts/facts.tsx'
import { MethodLabel } from '../parts/labels.tsx'

type Overview = Schemas['Overview']
type ChartProps = { readonly of: Overview; readonly days: readonly string[] }

/** How the weeks went: what came compared with the time before, by day and method, by hour, and the share of cards that were approved. */
export const Charts = ({ of }: { of: Overview }) => {
  const days = of.days.map(({ date }) => date)
  return (
    <>
      <Compared of={of} />
      <div class="charts">
        <div class="section wide">
          <VolumeChart of={of} days={days} />
        </div>
        <div class="section">
          <HourChart of={of} days={days} />
        </div>
        <div class="section">
          <h2>{t.home.mix}</h2>
          <Mix of={of} days={days} />
        </div>
        <div class="section wide">
          <ApprovalChart of={of} days={days} />
        </div>
      </div>
    </>
  )
}

/** The room of the charts while they are on their way, so that nothing below moves when they come. */
export const ChartsRoom = () => (
  <>
    <div class="figures-room" />
    <div class="charts" aria-hidden="true">
      {['wide', '', '', 'wide'].map((width, n) => (
        <div key={n} class={`section chart-room ${width}`} />
      ))}
    </div>
  </>
)

/** The period, and what it is more or less than the one before, in words. */
const Compared = ({ of: { from, to, totals, previous, days } }: { of: Overview }) => {
  const own = listPathOf(paidOn(from, to))
  const before = listPathOf(paidOn(previous.from, previous.to))
  const [rate, rateBefore] = [rateOf(totals), rateOf(previous)]
  const authorizationsBefore = listPathOf({ ...decidedAuthorizations, from: previous.from, to: previous.to })
  const note = (text: string) => <a href={before}>{text}</a>
  return (
    <Figures
      label={t.home.compared(days.length)}
      of={[
        [
          t.home.paid,
          amountOf(totals.amount),
          { href: own, note: note(changeText(BigInt(totals.amount), BigInt(previous.amount), money)) },
        ],
        [
          t.home.payments,
          count(totals.count),
          {
            href: own,
            note: note(
              changeText(BigInt(totals.count), BigInt(previous.count), (many) => count(Number(many))),
            ),
          },
        ],
        [
          t.home.approvalRate,
          rate === null ? '–' : rateText(rate, 1),
          {
            href: listPathOf({ ...decidedAuthorizations, from, to }),
            note: (
              <>
                {approvedText(totals)}
                <br />
                <a href={authorizationsBefore}>
                  {rate === null || rateBefore === null
                    ? t.home.noneBefore
                    : t.home.points((rate - rateBefore) * 100)}
                </a>
              </>
            ),
          },
        ],
      ]}
    />
  )
}

/**
 * By how much, and how many per cent, a figure is above or below that of the period before. More than tenfold is said by both figures: a
 * percentage of nearly nothing tells a reader nothing.
 */
const changeText = (own: bigint, before: bigint, text: (amount: string) => string): string => {
  if (before === 0n) return t.home.noneBefore
  const difference = own - before
  if (difference === 0n) return t.home.same
  if (own > 10n * before) return t.home.before(text(before.toString()))
  const size = difference < 0n ? -difference : difference
  const share = percent(Number((size * 10_000n) / before), 1)
  return t.home.change(text(size.toString()), share, difference > 0n)
}

/** How many authorizations were approved, of how many that were decided: a rate alone does not say whether it is of three or of thousands. */
const approvedText = ({ attempts, approved }: Decided): string =>
  t.home.ofAuthorizations(count(approved), count(attempts))

type Decided = Pick<Overview['totals'], 'attempts' | 'approved'>

const rateOf = ({ attempts, approved }: Decided): number | null =>
  attempts === 0 ? null : approved / attempts
const rateText = (rate: number, digits: number): string => percent(Math.round(rate * 10_000), digits)

/** The filter of what was paid on a day, or from one to another. */
export const paidOn = (from: string, to = from) => ({ dateField: 'approvedAt', from, to }) as const

/** The address of the list of transactions with these filters. */
export const listPathOf = (filters: Readonly<Record<string, string>>): string =>
  pathTo(`transacoes?${new URLSearchParams(filters)}`)

const VolumeChart = ({ of, days }: ChartProps) => (
  <Chart
    title={t.home.volume}
    summary={
      <>
        <a href={listPathOf(paidOn(of.from, of.to))}>
          {t.home.volumeSummary(money(of.totals.amount), days.length)}
        </a>{' '}
        {t.home.cardsCount}
      </>
    }
    days={days}
    series={methodsOf(of).map(({ method }) => {
      const rows = new Map(
        of.volume.filter((row) => row.method === method).map(({ date, amount }) => [date, amount]),
      )
      return {
        id: method,
        name: t.method[method],
        values: days.map((day) => Number(rows.get(day) ?? 0) / 100),
      }
    })}
    kind="bars"
    valueText={reais}
    axisText={compactReais}
  />
)

/** When payers pay, by the company's clocks. */
const HourChart = ({ of: { hours, from, to, totals } }: ChartProps) => {
  const most = hours.reduce((best, { count }, hour) => (count > hours[best]!.count ? hour : best), 0)
  return (
    <Chart
      title={t.home.hours}
      summary={
        <a href={listPathOf(paidOn(from, to))}>
          {t.home.hoursSummary(most, count(hours[most]!.count), count(totals.count))}
        </a>
      }
      days={hours.map((_, hour) => String(hour))}
      dayText={(hour) => `${hour} h`}
      head={t.home.hour}
      series={[{ id: 'rate', name: t.home.payments, values: hours.map(({ count }) => count) }]}
      kind="bars"
      valueText={count}
      axisText={count}
    />
  )
}

/** The methods that occur, in the order that colours and legends have. */
const methodsOf = ({ methods }: Overview) =>
  (Object.keys(t.method) as Schemas['PaymentMethod'][]).flatMap(
    (method) => methods.find((one) => one.method === method) ?? [],
  )

const ApprovalChart = ({ of: { approval, totals }, days }: ChartProps) => {
  const decided = days.map((day) => approval.find(({ date }) => date === day) ?? { attempts: 0, approved: 0 })
  const rate = rateOf(totals)
  return (
    <Chart
      title={t.home.approvalRate}
      summary={
        <a href={listPathOf({ ...decidedAuthorizations, from: days[0]!, to: days.at(-1)! })}>
          {rate === null
            ? t.home.noAuthorization
            : t.home.approvalSummary(approvedText(totals), rateText(rate, 1))}
        </a>
      }
      days={days}
      series={[{ id: 'rate', name: t.home.approvalRate, values: decided.map(rateOf) }]}
      kind="line"
      valueText={(rate, n) => `${rateText(rate, 1)} (${approvedText(decided[n]!)})`}
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
  const total = BigInt(of.totals.amount)
  return (
    <dl class="mix">
      {methodsOf(of).map(({ method, amount }) => {
        const share = total === 0n ? 0 : Number((BigInt(amount) * 10_000n) / total)
        return (
          <div key={method}>
            <dt>
              <MethodLabel is={method} />
            </dt>
            <dd>
              <a href={listPathOf({ method, ...paidOn(days[0]!, days.at(-1)) })}>
                <Amount of={amount} />
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
