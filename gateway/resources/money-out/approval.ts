import {
  type ApprovablePayment,
  type ApprovalTerms,
  approvalsGiven,
} from '../../../engine/money-out/approval.ts'
import { approvalReasons } from '../../../engine/money-out/limits.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { count, instant, instantOrNull, listOf, nullableField, nullableText } from '../fields.ts'

const decision = namedObject('PaymentDecision', 'What a person decided.', {
  personId: described(nullableText, 'Who, `per_…`; null for the Sandbox’s second person.'),
  name: described(
    nullableText,
    'What they were called then; null in events, and for a person who was erased.',
  ),
  decision: described(choice('APPROVED', 'REJECTED'), 'What they decided.'),
  reason: described(nullableText, 'Why it was rejected.'),
  at: described(instant, 'When.'),
})

/** Why other people have to approve a payment. */
export const approvalReason = choice(...approvalReasons)

/** The approval fields of every payment that other people may have to approve. */
export const approvalFields = {
  approvals: namedObject('PaymentApprovals', 'Approvals of other people.', {
    required: count('How many it needs.'),
    given: count('How many it has.'),
  }),
  approvalReasons: listOf(
    approvalReason,
    'Why it needs them: its amount, what its creator has sent today, that the payee was never paid, or that who has scheduled it may not send money any more.',
  ),
  approvalEndsAt: nullableField(instant, 'When it is cancelled without approval.'),
  decisions: listOf(decision, 'Who has approved or rejected it.'),
}

/** The approvals of a payment, with the names of the people who decided. */
export const approvalView = (payment: ApprovablePayment & ApprovalTerms, open: OpenPersonal) => ({
  approvals: { required: payment.approvalsRequired, given: approvalsGiven(payment) },
  approvalReasons: payment.approvalReasons,
  approvalEndsAt: instantOrNull(payment.approvalEndsAtMs),
  decisions: payment.decisions.map(({ name, atMs, ...decision }) => ({
    ...decision,
    name: name === null ? null : open(name),
    at: isoInstant(atMs),
  })),
})

/** Events are stored as they were sent, so they name people by their ids alone. */
export const nameless: OpenPersonal = () => null
