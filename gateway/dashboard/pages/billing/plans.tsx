import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Empty } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { activeFilter } from '../../parts/filter.ts'
import { ActiveStatus } from '../../parts/labels.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn } from '../../parts/table.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { intervalText } from './subscription-table.tsx'

/** Plans that subscriptions are made from. */
export const Plans = () => {
  const query = useList('/v1/plans', ['from', 'to', 'active', 'q'])
  const dialog = useDialog(query.filters)
  const create = createButton('subscriptions.manage', t.plans.create, dialog.show)
  return (
    <ListPage
      title={t.nav.plans}
      actions={create}
      query={query}
      hrefOf={({ id }) => pathTo(`planos/${id}`)}
      nameOf={({ name }) => name}
      search={t.plans.search}
      filterBy={[activeFilter()]}
      columns={[
        ['name', t.common.name, ({ name }) => <strong>{name}</strong>],
        amountColumn('amount', t.common.amount),
        ['interval', t.plans.intervalTitle, intervalText],
        [
          'methods',
          t.plans.methods,
          ({ methods }) => methods.map((method) => t.method[method]).join(', '),
          'wide',
        ],
        ['trial', t.plans.trial, ({ trialDays: days }) => (days === 0 ? '–' : t.plans.days(days)), 'medium'],
        ['active', t.common.status, ({ active }) => <ActiveStatus is={active} />, 'end'],
      ]}
      empty={<Empty icon="layers" title={t.plans.none} text={t.plans.noneText} actions={create} />}
    >
      {dialog.open && <PlanDialog plan={null} onClose={dialog.close} />}
    </ListPage>
  )
}
