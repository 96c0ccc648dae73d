import { approverRefusal, type DecidingPerson } from '../controls/approver.ts'
import { controlsOf } from '../controls/controls.ts'
import type { Context } from '../kernel/context.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import type { PersonId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { type ApprovalReason, approvalsFor, leastRemaining, type MoneyOut } from './limits.ts'

/** What a person decided about a payment that others have to approve. */
export type PaymentDecision = {
  /** Null for the Sandbox's second person. */
  readonly personId: PersonId | null
  readonly name: string | null
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly reason: string | null
  readonly atMs: number
}

/** What approval policy and limits say of a payment when it is asked for. */
export type ApprovalTerms = {
  readonly approvalsRequired: number
  readonly approvalReasons: readonly ApprovalReason[]
  /** What it leaves of the tightest limit. */
  readonly limitLeftCents: Cents
  /** When it is cancelled if it still waits for approval; null if it waits for none. */
  readonly approvalEndsAtMs: number | null
  /** When it was asked for, on the real clock, which is that of roles; null for one that was stored before roles had a time. */
  readonly askedAtMs: number | null
}

/** A payment that others have to approve before it leaves. */
export type ApprovablePayment = Pick<ApprovalTerms, 'approvalsRequired' | 'askedAtMs'> & {
  readonly status: string
  readonly createdAtMs: number
  readonly createdBy: PersonId | null
  readonly decisions: readonly PaymentDecision[]
}

/** Those of a payment that leaves at a time, where so many other people could approve it. */
export const approvalTermsOf = (
  account: Pick<Account, 'controls' | 'profile' | 'moneyOut'>,
  out: MoneyOut,
  { othersCount, nowMs, atMs, leavesAtMs }: Record<'othersCount' | 'nowMs' | 'atMs' | 'leavesAtMs', number>,
): ApprovalTerms => {
  const { required, reasons } = approvalsFor(account, out, othersCount, nowMs)
  return {
    approvalsRequired: required,
    approvalReasons: reasons,
    limitLeftCents: toCents(leastRemaining(account, out, leavesAtMs) - out.worthCents),
    approvalEndsAtMs: required === 0 ? null : nowMs + controlsOf(account).expiresAfterHours * 3_600_000,
    askedAtMs: atMs,
  }
}

/** What the decisions of people do to a kind of payment. */
export type DecisionEffects<Payment> = {
  readonly record: (payment: Payment, decision: PaymentDecision) => void
  /** After the last approval. */
  readonly release: (payment: Payment) => Rejection | null
  readonly cancel: (payment: Payment, reason: 'REJECTED') => void
}

/** Takes a person's decision about a payment: the last approval releases it, and one rejection cancels it. */
export const decidePayment = <Payment extends ApprovablePayment>(
  payment: Payment,
  {
    personId,
    name,
    standing,
    decision,
    reason,
  }: DecidingPerson & Pick<PaymentDecision, 'decision' | 'reason'>,
  { nowMs: atMs }: Pick<Context, 'nowMs'>,
  { record, release, cancel }: DecisionEffects<Payment>,
): Rejection | null => {
  const refusal =
    decisionRefusal(payment, personId) ??
    (decision === 'APPROVED' ? approverRefusal(standing, payment.askedAtMs ?? payment.createdAtMs) : null)
  if (refusal !== null) return refusal
  record(payment, { personId, name, decision, reason, atMs })
  if (decision === 'APPROVED') return isLastApproval(payment) ? release(payment) : null
  cancel(payment, 'REJECTED')
  return null
}

/** Why a person cannot approve or reject a payment: never one's own, and each person once. */
const decisionRefusal = (
  { status, createdBy, decisions }: ApprovablePayment,
  personId: PersonId | null,
): Rejection | null => {
  if (status !== 'PENDING_APPROVAL')
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PENDING_APPROVAL'] }
  if (personId === null) return null
  if (personId === createdBy) return { reason: 'OWN_REQUEST' }
  const isRepeat = decisions.some((decision) => decision.personId === personId)
  return isRepeat ? { reason: 'ALREADY_DECIDED' } : null
}

/** How many have approved. */
export const approvalsGiven = ({ decisions }: Pick<ApprovablePayment, 'decisions'>): number =>
  decisions.filter(({ decision }) => decision === 'APPROVED').length

/** Whether one more approval is enough. */
const isLastApproval = (payment: ApprovablePayment): boolean =>
  approvalsGiven(payment) + 1 >= payment.approvalsRequired
