import { useEffect } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { clockMs } from '../core/clock.ts'
import { count, day, isoDay, moment, money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'
import { onNews } from '../core/live.ts'
import { useGet } from '../core/query.ts'
import { currentPlace, isSandbox, pathIn, pathTo, useFilters } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { Amount, Empty, LinkButton, Loading, Moment, Page, Section, Trouble } from '../parts/basics.tsx'
import { Sparkline } from '../parts/chart.tsx'
import { CopyBox } from '../parts/copy-box.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { MethodLabel, Status } from '../parts/labels.tsx'
import { TabStrip } from '../parts/tab-strip.tsx'
import { churnText } from './billing/churn-text.ts'
import { GoLive } from './go-live.tsx'
import { Charts, ChartsRoom, listPathOf, paidOn } from './home-charts.tsx'
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
  const overview = useGet('/v1/overview', { query: { from, to: today } })
  const suspense = useGet(can('balance.read') ? '/v1/suspense' : null, {
    query: { status: 'OPEN', pageSize: 1 },
  })
  const recurring = useGet(can('subscriptions.read') ? '/v1/recurring/overview' : null)
  useEffect(
    () =>
      onNews(/^(payment|settlement|transfer|conversion|crypto|pix)/, () => {
        for (const { poll } of [recent, overview]) poll()
      }),
    [from, today],
  )
  const isNew = recent.data?.pagination.total === 0
  const hasCharts = overview.data !== null && overview.data.methods.length > 0
  return (
    <Page title={t.home.hello(hourOf(clockMs()), firstName())} lead={day(today, 'weekday')}>
      <Trouble of={recent.problem} retry={recent.refresh} />
      <Trouble of={overview.problem} retry={overview.refresh} />
      <div class="home-top">
        <Today of={overview.data} />
        {can('balance.read') && <BalanceCard of={overview.data?.balance ?? null} />}
        <section class="section">
          <h2>{t.home.toDo}</h2>
          {overview.data ? (
            <ToDo
              of={overview.data}
              overdue={recurring.data?.delinquency.invoices ?? 0}
              suspense={suspense.data?.pagination.total ?? 0}
            />
          ) : (
            <Loading rows={2} />
          )}
        </section>
        {can('subscriptions.read') && <RecurringCard of={recurring.data} />}
      </div>
      {!isSandbox() && overview.data && <GoLive connected={overview.data.connectedRails} />}
      {isNew && <FirstSteps />}
      {(hasCharts || overview.isLoading) && <Spans present={days} />}
      {hasCharts ? <Charts of={overview.data!} /> : overview.isLoading && <ChartsRoom />}
      {!isNew && (
        <Section
          title={t.home.latest}
          actions={<LinkButton tone="quiet" href={pathTo('transacoes')} text={t.common.seeAll} />}
        >
          {recent.isLoading && <Loading rows={7} />}
          {recent.data && <Latest of={recent.data.data} />}
        </Section>
      )}
    </Page>
  )
}

/** What was paid today: a link to the payments that it counts, and yesterday's beside it. */
const Today = ({ of }: { of: Overview | null }) => {
  const [yesterday, today] = of?.days.slice(-2) ?? []
  return (
    <section class="section today">
      <h2>{t.home.today}</h2>
      {today && yesterday ? (
        <>
          <p class="today-amount">
            <a href={listPathOf(paidOn(today.date))}>
              <Amount of={today.amount} size="huge" />
            </a>
          </p>
          <p class="hint">
            {t.home.paymentsToday(today.count)}
            {' · '}
            <a href={listPathOf(paidOn(yesterday.date))}>
              {t.home.yesterday} {money(yesterday.amount)}
            </a>
          </p>
          <Sparkline values={of!.days.map(({ amount }) => Number(amount))} />
        </>
      ) : (
        <Loading rows={3} />
      )}
    </section>
  )
}

const BalanceCard = ({ of }: { of: Overview['balance'] }) => (
  <section class="section">
    <h2>
      <a href={pathTo('saldo')}>{t.nav.balance}</a>
    </h2>
    {of === null && <Loading rows={2} />}
    {of && (
      <>
        <p class="today-amount">
          <a href={pathTo('extrato')}>
            <Amount of={of.available} size="large" />
          </a>
        </p>
        <p class="hint">
          <a href={pathTo('recebiveis')}>
            {t.balance.receivable} <Amount of={of.receivable} />
          </a>
        </p>
        {of.blocked !== '0' && (
          <p class="hint">
            <a href={pathTo('saldo')}>
              {t.disputes.blocked} <Amount of={of.blocked} />
            </a>
          </p>
        )}
      </>
    )}
  </section>
)

const RecurringCard = ({ of }: { of: Schemas['RecurringOverview'] | null }) => (
  <section class="section">
    <h2>
      <abbr title={t.home.mrrLong}>MRR</abbr>
    </h2>
    {of === null && <Loading rows={2} />}
    {of && (
      <>
        <p class="today-amount">
          <a href={pathTo('assinaturas?status=ACTIVE,PAST_DUE')}>
            <Amount of={of.mrrAmount} size="large" />
          </a>
        </p>
        <p class="hint">
          <a href={pathTo('assinaturas?status=ACTIVE,TRIALING,PENDING')}>
            {t.home.subscriptions(of.activeSubscriptions, of.trialingSubscriptions, of.pendingSubscriptions)}
          </a>
        </p>
        <p class="hint">
          <a href={pathTo(`assinaturas?dateField=cancelledAt&from=${isoDay(clockMs(), -29)}`)}>
            {churnText(of)}
          </a>
        </p>
        <p class="hint">
          <a href={pathTo('assinaturas?status=PAST_DUE')}>{delinquencyText(of)}</a>
        </p>
      </>
    )}
  </section>
)

const delinquencyText = (of: Schemas['RecurringOverview']): string => {
  const { pastDueSubscriptions: late, activeSubscriptions: active } = of
  if (late + active === 0) return `${t.home.delinquency} –`
  return `${t.home.delinquency} ${percent(of.delinquency.rateBps)} (${t.home.ofSubscriptions(count(late), count(late + active))})`
}

/** Links to choose how many days the charts cover. */
const Spans = ({ present }: { present: number }) => (
  <TabStrip label={t.filters.period}>
    {spans.map((span) => (
      <a
        key={span}
        href={pathTo(span === 30 ? 'inicio' : `inicio?dias=${span}`)}
        aria-current={span === present ? 'page' : undefined}
      >
        {t.filters.days(span)}
      </a>
    ))}
  </TabStrip>
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

type ToDoProps = { of: Overview | null; overdue: number; suspense: number }

const ToDo = ({ of, overdue, suspense }: ToDoProps) => {
  const items = (
    [
      ['alert', of?.openChargebacks ?? 0, t.home.openChargebacks, 'cartoes/chargebacks?status=OPEN'],
      ['alert', of?.openMeds ?? 0, t.home.openMeds, 'pix/contestacoes?status=OPEN'],
      ['coin', suspense, t.home.openSuspense, 'suspenso?status=OPEN'],
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
