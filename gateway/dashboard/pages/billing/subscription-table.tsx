import type { Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { amountOf } from '../../parts/facts.tsx'
import type { Options } from '../../parts/form.tsx'
import { MethodLabel } from '../../parts/labels.tsx'
import { type Columns, DataTable, statusColumn } from '../../parts/table.tsx'

type Subscription = Schemas['Subscription']

const methods = ['CREDIT_CARD', 'PIX', 'BOLETO'] as const satisfies readonly Schemas['BillingMethod'][]

/** How a subscription can be paid, as the options of a field. */
export const billingMethods = (): Options => methods.map((method) => [method, t.method[method]])

/** How often a plan charges, in words. */
export const intervalText = ({
  interval,
  intervalCount,
}: Pick<Schemas['PlanTerms'], 'interval' | 'intervalCount'>): string =>
  interval === 'CUSTOM' || intervalCount > 1
    ? t.plans.every(interval, intervalCount)
    : t.plans.interval[interval]

/** How a subscription is paid. */
export const BillingLabel = ({ of: { method, card } }: { of: Pick<Subscription, 'method' | 'card'> }) => (
  <MethodLabel is={method} more={card && `${t.brand[card.brand]} ···· ${card.last4}`} />
)

/** The name of a subscription's row link. */
export const nameOfSubscription = ({ customer, plan }: Subscription): string =>
  `${customer.name} · ${plan.name}`

/** The columns of subscriptions. */
export const subscriptionColumns = ({ hasCustomer = true } = {}): Columns<Subscription> => [
  hasCustomer && [
    'customer',
    t.common.customer,
    ({ customer, plan }) => (
      <span class="who">
        <span>{customer.name}</span>
        <small class="sub until-medium">{plan.name}</small>
      </span>
    ),
  ],
  statusColumn('subscription'),
  [
    'plan',
    t.plans.one,
    ({ plan }) => (
      <>
        {plan.name} <small class="sub">{intervalText(plan)}</small>
      </>
    ),
    ...(hasCustomer ? (['medium'] as const) : []),
  ],
  ['amount', t.common.amount, ({ plan }) => amountOf(plan.amount), 'medium'],
  ['method', t.common.method, (row) => <BillingLabel of={row} />, 'wide'],
  [
    'next',
    t.subscriptions.next,
    ({ nextBillingAt }) => (nextBillingAt ? moment(nextBillingAt, 'day') : '–'),
    'end',
    'medium',
  ],
]

type SubscriptionTableProps = { rows: readonly Subscription[]; hasCustomer: boolean }

/** Subscriptions within another page. */
export const SubscriptionTable = ({ rows, hasCustomer }: SubscriptionTableProps) => (
  <DataTable
    label={t.nav.subscriptions}
    columns={subscriptionColumns({ hasCustomer })}
    rows={rows}
    hrefOf={({ id }) => pathTo(`assinaturas/${id}`)}
    nameOf={nameOfSubscription}
  />
)
