import { api, dataOf, type Schemas } from '../../core/api.ts'
import { count, documentNumber, moment, percent } from '../../core/format.ts'
import { customerOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Empty, Figure, Loading, Page, Tabs, Trouble } from '../../parts/basics.tsx'
import { CardFields, CustomerFields, useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { subscriptionColumns } from './subscription-table.tsx'

const statuses = [
  'ACTIVE',
  'TRIALING',
  'PENDING',
  'PAST_DUE',
  'PAUSED',
  'SUSPENDED',
  'SCHEDULED',
  'CANCELLED',
  'COMPLETED',
] as const
const methods = ['CREDIT_CARD', 'PIX', 'BOLETO'] as const

/** Subscriptions, who has them, and what they bring. */
export const Subscriptions = ({ part }: { part: 'assinaturas' | 'assinantes' }) => {
  const filters = useFilters()
  const dialog = useDialog(filters)
  const overview = useGet('/v1/recurring/overview')
  const create = can('subscriptions.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.subscriptions.create}
    </Button>
  )
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

const Summary = ({ of }: { of: Schemas['RecurringOverview'] }) => (
  <dl class="figures">
    <Figure name="MRR" note={t.subscriptions.perYear}>
      <Amount of={of.mrrAmount} />
    </Figure>
    <Figure name={t.subscriptions.active} href={pathTo('assinaturas?status=ACTIVE')}>
      {count(of.activeSubscriptions)}
    </Figure>
    <Figure name={t.statusOf.subscription.TRIALING} href={pathTo('assinaturas?status=TRIALING')}>
      {count(of.trialingSubscriptions)}
    </Figure>
    <Figure name={t.statusOf.subscription.PAST_DUE} href={pathTo('assinaturas?status=PAST_DUE')}>
      {count(of.pastDueSubscriptions)}
    </Figure>
    <Figure name={t.subscriptions.new30}>{count(of.newLast30Days)}</Figure>
    <Figure name={t.subscriptions.cancelled30} note={`${t.home.churn} ${percent(of.churnBps)}`}>
      {count(of.cancelledLast30Days)}
    </Figure>
    <Figure
      name={t.home.delinquency}
      note={t.subscriptions.invoices(of.delinquency.invoices)}
      href={pathTo('faturas?status=PAST_DUE')}
    >
      <Amount of={of.delinquency.amount} />
    </Figure>
  </dl>
)

const SubscriptionList = ({ create }: { create: preact.ComponentChildren }) => {
  const query = useList('/v1/subscriptions', ['from', 'to', 'status', 'method', 'planId', 'customerId', 'q'])
  const plans = useGet('/v1/plans', { query: { pageSize: 200 } })
  return (
    <List
      label={t.nav.subscriptions}
      query={query}
      columns={subscriptionColumns()}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`assinaturas/${id}`)}
      nameOf={({ customer, plan }) => `${customer.name} · ${plan.name}`}
      search={t.subscriptions.search}
      filterBy={[
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(statuses, (status) => t.statusOf.subscription[status]),
        },
        {
          kind: 'choices',
          name: 'planId',
          title: t.subscriptions.plan,
          isSingle: true,
          options: (plans.data?.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
        },
        {
          kind: 'choices',
          name: 'method',
          title: t.common.method,
          options: optionsOf(methods, (method) => t.method[method]),
        },
        { kind: 'period' },
      ]}
      empty={
        <Empty
          icon="repeat"
          title={t.subscriptions.none}
          actions={
            plans.data?.pagination.total === 0 ? (
              <a class="button main" href={pathTo('planos?novo=1')}>
                {t.plans.create}
              </a>
            ) : (
              create
            )
          }
        >
          {t.subscriptions.noneText}
        </Empty>
      }
    />
  )
}

