import {
  type ApprovablePayment,
  type ApprovalTerms,
  approvalsGiven,
  type PaymentDecision,
} from '../../../engine/money-out/approval.ts'
import { approvalReasons } from '../../../engine/money-out/limits.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { count, instant, instantOrNull, listOf, nullableField, nullableText } from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'

const decision = resource<PaymentDecision, [OpenPersonal]>('PaymentDecision', 'What a person decided.').with({
  personId: [described(nullableText, 'Who, `per_…`; null for the Sandbox’s second person.'), same],
  name: [
    described(nullableText, 'What they were called then; null in events, and for a person who was erased.'),
    ({ name }, open) => (name === null ? null : open(name)),
  ],
  decision: [described(choice('APPROVED', 'REJECTED'), 'What they decided.'), same],
  reason: [described(nullableText, 'Why it was rejected.'), same],
  at: [described(instant, 'When.'), ({ atMs }) => isoInstant(atMs)],
})

/** Why other people have to approve a payment. */
export const approvalReason = choice(...approvalReasons)

const approvals = resource<ApprovablePayment>('PaymentApprovals', 'Approvals of other people.').with({
  required: [count('How many it needs.'), (payment) => payment.approvalsRequired],
  given: [count('How many it has.'), approvalsGiven],
})

/** The approval fields of every payment that other people may have to approve, with the names of who decided. */
export const approvalFields = fieldsOf<ApprovablePayment & ApprovalTerms, [OpenPersonal]>().with({
  approvals: [approvals.schema, (payment) => approvals.view(payment)],
  approvalReasons: [
    listOf(
      approvalReason,
      'Why it needs them: its amount, what its creator has sent today, that the payee was never paid, or that who has scheduled it may not send money any more.',
    ),
    same,
  ],
  approvalEndsAt: [
    nullableField(instant, 'When it is cancelled without approval.'),
    (payment) => instantOrNull(payment.approvalEndsAtMs),
  ],
  decisions: [
    listOf(decision.schema, 'Who has approved or rejected it.'),
    (payment, open) => payment.decisions.map((one) => decision.view(one, open)),
  ],
})

/** Events are stored as they were sent, so they name people by their ids alone. */
export const nameless: OpenPersonal = () => null
