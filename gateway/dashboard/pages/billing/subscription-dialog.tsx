import { post, type Schemas } from '../../core/api.ts'
import { cardOf, customerOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { Empty, LinkButton, Loading, Trouble } from '../../parts/basics.tsx'
import { CardFields, CustomerFields, testCard } from '../../parts/common-fields.tsx'
import { type Closable, Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'

type Customers = readonly Schemas['Customer'][]
type Plans = readonly Schemas['Plan'][]

/** A new subscription of a plan, for a customer who is registered or who is not. */
export const SubscriptionDialog = ({ onClose }: Closable) => {
  const plans = useGet('/v1/plans', { query: { active: 'true', pageSize: 200 } })
  const customers = useGet('/v1/customers', { query: { pageSize: 200 } })
  const isRead = plans.data !== null && customers.data !== null
  return (
    <Dialog title={t.subscriptions.create} onClose={onClose} isWide>
      <Trouble of={plans.problem} retry={plans.refresh} />
      {!isRead && <Loading />}
      {isRead && plans.data.data.length === 0 && <NoPlan />}
      {isRead && plans.data.data.length > 0 && (
        <SubscriptionForm plans={plans.data.data} customers={customers.data.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

const NoPlan = () => (
  <Empty icon="layers" title={t.plans.none} text={t.plans.noneText} actions={<FirstPlan />} />
)

/** The way to a plan, where there is none yet. */
export const FirstPlan = () => <LinkButton tone="main" href={pathTo('planos?novo=1')} text={t.plans.create} />

type SubscriptionFormProps = Closable & { plans: Plans; customers: Customers }

const SubscriptionForm = ({ plans, customers, onClose }: SubscriptionFormProps) => {
  const form = useForm(
    {
      planId: plans[0]!.id,
      customerId: customers[0]?.id ?? '',
      method: plans[0]!.methods[0]!,
      ...testCard,
    },
    async (values) => {
      const created = await post('/v1/subscriptions', {
        body: {
          planId: values.planId!,
          method: values.method as Schemas['BillingMethod'],
          ...(values.customerId ? { customerId: values.customerId } : customerOf(values)),
          ...(values.method === 'CREDIT_CARD' && { card: cardOf(values) }),
          ...filled(values, 'couponCode', 'startAt'),
        } as never,
      })
      refresh('/v1/')
      navigate(pathTo(`assinaturas/${(created as { id: string }).id}`))
    },
    ({ customerId, customerName }) => ({ customerName: customerId ? null : requiredError(customerName) }),
  )
  const { planId, method, customerId } = form.values
  const plan = plans.find(({ id }) => id === planId)!
  return (
    <Form of={form} submit={t.subscriptions.createAction} onCancel={onClose}>
      <div class="form-row">
        <Choice name="planId" label={t.subscriptions.plan} of={namesOf(plans)} />
        <Choice
          name="method"
          label={t.common.method}
          of={plan.methods.map((method) => [method, t.method[method]])}
        />
      </div>
      <Choice
        name="customerId"
        label={t.common.customer}
        of={[...namesOf(customers), ['', t.subscriptions.newCustomer]]}
      />
      {customerId === '' && <CustomerFields isRequired />}
      {method === 'CREDIT_CARD' && <CardFields />}
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

const namesOf = (of: readonly { readonly id: string; readonly name: string }[]) =>
  of.map(({ id, name }) => [id, name] as const)
