import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { executeOnTransaction } from '../../payments/transaction/execute.ts'
import type { Transaction } from '../../payments/transaction/transaction.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { closeCharge } from '../mandate/charge.ts'
import { mandateChargeOf } from '../mandate/held.ts'
import { hasLiveAttempt } from '../mandate/mandate.ts'
import { type CollectionAttempt, type Invoice, runningAttempt } from './invoice.ts'

/** The charge that can still pay an invoice, whatever became of its attempt. */
export const liveCharge = (draft: Draft, { attempts }: Invoice): Transaction | null => {
  const id = attempts.at(-1)?.transactionId ?? null
  const transaction = id === null ? undefined : draft.find('transaction', id)
  const isLive = transaction?.status === 'PENDING' || isDeciding(transaction)
  return transaction !== undefined && isLive ? transaction : null
}

/** Whether its money is on the way or a provider is deciding: it cannot be cancelled then. */
export const isDeciding = (transaction: Transaction | null | undefined): boolean =>
  transaction?.status === 'CREATED' || transaction?.status === 'PROCESSING'

/** The attempt whose outcome is still open. */
export const undecidedAttempt = (draft: Draft, invoice: Invoice): CollectionAttempt | null =>
  isDeciding(liveCharge(draft, invoice)) || isTried(draft, invoice) ? invoice.attempts.at(-1)! : null

/** Whether the payer's bank tries to pay an attempt by mandate, or was asked to, whatever became of its transaction. */
export const isTried = (draft: Draft, { attempts }: Invoice): boolean =>
  attempts.some(({ transactionId }) => {
    const of = mandateChargeOf(draft, transactionId)
    return of !== null && hasLiveAttempt(of.mandate, of.charge)
  })

/** Cancels the charge that could still pay the invoice. A charge that is being decided is left to finish. */
export const cancelLiveCharge = (draft: Draft, invoiceId: InvoiceId, by: Initiator): void => {
  const invoice = draft.find('invoice', invoiceId)!
  const charge = liveCharge(draft, invoice)
  const running = runningAttempt(invoice)
  if (running !== null)
    draft.add({ type: 'AttemptCancelled', number: running.number, ...factOf(draft, 'invoice', invoiceId) })
  if (charge === null) return
  const of = mandateChargeOf(draft, charge.id)
  if (of !== null) closeCharge(draft, of, false)
  else if (isDeciding(charge)) return
  const { accountId, id: transactionId } = charge
  const command = { type: 'CancelCharge', accountId, by, transactionId, family: null, reason: null } as const
  // The attempt has already ended, so the cancelled charge has no effect on the invoice.
  executeOnTransaction(draft, charge, command)
}
