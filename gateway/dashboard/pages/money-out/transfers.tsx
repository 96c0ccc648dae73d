import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Moment } from '../../parts/basics.tsx'
import { picked } from '../../parts/filter.ts'
import { optionsOf, Status, statusText } from '../../parts/labels.tsx'
import { useList } from '../../parts/list-page.tsx'
import { amountColumn } from '../../parts/table.tsx'
import { transferKind } from './kinds.ts'
import { inbox, MoneyOutList, StatusCell } from './money-out-list.tsx'
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

/** The list of transfers; its approval inbox lists withdrawals too. */
const Transfers = () => {
  const query = useList('/v1/transfers', narrowing)
  return (
    <MoneyOutList
      kind={transferKind}
      narrowing={narrowing}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`transferencias/${id}`)}
      nameOf={({ beneficiary }) => beneficiary.name}
      textOf={(status) => statusText(status, 'transfer')}
      filterBy={[
        {
          kind: 'choices',
          name: 'kind',
          title: t.transfers.kind,
          options: optionsOf(['PIX', 'TED'], (kind) => kind),
        },
        { kind: 'amount' },
        picked('beneficiaryId', t.money.payee, 'beneficiary'),
      ]}
      columns={[
        amountColumn('amount', t.common.amount),
        {
          id: 'status',
          title: t.common.status,
          cell: (row) => (
            <StatusCell
              of={row}
              label={<Status is={row.status} of="transfer" />}
              failure={row.failureReason && t.transfers.failure[row.failureReason]}
            />
          ),
        },
        { id: 'payee', title: t.money.payee, cell: ({ beneficiary }) => <PayeeCell of={beneficiary} /> },
        { id: 'kind', title: t.transfers.kind, from: 'wide', cell: ({ kind }) => kind },
        {
          id: 'runsAt',
          title: t.transfers.runsAt,
          align: 'end',
          isDate: true,
          cell: ({ runsAt }) => <Moment at={runsAt} />,
        },
      ]}
    >
      {query.filters.get('status') === inbox && <WaitingWithdrawals />}
    </MoneyOutList>
  )
}
