import { api, type Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Amount, Copy, Moment } from '../../parts/basics.tsx'
import { Status } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { transferKind } from './kinds.ts'
import { Lost } from './lost.tsx'
import { MoneyOutPage, type Shown } from './money-out-page.tsx'
import { payeeFacts } from './payee.tsx'

type Transfer = Schemas['Transfer']

/** One transfer. */
export const TransferPage = ({ id }: { id: string }) => (
  <MoneyOutPage
    id={id}
    kind={transferKind}
    query={useGet('/v1/transfers/{id}', { path: { id } })}
    shownOf={shownOf}
  />
)

const shownOf = (transfer: Transfer): Shown => {
  const { beneficiary, completedAt, endToEndId, providerCode } = transfer
  return {
    payee: beneficiary.name,
    payeeFacts: payeeFacts(beneficiary),
    signed: [[t.transfers.runsAt, moment(transfer.runsAt)]],
    status: <Status is={transfer.status} of="transfer" />,
    facts: [
      [t.transfers.kind, transfer.kind],
      [t.common.amount, <Amount key="amount" of={transfer.amount} />],
      [t.transfers.fee, <Amount key="fee" of={transfer.feeAmount} />],
      [t.transfers.runsAt, <Moment key="runs" at={transfer.runsAt} />],
      [t.transfers.completedAt, completedAt && <Moment key="done" at={completedAt} />],
      [t.common.description, transfer.description],
      ['E2E', endToEndId && <Copy key="e2e" text={endToEndId} isShort />],
      [t.transfers.providerCode, providerCode && <code key="code">{providerCode}</code>],
    ],
    lines: <Lost of={transfer} payee={beneficiary.name} />,
    simulate: <Simulate of={transfer} />,
  }
}

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
