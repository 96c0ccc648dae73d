import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Loading, Trouble } from '../../parts/basics.tsx'
import { type Closable, Dialog } from '../../parts/dialog.tsx'
import { amountOf, Ledger } from '../../parts/facts.tsx'
import { Choice, Form, useForm, type Values } from '../../parts/form.tsx'
import { done } from '../../parts/toasts.tsx'

type Subscription = Schemas['Subscription']

/** Moves a subscription to another plan, after it was shown what that costs. */
export const ChangePlanDialog = ({ of, onClose }: Closable & { of: Subscription }) => {
  const plans = useGet('/v1/plans', { query: { active: 'true', pageSize: 200 } })
  const others = plans.data?.data.filter(({ id }) => id !== of.planId) ?? []
  return (
    <Dialog title={t.subscriptions.changePlan} onClose={onClose}>
      <Trouble of={plans.problem} />
      {!plans.data && <Loading />}
      {plans.data && others.length === 0 && <p>{t.subscriptions.noOtherPlan}</p>}
      {others.length > 0 && <ChangePlanForm of={of} plans={others} onClose={onClose} />}
    </Dialog>
  )
}

type ChangePlanFormProps = Closable & { of: Subscription; plans: readonly Schemas['Plan'][] }

const ChangePlanForm = ({ of, plans, onClose }: ChangePlanFormProps) => {
  const [preview, setPreview] = useState<Schemas['PlanChange'] | null>(null)
  const send = (isPreview: boolean, { planId, effective }: Values) =>
    post('/v1/subscriptions/{id}/change-plan', {
      ...withId(of.id),
      body: { planId: planId!, effective: effective as 'AUTO', preview: isPreview },
    })
  const form = useForm({ planId: plans[0]!.id, effective: 'AUTO' }, async (values) => {
    if (preview === null) return setPreview(await send(true, values))
    await send(false, values)
    done(t.subscriptions.changed, '/v1/')
    onClose()
  })
  const watched = {
    ...form,
    set: (name: string, value: string) => {
      setPreview(null)
      form.set(name, value)
    },
  }
  return (
    <Form
      of={watched}
      submit={preview === null ? t.subscriptions.preview : t.subscriptions.changePlan}
      onCancel={onClose}
    >
      <Choice
        name="planId"
        label={t.subscriptions.plan}
        of={plans.map(({ id, name, amount }) => [id, `${name} · ${money(amount)}`])}
      />
      <Choice name="effective" label={t.audit.at} of={Object.entries(t.subscriptions.effective)} />
      {preview && <Preview of={preview} />}
    </Form>
  )
}

const Preview = ({ of: { proration, invoice } }: { of: Schemas['PlanChange'] }) => {
  const parts = proration
    ? [
        [t.subscriptions.credited, amountOf(proration.creditAmount)] as const,
        [t.subscriptions.charged, amountOf(proration.chargeAmount)] as const,
      ]
    : []
  const name = invoice ? t.subscriptions.invoiceNow : t.subscriptions.nothingNow
  return <Ledger of={[...parts, [name, invoice && amountOf(invoice.totalAmount), true]]} />
}
