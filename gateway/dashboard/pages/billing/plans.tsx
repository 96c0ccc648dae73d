import { del, patch, post, type Schemas, withId } from '../../core/api.ts'
import { amountText } from '../../core/format.ts'
import { unitsOf, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Copy, Empty, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { SplitRuleField, useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOrNone, FactSection, instant } from '../../parts/facts.tsx'
import { activeFilter } from '../../parts/filter.ts'
import {
  amountError,
  Check,
  Choice,
  Field,
  MoneyField,
  requiredError,
  type Values,
} from '../../parts/form.tsx'
import { ActiveStatus } from '../../parts/labels.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn } from '../../parts/table.tsx'
import { done } from '../../parts/toasts.tsx'
import { billingMethods, intervalText, SubscriptionTable } from './subscription-table.tsx'

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
      filterBy={[activeFilter('plan')]}
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
        ['active', t.common.status, ({ active }) => <ActiveStatus is={active} of="plan" />, 'end'],
      ]}
      empty={<Empty icon="layers" title={t.plans.none} text={t.plans.noneText} actions={create} />}
    >
      {dialog.open && <PlanDialog plan={null} onClose={dialog.close} />}
    </ListPage>
  )
}

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
      status={<ActiveStatus is={data.active} of="plan" />}
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
        <Section
          title={t.nav.subscriptions}
          note={subscriptions.data?.pagination.total}
          actions={<a href={pathTo(`assinaturas?planId=${id}`)}>{t.common.seeAll}</a>}
        >
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
            [
              t.split.rule,
              data.splitRuleId && (
                <a key="rule" href={pathTo('divisao')}>
                  {t.common.open}
                </a>
              ),
            ],
            [t.common.createdAt, instant(data.createdAt)],
            [t.common.updatedAt, instant(data.updatedAt)],
          ]}
        />
      </div>
      {dialog.open && <PlanDialog plan={data} onClose={dialog.close} />}
    </Page>
  )
}

type Plan = Schemas['Plan']

const intervals = ['WEEK', 'MONTH', 'QUARTER', 'SEMESTER', 'YEAR', 'CUSTOM'] as const

const empty = { name: '', amount: '', interval: 'MONTH', methods: 'CREDIT_CARD,PIX,BOLETO', trialDays: '' }

const valuesOf = (plan: Plan): Values => ({
  name: plan.name,
  amount: amountText(plan.amount),
  interval: plan.interval,
  intervalCount: String(plan.intervalCount),
  methods: plan.methods.join(),
  trialDays: String(plan.trialDays),
  setupFee: plan.setupFee === '0' ? '' : amountText(plan.setupFee),
  maxCycles: plan.maxCycles === null ? '' : String(plan.maxCycles),
  splitRuleId: plan.splitRuleId ?? '',
  active: plan.active ? 'true' : '',
})

const save = (plan: Plan | null, values: Values): Promise<Plan> => {
  const body = {
    name: values.name!.trim(),
    amount: unitsOf(values.amount),
    interval: values.interval as Schemas['Interval'],
    ...(values.interval === 'CUSTOM' && { intervalCount: wholeOf(values.intervalCount) ?? 1 }),
    methods: listOf(values.methods) as Schemas['BillingMethod'][],
    trialDays: wholeOf(values.trialDays) ?? 0,
    setupFee: values.setupFee ? unitsOf(values.setupFee) : 0,
    maxCycles: wholeOf(values.maxCycles) ?? null,
    splitRuleId: values.splitRuleId || null,
  }
  if (plan === null) return post('/v1/plans', { body })
  return patch('/v1/plans/{id}', { ...withId(plan.id), body: { ...body, active: values.active === 'true' } })
}

/** Creates or edits a plan. */
const PlanDialog = ({ plan, onClose }: Closable & { plan: Plan | null }) => (
  <FormDialog
    title={plan ? t.plans.edit : t.plans.create}
    hint={plan && t.plans.editText}
    submit={plan ? t.common.save : t.common.create}
    values={plan ? valuesOf(plan) : empty}
    check={(values) => ({
      name: requiredError(values.name),
      amount: amountError(values.amount),
      methods: values.methods ? null : t.common.required,
      setupFee: amountError(values.setupFee, { isOptional: true }),
    })}
    send={(values) => save(plan, values)}
    changes="/v1/plans"
    done={t.common.saved}
    {...(!plan && { opens: ({ id }: Plan) => `planos/${id}` })}
    onClose={onClose}
  >
    {({ values: { interval } }) => (
      <>
        <Field name="name" label={t.common.name} isFirst maxLength={120} />
        <div class="form-row">
          <MoneyField name="amount" label={t.common.amount} />
          <Choice
            name="interval"
            label={t.plans.intervalTitle}
            of={intervals.map((interval) => [interval, t.plans.interval[interval]])}
          />
          {interval === 'CUSTOM' && (
            <Field name="intervalCount" type="number" min={1} max={730} label={t.plans.everyDays} />
          )}
        </div>
        <Checks name="methods" label={t.plans.methods} of={billingMethods()} />
        <div class="form-row">
          <Field
            name="trialDays"
            type="number"
            min={0}
            max={730}
            label={t.plans.trial}
            hint={t.plans.trialHint}
            isOptional
          />
          <MoneyField name="setupFee" label={t.plans.setupFee} isOptional />
          <Field
            name="maxCycles"
            type="number"
            min={1}
            max={999}
            label={t.plans.maxCycles}
            hint={t.plans.maxCyclesHint}
            isOptional
          />
        </div>
        <SplitRuleField />
        {plan && <Check name="active" label={t.plans.isActive} hint={t.plans.isActiveHint} />}
      </>
    )}
  </FormDialog>
)
