import { useState } from 'preact/hooks'
import { patch, post, type Schemas, withId } from '../../core/api.ts'
import { day, documentNumber } from '../../core/format.ts'
import { digitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty, Page } from '../../parts/basics.tsx'
import { BankField, EmailField } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, FactSection } from '../../parts/facts.tsx'
import { activeFilter, period, picked, statusFilter, textFilter } from '../../parts/filter.ts'
import { Check, Field, filled, required, type Values } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { RecipientName, useRecipientNames } from '../../parts/recipient.tsx'
import { amountColumn, Noted, statusColumn, Who } from '../../parts/table.tsx'
import { isLost, Lost } from '../money-out/lost.tsx'

type Recipient = Schemas['Recipient']

/** The first 200 recipients, for pages that need their names. */
export const useRecipients = () => useGet('/v1/split/recipients', { query: { pageSize: 200 } })

const bankText = ({ bankCode, branch, account }: Recipient): string => `${bankCode} · ${branch} · ${account}`

/** Who gets shares. */
export const Recipients = () => (
  <List
    label={t.split.recipients}
    query={useList('/v1/split/recipients', ['from', 'to', 'active', 'document', 'q'])}
    hrefOf={({ id }) => pathTo(`divisao/recebedores/${id}`)}
    nameOf={({ name }) => name}
    search={t.split.searchRecipient}
    filterBy={[activeFilter('recipient'), textFilter('document', t.common.document)]}
    columns={[
      ['name', t.common.name, (row) => <Who name={row.name} sub={documentNumber(row.document)} />],
      ['bank', t.money.account, bankText, 'medium'],
      amountColumn('balanceAmount', t.split.balance),
      statusColumn('recipient', 'end'),
    ]}
    empty={<Empty icon="users" title={t.split.noRecipient} text={t.split.noRecipientText} />}
  />
)

const transferStatuses = [
  ...(['AWAITING_FUNDS', 'SCHEDULED', 'PROCESSING', 'COMPLETED'] as const),
  ...(['FAILED', 'CANCELLED', 'REVERSED'] as const),
]

/** Split transfers, to all recipients or to one. */
export const Transfers = ({ recipientId }: { recipientId?: string }) => {
  const query = useList(
    '/v1/split/transfers',
    ['from', 'to', 'status', 'transactionId', ...(recipientId ? [] : ['recipientId'])],
    recipientId ? { recipientId } : {},
  )
  const rows = query.data?.data ?? []
  const names = useRecipientNames(rows.map((row) => row.recipientId))
  return (
    <>
      {rows.filter(isLost).map((row) => (
        <Lost key={row.id} of={row} payee={names(row.recipientId) ?? row.recipientId} />
      ))}
      <List
        label={t.split.transfers}
        query={query}
        hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
        nameOf={({ id }) => id}
        filterBy={[
          statusFilter(transferStatuses, 'splitTransfer'),
          !recipientId && picked('recipientId', t.split.recipient, 'recipient'),
          period,
        ]}
        columns={[
          amountColumn('amount', t.common.amount),
          [
            'status',
            t.common.status,
            ({ status, failureReason }) => (
              <Noted
                note={
                  failureReason &&
                  (failureReason === 'NOT_SENT' ? t.transfers.failure.NOT_SENT : t.split.refusedByBank)
                }
              >
                <Status is={status} of="splitTransfer" />
              </Noted>
            ),
          ],
          ['recipient', t.split.recipient, (row) => <RecipientName id={row.recipientId} names={names} />],
          ['installment', t.transactions.installment, ({ installment }) => installment, 'wide'],
          ['expected', t.transactions.expectedOn, ({ expectedOn }) => day(expectedOn), 'end', 'medium'],
        ]}
        empty={<Empty icon="send" title={t.split.noTransfer} text={t.split.noTransferText} />}
      />
    </>
  )
}

/** One recipient, with their split transfers. */
export const RecipientPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/split/recipients/{id}', { path: { id } })
  const { data, problem } = query
  const [isEditing, setEditing] = useState(false)
  const back = { href: pathTo('divisao/recebedores'), text: t.split.recipients }
  if (problem || !data) return <Page title={t.split.recipient} back={back} unread={query} />
  return (
    <Page
      back={back}
      title={data.name}
      status={<Status is={data.status} of="recipient" />}
      lead={<Copy text={data.id} isShort />}
      actions={
        can('marketplace.manage') && (
          <Button icon="edit" onClick={() => setEditing(true)} text={t.common.edit} />
        )
      }
    >
      <FactSection
        of={[
          [t.split.balance, amountOf(data.balanceAmount)],
          [t.common.document, documentNumber(data.document)],
          [t.common.email, data.email],
          [t.money.account, bankText(data)],
        ]}
      />
      <h2 class="gap">{t.split.transfers}</h2>
      <Transfers recipientId={id} />
      {isEditing && <RecipientDialog recipient={data} onClose={() => setEditing(false)} />}
    </Page>
  )
}

const valuesOf = (recipient: Recipient): Values => ({
  name: recipient.name,
  email: recipient.email ?? '',
  bankCode: recipient.bankCode,
  branch: recipient.branch,
  account: recipient.account,
  active: recipient.status === 'ACTIVE' ? 'true' : '',
})

const save = (recipient: Recipient | null, values: Values): Promise<unknown> => {
  const bank = {
    name: values.name!.trim(),
    bankCode: values.bankCode!.trim(),
    branch: values.branch!.trim(),
    account: values.account!.trim(),
  }
  if (recipient === null) {
    const body = { ...bank, document: digitsOf(values.document!), ...filled(values, 'email') }
    return post('/v1/split/recipients', { body })
  }
  const body = { ...bank, email: values.email?.trim() || null, active: values.active === 'true' }
  return patch('/v1/split/recipients/{id}', { ...withId(recipient.id), body })
}

/** Creates or edits a recipient. */
export const RecipientDialog = ({ recipient, onClose }: Closable & { recipient: Recipient | null }) => (
  <FormDialog
    title={recipient?.name ?? t.split.createRecipient}
    submit={recipient ? t.common.save : t.common.create}
    values={
      recipient ? valuesOf(recipient) : { name: '', document: '', bankCode: '', branch: '', account: '' }
    }
    check={required('name', 'bankCode', 'branch', 'account', ...(recipient ? [] : ['document']))}
    send={(values) => save(recipient, values)}
    changes="/v1/split"
    done={t.common.saved}
    onClose={onClose}
  >
    <Field name="name" label={t.common.name} isFirst maxLength={120} />
    <div class="form-row">
      {!recipient && <Field name="document" label={t.common.document} autoComplete="off" />}
      <EmailField />
    </div>
    <div class="form-row">
      <BankField />
      <Field name="branch" label={t.money.branch} maxLength={7} />
      <Field name="account" label={t.money.account} hint={t.split.accountHint} maxLength={15} />
    </div>
    {recipient && <Check name="active" label={t.split.isActive} />}
  </FormDialog>
)
