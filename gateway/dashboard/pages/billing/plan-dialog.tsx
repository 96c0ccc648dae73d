import { patch, post, type Schemas, withId } from '../../core/api.ts'
import { amountText } from '../../core/format.ts'
import { cents, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { SplitRuleField } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Checks,
  Choice,
  Field,
  listOf,
  MoneyField,
  requiredError,
  type Values,
} from '../../parts/form.tsx'
import { billingMethods } from './subscription-table.tsx'

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
    amount: cents(values.amount),
    interval: values.interval as Schemas['Interval'],
    ...(values.interval === 'CUSTOM' && { intervalCount: wholeOf(values.intervalCount) ?? 1 }),
    methods: listOf(values.methods) as Schemas['BillingMethod'][],
    trialDays: wholeOf(values.trialDays) ?? 0,
    setupFee: values.setupFee ? cents(values.setupFee) : 0,
    maxCycles: wholeOf(values.maxCycles) ?? null,
    splitRuleId: values.splitRuleId || null,
  }
  if (plan === null) return post('/v1/plans', { body })
  return patch('/v1/plans/{id}', { ...withId(plan.id), body: { ...body, active: values.active === 'true' } })
}

/** A new plan, or changes of one. */
export const PlanDialog = ({ plan, onClose }: Closable & { plan: Plan | null }) => (
  <FormDialog
    title={plan ? t.plans.edit : t.plans.create}
    hint={plan && t.plans.editText}
    submit={plan ? t.common.save : t.common.create}
    values={plan ? valuesOf(plan) : empty}
    check={(values) => ({
      name: requiredError(values.name),
      amount: amountError(values.amount),
      methods: values.methods ? null : t.common.required,
      setupFee: amountError(values.setupFee, true),
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
