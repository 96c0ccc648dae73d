import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../core/api.ts'
import { count, documentNumber, moment, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Empty, Page, Tabs } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { amountOf, Figures } from '../../parts/facts.tsx'
import { choices, nameOptions, period, statusFilter } from '../../parts/filter.ts'
import { createButton, List, useList } from '../../parts/list-page.tsx'
import { amountColumn, statusColumn, Who } from '../../parts/table.tsx'
import { FirstPlan, SubscriptionDialog } from './subscription-dialog.tsx'
import { billingMethods, nameOfSubscription, subscriptionColumns } from './subscription-table.tsx'

/** Subscriptions, who has them, and what they bring. */
export const Subscriptions = ({ part }: { part: 'assinaturas' | 'assinantes' }) => {
  const dialog = useDialog(useFilters())
  const overview = useGet('/v1/recurring/overview')
  const create = createButton('subscriptions.manage', t.subscriptions.create, dialog.show)
  return (
    <Page title={t.nav.subscriptions} actions={create}>
      {overview.data && <Summary of={overview.data} />}
      <Tabs
        label={t.nav.subscriptions}
        current={part}
        of={[
          { id: 'assinaturas', text: t.nav.subscriptions, href: pathTo('assinaturas') },
          { id: 'assinantes', text: t.subscriptions.subscribers, href: pathTo('assinaturas/assinantes') },
        ]}
      />
      {part === 'assinaturas' ? <SubscriptionList create={create} /> : <Subscribers />}
      {dialog.open && <SubscriptionDialog onClose={dialog.close} />}
    </Page>
  )
}

const Summary = ({ of }: { of: Schemas['RecurringOverview'] }) => {
  const withStatus = (status: string) => ({ href: pathTo(`assinaturas?status=${status}`) })
  return (
    <Figures
      of={[
        ['MRR', amountOf(of.mrrAmount), { note: t.subscriptions.perYear }],
        [t.subscriptions.active, count(of.activeSubscriptions), withStatus('ACTIVE')],
        [t.status.TRIALING, count(of.trialingSubscriptions), withStatus('TRIALING')],
        [t.status.PAST_DUE, count(of.pastDueSubscriptions), withStatus('PAST_DUE')],
        [t.subscriptions.new30, count(of.newLast30Days)],
        [
          t.subscriptions.cancelled30,
          count(of.cancelledLast30Days),
          { note: `${t.home.churn} ${percent(of.churnBps)}` },
        ],
        [
          t.home.delinquency,
          amountOf(of.delinquency.amount),
          {
            note: t.subscriptions.invoices(of.delinquency.invoices),
            href: pathTo('faturas?status=PAST_DUE'),
          },
        ],
      ]}
    />
  )
}

const statuses = [
  ...(['ACTIVE', 'TRIALING', 'PENDING', 'PAST_DUE', 'PAUSED', 'SUSPENDED'] as const),
  ...(['SCHEDULED', 'CANCELLED', 'COMPLETED'] as const),
]

const SubscriptionList = ({ create }: { create: ComponentChildren }) => {
  const query = useList('/v1/subscriptions', ['from', 'to', 'status', 'method', 'planId', 'customerId', 'q'])
  const { data: plans } = useGet('/v1/plans', { query: { pageSize: 200 } })
  return (
    <List
      label={t.nav.subscriptions}
      query={query}
      columns={subscriptionColumns()}
      hrefOf={({ id }) => pathTo(`assinaturas/${id}`)}
      nameOf={nameOfSubscription}
      search={t.subscriptions.search}
      filterBy={[
        statusFilter(statuses, 'subscription'),
        choices('planId', t.subscriptions.plan, nameOptions(plans?.data), true),
        choices(
          'method',
          t.common.method,
          billingMethods().map(([value, text]) => ({ value, text })),
        ),
        period,
      ]}
      empty={
        <Empty
          icon="repeat"
          title={t.subscriptions.none}
          text={t.subscriptions.noneText}
          actions={plans?.pagination.total === 0 ? <FirstPlan /> : create}
        />
      }
    />
  )
}

const Subscribers = () => (
  <List
    label={t.subscriptions.subscribers}
    query={useList('/v1/recurring/customers', ['from', 'to', 'status', 'q'])}
    keyOf={({ customerId }) => customerId}
    hrefOf={({ customerId }) => pathTo(`clientes/${customerId}`)}
    nameOf={({ customer }) => customer.name}
    search={t.customers.search}
    filterBy={[statusFilter(['ACTIVE', 'PAST_DUE', 'INACTIVE']), period]}
    columns={[
      [
        'customer',
        t.common.customer,
        ({ customer }) => <Who name={customer.name} sub={documentNumber(customer.document)} />,
      ],
      statusColumn(),
      ['count', t.nav.subscriptions, (row) => `${row.activeSubscriptions} / ${row.subscriptions}`, 'medium'],
      amountColumn('mrrAmount', 'MRR'),
      amountColumn('overdueAmount', t.status.PAST_DUE, 'medium'),
      ['since', t.customers.since, (row) => moment(row.firstSubscribedAt, 'day'), 'end', 'wide'],
    ]}
    empty={<Empty icon="users" title={t.subscriptions.noSubscriber} text={t.subscriptions.noneText} />}
  />
)
