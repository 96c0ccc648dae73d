// What the API shows of money that leaves: transfers and withdrawals, their payees, wallets, approvals and limits.
// Here is what transfers and withdrawals have in common.
import type { Step } from '../../../engine/kernel/step.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import type { MoneyOut } from '../../../engine/money-out/money-out.ts'
import { assert } from '../../../engine/shared/assert.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { instantOrNull } from '../fields.ts'
import type { Sample } from '../sample.ts'
import { approvalView } from './approval.ts'

/** What answers show of all money out: its status, its approvals, its creator and its dates. */
export const lifeView = <Out extends MoneyOut>(out: Out, open: OpenPersonal) => {
  const { status, cancelReason, failureReason }: Pick<Out, 'status' | 'cancelReason' | 'failureReason'> = out
  return {
    version: out.version,
    status,
    ...approvalView(out, open),
    createdBy: out.createdBy,
    externalId: out.externalId,
    metadata: out.metadata,
    cancelReason,
    failureReason,
    createdAt: isoInstant(out.createdAtMs),
    updatedAt: isoInstant(out.updatedAtMs),
    completedAt: instantOrNull(out.completedAtMs),
  }
}

/** Money out that was decided without being made, with the steps that it would take. */
export type Previewed<Out extends MoneyOut> = { readonly state: Out; readonly steps: readonly Step[] }

/** What every preview says of approvals and limits. */
export const previewView = ({ state }: Previewed<MoneyOut>) => ({
  totalAmount: String(state.amountCents + state.feeCents),
  approvalsRequired: state.approvalsRequired,
  reasons: state.approvalReasons,
  limitRemaining: String(state.limitLeftCents),
})

/** The account as the previewed money out would leave it. */
export const accountAfter = ({ steps }: Previewed<MoneyOut>): Account => {
  const account = steps.findLast(({ event }) => event.actor === 'account')?.after as Account | undefined
  assert(account !== undefined, 'money out is booked when it is created')
  return account
}

/** The members of all money out in sample events, without approvals. */
export const lifeSample = ({ id, atMs }: Sample) => ({
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  scheduledFor: null,
  runsAtMs: atMs,
  approvalsRequired: 0,
  approvalReasons: [],
  limitLeftCents: toCents(0),
  approvalEndsAtMs: null,
  askedAtMs: atMs,
  decisions: [],
  counts: [],
  createdBy: id('per'),
  externalId: null,
  metadata: {},
  call: null,
  cancelReason: null,
  providerCode: null,
  isFirst: false,
  createdAtMs: atMs,
  updatedAtMs: atMs,
})
