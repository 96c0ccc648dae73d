import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { type DecisionEffects, decidePayment } from '../money-out/approval.ts'
import { waitingKey } from '../money-out/payment-keys.ts'
import { bookMoneyOut } from '../money-out/sums.ts'
import type {
  ApproveWithdrawal,
  CancelWithdrawal,
  CancelWithdrawalsOf,
  ExpireWithdrawal,
  RejectWithdrawal,
} from './commands.ts'
import { absentWithdrawal, booked, sendWithdrawal } from './withdraw.ts'
import type { CryptoWithdrawal, WithdrawalCancelReason } from './withdrawal.ts'

/** Approves a withdrawal; the last approval sends it, and is refused while it cannot be sent. */
export const approveWithdrawal: Decider<ApproveWithdrawal> = (draft, command) => {
  const withdrawal = draft.find('cryptoWithdrawal', command.withdrawalId)
  if (withdrawal === undefined) return absentWithdrawal
  const decision = { ...command, decision: 'APPROVED', reason: null } as const
  return decidePayment(withdrawal, decision, draft.context, effectsIn(draft))
}

/** Rejects a withdrawal, which cancels it. */
export const rejectWithdrawal: Decider<RejectWithdrawal> = (draft, command) => {
  const withdrawal = draft.find('cryptoWithdrawal', command.withdrawalId)
  if (withdrawal === undefined) return absentWithdrawal
  const decision = { ...command, decision: 'REJECTED' } as const
  return decidePayment(withdrawal, decision, draft.context, effectsIn(draft))
}

/** Cancels what waits for approval. */
export const cancelWithdrawal: Decider<CancelWithdrawal> = (draft, { withdrawalId }) => {
  const withdrawal = draft.find('cryptoWithdrawal', withdrawalId)
  if (withdrawal === undefined) return absentWithdrawal
  const { status } = withdrawal
  if (status !== 'PENDING_APPROVAL')
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PENDING_APPROVAL'] }
  endWaiting(draft, withdrawal, 'CANCELLED')
  return null
}

/** Cancels what waits for approval and was asked for by a person. */
export const cancelWithdrawalsOf: Decider<CancelWithdrawalsOf> = (draft, { personId }) => {
  for (const withdrawal of draft.lookup('cryptoWithdrawal', waitingKey(personId)))
    endWaiting(draft, withdrawal, 'CREATOR_REMOVED')
  return null
}

/** Cancels a withdrawal that was not approved in time. */
export const expireWithdrawal: Decider<ExpireWithdrawal> = (draft, { withdrawalId }) => {
  endWaiting(draft, draft.find('cryptoWithdrawal', withdrawalId)!, 'APPROVAL_EXPIRED')
  return null
}

/** Ends a withdrawal that waits. */
export const endWaiting = (
  draft: Draft,
  withdrawal: CryptoWithdrawal,
  cancelReason: WithdrawalCancelReason,
): void => {
  bookMoneyOut(draft, booked(withdrawal), 'DROPPED')
  draft.add({
    type: 'WithdrawalCancelled',
    cancelReason,
    ...factOf(draft, 'cryptoWithdrawal', withdrawal.id),
  })
}

const effectsIn = (draft: Draft): DecisionEffects<CryptoWithdrawal> => ({
  record: ({ id }, decision) =>
    draft.add({ type: 'WithdrawalDecided', decision, ...factOf(draft, 'cryptoWithdrawal', id) }),
  release: (withdrawal) => sendWithdrawal(draft, withdrawal),
  cancel: (withdrawal, reason) => endWaiting(draft, withdrawal, reason),
})
