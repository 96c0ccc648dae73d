import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, downloadPath, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { moment, money } from '../../core/format.ts'
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
import { payeeFacts } from './payee.tsx'

type Transfer = Schemas['Transfer']

/** One transfer: what it is, who approved it, and what can be done with it. */
export const TransferPage = ({ id }: { id: string }) => {
  const path = { id }
  const { data, problem, refresh: again, poll } = useGet('/v1/transfers/{id}', { path })
  const { data: team } = useGet(can('team.read') ? '/v1/team' : null)
  const [open, setOpen] = useState<'reject' | 'cancel' | null>(null)
  useEffect(() => onChangeOf(id, poll), [id])
  const changed = (text: string): void => {
    refresh('/v1/transfers', '/v1/balance', '/v1/overview')
    announce(text)
  }
  const approve = useAction(async (transfer: Transfer) => {
    await signing(signedFacts(transfer), () =>
      dataOf(api.POST('/v1/transfers/{id}/approve', { params: { path } })),
    )
    changed(t.transfers.approved)
  })
  const back = { href: pathTo('transferencias'), text: t.nav.transfers }
  if (problem || !data)
    return (
      <Page title={t.nav.transfers} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={8} />}
      </Page>
    )
  const { status, failureReason, cancelReason } = data
  const isPlanned = status === 'PENDING_APPROVAL' || status === 'SCHEDULED'
  return (
    <Page
      back={back}
      title={
        <>
          <Amount of={data.amount} size="large" /> <Status is={status} of="transfer" />
        </>
      }
      lead={t.transfers.to(data.beneficiary.name)}
      actions={
        <>
          {status === 'COMPLETED' && (
            <LinkButton icon="receipt" href={downloadPath(`/v1/transfers/${id}/receipt`)} target="_blank">
              {t.transfers.receipt}
            </LinkButton>
          )}
          {isPlanned && can('transfers.create') && (
            <Button icon="ban" onClick={() => setOpen('cancel')}>
              {t.transfers.cancel}
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
      {failureReason && (
        <p class="notice-line warn">
          <strong>{t.transfers.failure[failureReason]}</strong> {t.transfers.failureHelp[failureReason]}
        </p>
      )}
      {cancelReason && <p class="notice-line">{t.transfers.cancelled[cancelReason]}</p>}
      {currentPlace()?.environment === 'SANDBOX' && <Simulate of={data} />}
      <div class="split-page">
        <div>
          <Section title={t.common.details}>
            <Facts
              of={[
                ...payeeFacts(data.beneficiary),
                [t.transfers.kind, data.kind],
                [t.common.amount, <Amount key="amount" of={data.amount} />],
                [t.transfers.fee, <Amount key="fee" of={data.feeAmount} />],
                [t.transfers.runsAt, <Moment key="runs" at={data.runsAt} />],
                [t.transfers.completedAt, data.completedAt && <Moment key="done" at={data.completedAt} />],
                [t.common.description, data.description],
                ['E2E', data.endToEndId && <Copy key="e2e" text={data.endToEndId} isShort />],
                [t.transfers.providerCode, data.providerCode && <code key="code">{data.providerCode}</code>],
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
            await dataOf(api.POST('/v1/transfers/{id}/reject', { params: { path }, body: { reason } }))
            changed(t.decide.done.reject)
          }}
        />
      )}
      {open === 'cancel' && (
        <AskDialog
          title={t.transfers.cancel}
          text={t.transfers.cancelAsk(money(data.amount), data.beneficiary.name)}
          action={t.transfers.cancel}
          onClose={() => setOpen(null)}
          act={async () => {
            await dataOf(api.POST('/v1/transfers/{id}/cancel', { params: { path } }))
            changed(t.transfers.cancelDone)
          }}
        />
      )}
    </Page>
  )
}

const signedFacts = (transfer: Transfer): (readonly [string, string])[] => [
  ...payeeFacts(transfer.beneficiary),
  [t.common.amount, money(transfer.amount)],
  [t.transfers.fee, money(transfer.feeAmount)],
  [t.transfers.runsAt, moment(transfer.runsAt)],
]

/** What the Sandbox can do in the place of a second person and of the bank. */
const Simulate = ({ of: { id, status } }: { of: Transfer }) => {
  const params = { path: { id } }
  const resolve = (body: { result: 'COMPLETED' } | { result: 'FAILED' }) => () =>
    api.POST('/v1/sandbox/transfers/{id}/resolve', { params, body })
  if (status === 'PENDING_APPROVAL')
    return (
      <SandboxActions
        of={[
          {
            text: t.transfers.simulateApproval,
            act: () => api.POST('/v1/sandbox/transfers/{id}/approve', { params }),
          },
        ]}
      />
    )
  if (status !== 'PROCESSING') return null
  return (
    <SandboxActions
      of={[
        { text: t.transfers.simulatePaid, act: resolve({ result: 'COMPLETED' }) },
        { text: t.transfers.simulateRefused, act: resolve({ result: 'FAILED' }) },
      ]}
    />
  )
}
