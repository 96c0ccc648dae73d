import type { Memory } from '../kernel/ports.ts'
import type { Answerers } from '../kernel/reader.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { bounds } from '../shared/bounds.ts'
import { noCounts } from './account-part.ts'
import { type MailPurpose, waiting } from './payer-mail.ts'
import type {
  FindPayerMail,
  FindReminders,
  FindUnsubscription,
  ListWaitingMail,
  WaitingMail,
} from './queries.ts'
import { mailAddressOf } from './receipts.ts'

/** Answers about mail to payers. */
export const payerMailAnswers: Answerers<
  ListWaitingMail | FindPayerMail | FindReminders | FindUnsubscription
> = {
  ListWaitingMail: ({ accountId }, { memory, nowMs, result }) => {
    const found: WaitingMail[] = []
    for (const { state } of memory.lookup('payerMail', accountId, waiting)) {
      const transaction = memory.find('transaction', state.transactionId)!.state
      for (const [n, { purpose, language, status }] of state.mails.entries())
        if (status === 'WAITING')
          found.push({
            payerMailId: state.id,
            number: n + 1,
            purpose,
            language,
            transaction,
            ...sessionOf(memory, transaction, purpose),
            nowMs,
          })
      if (found.length >= bounds.waitingMailPage) break
    }
    return result(found)
  },
  FindPayerMail: ({ payerMailId, number }, { find, memory, nowMs, result }) => {
    const state = find('payerMail', payerMailId).value
    const mail = state?.mails[number - 1]
    if (!state || mail === undefined) return result(null)
    const { purpose, language } = mail
    const transaction = find('transaction', state.transactionId).value!
    const about = sessionOf(memory, transaction, purpose)
    return result({ payerMailId, number, purpose, language, transaction, ...about, nowMs })
  },
  FindReminders: (_, { account, result }) => {
    const { days, language } = account?.reminders ?? { days: [], language: 'pt' as const }
    const { sent, reminded, unsubscribed } = account?.payerMail ?? noCounts
    return result({ days, language, sent, reminded, unsubscribed })
  },
  FindUnsubscription: ({ accountId, addressHash }, { memory, result }) =>
    result(memory.lookupId('unsubscription', accountId, addressHash) !== undefined),
}

const sessionOf = (memory: Pick<Memory, 'find'>, transaction: Transaction, purpose: MailPurpose) => {
  const id = transaction.details.checkout?.sessionId
  const session = id === undefined ? undefined : memory.find('checkoutSession', id)?.state
  return { session: session ?? null, to: mailAddressOf(purpose, transaction, session) }
}
