import type { Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Amount } from '../../parts/basics.tsx'
import { MethodLabel, Status } from '../../parts/labels.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'

type Subscription = Schemas['Subscription']

/** How often a plan charges, in words. */
export const intervalText = ({
  interval,
  intervalCount,
}: Pick<Schemas['PlanTerms'], 'interval' | 'intervalCount'>): string =>
  interval === 'CUSTOM' || intervalCount > 1
    ? t.plans.every(interval, intervalCount)
    : t.plans.interval[interval]

/** The columns of subscriptions. */
export const subscriptionColumns = ({ hasCustomer = true } = {}): readonly Column<Subscription>[] => [
  ...(hasCustomer
    ? [
        {
          id: 'customer',
          title: t.common.customer,
          cell: ({ customer, plan }: Subscription) => (
            <span class="who">
              <span>{customer.name}</span>
              <small class="sub until-medium">{plan.name}</small>
            </span>
          ),
        },
      ]
    : []),
  { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} of="subscription" /> },
  {
    id: 'plan',
    title: t.subscriptions.plan,
    ...(hasCustomer && { from: 'medium' as const }),
    cell: ({ plan }) => (
      <>
        {plan.name} <small class="sub">{intervalText(plan)}</small>
      </>
    ),
  },
  { id: 'amount', title: t.common.amount, from: 'medium', cell: ({ plan }) => <Amount of={plan.amount} /> },
  {
    id: 'method',
    title: t.common.method,
    from: 'wide',
    cell: ({ method, card }) => (
      <MethodLabel is={method} more={card && `${t.brand[card.brand]} ···· ${card.last4}`} />
    ),
  },
  {
    id: 'next',
    title: t.subscriptions.next,
    align: 'end',
    from: 'medium',
    cell: ({ nextBillingAt }) => (nextBillingAt ? moment(nextBillingAt, 'day') : '–'),
  },
]

/** Subscriptions within another page. */
export const SubscriptionTable = ({
  rows,
  hasCustomer,
}: {
  rows: readonly Subscription[]
  hasCustomer: boolean
}) => (
  <DataTable
    label={t.nav.subscriptions}
    columns={subscriptionColumns({ hasCustomer })}
    rows={rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => pathTo(`assinaturas/${id}`)}
    nameOf={({ customer, plan }) => `${customer.name} · ${plan.name}`}
  />
)
