import { api, dataOf, type Schemas } from '../../core/api.ts'
import { amountText } from '../../core/format.ts'
import { cents, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Amount,
  Button,
  Copy,
  Empty,
  Facts,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { SplitRuleField, useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Checks,
  Choice,
  Field,
  Form,
  MoneyField,
  requiredError,
  useForm,
  type Values,
} from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { intervalText, SubscriptionTable } from './subscription-table.tsx'

/** Plans that subscriptions are made from. */
export const Plans = () => {
  const query = useList('/v1/plans', ['from', 'to', 'active', 'q'])
  const dialog = useDialog(query.filters)
  const create = can('subscriptions.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.plans.create}
    </Button>
  )
  return (
    <Page title={t.nav.plans} actions={create}>
      <List
        label={t.nav.plans}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`planos/${id}`)}
        nameOf={({ name }) => name}
        search={t.plans.search}
        filterBy={[
          {
            kind: 'choices',
            name: 'active',
            title: t.common.status,
            isSingle: true,
            options: [
              { value: 'true', text: t.common.active },
              { value: 'false', text: t.common.inactive },
            ],
          },
        ]}
        columns={[
          { id: 'name', title: t.common.name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
          { id: 'interval', title: t.plans.intervalTitle, cell: (plan) => intervalText(plan) },
          {
            id: 'methods',
            title: t.plans.methods,
            from: 'wide',
            cell: ({ methods }) => methods.map((method) => t.method[method]).join(', '),
          },
          {
            id: 'trial',
            title: t.plans.trial,
            from: 'medium',
            cell: ({ trialDays }) => (trialDays === 0 ? '–' : t.plans.days(trialDays)),
          },
          {
            id: 'active',
            title: t.common.status,
            align: 'end',
            cell: ({ active }) => <Status is={active ? 'ACTIVE' : 'INACTIVE'} />,
          },
        ]}
        empty={
          <Empty icon="layers" title={t.plans.none} actions={create}>
            {t.plans.noneText}
          </Empty>
        }
      />
      {dialog.open && <PlanDialog plan={null} onClose={dialog.close} />}
    </Page>
  )
}

const intervals = ['WEEK', 'MONTH', 'QUARTER', 'SEMESTER', 'YEAR', 'CUSTOM'] as const

const PlanDialog = ({ plan, onClose }: { plan: Schemas['Plan'] | null; onClose: () => void }) => {
  const initial: Values =
    plan === null
      ? { name: '', amount: '', interval: 'MONTH', methods: 'CREDIT_CARD,PIX,BOLETO', trialDays: '' }
      : {
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
        }
  const form = useForm(
    initial,
    async (values) => {
      const body = {
        name: values.name!.trim(),
        amount: cents(values.amount),
        interval: values.interval as Schemas['Interval'],
        ...(values.interval === 'CUSTOM' && { intervalCount: wholeOf(values.intervalCount) ?? 1 }),
        methods: values.methods!.split(',').filter(Boolean) as Schemas['BillingMethod'][],
        trialDays: wholeOf(values.trialDays) ?? 0,
        setupFee: values.setupFee ? cents(values.setupFee) : 0,
        maxCycles: wholeOf(values.maxCycles) ?? null,
        splitRuleId: values.splitRuleId || null,
      }
      if (plan === null) {
        const created = await dataOf(api.POST('/v1/plans', { body }))
        navigate(pathTo(`planos/${created.id}`))
      } else {
        await dataOf(
          api.PATCH('/v1/plans/{id}', {
            params: { path: { id: plan.id } },
            body: { ...body, active: values.active === 'true' },
          }),
        )
        onClose()
      }
      refresh('/v1/plans')
      announce(t.common.saved)
    },
    (values) => ({
      name: requiredError(values.name),
      amount: amountError(values.amount),
      methods: values.methods ? null : t.common.required,
      setupFee: amountError(values.setupFee, true),
    }),
  )
  return (
    <Dialog title={plan === null ? t.plans.create : t.plans.edit} onClose={onClose}>
      {plan && <p class="hint">{t.plans.editText}</p>}
      <Form of={form} submit={plan === null ? t.common.create : t.common.save} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst maxLength={120} />
        <div class="form-row">
          <MoneyField form={form} name="amount" label={t.common.amount} />
          <Choice
            form={form}
            name="interval"
            label={t.plans.intervalTitle}
            of={intervals.map((interval) => [interval, t.plans.interval[interval]])}
          />
          {form.values.interval === 'CUSTOM' && (
            <Field
              form={form}
              name="intervalCount"
              type="number"
              min={1}
              max={730}
              label={t.plans.everyDays}
            />
          )}
        </div>
        <Checks
          form={form}
          name="methods"
          label={t.plans.methods}
          of={(['CREDIT_CARD', 'PIX', 'BOLETO'] as const).map((method) => [method, t.method[method]])}
        />
        <div class="form-row">
          <Field
            form={form}
            name="trialDays"
            type="number"
            min={0}
            max={730}
            label={t.plans.trial}
            hint={t.plans.trialHint}
            isOptional
          />
          <MoneyField form={form} name="setupFee" label={t.plans.setupFee} isOptional />
          <Field
            form={form}
            name="maxCycles"
            type="number"
            min={1}
            max={999}
            label={t.plans.maxCycles}
            hint={t.plans.maxCyclesHint}
            isOptional
          />
        </div>
        <SplitRuleField form={form} />
        {plan && <Check form={form} name="active" label={t.plans.isActive} hint={t.plans.isActiveHint} />}
      </Form>
    </Dialog>
  )
}

