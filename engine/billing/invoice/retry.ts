import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { RetryInvoice } from '../subscription/commands.ts'
import type { Subscription } from '../subscription/subscription.ts'
import { isRetryLimitReached } from './card-retries.ts'
import { collect } from './collect.ts'
import { type Invoice, type InvoiceStatus, isPayable } from './invoice.ts'
import { cancelLiveCharge, undecidedAttempt } from './live-charge.ts'

const retryable: readonly InvoiceStatus[] = ['OPEN', 'PAST_DUE', 'UNCOLLECTIBLE']

/** A manual retry, optionally with another card or method. It moves no dunning step. */
export const retryInvoice = (draft: Draft, invoice: Invoice, command: RetryInvoice): Rejection | null => {
  const { by } = command
  if (!isPayable(invoice))
    return { reason: 'INVALID_STATE', currentStatus: invoice.status, allowedStatuses: retryable }
  const running = undecidedAttempt(draft, invoice)
  if (running !== null) return { reason: 'ATTEMPT_IN_PROGRESS', attemptId: running.id }
  const subscription = draft.find('subscription', invoice.subscriptionId)!
  const method = command.method ?? (command.card === null ? subscription.method : 'CREDIT_CARD')
  const card = method === 'CREDIT_CARD' ? (command.card ?? subscription.card) : null
  if (!subscription.plan.methods.includes(method))
    return { reason: 'METHOD_NOT_ACCEPTED', allowedMethods: subscription.plan.methods }
  if (command.missingProduct !== null)
    return { reason: 'PRODUCT_NOT_ACTIVE', product: command.missingProduct }
  if (method === 'BOLETO' && documentOf(draft, subscription) === null)
    return { reason: 'CUSTOMER_DOCUMENT_REQUIRED' }
  if (method === 'CREDIT_CARD') {
    if (card === null) return { reason: 'CARD_REQUIRED' }
    if (isRetryLimitReached(draft, card.tokenFingerprint)) return { reason: 'RETRY_LIMIT_REACHED' }
  }
  cancelLiveCharge(draft, invoice.id, by)
  const isOwn = method === subscription.method && command.card === null
  return collect(draft, invoice.id, {
    trigger: 'MANUAL',
    by,
    means: isOwn ? null : { method, card },
    idempotency: command.idempotency ?? null,
  })
}

const documentOf = (draft: Draft, { customerId }: Subscription): string | null =>
  draft.find('customer', customerId)?.customer.document ?? null
