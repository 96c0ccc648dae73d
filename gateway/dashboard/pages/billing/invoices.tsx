import type { Schemas } from '../../core/api.ts'
import { day } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Empty, LinkButton } from '../../parts/basics.tsx'
import { period, statusFilter } from '../../parts/filter.ts'
import { MethodLabel } from '../../parts/labels.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn, type Columns, Noted, statusColumn } from '../../parts/table.tsx'

const statuses = ['OPEN', 'PAST_DUE', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** The columns of invoices. */
export const invoiceColumns = (): Columns<Schemas['Invoice']> => [
  [
    'number',
    t.invoices.one,
    ({ number, kind }) => (
      <Noted note={kind === 'PRORATION' && t.invoices.proration}>
        <span class="nowrap">{number}</span>
      </Noted>
    ),
  ],
  statusColumn('invoice'),
  amountColumn('totalAmount', t.common.amount),
  ['method', t.common.method, ({ method }) => <MethodLabel is={method} />, 'wide'],
  [
    'period',
    t.filters.period,
    ({ periodStart, periodEnd }) => (
      <span class="nowrap">
        {day(periodStart, 'short')} – {day(periodEnd, 'short')}
      </span>
    ),
    'wide',
  ],
  ['attempts', t.webhooks.attempts, ({ attemptCount }) => attemptCount, 'medium'],
  ['due', t.boletos.dueDate, ({ dueDate }) => day(dueDate), 'end', 'medium'],
]

/** Invoices of all subscriptions. */
export const Invoices = () => (
  <ListPage
    title={t.nav.invoices}
    query={useList('/v1/invoices', ['from', 'to', 'status', 'subscriptionId', 'customerId', 'q'])}
    columns={invoiceColumns()}
    hrefOf={({ id }) => pathTo(`faturas/${id}`)}
    nameOf={({ number }) => number}
    search={t.invoices.search}
    filterBy={[statusFilter(statuses, 'invoice'), period]}
    empty={
      <Empty
        icon="receipt"
        title={t.invoices.none}
        text={t.invoices.noneText}
        actions={<LinkButton href={pathTo('assinaturas')} text={t.nav.subscriptions} />}
      />
    }
  />
)
