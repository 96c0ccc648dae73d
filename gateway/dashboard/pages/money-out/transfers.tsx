import { downloadPath } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Empty, LinkButton, Moment, Page, Tabs } from '../../parts/basics.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, listQuery, useList } from '../../parts/list-page.tsx'
import { NewRows } from '../../parts/new-rows.tsx'
import { NewTransfer } from './new-transfer.tsx'
import { PayeeCell } from './payee.tsx'
import { TransferPage } from './transfer.tsx'
import { WaitingWithdrawals } from './withdrawals.tsx'

/** The list of transfers, a new one, or one of them. */
export const TransfersPage = ({ rest: [id] }: { rest: readonly string[] }) => {
  if (id === undefined) return <Transfers />
  return id === 'nova' ? <NewTransfer /> : <TransferPage key={id} id={id} />
}

const narrowing = [
  'from',
  'to',
  'status',
  'kind',
  'minAmount',
  'maxAmount',
  'beneficiaryId',
  'createdBy',
  'q',
]

/** Money that people sent, and what waits for an approval. */
const Transfers = () => {
  const query = useList('/v1/transfers', narrowing)
  const { filters } = query
  const { page: _, pageSize: __, asOf: ___, ...exported } = listQuery(filters, narrowing)
  const create = can('transfers.create') && (
    <LinkButton tone="main" icon="plus" href={pathTo('transferencias/nova')} data-key="n">
      {t.transfers.create}
    </LinkButton>
  )
  const inbox = 'PENDING_APPROVAL'
  const isInbox = filters.get('status') === inbox
  return (
    <Page
      title={t.nav.transfers}
      actions={
        <>
          {can('transactions.export') && (
            <LinkButton
              icon="download"
              href={downloadPath('/v1/transfers/export', { format: 'csv', ...exported })}
              download
            >
              {t.common.csv}
            </LinkButton>
          )}
          {create}
        </>
      }
    >
      <Tabs
        label={t.nav.transfers}
        current={isInbox ? inbox : 'all'}
        of={[
          { id: 'all', text: t.approvals.all, href: pathTo('transferencias') },
          { id: inbox, text: t.approvals.inbox, href: pathTo(`transferencias?status=${inbox}`) },
        ]}
      />
      <List
        label={t.nav.transfers}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`transferencias/${id}`)}
        nameOf={({ beneficiary }) => beneficiary.name}
        search={t.transfers.search}
        above={<NewRows kinds={['transfer']} prefixes={['/v1/transfers']} />}
        filterBy={[
          { kind: 'period' },
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(
              ['PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'],
              (status) => (t.statusOf.transfer as Record<string, string>)[status] ?? t.status[status],
            ),
          },
          {
            kind: 'choices',
            name: 'kind',
            title: t.transfers.kind,
            options: optionsOf(['PIX', 'TED'], (kind) => kind),
          },
          { kind: 'amount' },
        ]}
        columns={[
          { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, approvals, failureReason }) => (
              <>
                <Status is={status} of="transfer" />
                {status === 'PENDING_APPROVAL' && (
                  <small class="sub">{t.approvals.count(approvals.given, approvals.required)}</small>
                )}
                {failureReason && <small class="sub">{t.transfers.failure[failureReason]}</small>}
              </>
            ),
          },
          { id: 'payee', title: t.money.payee, cell: ({ beneficiary }) => <PayeeCell of={beneficiary} /> },
          { id: 'kind', title: t.transfers.kind, from: 'wide', cell: ({ kind }) => kind },
          {
            id: 'runsAt',
            title: t.transfers.runsAt,
            align: 'end',
            from: 'medium',
            cell: ({ runsAt }) => <Moment at={runsAt} />,
          },
        ]}
        empty={
          <Empty icon="send" title={t.transfers.none} actions={create}>
            {t.transfers.noneText}
          </Empty>
        }
      />
      {isInbox && <WaitingWithdrawals />}
    </Page>
  )
}
