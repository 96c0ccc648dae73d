import type { ActorDefinition } from '../../kernel/actor.ts'
import { byClock } from '../../shared/initiator.ts'
import { evolveInvoice } from './evolve.ts'
import { type Invoice, type InvoiceFact, runningAttempt } from './invoice.ts'

export const invoiceKind: ActorDefinition<Invoice, InvoiceFact> = {
  prefix: 'inv',
  namedBy: 'invoiceId',
  doesDueWorkFirst: true,
  evolve: evolveInvoice,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ status, attempts }) => ({ status, attempts: attempts.length }),
  label: ({ status }) => status,
  timer: (invoice) => {
    const dueAtMs = nextStepAtMs(invoice)
    if (dueAtMs === null) return null
    const { accountId, id: invoiceId } = invoice
    return { dueAtMs, command: { type: 'DunInvoice', accountId, by: byClock, invoiceId } }
  },
  lookupKeys: ({ subscriptionId, customerId }) => [subscriptionId, customerId],
}

/** A dunning step waits until the previous attempt has ended. */
const nextStepAtMs = (invoice: Invoice): number | null => {
  if (invoice.pausedAtMs !== null) return null
  const running = runningAttempt(invoice)
  if (running !== null) return running.failsAtMs
  return invoice.status === 'PAST_DUE' ? (invoice.dunning?.nextAtMs ?? null) : null
}
