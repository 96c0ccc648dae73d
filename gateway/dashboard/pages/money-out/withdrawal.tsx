import { api, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Amount, Copy, Moment } from '../../parts/basics.tsx'
import { Status } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { walletFacts } from '../crypto/wallet-facts.ts'
import { withdrawalKind } from './kinds.ts'
import { MoneyOutPage, type Shown } from './money-out-page.tsx'

type Withdrawal = Schemas['CryptoWithdrawal']

/** One withdrawal of stablecoins. */
export const WithdrawalPage = ({ id }: { id: string }) => (
  <MoneyOutPage
    id={id}
    kind={withdrawalKind}
    query={useGet('/v1/crypto/withdrawals/{id}', { path: { id } })}
    shownOf={shownOf}
  />
)

const shownOf = (withdrawal: Withdrawal): Shown => {
  const { status, asset: currency, txHash, completedAt } = withdrawal
  return {
    currency,
    payee: withdrawal.wallet.name,
    payeeFacts: walletFacts(withdrawal),
    signed: [],
    status: <Status is={status} of="withdrawal" />,
    facts: [
      [t.common.amount, <Amount key="amount" of={withdrawal.amount} currency={currency} />],
      [t.withdrawals.fee, <Amount key="fee" of={withdrawal.feeAmount} currency={currency} />],
      [t.withdrawals.worth, <Amount key="worth" of={withdrawal.quotedAmount} />],
      [t.withdrawals.txHash, txHash && <Copy key="hash" text={txHash} isShort />],
      [t.withdrawals.completedAt, completedAt && <Moment key="done" at={completedAt} />],
    ],
    lines: (
      <>
        {status === 'PROCESSING' && <p class="notice-line calm">{t.withdrawals.processing}</p>}
        {status === 'BROADCAST' && <p class="notice-line calm">{t.withdrawals.broadcast}</p>}
      </>
    ),
    simulate: <Simulate of={withdrawal} />,
  }
}

/** What the Sandbox can do in the place of the network. */
const Simulate = ({ of: { id, status } }: { of: Withdrawal }) => {
  if (status !== 'PROCESSING' && status !== 'BROADCAST') return null
  const resolve = (body: { result: 'COMPLETED' } | { result: 'FAILED'; failureReason: 'DROPPED' }) => () =>
    api.POST('/v1/sandbox/crypto/withdrawals/{id}/resolve', { params: { path: { id } }, body })
  return (
    <SandboxActions
      of={[
        { text: t.withdrawals.simulateConfirmed, act: resolve({ result: 'COMPLETED' }) },
        {
          text: t.withdrawals.simulateDropped,
          act: resolve({ result: 'FAILED', failureReason: 'DROPPED' }),
        },
      ]}
    />
  )
}
