import { del, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Copy, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { amountOrNone, FactSection, instant, linkTo } from '../../parts/facts.tsx'
import { ActiveStatus } from '../../parts/labels.tsx'
import { done } from '../../parts/toasts.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { intervalText, SubscriptionTable } from './subscription-table.tsx'

/** One plan, with its subscriptions. */
export const PlanPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/plans/{id}', { path: { id } })
  const { data, problem } = query
  const subscriptions = useGet('/v1/subscriptions', { query: { planId: id, pageSize: 25 } })
  const dialog = useDialog(useFilters(), 'editar')
  const remove = useAction(async () => {
    if (!confirm(t.plans.removeAsk)) return
    await del('/v1/plans/{id}', withId(id))
    done(t.plans.removed, '/v1/plans')
    navigate(pathTo('planos'))
  })
  const back = { href: pathTo('planos'), text: t.nav.plans }
  if (problem || !data) return <Page title={t.plans.one} back={back} unread={query} />
  return (
    <Page
      back={back}
      title={data.name}
      status={<ActiveStatus is={data.active} />}
      lead={
        <>
          <Amount of={data.amount} /> <span class="dot" /> {intervalText(data)} <span class="dot" />{' '}
          <Copy text={data.id} isShort />
        </>
      }
      actions={
        can('subscriptions.manage') && (
          <>
            <Button icon="edit" onClick={() => dialog.show()} text={t.common.edit} />
            <ActionButton of={remove} icon="trash" text={t.common.remove} />
          </>
        )
      }
    >
      <Trouble of={remove.problem} />
      <div class="split-page">
        <Section title={t.nav.subscriptions} note={subscriptions.data?.pagination.total}>
          {subscriptions.data && subscriptions.data.data.length > 0 ? (
            <SubscriptionTable rows={subscriptions.data.data} hasCustomer />
          ) : (
            <p class="hint">{t.plans.noSubscription}</p>
          )}
        </Section>
        <FactSection
          of={[
            [t.plans.methods, data.methods.map((method) => t.method[method]).join(', ')],
            [t.plans.trial, data.trialDays > 0 && t.plans.days(data.trialDays)],
            [t.plans.setupFee, amountOrNone(data.setupFee)],
            [t.plans.maxCycles, data.maxCycles],
            [t.split.rule, linkTo(data.splitRuleId)],
            [t.common.createdAt, instant(data.createdAt)],
            [t.common.updatedAt, instant(data.updatedAt)],
          ]}
        />
      </div>
      {dialog.open && <PlanDialog plan={data} onClose={dialog.close} />}
    </Page>
  )
}