/** One plan, with its subscriptions. */
export const PlanPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again } = useGet('/v1/plans/{id}', { path: { id } })
  const subscriptions = useGet('/v1/subscriptions', { query: { planId: id, pageSize: 25 } })
  const dialog = useDialog(useFilters(), 'editar')
  const remove = useAction(async () => {
    if (!confirm(t.plans.removeAsk)) return
    await dataOf(api.DELETE('/v1/plans/{id}', { params: { path: { id } } }))
    refresh('/v1/plans')
    announce(t.plans.removed)
    navigate(pathTo('planos'))
  })
  const back = { href: pathTo('planos'), text: t.nav.plans }
  if (problem || !data)
    return (
      <Page title={t.plans.one} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  return (
    <Page
      back={back}
      title={
        <>
          {data.name} <Status is={data.active ? 'ACTIVE' : 'INACTIVE'} />
        </>
      }
      lead={
        <>
          <Amount of={data.amount} /> <span class="dot" /> {intervalText(data)} <span class="dot" />{' '}
          <Copy text={data.id} isShort />
        </>
      }
      actions={
        can('subscriptions.manage') && (
          <>
            <Button icon="edit" onClick={() => dialog.show()}>
              {t.common.edit}
            </Button>
            <Button icon="trash" isBusy={remove.isBusy} onClick={() => void remove.run()}>
              {t.common.remove}
            </Button>
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
        <Section title={t.transactions.details}>
          <Facts
            of={[
              [t.plans.methods, data.methods.map((method) => t.method[method]).join(', ')],
              [t.plans.trial, data.trialDays > 0 && t.plans.days(data.trialDays)],
              [t.plans.setupFee, data.setupFee !== '0' && <Amount key="fee" of={data.setupFee} />],
              [t.plans.maxCycles, data.maxCycles],
              [
                t.split.rule,
                data.splitRuleId && (
                  <a key="rule" href={pathTo('divisao')}>
                    {t.common.open}
                  </a>
                ),
              ],
              [t.common.createdAt, <Moment key="created" at={data.createdAt} />],
              [t.common.updatedAt, <Moment key="updated" at={data.updatedAt} />],
            ]}
          />
        </Section>
      </div>
      {dialog.open && <PlanDialog plan={data} onClose={dialog.close} />}
    </Page>
  )
}
