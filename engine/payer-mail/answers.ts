import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { noCounts } from './account-part.ts'
import { waiting } from './payer-mail.ts'
import type {
  FindPayerMail,
  FindReminders,
  FindUnsubscription,
  ListWaitingMail,
  WaitingMail,
} from './queries.ts'

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
          found.push({ payerMailId: state.id, number: n + 1, purpose, language, transaction, nowMs })
      if (found.length >= bounds.waitingMailPage) break
    }
    return result(found)
  },
  FindPayerMail: ({ payerMailId, number }, { find, nowMs, result }) => {
    const state = find('payerMail', payerMailId).value
    const mail = state?.mails[number - 1]
    if (!state || mail === undefined) return result(null)
    const { purpose, language } = mail
    const transaction = find('transaction', state.transactionId).value!
    return result({ payerMailId, number, purpose, language, transaction, nowMs })
  },
  FindReminders: (_, { account, result }) => {
    const { days, language } = account?.reminders ?? { days: [], language: 'pt' as const }
    const { sent, reminded, unsubscribed } = account?.payerMail ?? noCounts
    return result({ days, language, sent, reminded, unsubscribed })
  },
  FindUnsubscription: ({ accountId, addressHash }, { memory, result }) =>
    result(memory.lookupId('unsubscription', accountId, addressHash) !== undefined),
}
