import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { day } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
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
import { CardFields } from '../../parts/common-fields.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Form, useForm } from '../../parts/form.tsx'
import { MethodLabel, optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { type Column, Rows } from '../../parts/table.tsx'
import { announce } from '../../parts/toasts.tsx'

type Invoice = Schemas['Invoice']
const statuses = ['OPEN', 'PAST_DUE', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** The columns of invoices. */
export const invoiceColumns = (): readonly Column<Invoice>[] => [
  {
    id: 'number',
    title: t.invoices.number,
    cell: ({ number, kind }) => (
      <>
        <span class="nowrap">{number}</span>
        {kind === 'PRORATION' && <small class="sub">{t.invoices.proration}</small>}
      </>
    ),
  },
  { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} of="invoice" /> },
  { id: 'amount', title: t.common.amount, cell: ({ totalAmount }) => <Amount of={totalAmount} /> },
  { id: 'method', title: t.common.method, from: 'wide', cell: ({ method }) => <MethodLabel is={method} /> },
  {
    id: 'period',
    title: t.subscriptions.period,
    from: 'wide',
    cell: ({ periodStart, periodEnd }) => (
      <span class="nowrap">
        {day(periodStart, 'short')} – {day(periodEnd, 'short')}
      </span>
    ),
  },
  { id: 'attempts', title: t.webhooks.attempts, from: 'medium', cell: ({ attemptCount }) => attemptCount },
  { id: 'due', title: t.boletos.dueDate, align: 'end', from: 'medium', cell: ({ dueDate }) => day(dueDate) },
]

/** Invoices of all subscriptions. */
export const Invoices = () => {
  const query = useList('/v1/invoices', ['from', 'to', 'status', 'subscriptionId', 'customerId', 'q'])
  return (
    <Page title={t.nav.invoices}>
      <List
        label={t.nav.invoices}
        query={query}
        columns={invoiceColumns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`faturas/${id}`)}
        nameOf={({ number }) => number}
        search={t.invoices.search}
        filterBy={[
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(statuses, (status) => t.statusOf.invoice[status]),
          },
          { kind: 'period' },
        ]}
        empty={
          <Empty
            icon="receipt"
            title={t.invoices.none}
            actions={
              <a class="button plain" href={pathTo('assinaturas')}>
                {t.nav.subscriptions}
              </a>
            }
          >
            {t.invoices.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** One invoice: its lines, every attempt to collect it, and another one. */
export const InvoicePage = ({ id }: { id: string }) => {
  const [isRetrying, setRetrying] = useState(false)
  const { data, problem, refresh: again } = useGet('/v1/invoices/{id}', { path: { id } })
  const { data: subscription } = useGet(data && '/v1/subscriptions/{id}', {
    path: { id: data?.subscriptionId ?? '' },
  })
  const back = { href: pathTo('faturas'), text: t.nav.invoices }
  if (problem || !data)
    return (
      <Page title={t.invoices.one} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  const pending = data.attempts.findLast(({ status }) => status === 'PENDING')?.payment ?? null
  const isUnpaid = data.status === 'OPEN' || data.status === 'PAST_DUE'
  return (
    <Page
      back={back}
      title={
        <>
          {data.number} <Status is={data.status} of="invoice" />
        </>
      }
      lead={<Copy text={data.id} isShort />}
      actions={
        <>
          {isUnpaid && can('subscriptions.manage') && (
            <Button tone="main" icon="repeat" onClick={() => setRetrying(true)}>
              {t.invoices.retry}
            </Button>
          )}
          <Button tone="quiet" icon="printer" aria-label={t.common.print} onClick={() => print()} />
        </>
      }
    >
      <div class="split-page">
        <div>
          {pending && isUnpaid && (
            <Section title={t.instructions.title}>
              {pending.pix && <CopyBox label={t.instructions.code} text={pending.pix.copyPaste} />}
              {pending.boleto && <CopyBox label={t.instructions.line} text={pending.boleto.digitableLine} />}
            </Section>
          )}
          <Section title={t.invoices.lines}>
            <dl class="ledger">
              {data.lines.map(({ type, description, amount }) => (
                <div key={type + description}>
                  <dt>
                    {description}
                    <small class="sub">{t.invoices.lineType[type]}</small>
                  </dt>
                  <dd>
                    <Amount of={amount} />
                  </dd>
                </div>
              ))}
              <div class="sum">
                <dt>{t.invoices.total}</dt>
                <dd>
                  <Amount of={data.totalAmount} />
                </dd>
              </div>
            </dl>
          </Section>
          <Section title={t.invoices.attempts} note={data.attempts.length}>
            <Rows
              heads={['#', t.common.method, t.common.status, t.invoices.trigger, t.common.createdAt]}
              rows={data.attempts.map((attempt) => [
                attempt.id,
                attempt.transactionId ? (
                  <a key="number" href={pathTo(`transacoes/${attempt.transactionId}`)}>
                    {attempt.number}
                  </a>
                ) : (
                  attempt.number
                ),
                <MethodLabel key="method" is={attempt.method} />,
                <>
                  <Status is={attempt.status === 'SUCCEEDED' ? 'PAID' : attempt.status} />
                  {attempt.failureReason && (
                    <small class="sub">{t.failureReason[attempt.failureReason]}</small>
                  )}
                </>,
                t.invoices.triggers[attempt.trigger],
                <Moment key="at" at={attempt.createdAt} />,
              ])}
            />
          </Section>
        </div>
        <aside class="facts-side">
          <Section title={t.transactions.details}>
            <Facts
              of={[
                [
                  t.subscriptions.one,
                  <a key="sub" href={pathTo(`assinaturas/${data.subscriptionId}`)}>
                    {subscription?.plan.name ?? t.common.open}
                  </a>,
                ],
                [
                  t.common.customer,
                  <a key="cus" href={pathTo(`clientes/${data.customerId}`)}>
                    {subscription?.customer.name ?? t.common.open}
                  </a>,
                ],
                [t.invoices.cycle, data.cycle],
                [t.subscriptions.period, `${day(data.periodStart, 'short')} – ${day(data.periodEnd)}`],
                [t.boletos.dueDate, day(data.dueDate)],
                [t.transactions.paid, <Amount key="paid" of={data.paidAmount} />],
                [t.transactions.paidAt, data.paidAt && <Moment key="at" at={data.paidAt} />],
                [t.invoices.nextAttempt, data.nextAttemptAt && <Moment key="next" at={data.nextAttemptAt} />],
              ]}
            />
          </Section>
        </aside>
      </div>
      {isRetrying && <RetryDialog of={data} onClose={() => setRetrying(false)} />}
    </Page>
  )
}

const RetryDialog = ({ of, onClose }: { of: Schemas['InvoiceDetail']; onClose: () => void }) => {
  const form = useForm(
    { method: of.method, useCard: '', token: 'tok_test_approved', brand: 'VISA', last4: '4242' },
    async (values) => {
      const isNewCard = values.method === 'CREDIT_CARD' && of.method !== 'CREDIT_CARD'
      const card = { token: values.token!, brand: values.brand as Schemas['Brand'], last4: values.last4! }
      const body = { method: values.method as Schemas['BillingMethod'], ...(isNewCard && { card }) }
      await dataOf(api.POST('/v1/invoices/{id}/retry', { params: { path: { id: of.id } }, body }))
      refresh('/v1/')
      announce(t.invoices.retried)
      onClose()
    },
  )
  return (
    <Dialog title={t.invoices.retry} onClose={onClose}>
      <p>{t.invoices.retryText}</p>
      <Form of={form} submit={t.invoices.retryAction} onCancel={onClose}>
        <Choice
          form={form}
          name="method"
          label={t.common.method}
          of={(['CREDIT_CARD', 'PIX', 'BOLETO'] as const).map((method) => [method, t.method[method]])}
        />
        {form.values.method === 'CREDIT_CARD' && of.method !== 'CREDIT_CARD' && <CardFields form={form} />}
      </Form>
    </Dialog>
  )
}
