import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { day } from '../../core/format.ts'
import { cardOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty, LinkButton, Page, Section } from '../../parts/basics.tsx'
import { PrintButton } from '../../parts/buttons.tsx'
import { CardFields, testCard } from '../../parts/common-fields.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, FactSection, instant, Ledger, linkTo, SplitPage } from '../../parts/facts.tsx'
import { period, statusFilter } from '../../parts/filter.ts'
import { Choice } from '../../parts/form.tsx'
import { MethodLabel, Status } from '../../parts/labels.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn, type Columns, Noted, Rows, statusColumn } from '../../parts/table.tsx'
import { billingMethods } from './subscription-table.tsx'

const statuses = ['OPEN', 'PAST_DUE', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** The columns of invoices. */
export const invoiceColumns = (): Columns<Schemas['Invoice']> => [
  [
    'number',
    t.invoices.one,
    ({ number, kind }) => (
      <Noted note={kind === 'PRORATION' && t.invoices.proration}>
        <span class="nowrap">{number}</span>
      </Noted>
    ),
  ],
  statusColumn('invoice'),
  amountColumn('totalAmount', t.common.amount),
  ['method', t.common.method, ({ method }) => <MethodLabel is={method} />, 'wide'],
  [
    'period',
    t.filters.period,
    ({ periodStart, periodEnd }) => (
      <span class="nowrap">
        {day(periodStart, 'short')} – {day(periodEnd, 'short')}
      </span>
    ),
    'wide',
  ],
  ['attempts', t.webhooks.attempts, ({ attemptCount }) => attemptCount, 'medium'],
  ['due', t.boletos.dueDate, ({ dueDate }) => day(dueDate), 'end', 'medium'],
]

/** Invoices of all subscriptions. */
export const Invoices = () => (
  <ListPage
    title={t.nav.invoices}
    query={useList('/v1/invoices', ['from', 'to', 'status', 'subscriptionId', 'customerId', 'q'])}
    columns={invoiceColumns()}
    hrefOf={({ id }) => pathTo(`faturas/${id}`)}
    nameOf={({ number }) => number}
    search={t.invoices.search}
    filterBy={[statusFilter(statuses, 'invoice'), period]}
    empty={
      <Empty
        icon="receipt"
        title={t.invoices.none}
        text={t.invoices.noneText}
        actions={<LinkButton href={pathTo('assinaturas')} text={t.nav.subscriptions} />}
      />
    }
  />
)

type Detail = Schemas['InvoiceDetail']

/** One invoice: its lines, every attempt to collect it, and a way to try again. */
export const InvoicePage = ({ id }: { id: string }) => {
  const [isRetrying, setRetrying] = useState(false)
  const query = useGet('/v1/invoices/{id}', { path: { id } })
  const { data, problem } = query
  const { data: subscription } = useGet(data && '/v1/subscriptions/{id}', {
    path: { id: data?.subscriptionId ?? '' },
  })
  const back = { href: pathTo('faturas'), text: t.nav.invoices }
  if (problem || !data) return <Page title={t.invoices.one} back={back} unread={query} />
  const pending = data.attempts.findLast(({ status }) => status === 'PENDING')?.payment ?? null
  const isUnpaid = data.status === 'OPEN' || data.status === 'PAST_DUE'
  return (
    <Page
      back={back}
      title={data.number}
      status={<Status is={data.status} of="invoice" />}
      lead={<Copy text={data.id} isShort />}
      actions={
        <>
          {isUnpaid && can('subscriptions.manage') && (
            <Button tone="main" icon="repeat" onClick={() => setRetrying(true)} text={t.invoices.retry} />
          )}
          <PrintButton />
        </>
      }
    >
      <SplitPage side={<InvoiceFacts of={data} subscription={subscription} />}>
        {pending && isUnpaid && (
          <Section title={t.instructions.title}>
            <PaymentCodes of={pending} />
          </Section>
        )}
        <Section title={t.invoices.lines}>
          <Ledger
            of={[
              ...data.lines.map(
                ({ type, description, amount }) =>
                  [
                    <Noted key={type} note={t.invoices.lineType[type]}>
                      {description}
                    </Noted>,
                    amountOf(amount),
                  ] as const,
              ),
              [t.invoices.total, amountOf(data.totalAmount), true],
            ]}
          />
        </Section>
        <Attempts of={data.attempts} />
      </SplitPage>
      {isRetrying && <RetryDialog of={data} onClose={() => setRetrying(false)} />}
    </Page>
  )
}

/** The codes by which an invoice can be paid. */
export const PaymentCodes = ({ of }: { of: NonNullable<Detail['attempts'][number]['payment']> }) => (
  <>
    {of.pix && <CopyBox label={t.instructions.code} text={of.pix.copyPaste} />}
    {of.boleto && <CopyBox label={t.instructions.line} text={of.boleto.digitableLine} />}
  </>
)

const Attempts = ({ of }: { of: Detail['attempts'] }) => (
  <Section title={t.webhooks.attempts} note={of.length}>
    <Rows
      heads={['#', t.common.method, t.common.status, t.invoices.trigger, t.common.createdAt]}
      rows={of.map(({ id, transactionId, number, method, status, failureReason, trigger, createdAt }) => [
        id,
        linkTo(transactionId, String(number)) ?? number,
        <MethodLabel key="method" is={method} />,
        <Noted key="status" note={failureReason && t.failureReason[failureReason]}>
          <Status is={status} of="attempt" />
        </Noted>,
        t.invoices.triggers[trigger],
        instant(createdAt),
      ])}
    />
  </Section>
)

const InvoiceFacts = ({ of, subscription }: { of: Detail; subscription: Schemas['Subscription'] | null }) => (
  <FactSection
    of={[
      [t.subscriptions.one, linkTo(of.subscriptionId, subscription?.plan.name)],
      [t.common.customer, linkTo(of.customerId, subscription?.customer.name)],
      [t.invoices.cycle, of.cycle],
      [t.filters.period, `${day(of.periodStart, 'short')} – ${day(of.periodEnd)}`],
      [t.boletos.dueDate, day(of.dueDate)],
      [t.transactions.paid, amountOf(of.paidAmount)],
      [t.transactions.paidAt, instant(of.paidAt)],
      [t.invoices.nextAttempt, instant(of.nextAttemptAt)],
    ]}
  />
)

const RetryDialog = ({ of, onClose }: Closable & { of: Detail }) => {
  const isNewCard = (method: string | undefined) => method === 'CREDIT_CARD' && of.method !== 'CREDIT_CARD'
  return (
    <FormDialog
      title={t.invoices.retry}
      lead={t.invoices.retryText}
      submit={t.invoices.retryAction}
      values={{ method: of.method, useCard: '', ...testCard }}
      send={(values) =>
        post('/v1/invoices/{id}/retry', {
          ...withId(of.id),
          body: {
            method: values.method as Schemas['BillingMethod'],
            ...(isNewCard(values.method) && { card: cardOf(values) }),
          },
        })
      }
      changes="/v1/"
      done={t.invoices.retried}
      onClose={onClose}
    >
      {({ values: { method } }) => (
        <>
          <Choice name="method" label={t.common.method} of={billingMethods()} />
          {isNewCard(method) && <CardFields />}
        </>
      )}
    </FormDialog>
  )
}
