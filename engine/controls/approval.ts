import type { Rejection } from '../kernel/registry.ts'
import type { PersonId } from '../shared/ids.ts'

/** What a person decided about a payment that others have to approve. */
export type PaymentDecision = {
  /** Null for the Sandbox's second person. */
  readonly personId: PersonId | null
  readonly name: string | null
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly reason: string | null
  readonly atMs: number
}

/** A payment that others have to approve before it leaves. */
export type ApprovablePayment = {
  readonly status: string
  readonly createdBy: PersonId | null
  readonly approvalsRequired: number
  readonly decisions: readonly PaymentDecision[]
}

/** Why a person cannot approve or reject a payment: never one's own, and each person once. */
export const decisionRefusal = (
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
export const isLastApproval = (payment: ApprovablePayment): boolean =>
  approvalsGiven(payment) + 1 >= payment.approvalsRequired
