import { assert, unreachable } from '../../shared/assert.ts'
import { copierOf } from '../../shared/copier.ts'
import { toCents } from '../../shared/money.ts'
import type { CollectionAttempt, Invoice, InvoiceFact } from './invoice.ts'

/** Applies a fact to an invoice. */
export const evolveInvoice = (invoice: Invoice | undefined, event: InvoiceFact): Invoice => {
  if (event.type === 'InvoiceIssued') {
    assert(invoice === undefined, 'an invoice is issued once')
    const isFree = event.invoice.totalCents === 0
    return {
      id: event.id,
      status: isFree ? 'PAID' : 'OPEN',
      paidCents: toCents(0),
      attempts: [],
      dunning: null,
      pausedAtMs: null,
      createdAtMs: event.atMs,
      updatedAtMs: event.atMs,
      paidAtMs: isFree ? event.atMs : null,
      voidedAtMs: null,
      ...event.invoice,
    }
  }
  assert(invoice !== undefined, `${event.type} follows InvoiceIssued`)
  return copied(invoice, changesOf(invoice, event), { updatedAtMs: event.atMs })
}

const copied = copierOf<Invoice>()

const changesOf = (
  invoice: Invoice,
  event: Exclude<InvoiceFact, { readonly type: 'InvoiceIssued' }>,
): Partial<Invoice> => {
  const { atMs } = event
  switch (event.type) {
    case 'AttemptStarted': {
      const attempt: CollectionAttempt = {
        status: 'PENDING',
        failureReason: null,
        retryable: null,
        payment: null,
        createdAtMs: atMs,
        finishedAtMs: null,
        ...event.attempt,
      }
      const attempts = [...invoice.attempts, attempt]
      const { dunning } = invoice
      if (attempt.trigger !== 'DUNNING' || dunning === null) return { attempts }
      return { attempts, dunning: { ...dunning, steps: dunning.steps + 1 } }
    }
    case 'AttemptPresented':
      return { attempts: attempted(invoice, event.number, { payment: event.payment }) }
    case 'AttemptExtended':
      return { attempts: attempted(invoice, event.number, { failsAtMs: event.failsAtMs }) }
    case 'AttemptAwaited':
      return {}
    case 'AttemptSucceeded':
      return {
        status: 'PAID',
        paidCents: event.paidCents,
        paidAtMs: atMs,
        dunning: null,
        attempts: attempted(invoice, event.number, {
          status: 'SUCCEEDED',
          failureReason: null,
          retryable: null,
          finishedAtMs: atMs,
        }),
      }
    case 'AttemptFailed': {
      const { number, wasCancelled, failureReason, retryable, dunning } = event
      const status = wasCancelled ? 'CANCELLED' : 'FAILED'
      return {
        status: invoice.status === 'UNCOLLECTIBLE' ? 'UNCOLLECTIBLE' : 'PAST_DUE',
        dunning,
        attempts: attempted(invoice, number, { status, failureReason, retryable, finishedAtMs: atMs }),
      }
    }
    case 'AttemptCancelled':
      return { attempts: attempted(invoice, event.number, { status: 'CANCELLED', finishedAtMs: atMs }) }
    case 'InvoiceMoved': {
      const { periodStart, periodEnd } = event
      const lines = invoice.lines.map((line) => ({ ...line, periodStart, periodEnd }))
      return { periodStart, periodEnd, lines }
    }
    case 'InvoiceVoided':
      return { status: 'VOID', voidedAtMs: atMs, dunning: null }
    case 'InvoiceMarkedUncollectible':
      return { status: 'UNCOLLECTIBLE', dunning: null }
    case 'DunningPaused':
      return { pausedAtMs: atMs }
    case 'DunningPostponed':
      return { pausedAtMs: null, dunning: event.dunning }
    default:
      return unreachable(event)
  }
}

const attempted = (
  { attempts }: Invoice,
  number: number,
  changes: Partial<CollectionAttempt>,
): Invoice['attempts'] =>
  attempts.map((attempt) => (attempt.number === number ? copiedAttempt(attempt, changes) : attempt))

const copiedAttempt = copierOf<CollectionAttempt>()
