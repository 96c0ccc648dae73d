import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import { approvalsGiven, decisionRefusal, isLastApproval, type PaymentDecision } from './approval.ts'
import type { MoneyOutKind } from './asked.ts'
import type {
  ApproveMoneyOut,
  CancelMoneyOut,
  ExpireMoneyOut,
  RejectMoneyOut,
  StopMoneyOutOf,
} from './commands.ts'
import { plannedKey, scheduledByKey, waitingKey } from './keys.ts'
import { limitRefusal, personCounts } from './limits.ts'
import { moneyOutMethodOf } from './methods/index.ts'
import { type CancelReason, factAboutMoneyOut, isPlanned, type MoneyOut } from './money-out.ts'
import { runScheduled, sendMoneyOut, whenItRuns } from './run.ts'
import { limitedPaymentOf } from './standing.ts'
import { bookMoneyOut, countedBack } from './sums.ts'
import { absentMoneyOut, moneyOutIn } from './target.ts'

/**
 * Approves money out; the last approval schedules it, and sends it if it is time. While funds or limits do not
 * allow it, that approval is refused and the payment waits on.
 */
export const approveMoneyOut: Decider<ApproveMoneyOut> = (draft, command) =>
  decide(draft, command, 'APPROVED', null)

/** Rejects money out, which cancels it. */
export const rejectMoneyOut: Decider<RejectMoneyOut> = (draft, command) =>
  decide(draft, command, 'REJECTED', command.reason)

const decide = (
  draft: Draft,
  command: ApproveMoneyOut | RejectMoneyOut,
  decision: PaymentDecision['decision'],
  reason: string | null,
): Rejection | null => {
  const out = moneyOutIn(draft, command)
  if (out === undefined) return absentMoneyOut(command)
  const refusal = decisionRefusal(out, command, decision)
  if (refusal !== null) return refusal
  const { personId, name } = command
  const decided = { personId, name, decision, reason, atMs: draft.context.nowMs }
  draft.add({ type: 'MoneyOutDecided', decision: decided, ...factAboutMoneyOut(draft, out) })
  if (decision === 'APPROVED') return isLastApproval(out) ? release(draft, out) : null
  drop(draft, out, 'REJECTED')
  return null
}

const release = (draft: Draft, out: MoneyOut): Rejection | null =>
  moneyOutMethodOf(out).isImmediate ? sendAtOnce(draft, out) : schedule(draft, out)

/** Sends a payment that waited for nothing but approval. Limits count its worth at this moment. */
const sendAtOnce = (draft: Draft, out: MoneyOut): Rejection | null => {
  const { nowMs } = draft.context
  const account = draft.account()
  const { rail, worthNow, fundsRefusal } = moneyOutMethodOf(out)
  const worthCents = worthNow(draft, out)
  if (worthCents === null) return { reason: 'PROVIDER_ABSENT', rail }
  const limited = limitedPaymentOf(draft, out, worthCents)
  const refusal = limitRefusal(account, limited, nowMs) ?? fundsRefusal(draft, out)
  if (refusal !== null) return refusal
  sendMoneyOut(draft, out, limited, true, personCounts(account, limited, nowMs))
  return null
}

const schedule = (draft: Draft, out: MoneyOut): Rejection | null => {
  const { nowMs } = draft.context
  const account = draft.account()
  const { fundsRefusal } = moneyOutMethodOf(out)
  const runsAtMs = whenItRuns(draft, out, out.scheduledFor)
  const limited = limitedPaymentOf(draft, out)
  const refusal =
    (runsAtMs <= nowMs ? fundsRefusal(draft, out) : null) ?? limitRefusal(account, limited, runsAtMs)
  if (refusal !== null) return refusal
  const counts = personCounts(account, limited, nowMs)
  bookMoneyOut(draft, out, 'COUNTED', { counts })
  const fact = factAboutMoneyOut(draft, out)
  draft.add({ type: 'MoneyOutScheduled', runsAtMs, counts, ...fact })
  if (runsAtMs <= nowMs) runScheduled(draft, draft.find(fact.actor, out.id)!)
  return null
}

/** Cancels a payment that has not left yet. */
export const cancelMoneyOut: Decider<CancelMoneyOut> = (draft, command) => {
  const out = moneyOutIn(draft, command)
  if (out === undefined) return absentMoneyOut(command)
  if (!isPlanned(out)) {
    const waiting = ['PENDING_APPROVAL', ...(moneyOutMethodOf(out).isImmediate ? [] : ['SCHEDULED'])]
    return { reason: 'INVALID_STATE', currentStatus: out.status, allowedStatuses: waiting }
  }
  drop(draft, out, 'CANCELLED')
  return null
}

/** Stops the payments that only this person stands behind, who may no longer send money. */
export const stopMoneyOutOf: Decider<StopMoneyOutOf> = (draft, { kind, personId }) => {
  // Recalled payments wait for another person already, so a repeated command leaves them.
  for (const out of draft.lookup(kind, waitingKey(personId)))
    if (!out.approvalReasons.includes('CREATOR_REMOVED')) drop(draft, out, 'CREATOR_REMOVED')
  for (const out of draft.lookup(kind, scheduledByKey(personId)))
    if (approvalsGiven(out) === 0) recall(draft, out)
  return null
}

const recall = (draft: Draft, out: MoneyOut): void => {
  bookMoneyOut(draft, out, 'UNCOUNTED', { counts: countedBack(out.counts) })
  draft.add({
    type: 'MoneyOutRecalled',
    askedAtMs: draft.context.atMs,
    ...factAboutMoneyOut(draft, out),
  })
}

/** Cancels a payment that was not approved in time. */
export const expireMoneyOut: Decider<ExpireMoneyOut> = (draft, command) => {
  drop(draft, moneyOutIn(draft, command)!, 'APPROVAL_EXPIRED')
  return null
}

/** Cancels the waiting payments to a payee that was removed. */
export const dropPlannedFor = (
  draft: Draft,
  kind: MoneyOutKind,
  payeeId: NonNullable<MoneyOut['payeeId']>,
  cancelReason: CancelReason,
): void => {
  for (const out of draft.lookup(kind, plannedKey(payeeId))) drop(draft, out, cancelReason)
}

/** Cancels a waiting payment, and takes it out of the sums. */
const drop = (draft: Draft, out: MoneyOut, cancelReason: CancelReason): void => {
  bookMoneyOut(draft, out, 'DROPPED', { wasPlanned: true, counts: countedBack(out.counts) })
  draft.add({ type: 'MoneyOutCancelled', cancelReason, ...factAboutMoneyOut(draft, out) })
}
