import type { Schemas } from '../../core/api.ts'
import { money } from '../../core/format.ts'
import { wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { currentPlace, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { linkTo } from '../../parts/facts.tsx'
import { Choice, Field, requiredError, useFormAround, type Values } from '../../parts/form.tsx'
import { ActivePlanPicker } from '../../parts/picker.tsx'
import { intervalText } from '../billing/subscription-table.tsx'
import { say } from './with-texts.tsx'

type Terms = Pick<Schemas['PlanTerms'], 'amount' | 'interval' | 'intervalCount' | 'trialDays' | 'setupFee'>
type Sold = Pick<Schemas['CheckoutSession'], 'planId' | 'plan'>

/** Whether a form sells a plan, and no amount. */
export const sellsPlan = ({ mode }: Values): boolean => mode === 'SUBSCRIPTION'

/** What is sold: an amount, or a plan where the company has subscriptions. */
export const ModeField = () => {
  const products = useActiveProducts()
  const hasPlans = products === undefined || products.includes('RECURRING')
  if (!hasPlans || !can('subscriptions.read')) return null
  return <Choice name="mode" label={say.plan.mode} of={Object.entries(say.plan.modes)} />
}

/** The products that are active here; undefined where that is not known. */
export const useActiveProducts = (): readonly string[] | undefined => {
  const { data } = useGet(can('company.read') ? '/v1/company' : null)
  return data?.products[currentPlace()?.environment ?? 'SANDBOX']
}

/** Which plan is sold, with what it costs, and its trial. */
export const PlanFields = () => {
  const plan = useChosenPlan()
  const { data } = useGet('/v1/plans', { query: { active: 'true', pageSize: 1 } })
  return (
    <>
      <ActivePlanPicker
        name="planId"
        label={t.plans.one}
        hint={plan ? termsText(plan) : data?.pagination.total === 0 && <NoPlan />}
      />
      <Field
        name="trialDays"
        type="number"
        min={0}
        max={trialDaysMax}
        label={t.plans.trial}
        hint={say.plan.trialHint}
        isOptional
      />
    </>
  )
}

const NoPlan = () => (
  <>
    {say.plan.none} {can('subscriptions.manage') && <a href={pathTo('planos?novo=1')}>{t.plans.create}</a>}
  </>
)

/** The plan that the form around names, once it is known. */
const useChosenPlan = (): Schemas['Plan'] | null => {
  const { planId = '' } = useFormAround().values
  const { data } = useGet(planId === '' ? null : '/v1/plans/{id}', { path: { id: planId } })
  return data?.id === planId ? data : null
}

/** How the plan of the form around can be paid: in a trial by card alone, and never by what no subscription is paid by. */
export const usePlanMethods = (): readonly Schemas['BillingMethod'][] => {
  const { trialDays } = useFormAround().values
  const plan = useChosenPlan()
  const hasTrial = (wholeOf(trialDays) ?? plan?.trialDays ?? 0) > 0
  return (plan?.methods ?? billingMethods).filter((method) => !hasTrial || method === 'CREDIT_CARD')
}

const billingMethods = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const
const trialDaysMax = 730

/** What is wrong with the fields of a plan. */
export const planErrors = ({ planId, trialDays }: Values): Record<string, string | null> => {
  const days = wholeOf(trialDays) ?? 0
  const fits = Number.isInteger(days) && days >= 0 && days <= trialDaysMax
  return { planId: requiredError(planId), trialDays: fits ? null : say.plan.trialWrong(trialDaysMax) }
}

/** The plan that a form sells, as the API takes it. */
export const planOf = ({ planId, trialDays }: Values) => ({
  mode: 'SUBSCRIPTION' as const,
  planId: planId!,
  ...(trialDays?.trim() && { trialDays: wholeOf(trialDays)! }),
})

/** What a plan costs each time, how long nothing is due, and what is asked for once. */
export const termsText = (terms: Terms): string =>
  [
    priceText(terms),
    terms.trialDays > 0 && say.plan.freeFor(t.plans.days(terms.trialDays)),
    terms.setupFee !== '0' && say.plan.once(money(terms.setupFee)),
  ]
    .filter(Boolean)
    .join(' · ')

const priceText = (terms: Terms): string => `${money(terms.amount)} ${everyText(terms)}`

/** How often a plan charges, after its price. */
export const everyText = (terms: Pick<Terms, 'interval' | 'intervalCount'>): string =>
  intervalText(terms).toLocaleLowerCase()

/** The plan that a page sells, as a link to it; null where it sells none. */
export const SoldPlan = ({ of: { planId, plan } }: { of: Sold }) => <>{linkTo(planId, plan?.name)}</>

/** The same below the name of a row, cut where it is long. */
export const PlanLine = ({ of }: { of: Sold }) =>
  of.planId && (
    <span class="who">
      <small class="sub plan-line">
        <SoldPlan of={of} />
      </small>
    </span>
  )
