import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, downloadPath, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { currentPlace, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Approvals, mayDecide, RejectDialog, WaitsForApproval } from '../../parts/approvals.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Amount,
  Button,
  Copy,
  Facts,
  LinkButton,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { Status } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { announce } from '../../parts/toasts.tsx'
import { walletFacts } from '../crypto/wallet-facts.ts'

type Withdrawal = Schemas['CryptoWithdrawal']

/** One withdrawal: what it is, who approved it, and what can be done with it. */
export const WithdrawalPage = ({ id }: { id: string }) => {
  const path = { id }
  const { data, problem, refresh: again, poll } = useGet('/v1/crypto/withdrawals/{id}', { path })
  const { data: team } = useGet(can('team.read') ? '/v1/team' : null)
  const [open, setOpen] = useState<'reject' | 'cancel' | null>(null)
  useEffect(() => onChangeOf(id, poll), [id])
  const changed = (text: string): void => {
    refresh('/v1/crypto/withdrawals', '/v1/balance', '/v1/overview')
    announce(text)
  }
  const approve = useAction(async (withdrawal: Withdrawal) => {
    await signing(signedFacts(withdrawal), () =>
      dataOf(api.POST('/v1/crypto/withdrawals/{id}/approve', { params: { path } })),
    )
    changed(t.withdrawals.approved)
  })
  const back = { href: pathTo('saques'), text: t.nav.withdrawals }
  if (problem || !data)
    return (
      <Page title={t.nav.withdrawals} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={8} />}
      </Page>
    )
  const { status, asset, failureReason, cancelReason, txHash } = data
  return (
    <Page
      back={back}
      title={
        <>
          <Amount of={data.amount} currency={asset} size="large" /> <Status is={status} />
        </>
      }
      lead={t.withdrawals.to(data.wallet.name)}
      actions={
        <>
          {status === 'COMPLETED' && (
            <LinkButton
              icon="receipt"
              href={downloadPath(`/v1/crypto/withdrawals/${id}/receipt`)}
              target="_blank"
            >
              {t.transfers.receipt}
            </LinkButton>
          )}
          {status === 'PENDING_APPROVAL' && can('crypto.withdraw') && (
            <Button icon="ban" onClick={() => setOpen('cancel')}>
              {t.withdrawals.cancel}
            </Button>
          )}
          {mayDecide(data) && (
            <>
              <Button icon="x" onClick={() => setOpen('reject')}>
                {t.decide.reject}
              </Button>
              <Button tone="main" icon="check" isBusy={approve.isBusy} onClick={() => void approve.run(data)}>
                {t.decide.approve}
              </Button>
            </>
          )}
        </>
      }
    >
      <Trouble of={approve.problem} />
      <WaitsForApproval of={data} />
      {status === 'PROCESSING' && <p class="notice-line calm">{t.withdrawals.processing}</p>}
      {status === 'BROADCAST' && <p class="notice-line calm">{t.withdrawals.broadcast}</p>}
      {failureReason && (
        <p class="notice-line warn">
          <strong>{t.withdrawals.failure[failureReason]}</strong> {t.withdrawals.failureHelp[failureReason]}
        </p>
      )}
      {cancelReason && <p class="notice-line">{t.withdrawals.cancelled[cancelReason]}</p>}
      {currentPlace()?.environment === 'SANDBOX' && <Simulate of={data} />}
      <div class="split-page">
        <div>
          <Section title={t.common.details}>
            <Facts
              of={[
                ...walletFacts(data),
                [t.common.amount, <Amount key="amount" of={data.amount} currency={asset} />],
                [t.withdrawals.fee, <Amount key="fee" of={data.feeAmount} currency={asset} />],
                [t.withdrawals.worth, <Amount key="worth" of={data.quotedAmount} />],
                [t.withdrawals.txHash, txHash && <Copy key="hash" text={txHash} isShort />],
                [t.withdrawals.completedAt, data.completedAt && <Moment key="done" at={data.completedAt} />],
                ['externalId', data.externalId],
                ['id', <Copy key="id" text={data.id} isShort />],
              ]}
            />
          </Section>
        </div>
        <Approvals of={data} team={team} />
      </div>
      {open === 'reject' && (
        <RejectDialog
          onClose={() => setOpen(null)}
          act={async (reason) => {
            await dataOf(
              api.POST('/v1/crypto/withdrawals/{id}/reject', { params: { path }, body: { reason } }),
            )
            changed(t.decide.done.reject)
          }}
        />
      )}
      {open === 'cancel' && (
        <AskDialog
          title={t.withdrawals.cancel}
          text={t.withdrawals.cancelAsk(money(data.amount, asset), data.wallet.name)}
          action={t.withdrawals.cancel}
          onClose={() => setOpen(null)}
          act={async () => {
            await dataOf(api.POST('/v1/crypto/withdrawals/{id}/cancel', { params: { path } }))
            changed(t.withdrawals.cancelDone)
          }}
        />
      )}
    </Page>
  )
}

const signedFacts = (withdrawal: Withdrawal): (readonly [string, string])[] => [
  ...walletFacts(withdrawal),
  [t.common.amount, money(withdrawal.amount, withdrawal.asset)],
  [t.withdrawals.fee, money(withdrawal.feeAmount, withdrawal.asset)],
]

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
