import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { approvalsGiven, type DecisionEffects, decidePayment } from './approval.ts'
import type {
  ApproveTransfer,
  CancelTransfer,
  ExpireTransfer,
  RejectTransfer,
  StopTransfersOf,
} from './commands.ts'
import { limitRefusal, personCounts } from './limits.ts'
import { runTimeOf } from './methods/hours.ts'
import { type CancelReason, isPlanned, type OutgoingTransfer } from './money-out.ts'
import { scheduledByKey, waitingKey } from './payment-keys.ts'
import { absentTransfer, fundsRefusal, runScheduled } from './run.ts'
import { moneyOutOf } from './standing.ts'
import { bookMoneyOut, countedBack } from './sums.ts'

/**
 * Approves a transfer; the last approval schedules it, and sends it if it is time. That approval is refused while funds or limits do not
 * allow it, and the transfer waits on.
 */
export const approveOutgoing: Decider<ApproveTransfer> = (draft, command) => {
  const transfer = draft.find('outgoingTransfer', command.outgoingTransferId)
  if (transfer === undefined) return absentTransfer
  const decision = { ...command, decision: 'APPROVED', reason: null } as const
  return decidePayment(transfer, decision, draft.context, effectsIn(draft))
}

/** Rejects a transfer, which cancels it. */
export const rejectOutgoing: Decider<RejectTransfer> = (draft, command) => {
  const transfer = draft.find('outgoingTransfer', command.outgoingTransferId)
  if (transfer === undefined) return absentTransfer
  const decision = { ...command, decision: 'REJECTED' } as const
  return decidePayment(transfer, decision, draft.context, effectsIn(draft))
}

/** Cancels what has not left yet. */
export const cancelOutgoing: Decider<CancelTransfer> = (draft, { outgoingTransferId }) => {
  const transfer = draft.find('outgoingTransfer', outgoingTransferId)
  if (transfer === undefined) return absentTransfer
  const { status } = transfer
  if (!isPlanned(transfer))
    return {
      reason: 'INVALID_STATE',
      currentStatus: status,
      allowedStatuses: ['PENDING_APPROVAL', 'SCHEDULED'],
    }
  cancel(draft, transfer, 'CANCELLED')
  return null
}

/** Stops the transfers that only a person stands behind who may not send money any more. */
export const stopOutgoingOf: Decider<StopTransfersOf> = (draft, { personId }) => {
  // Told once more, it leaves what was recalled: that waits for another person already.
  for (const transfer of draft.lookup('outgoingTransfer', waitingKey(personId)))
    if (!transfer.approvalReasons.includes('CREATOR_REMOVED')) cancel(draft, transfer, 'CREATOR_REMOVED')
  for (const transfer of draft.lookup('outgoingTransfer', scheduledByKey(personId)))
    if (approvalsGiven(transfer) === 0) recall(draft, transfer)
  return null
}

const recall = (draft: Draft, transfer: OutgoingTransfer): void => {
  bookMoneyOut(draft, transfer, 'UNCOUNTED', { counts: countedBack(transfer.counts) })
  draft.add({
    type: 'OutgoingRecalled',
    askedAtMs: draft.context.atMs,
    ...factOf(draft, 'outgoingTransfer', transfer.id),
  })
}

/** Cancels a transfer that was not approved in time. */
export const expireOutgoing: Decider<ExpireTransfer> = (draft, { outgoingTransferId }) => {
  cancel(draft, draft.find('outgoingTransfer', outgoingTransferId)!, 'APPROVAL_EXPIRED')
  return null
}

/** Ends a transfer that waits. */
export const cancel = (draft: Draft, transfer: OutgoingTransfer, cancelReason: CancelReason): void => {
  const counts = countedBack(transfer.counts)
  bookMoneyOut(draft, transfer, 'DROPPED', { wasPlanned: true, counts })
  draft.add({
    type: 'OutgoingCancelled',
    cancelReason,
    ...factOf(draft, 'outgoingTransfer', transfer.id),
  })
}

const schedule = (
  draft: Draft,
  { id, kind, scheduledFor, ...transfer }: OutgoingTransfer,
): Rejection | null => {
  const { nowMs } = draft.context
  const account = draft.account()
  const runsAtMs = runTimeOf(account.profile.timeZone, kind, scheduledFor, nowMs)
  const out = moneyOutOf(draft, { kind, ...transfer })
  const refusal =
    (runsAtMs <= nowMs ? fundsRefusal(draft, transfer) : null) ?? limitRefusal(account, out, runsAtMs)
  if (refusal !== null) return refusal
  const counts = personCounts(account, out, nowMs)
  bookMoneyOut(draft, { id, ...transfer }, 'COUNTED', { counts })
  draft.add({ type: 'OutgoingScheduled', runsAtMs, counts, ...factOf(draft, 'outgoingTransfer', id) })
  if (runsAtMs <= nowMs) runScheduled(draft, draft.find('outgoingTransfer', id)!)
  return null
}

const effectsIn = (draft: Draft): DecisionEffects<OutgoingTransfer> => ({
  record: ({ id }, decision) =>
    draft.add({ type: 'OutgoingDecided', decision, ...factOf(draft, 'outgoingTransfer', id) }),
  release: (transfer) => schedule(draft, transfer),
  cancel: (transfer, reason) => cancel(draft, transfer, reason),
})
