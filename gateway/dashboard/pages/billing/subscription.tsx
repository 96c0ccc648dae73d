import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { day, moment, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { HistoryButton } from '../../parts/actor.tsx'
import { Amount, Button, Copy, Loading, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { type Closable, Dialog, FormDialog } from '../../parts/dialog.tsx'
import {
  amountOf,
  amountOrNone,
  FactSection,
  instant,
  Ledger,
  linkTo,
  Metadata,
  SplitPage,
} from '../../parts/facts.tsx'
import { Check, Choice, Field, Form, required, useForm, type Values } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { DataTable } from '../../parts/table.tsx'
import { done, useChange } from '../../parts/toasts.tsx'
import { History } from '../account/history.tsx'
import { invoiceColumns, PaymentCodes } from './invoices.tsx'
import { MandateFacts } from './mandate.tsx'
import { BillingLabel, intervalText } from './subscription-table.tsx'

/** One subscription: what it charges next, what it has charged, and what can be changed. */
export const SubscriptionPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/subscriptions/{id}', { path: { id } })
  const { data, problem } = query
  const { data: invoices } = useGet('/v1/invoices', { query: { subscriptionId: id, pageSize: 25 } })
  const back = { href: pathTo('assinaturas'), text: t.nav.subscriptions }
  if (problem || !data) return <Page title={t.subscriptions.one} back={back} unread={query} />
  const { plan, latestInvoice: invoice } = data
  const isUnpaid = invoice?.status === 'OPEN' || invoice?.status === 'PAST_DUE'
  return (
    <Page
      back={back}
      title={data.customer.name}
      status={<Status is={data.status} of="subscription" />}
      lead={
        <>
          {plan.name} <span class="dot" /> <Amount of={plan.amount} /> <span class="dot" />{' '}
          {intervalText(plan)} <span class="dot" /> <Copy text={data.id} isShort />
        </>
      }
      actions={
        <>
          <HistoryButton id={id} />
          {can('subscriptions.manage') && <SubscriptionActions of={data} />}
        </>
      }
    >
      {data.cancelAtPeriodEnd && (
        <p class="notice-line warn">{t.subscriptions.endsAt(day(data.currentPeriodEnd))}</p>
      )}
      {data.scheduledChange && (
        <p class="notice-line calm">{t.subscriptions.changesAt(day(data.scheduledChange.effectiveOn))}</p>
      )}
      {data.cancelReason && !data.cancelAtPeriodEnd && <p class="notice-line">{data.cancelReason}</p>}
      <SplitPage
        side={
          <>
            <SubscriptionFacts of={data} />
            <MandateFacts
              of={data.pixMandate}
              paysBy={(isUnpaid && invoice.payment?.pix?.copyPaste) || null}
            />
            <Metadata of={data.metadata} />
          </>
        }
      >
        {isUnpaid && invoice.payment && (invoice.payment.pix || invoice.payment.boleto) && (
          <Section
            title={t.instructions.title}
            note={<a href={pathTo(`faturas/${invoice.id}`)}>{money(invoice.totalAmount)}</a>}
          >
            <PaymentCodes of={invoice.payment} />
          </Section>
        )}
        <Section
          title={t.nav.invoices}
          note={invoices?.pagination.total}
          actions={<a href={pathTo(`faturas?subscriptionId=${id}`)}>{t.common.seeAll}</a>}
        >
          {invoices && (
            <DataTable
              label={t.nav.invoices}
              columns={invoiceColumns()}
              rows={invoices.data}
              hrefOf={(row) => pathTo(`faturas/${row.id}`)}
              nameOf={(row) => row.number}
            />
          )}
        </Section>
        <History id={id} />
      </SplitPage>
    </Page>
  )
}

const SubscriptionFacts = ({ of }: { of: Subscription }) => (
  <FactSection
    of={[
      [t.common.customer, linkTo(of.customerId, of.customer.name)],
      [t.plans.one, linkTo(of.planId, of.plan.name)],
      [t.common.method, <BillingLabel key="method" of={of} />],
      [t.filters.period, `${day(of.currentPeriodStart, 'short')} – ${day(of.currentPeriodEnd)}`],
      [t.subscriptions.next, instant(of.nextBillingAt, 'day')],
      [t.subscriptions.trialEnds, of.trialEndsAt && day(of.trialEndsAt)],
      [
        t.subscriptions.cycles,
        of.plan.maxCycles ? `${of.cyclesBilled} / ${of.plan.maxCycles}` : of.cyclesBilled,
      ],
      [
        t.subscriptions.coupon,
        of.couponId &&
          (of.discountCyclesLeft === null
            ? t.common.yes
            : t.subscriptions.discountLeft(of.discountCyclesLeft)),
      ],
      [t.subscriptions.credit, amountOrNone(of.creditBalance)],
      [t.subscriptions.startAt, day(of.startAt)],
      [t.subscriptions.pausedAt, of.pausedAt && moment(of.pausedAt)],
      [t.subscriptions.cancelledAt, of.cancelledAt && moment(of.cancelledAt)],
    ]}
  />
)

const SubscriptionActions = ({ of }: { of: Subscription }) => {
  const [dialog, setDialog] = useState<'cancel' | 'plan' | null>(null)
  const pause = useChange(
    () => post('/v1/subscriptions/{id}/pause', withId(of.id)),
    t.subscriptions.paused,
    '/v1/',
  )
  const resume = useChange(
    () => post('/v1/subscriptions/{id}/resume', withId(of.id)),
    t.subscriptions.resumed,
    '/v1/',
  )
  const isOver = of.status === 'CANCELLED' || of.status === 'COMPLETED'
  if (isOver) return null
  const isPaused = of.status === 'PAUSED' || of.status === 'SUSPENDED'
  const close = () => setDialog(null)
  return (
    <>
      <Button icon="layers" onClick={() => setDialog('plan')} text={t.subscriptions.changePlan} />
      {isPaused ? (
        <ActionButton of={resume} icon="play" text={t.subscriptions.resume} />
      ) : (
        <ActionButton of={pause} icon="pause" text={t.subscriptions.pause} />
      )}
      <Button icon="ban" onClick={() => setDialog('cancel')} text={t.cancel.action} />
      <Trouble of={pause.problem ?? resume.problem} />
      {dialog === 'cancel' && <CancelSubscription of={of} onClose={close} />}
      {dialog === 'plan' && <ChangePlanDialog of={of} onClose={close} />}
    </>
  )
}

const CancelSubscription = ({ of, onClose }: Closable & { of: Subscription }) => (
  <FormDialog
    title={t.subscriptions.cancelTitle}
    submit={t.subscriptions.cancelTitle}
    tone="danger"
    values={{ reason: '', atPeriodEnd: 'true' }}
    check={required('reason')}
    send={({ reason, atPeriodEnd }) =>
      post('/v1/subscriptions/{id}/cancel', {
        ...withId(of.id),
        body: { reason: reason!.trim(), atPeriodEnd: atPeriodEnd === 'true' },
      })
    }
    changes="/v1/"
    done={t.subscriptions.cancelDone}
    onClose={onClose}
  >
    <Field name="reason" label={t.transactions.reason} isFirst maxLength={240} />
    <Check
      name="atPeriodEnd"
      label={t.subscriptions.atPeriodEnd(day(of.currentPeriodEnd))}
      hint={t.subscriptions.atPeriodEndHint}
    />
  </FormDialog>
)

type Subscription = Schemas['Subscription']

/** Moves a subscription to another plan, after showing what that costs. */
const ChangePlanDialog = ({ of, onClose }: Closable & { of: Subscription }) => {
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
        label={t.plans.one}
        of={plans.map(({ id, name, amount }) => [id, `${name} · ${money(amount)}`])}
      />
      <Choice name="effective" label={t.common.when} of={Object.entries(t.subscriptions.effective)} />
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
