import { downloadPath, type Schemas } from '../../core/api.ts'
import { money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { assetText } from '../../parts/asset.tsx'
import { Amount, Empty, LinkButton, Moment, Page, Section, Tabs, Trouble } from '../../parts/basics.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, listQuery, useList } from '../../parts/list-page.tsx'
import { NewRows } from '../../parts/new-rows.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { NewWithdrawal } from './new-withdrawal.tsx'
import { WithdrawalPage } from './withdrawal.tsx'

type Withdrawal = Schemas['CryptoWithdrawal']

/** The list of withdrawals of stablecoins, a new one, or one of them. */
export const WithdrawalsPage = ({ rest: [id] }: { rest: readonly string[] }) => {
  if (id === undefined) return <Withdrawals />
  return id === 'novo' ? <NewWithdrawal /> : <WithdrawalPage key={id} id={id} />
}

const narrowing = ['from', 'to', 'status', 'asset', 'network', 'walletId', 'createdBy', 'q']
const inbox = 'PENDING_APPROVAL'

const Withdrawals = () => {
  const query = useList('/v1/crypto/withdrawals', narrowing)
  const { filters } = query
  const { page: _, pageSize: __, asOf: ___, ...exported } = listQuery(filters, narrowing)
  const create = can('crypto.withdraw') && (
    <LinkButton tone="main" icon="plus" href={pathTo('saques/novo')} data-key="n">
      {t.withdrawals.create}
    </LinkButton>
  )
  return (
    <Page
      title={t.nav.withdrawals}
      lead={t.withdrawals.lead}
      actions={
        <>
          {can('transactions.export') && (
            <LinkButton
              icon="download"
              href={downloadPath('/v1/crypto/withdrawals/export', { format: 'csv', ...exported })}
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
        label={t.nav.withdrawals}
        current={filters.get('status') === inbox ? inbox : 'all'}
        of={[
          { id: 'all', text: t.approvals.all, href: pathTo('saques') },
          { id: inbox, text: t.approvals.inbox, href: pathTo(`saques?status=${inbox}`) },
        ]}
      />
      <List
        label={t.nav.withdrawals}
        query={query}
        {...rows}
        search={t.withdrawals.search}
        above={<NewRows kinds={['crypto_withdrawal', 'crypto']} prefixes={['/v1/crypto/withdrawals']} />}
        filterBy={[
          { kind: 'period' },
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(
              ['PENDING_APPROVAL', 'PROCESSING', 'BROADCAST', 'COMPLETED', 'FAILED', 'CANCELLED'],
              (status) => t.status[status],
            ),
          },
          {
            kind: 'choices',
            name: 'asset',
            title: t.crypto.asset,
            options: optionsOf(['USDT', 'USDC'], (asset) => asset),
          },
        ]}
        columns={columns()}
        empty={
          <Empty icon="send" title={t.withdrawals.none} actions={create}>
            {t.withdrawals.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

const rows = {
  keyOf: ({ id }: Withdrawal) => id,
  hrefOf: ({ id }: Withdrawal) => pathTo(`saques/${id}`),
  nameOf: ({ amount, asset, wallet }: Withdrawal) => `${money(amount, asset)} · ${wallet.name}`,
}

const columns = (): readonly Column<Withdrawal>[] => [
  {
    id: 'amount',
    title: t.common.amount,
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
    cell: ({ status, approvals, failureReason }) => (
      <>
        <Status is={status} />
        {status === inbox && (
          <small class="sub">{t.approvals.count(approvals.given, approvals.required)}</small>
        )}
        {failureReason && <small class="sub">{t.withdrawals.failure[failureReason]}</small>}
      </>
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
    from: 'medium',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
]

/** Withdrawals that wait for approval, where transfers that do are listed; nothing where none does. */
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
