import { useEffect } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { clockMs } from '../core/clock.ts'
import { day, isoDay, moment, money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'
import { onNews } from '../core/live.ts'
import { useGet } from '../core/query.ts'
import { currentPlace, pathIn, pathTo, useFilters } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { Amount, Empty, LinkButton, Loading, Moment, Page, Section, Trouble } from '../parts/basics.tsx'
import { Sparkline } from '../parts/chart.tsx'
import { CopyBox } from '../parts/copy-box.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { MethodLabel, Status } from '../parts/labels.tsx'
import { Charts, dailyTotals, listPathOf, receivedOn } from './home-charts.tsx'
import { nameOfTransaction } from './payments/transactions.tsx'

type Overview = Schemas['Overview']

const spans = [7, 30, 90]

/** The first page: how the day goes, what waits for a decision, and how the weeks went. */
export const Home = () => {
  const filters = useFilters()
  const days = spans.find((span) => String(span) === filters.get('dias')) ?? 30
  const today = isoDay(clockMs())
  const from = isoDay(clockMs(), 1 - days)
  const recent = useGet('/v1/transactions', { query: { pageSize: 7 } })
  const yesterday = isoDay(clockMs(), -1)
  const todays = useGet('/v1/transactions', { query: { pageSize: 1, ...receivedOn(today) } })
  const yesterdays = useGet('/v1/transactions', { query: { pageSize: 1, ...receivedOn(yesterday) } })
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
  return (
    <Page title={t.home.hello(hourOf(clockMs()), firstName())} lead={day(today, 'weekday')}>
      <Trouble of={recent.problem} retry={recent.refresh} />
      {isNew && <FirstSteps />}
      <div class="home-top">
        <Today
          of={todays.data}
          on={today}
          before={yesterdays.data}
          beforeOn={yesterday}
          overview={overview.data}
        />
        {overview.data?.balance && <BalanceCard of={overview.data.balance} />}
        <section class="section">
          <h2>{t.home.toDo}</h2>
          <ToDo of={overview.data} overdue={recurring.data?.delinquency.invoices ?? 0} />
        </section>
        {recurring.data && <RecurringCard of={recurring.data} />}
      </div>
      {overview.data && overview.data.volume.length > 0 && (
        <>
          <Spans present={days} />
          <Charts of={overview.data} from={from} days={days} />
        </>
      )}
      {!isNew && (
        <Section
          title={t.home.latest}
          actions={<LinkButton tone="quiet" href={pathTo('transacoes')} text={t.common.seeAll} />}
        >
          {recent.isLoading && <Loading rows={5} />}
          {recent.data && <Latest of={recent.data.data} />}
        </Section>
      )}
    </Page>
  )
}

type Listed = Schemas['TransactionList'] | null

type TodayProps = {
  readonly of: Listed
  readonly on: string
  readonly before: Listed
  readonly beforeOn: string
  readonly overview: Overview | null
}

/** What came in today: a link to the payments that it counts, and yesterday's beside it. */
const Today = ({ of, on, before, beforeOn, overview }: TodayProps) => (
  <section class="section today">
    <h2>{t.home.today}</h2>
    <p class="today-amount">
      {of ? (
        <a href={listPathOf(receivedOn(on))}>
          <Amount of={paidIn(of).paidAmount} size="huge" />
        </a>
      ) : (
        <Loading rows={1} />
      )}
    </p>
    <p class="hint">
      {of && t.home.paymentsToday(paidIn(of).count)}
      {before && (
        <>
          {' · '}
          <a href={listPathOf(receivedOn(beforeOn))}>
            {t.home.yesterday} {money(paidIn(before).paidAmount)}
          </a>
        </>
      )}
    </p>
    {overview && <Sparkline values={dailyTotals(overview)} />}
  </section>
)

/** What was paid in reais. */
const paidIn = ({ totals }: Schemas['TransactionList']) =>
  totals.find(({ currency }) => currency === 'BRL') ?? { count: 0, paidAmount: '0' }

const BalanceCard = ({ of }: { of: NonNullable<Overview['balance']> }) => (
  <section class="section">
    <h2>
      <a href={pathTo('saldo')}>{t.nav.balance}</a>
    </h2>
    <p class="today-amount">
      <Amount of={of.available} size="large" />
    </p>
    <p class="hint">
      {t.balance.receivable} <Amount of={of.receivable} />
    </p>
    {of.blocked !== '0' && (
      <p class="hint">
        {t.disputes.blocked} <Amount of={of.blocked} />
      </p>
    )}
  </section>
)

const RecurringCard = ({ of }: { of: Schemas['RecurringOverview'] }) => (
  <section class="section">
    <h2>
      <abbr title={t.home.mrrLong}>MRR</abbr>
    </h2>
    <p class="today-amount">
      <Amount of={of.mrrAmount} size="large" />
    </p>
    <p class="hint">{t.home.subscriptions(of.activeSubscriptions, of.trialingSubscriptions)}</p>
    <p class="hint">
      {t.home.churn} {percent(of.churnBps)} · {t.home.delinquency} {percent(of.delinquency.rateBps)}
    </p>
  </section>
)

/** Links to choose how many days the charts cover. */
const Spans = ({ present }: { present: number }) => (
  <nav class="tabs" aria-label={t.filters.period}>
    {spans.map((span) => (
      <a
        key={span}
        href={pathTo(span === 30 ? 'inicio' : `inicio?dias=${span}`)}
        aria-current={span === present ? 'page' : undefined}
      >
        {t.filters.days(span)}
      </a>
    ))}
  </nav>
)

const Latest = ({ of }: { of: readonly Schemas['Transaction'][] }) => (
  <ul class="latest">
    {of.map((one) => (
      <li key={one.id}>
        <a href={pathTo(`transacoes/${one.id}`)} data-row>
          <MethodLabel is={one.method} more="" />
          <span class="latest-who">{nameOfTransaction(one)}</span>
          <Status is={one.status} of="transaction" />
          <Amount of={one.amount} currency={one.currency} />
          <span class="muted from-medium">
            <Moment at={one.createdAt} />
          </span>
        </a>
      </li>
    ))}
  </ul>
)

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

/** First steps: two commands in the Sandbox for people who may manage keys, a short text for everyone else. */
const FirstSteps = () => {
  const place = currentPlace()!
  const roles = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place.companyId)?.roles
  if (place.environment === 'SANDBOX' && can('keys.manage')) return <TwoCommands />
  const isElsewhere = place.environment === 'PRODUCTION' && roles?.SANDBOX
  return (
    <Empty
      icon="list"
      title={t.transactions.none}
      text={t.transactions.noneText}
      actions={
        isElsewhere && (
          <LinkButton href={pathIn({ ...place, environment: 'SANDBOX' })} text={t.home.trySandbox} />
        )
      }
    />
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
        <LinkButton href={pathTo('chaves')} text={t.nav.keys} />
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
