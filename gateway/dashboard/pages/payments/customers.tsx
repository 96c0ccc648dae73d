import { post, type Schemas } from '../../core/api.ts'
import { count, documentNumber, phone } from '../../core/format.ts'
import { addressOf, digitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Copy, Empty, Loading, Moment, Page, Section } from '../../parts/basics.tsx'
import { AddressFields, EmailField, useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, FactSection, Figures, instant, Metadata, SplitPage } from '../../parts/facts.tsx'
import { externalIdFilter, period, textFilter } from '../../parts/filter.ts'
import { Field, FormPart, filled, required } from '../../parts/form.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { Notes } from '../../parts/notes.tsx'
import { DataTable, Who } from '../../parts/table.tsx'
import { SubscriptionTable } from '../billing/subscription-table.tsx'
import { nameOfTransaction, transactionColumns } from './transactions.tsx'

/** Registered customers. */
export const Customers = () => {
  const query = useList('/v1/customers', ['from', 'to', 'document', 'email', 'externalId', 'q'])
  const dialog = useDialog(query.filters)
  const create = createButton('charges.create', t.customers.create, dialog.show)
  return (
    <ListPage
      title={t.nav.customers}
      actions={create}
      query={query}
      hrefOf={({ id }) => pathTo(`clientes/${id}`)}
      nameOf={({ name }) => name}
      search={t.customers.search}
      filterBy={[
        period,
        textFilter('document', t.common.document),
        textFilter('email', t.common.email),
        externalIdFilter(),
      ]}
      columns={[
        ['name', t.common.name, ({ name, email }) => <Who name={name} sub={email} />],
        ['document', t.common.document, ({ document }) => documentNumber(document)],
        ['phone', t.common.phone, ({ phone: number }) => number && phone(number), 'medium'],
        ['externalId', t.common.externalId, ({ externalId }) => externalId, 'wide'],
        ['createdAt', t.customers.registeredOn, ({ createdAt }) => instant(createdAt, 'day'), 'end', 'when'],
      ]}
      empty={<Empty icon="users" title={t.customers.none} text={t.customers.noneText} actions={create} />}
    >
      {dialog.open && <CustomerDialog onClose={dialog.close} />}
    </ListPage>
  )
}

const CustomerDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.customers.create}
    submit={t.common.create}
    isWide
    values={{ name: '' }}
    check={required('name')}
    send={(values) =>
      post('/v1/customers', {
        body: {
          ...filled(values, 'email', 'phone', 'externalId'),
          name: values.name!.trim(),
          ...(values.document && { document: digitsOf(values.document) }),
          ...addressOf(values),
        },
      })
    }
    changes="/v1/customers"
    opens={({ id }) => `clientes/${id}`}
    onClose={onClose}
  >
    <div class="form-row">
      <Field name="name" label={t.common.name} autoComplete="off" isFirst maxLength={120} />
      <Field name="document" label={t.common.document} isOptional autoComplete="off" />
    </div>
    <div class="form-row">
      <EmailField />
      <Field name="phone" type="tel" label={t.common.phone} isOptional autoComplete="off" />
    </div>
    <Field
      name="externalId"
      label={t.common.externalId}
      hint={t.common.externalIdHint}
      isOptional
      autoComplete="off"
    />
    <FormPart title={t.address.title}>
      <AddressFields />
    </FormPart>
  </FormDialog>
)

