import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { InvoiceSummary, Subscription } from '../subscription/subscription.ts'
import type { Invoice, InvoiceIssued, InvoiceLine } from './invoice.ts'

/** An invoice before issuing: `issueInvoice` subtracts the customer's credit. */
export type AskedInvoice = Pick<
  Invoice,
  'kind' | 'planId' | 'cycle' | 'periodStart' | 'periodEnd' | 'dueDate' | 'lines' | 'couponId'
>

/** Issues an invoice of a subscription after subtracting the customer's credit. The caller updates the subscription. */
export const issueInvoice = (
  draft: Draft,
  subscription: Subscription,
  by: Initiator,
  asked: AskedInvoice,
): Invoice => {
  const { context, account } = draft
  const number = account().recurring.invoicesIssued + 1
  draft.add({ actor: 'account', type: 'InvoiceNumbered', id: account().id, atMs: context.nowMs, number })
  const discountCents = toCents(-sumOf(asked.lines.filter(({ type }) => type === 'DISCOUNT')))
  const subtotalCents = toCents(sumOf(asked.lines) + discountCents)
  const owedCents = toCents(subtotalCents - discountCents)
  const creditAppliedCents = subscription.creditCents < owedCents ? subscription.creditCents : owedCents
  const id = contextId(context, 'inv')
  draft.add({
    actor: 'invoice',
    type: 'InvoiceIssued',
    id,
    by,
    atMs: context.nowMs,
    invoice: {
      ...asked,
      accountId: subscription.accountId,
      number,
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      method: subscription.method,
      lines: creditAppliedCents === 0 ? asked.lines : [...asked.lines, creditLine(asked, creditAppliedCents)],
      subtotalCents,
      discountCents,
      creditAppliedCents,
      totalCents: toCents(owedCents - creditAppliedCents),
    } satisfies InvoiceIssued['invoice'],
  })
  return draft.find('invoice', id)!
}

/** What a subscription's events tell of an invoice. */
export const summaryOf = (invoice: Invoice): InvoiceSummary => {
  const { id, number, cycle, totalCents, periodStart, periodEnd } = invoice
  return { id, number, cycle, totalCents, periodStart, periodEnd }
}

/** The number as people write it: `INV-000123`. */
export const invoiceNumber = (number: number): string => `INV-${String(number).padStart(6, '0')}`

const creditLine = ({ periodStart, periodEnd }: AskedInvoice, cents: Cents): InvoiceLine => ({
  type: 'CREDIT',
  description: 'Credit balance',
  cents: toCents(-cents),
  periodStart,
  periodEnd,
})

const sumOf = (lines: readonly InvoiceLine[]): number => lines.reduce((sum, { cents }) => sum + cents, 0)
