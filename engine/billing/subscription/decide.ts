import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { unreachable } from '../../shared/assert.ts'
import { dunInvoice } from '../invoice/dun.ts'
import { retryInvoice } from '../invoice/retry.ts'
import { billSubscription } from './bill.ts'
import { changePlan } from './change-plan.ts'
import type { SubscriptionCommand } from './commands.ts'
import { createSubscription } from './create.ts'
import { cancelSubscription, pauseSubscription, resumeSubscription } from './life.ts'

/** What subscriptions and their invoices answer to a command. */
export const decideSubscription = (command: SubscriptionCommand, draft: Draft): Rejection | null => {
  switch (command.type) {
    case 'CreateSubscription':
      return createSubscription(draft, command)
    case 'BillSubscription': {
      const subscription = draft.find('subscription', command.subscriptionId)
      if (subscription === undefined) return { reason: 'NOT_FOUND', resource: 'subscription' }
      return billSubscription(draft, subscription, command.by)
    }
    case 'PauseSubscription':
      return pauseSubscription(draft, command)
    case 'ResumeSubscription':
      return resumeSubscription(draft, command)
    case 'CancelSubscription':
      return cancelSubscription(draft, command)
    case 'ChangePlan':
      return changePlan(draft, command)
    case 'DunInvoice': {
      const invoice = draft.find('invoice', command.invoiceId)
      if (invoice === undefined) return { reason: 'NOT_FOUND', resource: 'invoice' }
      return dunInvoice(draft, invoice, command.by)
    }
    case 'RetryInvoice':
      return retryInvoice(draft, command)
    default:
      return unreachable(command)
  }
}
