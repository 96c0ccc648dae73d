import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { day, moment, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Copy, Facts, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check, Choice, Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { MethodLabel, Status } from '../../parts/labels.tsx'
import { DataTable } from '../../parts/table.tsx'
import { announce } from '../../parts/toasts.tsx'
import { Metadata } from '../payments/transaction.tsx'
import { invoiceColumns } from './invoices.tsx'
import { intervalText } from './subscription-table.tsx'

type Subscription = Schemas['Subscription']

/** One subscription: what it charges next, what it has charged, and what can be changed. */
export const SubscriptionPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again } = useGet('/v1/subscriptions/{id}', { path: { id } })
  const invoices = useGet('/v1/invoices', { query: { subscriptionId: id, pageSize: 25 } })
  const back = { href: pathTo('assinaturas'), text: t.nav.subscriptions }
  if (problem || !data)
    return (
      <Page title={t.subscriptions.one} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  const { plan, card, latestInvoice } = data
  const isUnpaid = latestInvoice?.status === 'OPEN' || latestInvoice?.status === 'PAST_DUE'
  return (
    <Page
      back={back}
      title={
        <>
          {data.customer.name} <Status is={data.status} of="subscription" />
        </>
      }
      lead={
        <>
          {plan.name} <span class="dot" /> <Amount of={plan.amount} /> <span class="dot" />{' '}
          {intervalText(plan)} <span class="dot" /> <Copy text={data.id} isShort />
        </>
      }
      actions={can('subscriptions.manage') && <SubscriptionActions of={data} />}
    >
      {data.cancelAtPeriodEnd && (
        <p class="notice-line warn">{t.subscriptions.endsAt(day(data.currentPeriodEnd))}</p>
      )}
      {data.scheduledChange && (
        <p class="notice-line calm">{t.subscriptions.changesAt(day(data.scheduledChange.effectiveOn))}</p>
      )}
      {data.cancelReason && !data.cancelAtPeriodEnd && <p class="notice-line">{data.cancelReason}</p>}
      <div class="split-page">
        <div>
          {isUnpaid &&
            latestInvoice?.payment &&
            (latestInvoice.payment.pix || latestInvoice.payment.boleto) && (
              <Section
                title={t.instructions.title}
                note={<a href={pathTo(`faturas/${latestInvoice.id}`)}>{money(latestInvoice.totalAmount)}</a>}
              >
                {latestInvoice.payment.pix && (
                  <CopyBox label={t.instructions.code} text={latestInvoice.payment.pix.copyPaste} />
                )}
                {latestInvoice.payment.boleto && (
                  <CopyBox label={t.instructions.line} text={latestInvoice.payment.boleto.digitableLine} />
                )}
              </Section>
            )}
          <Section title={t.nav.invoices} note={invoices.data?.pagination.total}>
            {invoices.data && (
              <DataTable
                label={t.nav.invoices}
                columns={invoiceColumns().filter((column) => column.id !== 'customer')}
                rows={invoices.data.data}
                keyOf={(row) => row.id}
                hrefOf={(row) => pathTo(`faturas/${row.id}`)}
                nameOf={(row) => row.number}
              />
            )}
          </Section>
        </div>
        <aside class="facts-side">
          <Section title={t.transactions.details}>
            <Facts
              of={[
                [
                  t.common.customer,
                  <a key="customer" href={pathTo(`clientes/${data.customerId}`)}>
                    {data.customer.name}
                  </a>,
                ],
                [
                  t.subscriptions.plan,
                  <a key="plan" href={pathTo(`planos/${data.planId}`)}>
                    {plan.name}
                  </a>,
                ],
                [
                  t.common.method,
                  <MethodLabel
                    key="method"
                    is={data.method}
                    more={card && `${t.brand[card.brand]} ···· ${card.last4}`}
                  />,
                ],
                [
                  t.subscriptions.period,
                  `${day(data.currentPeriodStart, 'short')} – ${day(data.currentPeriodEnd)}`,
                ],
                [
                  t.subscriptions.next,
                  data.nextBillingAt && <Moment key="next" at={data.nextBillingAt} style="day" />,
                ],
                [t.subscriptions.trialEnds, data.trialEndsAt && day(data.trialEndsAt)],
                [
                  t.subscriptions.cycles,
                  plan.maxCycles ? `${data.cyclesBilled} / ${plan.maxCycles}` : data.cyclesBilled,
                ],
                [
                  t.subscriptions.coupon,
                  data.couponId &&
                    (data.discountCyclesLeft === null
                      ? t.common.yes
                      : t.subscriptions.discountLeft(data.discountCyclesLeft)),
                ],
                [
                  t.subscriptions.credit,
                  data.creditBalance !== '0' && <Amount key="credit" of={data.creditBalance} />,
                ],
                [t.subscriptions.startAt, day(data.startAt)],
                [t.subscriptions.pausedAt, data.pausedAt && moment(data.pausedAt)],
                [t.subscriptions.cancelledAt, data.cancelledAt && moment(data.cancelledAt)],
              ]}
            />
          </Section>
          <Metadata of={data.metadata} />
        </aside>
      </div>
    </Page>
  )
}

