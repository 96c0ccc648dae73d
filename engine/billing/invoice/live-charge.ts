import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { executeOnTransaction } from '../../payments/transaction/execute.ts'
import type { Transaction } from '../../payments/transaction/transaction.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
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
  isDeciding(liveCharge(draft, invoice)) ? invoice.attempts.at(-1)! : null

/** Cancels the charge that could still pay the invoice. A charge that is being decided is left to finish. */
export const cancelLiveCharge = (draft: Draft, invoiceId: InvoiceId, by: Initiator): void => {
  const invoice = draft.find('invoice', invoiceId)!
  const charge = liveCharge(draft, invoice)
  const running = runningAttempt(invoice)
  if (running !== null)
    draft.add({ type: 'AttemptCancelled', number: running.number, ...factOf(draft, 'invoice', invoiceId) })
  if (charge === null || isDeciding(charge)) return
  const { accountId, id: transactionId } = charge
  const command = { type: 'CancelCharge', accountId, by, transactionId, family: null, reason: null } as const
  // The attempt has already ended, so the cancelled charge has no effect on the invoice.
  executeOnTransaction(draft, charge, command)
}
