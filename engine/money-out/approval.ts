import { approverRefusal, type DecidingPerson } from '../approval-and-limits/approver.ts'
import { controlsOf } from '../approval-and-limits/controls.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import type { PersonId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { type ApprovalReason, approvalsFor, type LimitedPayment, leastRemaining } from './limits.ts'

/** One person's decision about money out that needs approval. */
export type PaymentDecision = {
  /** Null for the Sandbox's second person. */
  readonly personId: PersonId | null
  readonly name: string | null
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly reason: string | null
  readonly atMs: number
}

/** How approval policy and limits judge money out when it is requested. */
export type ApprovalTerms = {
  readonly approvalsRequired: number
  readonly approvalReasons: readonly ApprovalReason[]
  /** How much of the tightest limit is left after it. */
  readonly limitLeftCents: Cents
  /** When it is cancelled if approvals are still missing; null if it needs none. */
  readonly approvalEndsAtMs: number | null
  /** Real time of the request, because roles count by it; null in payments stored before roles had a time. */
  readonly askedAtMs: number | null
}

/** The members of money out that its approval depends on. */
export type ApprovablePayment = Pick<ApprovalTerms, 'approvalsRequired' | 'askedAtMs'> & {
  readonly status: string
  readonly createdAtMs: number
  readonly createdBy: PersonId | null
  readonly decisions: readonly PaymentDecision[]
}

/** The terms of a payment that leaves at `leavesAtMs`, when `othersCount` other people could approve it. */
export const approvalTermsOf = (
  account: Pick<Account, 'controls' | 'profile' | 'moneyOut'>,
  limited: LimitedPayment,
  { othersCount, nowMs, atMs, leavesAtMs }: Record<'othersCount' | 'nowMs' | 'atMs' | 'leavesAtMs', number>,
): ApprovalTerms => {
  const { required, reasons } = approvalsFor(account, limited, othersCount, nowMs)
  return {
    approvalsRequired: required,
    approvalReasons: reasons,
    limitLeftCents: toCents(leastRemaining(account, limited, leavesAtMs) - limited.worthCents),
    approvalEndsAtMs: required === 0 ? null : nowMs + controlsOf(account).expiresAfterHours * 3_600_000,
    askedAtMs: atMs,
  }
}

/**
 * Why a person cannot approve or reject a payment: it is their own, they have decided already, or (to approve)
 * their role is newer than the request and came from one person alone.
 */
export const decisionRefusal = (
  { status, createdBy, createdAtMs, askedAtMs, decisions }: ApprovablePayment,
  { personId, standing }: DecidingPerson,
  decision: PaymentDecision['decision'],
): Rejection | null => {
  if (status !== 'PENDING_APPROVAL')
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PENDING_APPROVAL'] }
  if (personId !== null && personId === createdBy) return { reason: 'OWN_REQUEST' }
  if (personId !== null && decisions.some((earlier) => earlier.personId === personId))
    return { reason: 'ALREADY_DECIDED' }
  return decision === 'APPROVED' ? approverRefusal(standing, askedAtMs ?? createdAtMs) : null
}

/** The number of approvals so far. */
export const approvalsGiven = ({ decisions }: Pick<ApprovablePayment, 'decisions'>): number =>
  decisions.filter(({ decision }) => decision === 'APPROVED').length

/** Whether one more approval is enough. */
export const isLastApproval = (payment: ApprovablePayment): boolean =>
  approvalsGiven(payment) + 1 >= payment.approvalsRequired
