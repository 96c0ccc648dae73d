import { useEffect } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { now } from '../core/clock.ts'
import { count, day, isoDay, moment, money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'
import { onNews } from '../core/live.ts'
import { useGet } from '../core/query.ts'
import { currentPlace, pathIn, pathTo, useFilters } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { Amount, Empty, Loading, Moment, Page, Section, Trouble } from '../parts/basics.tsx'
import { Chart, Sparkline } from '../parts/chart.tsx'
import { CopyBox } from '../parts/copy-box.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { MethodLabel, Status } from '../parts/labels.tsx'
import type { Series } from '../parts/series.ts'

type Overview = Schemas['Overview']

const spans = [7, 30, 90]

/** The first page: how the day goes, what waits for a decision, and how the weeks went. */
export const Home = () => {
  const filters = useFilters()
  const days = spans.find((span) => String(span) === filters.get('dias')) ?? 30
  const today = isoDay(now())
  const from = isoDay(now(), 1 - days)
  const recent = useGet('/v1/transactions', { query: { pageSize: 7 } })
  const todays = useGet('/v1/transactions', { query: { pageSize: 1, from: today, to: today } })
  const yesterday = isoDay(now(), -1)
  const yesterdays = useGet('/v1/transactions', { query: { pageSize: 1, from: yesterday, to: yesterday } })
  const overview = useGet('/v1/overview', { query: { from, to: today } })
  const recurring = useGet(can('subscriptions.read') ? '/v1/recurring/overview' : null)
  useEffect(
    () =>
      onNews(/^(payment|settlement|transfer|conversion|crypto|pix)/, () => {
        for (const { poll } of [recent, todays, overview]) poll()
      }),
    [from, today],
  )
  const isNew = recent.data?.pagination.total === 0
  const balance = overview.data?.balance
  const sumOf = (totals: readonly { currency: string; paidAmount: string }[] | undefined) =>
    totals?.find(({ currency }) => currency === 'BRL')?.paidAmount ?? '0'
  return (
    <Page title={t.home.hello(hourOf(now()), firstName())} lead={day(today, 'weekday')}>
      <Trouble of={recent.problem} retry={recent.refresh} />
      {isNew && <FirstSteps />}
      <div class="home-top">
        <section class="section today">
          <h2>{t.home.today}</h2>
          <p class="today-amount">
            {todays.data ? <Amount of={sumOf(todays.data.totals)} size="huge" /> : <Loading rows={1} />}
          </p>
          <p class="hint">
            {todays.data && t.home.paymentsToday(todays.data.pagination.total)}
            {yesterdays.data && ` · ${t.home.yesterday} ${money(sumOf(yesterdays.data.totals))}`}
          </p>
          {overview.data && <Sparkline values={dailyTotals(overview.data)} />}
        </section>
        {balance && (
          <section class="section">
            <h2>
              <a href={pathTo('saldo')}>{t.nav.balance}</a>
            </h2>
            <p class="today-amount">
              <Amount of={balance.available} size="large" />
            </p>
            <p class="hint">
              {t.balance.receivable} <Amount of={balance.receivable} />
            </p>
            {balance.blocked !== '0' && (
              <p class="hint">
                {t.balance.blocked} <Amount of={balance.blocked} />
              </p>
            )}
          </section>
        )}
        <section class="section">
          <h2>{t.home.toDo}</h2>
          <ToDo of={overview.data} overdue={recurring.data?.delinquency.invoices ?? 0} />
        </section>
        {recurring.data && (
          <section class="section">
            <h2>
              <abbr title={t.home.mrrLong}>MRR</abbr>
            </h2>
            <p class="today-amount">
              <Amount of={recurring.data.mrrAmount} size="large" />
            </p>
            <p class="hint">
              {t.home.subscriptions(recurring.data.activeSubscriptions, recurring.data.trialingSubscriptions)}
            </p>
            <p class="hint">
              {t.home.churn} {percent(recurring.data.churnBps)} · {t.home.delinquency}{' '}
              {percent(recurring.data.delinquency.rateBps)}
            </p>
          </section>
        )}
      </div>
      {overview.data && overview.data.volume.length > 0 && (
        <>
          <nav class="tabs" aria-label={t.filters.period}>
            {spans.map((span) => (
              <a
                key={span}
                href={pathTo(span === 30 ? 'inicio' : `inicio?dias=${span}`)}
                aria-current={span === days ? 'page' : undefined}
              >
                {t.filters.days(span)}
              </a>
            ))}
          </nav>
          <Charts of={overview.data} from={from} days={days} />
        </>
      )}
      {!isNew && (
        <Section
          title={t.home.latest}
          actions={
            <a class="button quiet" href={pathTo('transacoes')}>
              {t.common.seeAll}
            </a>
          }
        >
          {recent.isLoading && <Loading rows={5} />}
          {recent.data && (
            <ul class="latest">
              {recent.data.data.map(
                ({ id, amount, currency, status, method, customer, description, createdAt }) => (
                  <li key={id}>
                    <a href={pathTo(`transacoes/${id}`)} data-row>
                      <MethodLabel is={method} more="" />
                      <span class="latest-who">{customer?.name ?? description ?? id}</span>
                      <Status is={status} />
                      <Amount of={amount} currency={currency} />
                      <span class="muted from-medium">
                        <Moment at={createdAt} />
                      </span>
                    </a>
                  </li>
                ),
              )}
            </ul>
          )}
        </Section>
      )}
    </Page>
  )
}

const hourOf = (at: number): number => Number.parseInt(moment(at, 'hour'), 10)
const firstName = (): string => sessionStore.get()?.person.name.split(' ')[0] ?? ''

const ToDo = ({ of, overdue }: { of: Overview | null; overdue: number }) => {
  const items = (
    [
      ['alert', of?.openChargebacks ?? 0, t.home.openChargebacks, 'cartoes/chargebacks?status=OPEN'],
      ['alert', of?.openMeds ?? 0, t.home.openMeds, 'pix/contestacoes?status=OPEN'],
      ['check', of?.pendingApprovals ?? 0, t.home.pendingApprovals, 'transferencias?status=PENDING_APPROVAL'],
      ['send', of?.failedDeliveries ?? 0, t.home.failedDeliveries, 'entregas?status=EXHAUSTED'],
      ['receipt', overdue, t.home.overdueInvoices, 'faturas?status=PAST_DUE'],
    ] as const satisfies readonly (readonly [IconName, number, (n: number) => string, string])[]
  ).filter(([, many]) => many > 0)
  if (items.length === 0)
    return (
      <p class="all-done">
        <Icon name="check" /> {t.home.nothingToDo}
      </p>
    )
  return (
    <ul class="to-do">
      {items.map(([icon, many, text, page]) => (
        <li key={page}>
          <a href={pathTo(page)}>
            <Icon name={icon} />
            <span>{text(many)}</span>
            <Icon name="right" size={14} />
          </a>
        </li>
      ))}
    </ul>
  )
}

const daysFrom = (from: string, many: number): string[] =>
  Array.from({ length: many }, (_, n) =>
    new Date(Date.parse(`${from}T12:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10),
  )

const dailyTotals = ({ volume }: Overview): number[] => {
  const byDay = new Map<string, number>()
  for (const { date, amount } of volume) byDay.set(date, (byDay.get(date) ?? 0) + Number(amount))
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

const Charts = ({ of, from, days: many }: { of: Overview; from: string; days: number }) => {
  const days = daysFrom(from, many)
  const methods = (Object.keys(t.method) as Schemas['PaymentMethod'][]).filter((method) =>
    of.volume.some((one) => one.method === method),
  )
  const volume: Series[] = methods.map((method) => ({
    id: method,
    name: t.method[method],
    values: days.map(
      (date) =>
        Number(of.volume.find((one) => one.date === date && one.method === method)?.amount ?? 0) / 100,
    ),
  }))
  const sums = methods.map((method) =>
    of.volume.filter((one) => one.method === method).reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  )
  const total = sums.reduce((sum, one) => sum + one, 0n)
  const attempts = of.approval.reduce((sum, one) => sum + one.attempts, 0)
  const approved = of.approval.reduce((sum, one) => sum + one.approved, 0)
  const rate: Series[] = [
    {
      id: 'rate',
      name: t.home.approvalRate,
      values: days.map((date) => {
        const found = of.approval.find((one) => one.date === date)
        return found === undefined || found.attempts === 0 ? null : found.approved / found.attempts
      }),
    },
  ]
  const reais = (value: number) => money(BigInt(Math.round(value * 100)).toString())
  return (
    <div class="charts">
      <div class="section wide">
        <Chart
          title={t.home.volume}
          summary={t.home.volumeSummary(money(total.toString()), many)}
          days={days}
          series={volume}
          kind="bars"
          valueText={reais}
          axisText={(value) => compact(value)}
          dayText={(date) => day(date, 'short')}
        />
      </div>
      <div class="section">
        <Chart
          title={t.home.approvalRate}
          summary={t.home.approvalSummary(
            percent(attempts === 0 ? 0 : Math.round((approved / attempts) * 10_000), 1),
            count(attempts),
          )}
          days={days}
          series={rate}
          kind="line"
          valueText={(value) => percent(Math.round(value * 10_000), 1)}
          axisText={(value) => percent(Math.round(value * 10_000), 0)}
          dayText={(date) => day(date, 'short')}
        />
      </div>
      <div class="section">
        <h2>{t.home.mix}</h2>
        <dl class="mix">
          {methods.map((method, n) => {
            const share = total === 0n ? 0 : Number((sums[n]! * 10_000n) / total)
            return (
              <div key={method}>
                <dt>
                  <MethodLabel is={method} />
                </dt>
                <dd>
                  <Amount of={sums[n]!.toString()} /> <span class="muted">{percent(share, 1)}</span>
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
      </div>
    </div>
  )
}

const compact = (value: number): string => {
  if (value >= 1_000_000) return `${count(Math.round(value / 100_000) / 10)} ${t.home.millions}`
  if (value >= 1000) return `${count(Math.round(value / 100) / 10)} ${t.home.thousands}`
  return count(value)
}

/** What a company does first. In Production, and for those who make no keys, it is not two commands. */
const FirstSteps = () => {
  const place = currentPlace()!
  const roles = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place.companyId)?.roles
  if (place.environment === 'SANDBOX' && can('keys.manage')) return <TwoCommands />
  return (
    <Empty
      icon="list"
      title={t.transactions.none}
      actions={
        place.environment === 'PRODUCTION' &&
        roles?.SANDBOX && (
          <a class="button plain" href={pathIn({ ...place, environment: 'SANDBOX' })}>
            {t.home.trySandbox}
          </a>
        )
      }
    >
      {t.transactions.noneText}
    </Empty>
  )
}

/** Two commands that charge and are paid. */
const TwoCommands = () => (
  <section class="section first-steps">
    <h2>{t.home.firstSteps}</h2>
    <p class="muted">{t.home.firstStepsText}</p>
    <ol class="steps">
      <li>
        <span>{t.home.stepKey}</span>
        <a class="button plain" href={pathTo('chaves')}>
          {t.nav.keys}
        </a>
      </li>
      <li>
        <span>{t.home.stepCharge}</span>
        <CopyBox
          label="curl"
          text={`curl ${location.origin}/v1/pix/charges -H 'Authorization: Bearer svc_test_…' -H 'Content-Type: application/json' -d '{"amount": 1990, "description": "Pedido 1"}'`}
        />
      </li>
      <li>
        <span>{t.home.stepPay}</span>
        <CopyBox
          label="curl"
          text={`curl -X POST ${location.origin}/v1/sandbox/pix/charges/txn_…/pay -H 'Authorization: Bearer svc_test_…'`}
        />
      </li>
    </ol>
  </section>
)