/** One customer, with their transactions and subscriptions. */
export const CustomerPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/customers/{id}', { path: { id } })
  const { data, problem } = query
  const transactions = useGet('/v1/transactions', { query: { customerId: id, pageSize: 10 } })
  const subscriptions = useGet(can('subscriptions.read') ? '/v1/subscriptions' : null, {
    query: { customerId: id, pageSize: 10 },
  })
  const back = { href: pathTo('clientes'), text: t.nav.customers }
  if (problem || !data) return <Page title={t.common.customer} back={back} unread={query} />
  const { address } = data
  // Shown together, so that nothing moves when the last of them comes.
  const isRead = !transactions.isLoading && !subscriptions.isLoading
  return (
    <Page title={data.name} lead={<Copy text={data.id} isShort />} back={back}>
      <SplitPage
        side={
          <>
            <FactSection
              of={[
                [
                  t.common.document,
                  data.document && <Copy key="document" text={documentNumber(data.document)} />,
                ],
                [t.common.email, data.email],
                [t.common.phone, data.phone && phone(data.phone)],
                [t.common.externalId, data.externalId && <Copy key="external" text={data.externalId} />],
                [t.address.title, address && <Address key="address" of={address} />],
                [t.customers.registeredOn, <Moment key="since" at={data.createdAt} style="day" />],
              ]}
            />
            <Metadata of={data.metadata} />
          </>
        }
      >
        {isRead ? (
          <>
            {transactions.data && transactions.data.data.length > 0 && (
              <CustomerFigures of={transactions.data} customerId={id} />
            )}
            <LatestTransactions of={transactions.data} customerId={id} />
            {subscriptions.data && subscriptions.data.data.length > 0 && (
              <Section
                title={t.nav.subscriptions}
                note={subscriptions.data.pagination.total}
                actions={<a href={pathTo(`assinaturas?customerId=${id}`)}>{t.common.seeAll}</a>}
              >
                <SubscriptionTable rows={subscriptions.data.data} hasCustomer={false} />
              </Section>
            )}
            <Notes about={id} />
          </>
        ) : (
          <Loading rows={8} />
        )}
      </SplitPage>
    </Page>
  )
}

const Address = ({ of }: { of: NonNullable<Schemas['Customer']['address']> }) => (
  <>
    {of.street}, {of.number} {of.complement}
    <small class="sub">
      {of.district} · {of.city}/{of.state} · {of.zip.replace(/^(\d{5})(\d{3})$/, '$1-$2')}
    </small>
  </>
)

/** What the customer has paid, owes and has got back, in reais, and when they were charged last: each a link to what it counts. */
const CustomerFigures = ({ of, customerId }: { of: Schemas['TransactionList']; customerId: string }) => {
  const sums = of.totals.find(({ currency }) => currency === 'BRL')
  const [last] = of.data
  const listed = (more = '') => ({ href: pathTo(`transacoes?customerId=${customerId}${more}`) })
  return (
    <Figures
      label={t.customers.totals}
      of={[
        [t.customers.paid, amountOf(sums?.paidAmount ?? '0'), listed(`&status=${paidStatuses}`)],
        [t.customers.open, amountOf(sums?.openAmount ?? '0'), listed(`&status=${openStatuses}`)],
        [
          t.customers.refunded,
          amountOf(sums?.refundedAmount ?? '0'),
          listed('&status=PARTIALLY_REFUNDED,REFUNDED'),
        ],
        [t.customers.charges, count(of.pagination.total), listed()],
        [
          t.customers.lastCharge,
          <Moment key="last" at={last!.createdAt} style="day" />,
          { href: pathTo(`transacoes/${last!.id}`) },
        ],
      ]}
    />
  )
}

const paidStatuses = 'APPROVED,PARTIALLY_REFUNDED,REFUNDED,CHARGEBACK'
const openStatuses = 'CREATED,PENDING,PROCESSING,AUTHORIZED'

type LatestTransactionsProps = { of: Schemas['TransactionList'] | null; customerId: string }

const LatestTransactions = ({ of, customerId }: LatestTransactionsProps) => (
  <Section
    title={t.nav.transactions}
    note={of?.pagination.total}
    actions={<a href={pathTo(`transacoes?customerId=${customerId}`)}>{t.common.seeAll}</a>}
  >
    {of && of.data.length > 0 ? (
      <DataTable
        label={t.nav.transactions}
        columns={transactionColumns({ hasCustomer: false })}
        rows={of.data}
        hrefOf={(row) => pathTo(`transacoes/${row.id}`)}
        nameOf={nameOfTransaction}
      />
    ) : (
      <p class="hint">{t.customers.noTransactions}</p>
    )}
  </Section>
)
