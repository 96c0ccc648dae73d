import type { ComponentChildren } from 'preact'
import { post, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { count, documentNumber, isoDay, moment, money } from '../../core/format.ts'
import { cardOf, customerOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { Empty, LinkButton, Loading, Page, Tabs, Trouble } from '../../parts/basics.tsx'
import { CardFields, CustomerFields, testCard, useDialog } from '../../parts/common-fields.tsx'
import { type Closable, Dialog } from '../../parts/dialog.tsx'
import { amountOf, Figures } from '../../parts/facts.tsx'
import { choices, dateFieldFilter, period, picked, statusFilter } from '../../parts/filter.ts'
import { Choice, Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'
import { statusText } from '../../parts/labels.tsx'
import { createButton, List, useList } from '../../parts/list-page.tsx'
import { CustomerPicker, Picker } from '../../parts/picker.tsx'
import { amountColumn, statusColumn, Who } from '../../parts/table.tsx'
import { churnText } from './churn-text.ts'
import { MandateFields, mandateOf } from './mandate.tsx'
import { billingMethods, nameOfSubscription, subscriptionColumns } from './subscription-table.tsx'

/** Subscriptions, who has them, and what they bring. */
export const Subscriptions = ({ part }: { part: 'assinaturas' | 'assinantes' }) => {
  const dialog = useDialog(useFilters())
  const overview = useGet('/v1/recurring/overview')
  const create = createButton('subscriptions.manage', t.subscriptions.create, dialog.show)
  return (
    <Page title={t.nav.subscriptions} actions={create}>
      {overview.data ? <Summary of={overview.data} /> : overview.isLoading && <div class="figures-room" />}
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
        ['MRR', amountOf(of.mrrAmount), { note: t.subscriptions.perYear, ...withStatus('ACTIVE,PAST_DUE') }],
        [t.subscriptions.active, count(of.activeSubscriptions), withStatus('ACTIVE')],
        [statusText('TRIALING', 'subscription'), count(of.trialingSubscriptions), withStatus('TRIALING')],
        [statusText('PENDING', 'subscription'), count(of.pendingSubscriptions), withStatus('PENDING')],
        [statusText('PAST_DUE', 'subscription'), count(of.pastDueSubscriptions), withStatus('PAST_DUE')],
        [
          t.subscriptions.new30,
          count(of.newLast30Days),
          { href: pathTo(`assinaturas?from=${isoDay(clockMs(), -29)}`) },
        ],
        [
          t.subscriptions.cancelled30,
          count(of.cancelledLast30Days),
          {
            note: churnText(of),
            href: pathTo(`assinaturas?dateField=cancelledAt&from=${isoDay(clockMs(), -29)}`),
          },
        ],
        [
          t.subscriptions.overdue,
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

const narrowing = ['from', 'to', 'dateField', 'status', 'method', 'planId', 'customerId', 'q']

const SubscriptionList = ({ create }: { create: ComponentChildren }) => {
  const query = useList('/v1/subscriptions', narrowing)
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
        picked('planId', t.plans.one, 'plan'),
        choices(
          'method',
          t.common.method,
          billingMethods().map(([value, text]) => ({ value, text })),
        ),
        period,
        dateFieldFilter(t.subscriptions.dateFields),
        picked('customerId', t.common.customer, 'customer'),
      ]}
      empty={
        <Empty
          icon="repeat"
          title={t.subscriptions.none}
          text={t.subscriptions.noneText}
          actions={<FirstSubscription create={create} />}
        />
      }
    />
  )
}

/** The way to a first subscription: it needs a plan. */
const FirstSubscription = ({ create }: { create: ComponentChildren }) => {
  const { data: plans } = useGet('/v1/plans', { query: { pageSize: 1 } })
  return <>{plans?.pagination.total === 0 ? <FirstPlan /> : create}</>
}

const Subscribers = () => (
  <List
    label={t.subscriptions.subscribers}
    query={useList('/v1/recurring/customers', ['from', 'to', 'status', 'q'])}
    keyOf={({ customerId }) => customerId}
    hrefOf={({ customerId }) => pathTo(`clientes/${customerId}`)}
    nameOf={({ customer }) => customer.name}
    search={t.customers.search}
    filterBy={[statusFilter(['ACTIVE', 'PAST_DUE', 'INACTIVE'], 'subscriber'), period]}
    columns={[
      [
        'customer',
        t.common.customer,
        ({ customer }) => <Who name={customer.name} sub={documentNumber(customer.document)} />,
      ],
      statusColumn('subscriber'),
      ['count', t.nav.subscriptions, (row) => `${row.activeSubscriptions} / ${row.subscriptions}`, 'medium'],
      amountColumn('mrrAmount', 'MRR'),
      amountColumn('overdueAmount', t.subscriptions.overdue, 'medium'),
      ['since', t.customers.since, (row) => moment(row.firstSubscribedAt, 'day'), 'end', 'wide'],
    ]}
    empty={<Empty icon="users" title={t.subscriptions.noSubscriber} text={t.subscriptions.noneText} />}
  />
)

type Plans = readonly Schemas['Plan'][]

/** A new subscription of a plan, for a customer who is registered or who is not. */
const SubscriptionDialog = ({ onClose }: Closable) => {
  const plans = useGet('/v1/plans', { query: { active: 'true', pageSize: 200 } })
  return (
    <Dialog title={t.subscriptions.create} onClose={onClose} isWide>
      <Trouble of={plans.problem} retry={plans.refresh} />
      {plans.data === null && <Loading rows={18} />}
      {plans.data?.data.length === 0 && <NoPlan />}
      {plans.data && plans.data.data.length > 0 && (
        <SubscriptionForm plans={plans.data.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

const NoPlan = () => (
  <Empty icon="layers" title={t.plans.none} text={t.plans.noneText} actions={<FirstPlan />} />
)

/** The way to a plan, where there is none yet. */
const FirstPlan = () => <LinkButton tone="main" href={pathTo('planos?novo=1')} text={t.plans.create} />

type SubscriptionFormProps = Closable & { plans: Plans }

const SubscriptionForm = ({ plans, onClose }: SubscriptionFormProps) => {
  const form = useForm(
    { planId: plans[0]!.id, customerId: '', method: plans[0]!.methods[0]!, ...testCard },
    async (values) => {
      const created = await post('/v1/subscriptions', {
        body: {
          planId: values.planId!,
          method: values.method as Schemas['BillingMethod'],
          ...(values.customerId ? { customerId: values.customerId } : customerOf(values)),
          ...(values.method === 'CREDIT_CARD' && { card: cardOf(values) }),
          ...mandateOf(values),
          ...filled(values, 'couponCode', 'startAt'),
        } as never,
      })
      refresh('/v1/')
      navigate(pathTo(`assinaturas/${(created as { id: string }).id}`))
    },
    (values) => ({ 'customer.name': values.customerId ? null : requiredError(values['customer.name']) }),
  )
  const { planId, method, customerId } = form.values
  const plan = plans.find(({ id }) => id === planId)!
  return (
    <Form of={form} submit={t.subscriptions.createAction} onCancel={onClose}>
      <div class="form-row">
        <Picker
          name="planId"
          label={t.plans.one}
          of={plans.map(({ id, name, amount }) => ({ id, text: name, sub: money(amount) }))}
        />
        <Choice
          name="method"
          label={t.common.method}
          of={plan.methods.map((method) => [method, t.method[method]])}
        />
      </div>
      <CustomerPicker name="customerId" label={t.common.customer} none={t.subscriptions.newCustomer} />
      {customerId === '' && <CustomerFields isRequired />}
      {method === 'CREDIT_CARD' && <CardFields />}
      {method === 'PIX' && <MandateFields />}
      <div class="form-row">
        <Field
          name="couponCode"
          label={t.subscriptions.coupon}
          isOptional
          autoComplete="off"
          maxLength={40}
        />
        <Field
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
