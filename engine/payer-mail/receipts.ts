import type { CheckoutSession } from '../checkout/session.ts'
import { isVerification } from '../checkout/subscribing.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { MailPurpose } from './payer-mail.ts'
import { openMail } from './reminders.ts'

/** Asks for the receipt of a page that was paid, where its payer gave an address and mail leaves the service. */
export const mailReceipts = (draft: Draft): void => {
  const { institution, atMs } = draft.context
  if (!institution.sendsMail) return
  for (const { event, after } of draft.steps) {
    if (event.type !== 'SessionCompleted') continue
    const session = after as CheckoutSession
    // Nothing was paid where a card was only verified.
    if (isVerification(session)) continue
    const transactionId = session.transactionId!
    const transaction = draft.find('transaction', transactionId)!
    if (mailAddressOf('RECEIPT', transaction, session) === null) continue
    const [known] = draft.lookup('payerMail', transactionId)
    const accountId = draft.account().id
    const id = known?.id ?? openMail(draft, { accountId, transactionId, remindOn: [], remindAtMs: null })
    const { language } = session
    draft.add({ actor: 'payerMail', type: 'PayerMailAsked', id, atMs, purpose: 'RECEIPT', language })
  }
}

/** Where a mail goes: a receipt to the address that the payer typed for it, or else the payer's. Null where there is none any more. */
export const mailAddressOf = (
  purpose: MailPurpose,
  { customer }: Pick<Transaction, 'customer'>,
  session: Pick<CheckoutSession, 'receiptEmail'> | undefined,
): string | null => {
  const typed = purpose === 'RECEIPT' ? session?.receiptEmail : null
  return typed || (customer?.email ?? null)
}
