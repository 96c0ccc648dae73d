import { type ApprovablePayment, type ApprovalTerms, approvalsGiven } from '../../engine/controls/approval.ts'
import { approvalReasons } from '../../engine/controls/money-out.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { described, namedObject } from '../http/named-schema.ts'
import { count, enumeration, instant, instantOrNull, listOf, nullable, text } from './fields.ts'

const decision = namedObject('PaymentDecision', 'What a person decided.', {
  personId: described(text, 'Who, `per_…`; null for the Sandbox’s second person.'),
  name: described(text, 'What they were called then.'),
  decision: described(enumeration('APPROVED', 'REJECTED'), 'What they decided.'),
  reason: described(text, 'Why it was rejected.'),
  at: described(instant, 'When.'),
})

/** Why other people have to approve a payment. */
export const approvalReason = enumeration(...approvalReasons)

/** What every payment that others may have to approve says of it. */
export const approvalFields = {
  approvals: namedObject('PaymentApprovals', 'Approvals of other people.', {
    required: count('How many it needs.'),
    given: count('How many it has.'),
  }),
  approvalReasons: listOf(
    approvalReason,
    'Why it needs them: its amount, what its creator has sent today, or that the payee was never paid.',
  ),
  approvalEndsAt: nullable(instant, 'When it is cancelled without approval.'),
  decisions: listOf(decision, 'Who has approved or rejected it.'),
}

/** The approvals of a payment. */
export const approvalView = (payment: ApprovablePayment & ApprovalTerms) => ({
  approvals: { required: payment.approvalsRequired, given: approvalsGiven(payment) },
  approvalReasons: payment.approvalReasons,
  approvalEndsAt: instantOrNull(payment.approvalEndsAtMs),
  decisions: payment.decisions.map(({ atMs, ...decision }) => ({ ...decision, at: isoInstant(atMs) })),
})