const Subscribers = () => {
  const query = useList('/v1/recurring/customers', ['from', 'to', 'status', 'q'])
  return (
    <List
      label={t.subscriptions.subscribers}
      query={query}
      keyOf={({ customerId }) => customerId}
      hrefOf={({ customerId }) => pathTo(`clientes/${customerId}`)}
      nameOf={({ customer }) => customer.name}
      search={t.customers.search}
      filterBy={[
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(['ACTIVE', 'PAST_DUE', 'INACTIVE'], (status) => t.status[status]),
        },
        { kind: 'period' },
      ]}
      columns={[
        {
          id: 'customer',
          title: t.common.customer,
          cell: ({ customer }) => (
            <span class="who">
              <span>{customer.name}</span>
              <small class="sub">{documentNumber(customer.document)}</small>
            </span>
          ),
        },
        { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} /> },
        {
          id: 'count',
          title: t.nav.subscriptions,
          from: 'medium',
          cell: ({ activeSubscriptions, subscriptions }) => `${activeSubscriptions} / ${subscriptions}`,
        },
        { id: 'mrr', title: 'MRR', cell: ({ mrrAmount }) => <Amount of={mrrAmount} /> },
        {
          id: 'overdue',
          title: t.statusOf.subscription.PAST_DUE,
          from: 'medium',
          cell: ({ overdueAmount }) => <Amount of={overdueAmount} />,
        },
        {
          id: 'since',
          title: t.customers.since,
          align: 'end',
          from: 'wide',
          cell: ({ firstSubscribedAt }) => moment(firstSubscribedAt, 'day'),
        },
      ]}
      empty={
        <Empty icon="users" title={t.subscriptions.noSubscriber}>
          {t.subscriptions.noneText}
        </Empty>
      }
    />
  )
}

const SubscriptionDialog = ({ onClose }: { onClose: () => void }) => {
  const plans = useGet('/v1/plans', { query: { active: 'true', pageSize: 200 } })
  const customers = useGet('/v1/customers', { query: { pageSize: 200 } })
  return (
    <Dialog title={t.subscriptions.create} onClose={onClose} isWide>
      <Trouble of={plans.problem} retry={plans.refresh} />
      {plans.data && customers.data ? (
        plans.data.data.length === 0 ? (
          <Empty
            icon="layers"
            title={t.plans.none}
            actions={
              <a class="button main" href={pathTo('planos?novo=1')}>
                {t.plans.create}
              </a>
            }
          >
            {t.plans.noneText}
          </Empty>
        ) : (
          <SubscriptionForm plans={plans.data.data} customers={customers.data.data} onClose={onClose} />
        )
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

const SubscriptionForm = ({
  plans,
  customers,
  onClose,
}: {
  plans: readonly Schemas['Plan'][]
  customers: readonly Schemas['Customer'][]
  onClose: () => void
}) => {
  const form = useForm(
    {
      planId: plans[0]!.id,
      customerId: customers[0]?.id ?? '',
      method: plans[0]!.methods[0]!,
      token: 'tok_test_approved',
      brand: 'VISA',
      last4: '4242',
    },
    async (values) => {
      const card = { token: values.token!, brand: values.brand as Schemas['Brand'], last4: values.last4! }
      const created = await dataOf(
        api.POST('/v1/subscriptions', {
          body: {
            planId: values.planId!,
            method: values.method as Schemas['BillingMethod'],
            ...(values.customerId ? { customerId: values.customerId } : customerOf(values)),
            ...(values.method === 'CREDIT_CARD' && { card }),
            ...filled(values, 'couponCode', 'startAt'),
          } as never,
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`assinaturas/${(created as { id: string }).id}`))
    },
    ({ customerId, customerName }) => ({ customerName: customerId ? null : requiredError(customerName) }),
  )
  const plan = plans.find(({ id }) => id === form.values.planId)!
  return (
    <Form of={form} submit={t.subscriptions.createAction} onCancel={onClose}>
      <div class="form-row">
        <Choice
          form={form}
          name="planId"
          label={t.subscriptions.plan}
          of={plans.map(({ id, name }) => [id, name])}
        />
        <Choice
          form={form}
          name="method"
          label={t.common.method}
          of={plan.methods.map((method) => [method, t.method[method]])}
        />
      </div>
      <Choice
        form={form}
        name="customerId"
        label={t.common.customer}
        of={[...customers.map(({ id, name }) => [id, name] as const), ['', t.subscriptions.newCustomer]]}
      />
      {form.values.customerId === '' && <CustomerFields form={form} isRequired />}
      {form.values.method === 'CREDIT_CARD' && <CardFields form={form} />}
      <div class="form-row">
        <Field
          form={form}
          name="couponCode"
          label={t.subscriptions.coupon}
          isOptional
          autoComplete="off"
          maxLength={40}
        />
        <Field
          form={form}
          name="startAt"
          type="date"
          label={t.subscriptions.startAt}
          hint={t.subscriptions.startHint}
          isOptional
        />
      </div>
    </Form>
  )
}
