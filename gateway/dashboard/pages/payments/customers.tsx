import { api, dataOf } from '../../core/api.ts'
import { documentNumber, phone } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty, Facts, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { DataTable } from '../../parts/table.tsx'
import { SubscriptionTable } from '../billing/subscription-table.tsx'
import { AddressFields, addressOf } from './boletos.tsx'
import { Metadata } from './transaction.tsx'
import { nameOfTransaction, transactionColumns } from './transactions.tsx'

/** Registered customers. */
export const Customers = () => {
  const query = useList('/v1/customers', ['from', 'to', 'document', 'email', 'externalId', 'q'])
  const dialog = useDialog(query.filters)
  const create = can('charges.create') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.customers.create}
    </Button>
  )
  return (
    <Page title={t.nav.customers} actions={create}>
      <List
        label={t.nav.customers}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`clientes/${id}`)}
        nameOf={({ name }) => name}
        search={t.customers.search}
        filterBy={[
          { kind: 'period' },
          { kind: 'text', name: 'document', title: t.common.document },
          { kind: 'text', name: 'email', title: t.common.email },
          { kind: 'text', name: 'externalId', title: 'externalId', hint: t.transactions.externalIdHint },
        ]}
        columns={[
          {
            id: 'name',
            title: t.common.name,
            cell: ({ name, email }) => (
              <span class="who">
                <span>{name}</span>
                <small class="sub">{email}</small>
              </span>
            ),
          },
          { id: 'document', title: t.common.document, cell: ({ document }) => documentNumber(document) },
          {
            id: 'phone',
            title: t.common.phone,
            from: 'medium',
            cell: (row) => row.phone && phone(row.phone),
          },
          { id: 'externalId', title: 'externalId', from: 'wide', cell: ({ externalId }) => externalId },
          {
            id: 'createdAt',
            title: t.customers.since,
            align: 'end',
            from: 'medium',
            cell: ({ createdAt }) => <Moment at={createdAt} style="day" />,
          },
        ]}
        empty={
          <Empty icon="users" title={t.customers.none} actions={create}>
            {t.customers.noneText}
          </Empty>
        }
      />
      {dialog.open && <CustomerDialog onClose={dialog.close} />}
    </Page>
  )
}

const CustomerDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { name: '' },
    async (values) => {
      const created = await dataOf(
        api.POST('/v1/customers', {
          body: {
            ...filled(values, 'email', 'phone', 'externalId'),
            name: values.name!.trim(),
            ...(values.document && { document: values.document.replace(/[.\-/\s]/g, '') }),
            ...addressOf(values),
          },
        }),
      )
      refresh('/v1/customers')
      navigate(pathTo(`clientes/${created.id}`))
    },
    ({ name }) => ({ name: requiredError(name) }),
  )
  return (
    <Dialog title={t.customers.create} onClose={onClose} isWide>
      <Form of={form} submit={t.common.create} onCancel={onClose}>
        <div class="form-row">
          <Field form={form} name="name" label={t.common.name} autoComplete="off" isFirst maxLength={120} />
          <Field form={form} name="document" label={t.common.document} isOptional autoComplete="off" />
        </div>
        <div class="form-row">
          <Field form={form} name="email" type="email" label={t.common.email} isOptional autoComplete="off" />
          <Field form={form} name="phone" type="tel" label={t.common.phone} isOptional autoComplete="off" />
        </div>
        <Field
          form={form}
          name="externalId"
          label="externalId"
          hint={t.common.externalIdHint}
          isOptional
          autoComplete="off"
        />
        <details class="form-part">
          <summary>{t.address.title}</summary>
          <div class="form">
            <AddressFields form={form} />
          </div>
        </details>
      </Form>
    </Dialog>
  )
}

/** One customer, with their transactions and subscriptions. */
export const CustomerPage = ({ id }: { id: string }) => {
  const { data, problem, refresh } = useGet('/v1/customers/{id}', { path: { id } })
  const transactions = useGet('/v1/transactions', { query: { customerId: id, pageSize: 10 } })
  const subscriptions = useGet(can('subscriptions.read') ? '/v1/subscriptions' : null, {
    query: { customerId: id, pageSize: 10 },
  })
  const back = { href: pathTo('clientes'), text: t.nav.customers }
  if (problem || !data)
    return (
      <Page title={t.customers.one} back={back}>
        {problem ? <Trouble of={problem} retry={refresh} /> : <Loading rows={6} />}
      </Page>
    )
  const { address } = data
  return (
    <Page title={data.name} lead={<Copy text={data.id} isShort />} back={back}>
      <div class="split-page">
        <div>
          <Section
            title={t.nav.transactions}
            note={transactions.data?.pagination.total}
            actions={<a href={pathTo(`transacoes?customerId=${id}`)}>{t.common.seeAll}</a>}
          >
            {transactions.data && transactions.data.data.length > 0 ? (
              <DataTable
                label={t.nav.transactions}
                columns={transactionColumns({ hasCustomer: false }).filter(({ id }) => id !== 'origin')}
                rows={transactions.data.data}
                keyOf={(row) => row.id}
                hrefOf={(row) => pathTo(`transacoes/${row.id}`)}
                nameOf={nameOfTransaction}
              />
            ) : (
              <p class="hint">{t.customers.noTransactions}</p>
            )}
          </Section>
          {subscriptions.data && subscriptions.data.data.length > 0 && (
            <Section title={t.nav.subscriptions} note={subscriptions.data.pagination.total}>
              <SubscriptionTable rows={subscriptions.data.data} hasCustomer={false} />
            </Section>
          )}
        </div>
        <aside class="facts-side">
          <Section title={t.transactions.details}>
            <Facts
              of={[
                [
                  t.common.document,
                  data.document && <Copy key="document" text={documentNumber(data.document)} />,
                ],
                [t.common.email, data.email],
                [t.common.phone, data.phone && phone(data.phone)],
                ['externalId', data.externalId && <Copy key="external" text={data.externalId} />],
                [
                  t.address.title,
                  address && (
                    <>
                      {address.street}, {address.number} {address.complement}
                      <small class="sub">
                        {address.district} · {address.city}/{address.state} ·{' '}
                        {address.zip.replace(/^(\d{5})(\d{3})$/, '$1-$2')}
                      </small>
                    </>
                  ),
                ],
                [t.customers.since, <Moment key="since" at={data.createdAt} style="day" />],
              ]}
            />
          </Section>
          <Metadata of={data.metadata} />
        </aside>
      </div>
    </Page>
  )
}
