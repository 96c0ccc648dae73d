import type { ToldSubscription } from '../../../engine/billing/subscription/queries.ts'
import type {
  SubscriptionChanges,
  SubscriptionFact,
} from '../../../engine/billing/subscription/subscription.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { instantOrNull } from '../fields.ts'
import { historyField, historyStep } from '../history-step.ts'
import { subscription } from './subscription.ts'

/** A subscription that is shown alone, with its history. */
export const subscriptionDetail = {
  schema: namedObject('SubscriptionDetail', 'A subscription with its history.', {
    ...subscription.schema.properties,
    events: historyField,
  }),
  view: ({ subscription: shown, steps }: ToldSubscription) => ({
    ...subscription.view(shown),
    events: steps.map(({ fact, actor }) =>
      historyStep.view({ type: fact.type, actor, atMs: fact.atMs, data: dataOf(fact) }),
    ),
  }),
}

const dataOf = (fact: SubscriptionFact): object => {
  switch (fact.type) {
    case 'SubscriptionCreated': {
      const { status, planId, method } = fact.subscription
      return { status, planId, method }
    }
    case 'SubscriptionBilled': {
      const { status, invoiceId, totalCents, dueDate } = fact
      return { status, invoiceId, amount: String(totalCents), dueDate }
    }
    case 'PaymentInstructionsIssued': {
      const { invoiceId, transactionId } = fact
      return { invoiceId, transactionId }
    }
    case 'PeriodStarted': {
      const { start, end } = fact.period
      return { start, end }
    }
    case 'SubscriptionPaid': {
      const { status, invoice, transactionId, amountCents } = fact
      return { status, invoiceId: invoice.id, transactionId, amount: String(amountCents) }
    }
    case 'SubscriptionPaymentFailed': {
      const { status, invoice, transactionId, amountCents, failureReason, attemptNumber, nextAttemptAtMs } =
        fact
      return {
        status,
        invoiceId: invoice.id,
        transactionId,
        amount: String(amountCents),
        failureReason,
        attemptNumber,
        nextAttemptAt: instantOrNull(nextAttemptAtMs),
      }
    }
    default:
      return changedIn(fact.changes)
  }
}

/** What the rare steps changed, as far as it says what happened. */
const changedIn = (changes: SubscriptionChanges): object => {
  const { status, planId, method, cancelReason, scheduledChange, pendingChange, mandate } = changes
  return {
    ...(status && { status }),
    ...(planId && { planId }),
    ...(method && { method }),
    ...(cancelReason && { cancelReason }),
    ...(scheduledChange && {
      scheduledPlanId: scheduledChange.planId,
      effectiveOn: scheduledChange.effectiveOn,
    }),
    ...(mandate && { mandateId: mandate.id, mandateStatus: mandate.status }),
    ...(pendingChange && { pendingPlanId: pendingChange.planId, invoiceId: pendingChange.invoiceId }),
  }
}
