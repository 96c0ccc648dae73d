import type { Schemas } from '../../core/api.ts'
import { money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { assetText } from '../../parts/asset.tsx'
import { Amount, Moment, Section, Trouble } from '../../parts/basics.tsx'
import { picked } from '../../parts/filter.ts'
import { optionsOf, Status, statusText } from '../../parts/labels.tsx'
import { useList } from '../../parts/list-page.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { withdrawalKind } from './kinds.ts'
import { inbox, MoneyOutList, StatusCell } from './money-out-list.tsx'
import { NewWithdrawal } from './new-withdrawal.tsx'
import { WithdrawalPage } from './withdrawal.tsx'

type Withdrawal = Schemas['CryptoWithdrawal']

/** The list of withdrawals of stablecoins, a new one, or one of them. */
export const WithdrawalsPage = ({ rest: [id] }: { rest: readonly string[] }) => {
  if (id === undefined) return <Withdrawals />
  return id === 'novo' ? <NewWithdrawal /> : <WithdrawalPage key={id} id={id} />
}

const narrowing = ['from', 'to', 'status', 'asset', 'network', 'walletId', 'createdBy', 'q']

const Withdrawals = () => (
  <MoneyOutList
    kind={withdrawalKind}
    lead={t.withdrawals.lead}
    narrowing={narrowing}
    query={useList('/v1/crypto/withdrawals', narrowing)}
    {...rows}
    textOf={(status) => statusText(status, 'withdrawal')}
    filterBy={[
      {
        kind: 'choices',
        name: 'asset',
        title: t.crypto.asset,
        options: optionsOf(['USDT', 'USDC'], (asset) => asset),
      },
      picked('walletId', t.withdrawals.wallet, 'wallet'),
    ]}
    columns={columns()}
  />
)

const rows = {
  keyOf: ({ id }: Withdrawal) => id,
  hrefOf: ({ id }: Withdrawal) => pathTo(`saques/${id}`),
  nameOf: ({ amount, asset, wallet }: Withdrawal) => `${money(amount, asset)} · ${wallet.name}`,
}

const columns = (): readonly Column<Withdrawal>[] => [
  {
    id: 'amount',
    title: t.common.amount,
    isNumber: true,
    cell: ({ amount, asset, quotedAmount }) => (
      <>
        <Amount of={amount} currency={asset} />
        <small class="sub">{money(quotedAmount)}</small>
      </>
    ),
  },
  {
    id: 'status',
    title: t.common.status,
    cell: (row) => (
      <StatusCell
        of={row}
        label={<Status is={row.status} of="withdrawal" />}
        failure={row.failureReason && t.withdrawals.failure[row.failureReason]}
      />
    ),
  },
  {
    id: 'wallet',
    title: t.withdrawals.wallet,
    cell: ({ wallet }) => (
      <span class="who">
        <span>{wallet.name}</span>
        <small class="sub">{wallet.holderName}</small>
      </span>
    ),
  },
  { id: 'asset', title: t.crypto.asset, from: 'wide', cell: assetText },
  {
    id: 'createdAt',
    title: t.common.createdAt,
    align: 'end',
    isDate: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
]

/** Withdrawals that wait for approval, shown below the transfers that do; null if there are none. */
export const WaitingWithdrawals = () => {
  const { data, problem, refresh } = useGet('/v1/crypto/withdrawals', {
    query: { status: inbox, pageSize: 200 },
  })
  if (problem?.code === 'PRODUCT_NOT_ACTIVE') return null
  if (problem) return <Trouble of={problem} retry={refresh} />
  if (!data || data.data.length === 0) return null
  return (
    <Section title={t.withdrawals.alsoWaiting}>
      <DataTable label={t.withdrawals.alsoWaiting} rows={data.data} columns={columns()} {...rows} />
    </Section>
  )
}
