import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { toCents } from '../../shared/money.ts'
import type { InvoiceSummary, Subscription } from '../subscription/subscription.ts'
import type { Invoice, InvoiceLine } from './invoice.ts'

/** An invoice before issuing: `issueInvoice` subtracts the customer's credit. Its lines are for its period. */
export type AskedInvoice = Pick<
  Invoice,
  'kind' | 'planId' | 'cycle' | 'periodStart' | 'periodEnd' | 'dueDate' | 'couponId'
> & { readonly lines: readonly AskedLine[] }

export type AskedLine = Pick<InvoiceLine, 'type' | 'description' | 'cents'>

/** Issues an invoice of a subscription after subtracting the customer's credit. The caller updates the subscription. */
export const issueInvoice = (
  draft: Draft,
  subscription: Subscription,
  by: Initiator,
  asked: AskedInvoice,
): Invoice => {
  const { id: accountId, recurring } = draft.account()
  const number = recurring.invoicesIssued + 1
  draft.add({ type: 'InvoiceNumbered', number, ...factOf(draft, 'account', accountId) })
  const discountCents = toCents(-sumOf(asked.lines.filter(({ type }) => type === 'DISCOUNT')))
  const subtotalCents = toCents(sumOf(asked.lines) + discountCents)
  const owedCents = toCents(subtotalCents - discountCents)
  const creditAppliedCents = subscription.creditCents < owedCents ? subscription.creditCents : owedCents
  const credit = {
    type: 'CREDIT',
    description: 'Credit balance',
    cents: toCents(-creditAppliedCents),
  } as const
  const lines = creditAppliedCents === 0 ? asked.lines : [...asked.lines, credit]
  const { periodStart, periodEnd } = asked
  const id = contextId(draft.context, 'inv')
  draft.add({
    type: 'InvoiceIssued',
    by,
    invoice: {
      accountId,
      number,
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      method: subscription.method,
      subtotalCents,
      discountCents,
      creditAppliedCents,
      totalCents: toCents(owedCents - creditAppliedCents),
      ...asked,
      lines: lines.map((line) => ({ periodStart, periodEnd, ...line })),
    },
    ...factOf(draft, 'invoice', id),
  })
  return draft.find('invoice', id)!
}

/** The members of an invoice that a subscription's events show. */
export const summaryOf = (invoice: Invoice): InvoiceSummary => {
  const { id, number, cycle, totalCents, periodStart, periodEnd } = invoice
  return { id, number, cycle, totalCents, periodStart, periodEnd }
}

/** The number as people write it: `INV-000123`. */
export const invoiceNumber = (number: number): string => `INV-${String(number).padStart(6, '0')}`

const sumOf = (lines: readonly AskedLine[]): number => lines.reduce((sum, { cents }) => sum + cents, 0)