const done = (text: string): void => {
  refresh('/v1/')
  announce(text)
}

const SubscriptionActions = ({ of }: { of: Subscription }) => {
  const [dialog, setDialog] = useState<'cancel' | 'plan' | null>(null)
  const params = { path: { id: of.id } }
  const pause = useAction(async () => {
    await dataOf(api.POST('/v1/subscriptions/{id}/pause', { params }))
    done(t.subscriptions.paused)
  })
  const resume = useAction(async () => {
    await dataOf(api.POST('/v1/subscriptions/{id}/resume', { params }))
    done(t.subscriptions.resumed)
  })
  const isOver = of.status === 'CANCELLED' || of.status === 'COMPLETED'
  if (isOver) return null
  const isPaused = of.status === 'PAUSED' || of.status === 'SUSPENDED'
  return (
    <>
      <Button icon="layers" onClick={() => setDialog('plan')}>
        {t.subscriptions.changePlan}
      </Button>
      {isPaused ? (
        <Button icon="play" isBusy={resume.isBusy} onClick={() => void resume.run()}>
          {t.subscriptions.resume}
        </Button>
      ) : (
        <Button icon="pause" isBusy={pause.isBusy} onClick={() => void pause.run()}>
          {t.subscriptions.pause}
        </Button>
      )}
      <Button icon="ban" onClick={() => setDialog('cancel')}>
        {t.cancel.action}
      </Button>
      <Trouble of={pause.problem ?? resume.problem} />
      {dialog === 'cancel' && <CancelSubscription of={of} onClose={() => setDialog(null)} />}
      {dialog === 'plan' && <ChangePlanDialog of={of} onClose={() => setDialog(null)} />}
    </>
  )
}

const CancelSubscription = ({ of, onClose }: { of: Subscription; onClose: () => void }) => {
  const form = useForm(
    { reason: '', atPeriodEnd: 'true' },
    async ({ reason, atPeriodEnd }) => {
      const body = { reason: reason!.trim(), atPeriodEnd: atPeriodEnd === 'true' }
      await dataOf(api.POST('/v1/subscriptions/{id}/cancel', { params: { path: { id: of.id } }, body }))
      done(t.subscriptions.cancelDone)
      onClose()
    },
    ({ reason }) => ({ reason: requiredError(reason) }),
  )
  return (
    <Dialog title={t.subscriptions.cancelTitle} onClose={onClose}>
      <Form of={form} submit={t.subscriptions.cancelAction} tone="danger" onCancel={onClose}>
        <Field form={form} name="reason" label={t.transactions.reason} isFirst maxLength={240} />
        <Check
          form={form}
          name="atPeriodEnd"
          label={t.subscriptions.atPeriodEnd(day(of.currentPeriodEnd))}
          hint={t.subscriptions.atPeriodEndHint}
        />
      </Form>
    </Dialog>
  )
}

const ChangePlanDialog = ({ of, onClose }: { of: Subscription; onClose: () => void }) => {
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

const ChangePlanForm = ({
  of,
  plans,
  onClose,
}: {
  of: Subscription
  plans: readonly Schemas['Plan'][]
  onClose: () => void
}) => {
  const [preview, setPreview] = useState<Schemas['PlanChange'] | null>(null)
  const send = (isPreview: boolean, { planId, effective }: Readonly<Record<string, string>>) =>
    dataOf(
      api.POST('/v1/subscriptions/{id}/change-plan', {
        params: { path: { id: of.id } },
        body: { planId: planId!, effective: effective as 'AUTO', preview: isPreview },
      }),
    )
  const form = useForm({ planId: plans[0]!.id, effective: 'AUTO' }, async (values) => {
    if (preview === null) return setPreview(await send(true, values))
    await send(false, values)
    done(t.subscriptions.changed)
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
      of={form}
      submit={preview === null ? t.subscriptions.preview : t.subscriptions.changePlan}
      onCancel={onClose}
    >
      <Choice
        form={watched}
        name="planId"
        label={t.subscriptions.plan}
        of={plans.map(({ id, name, amount }) => [id, `${name} · ${money(amount)}`])}
      />
      <Choice
        form={watched}
        name="effective"
        label={t.subscriptions.when}
        of={Object.entries(t.subscriptions.effective)}
      />
      {preview && (
        <dl class="ledger">
          {preview.proration && (
            <>
              <div>
                <dt>{t.subscriptions.credited}</dt>
                <dd>
                  <Amount of={preview.proration.creditAmount} />
                </dd>
              </div>
              <div>
                <dt>{t.subscriptions.charged}</dt>
                <dd>
                  <Amount of={preview.proration.chargeAmount} />
                </dd>
              </div>
            </>
          )}
          <div class="sum">
            <dt>{preview.invoice ? t.subscriptions.invoiceNow : t.subscriptions.nothingNow}</dt>
            <dd>{preview.invoice && <Amount of={preview.invoice.totalAmount} />}</dd>
          </div>
        </dl>
      )}
    </Form>
  )
}
