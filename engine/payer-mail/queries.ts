import type { CheckoutSession } from '../checkout/session.ts'
import type { Question } from '../kernel/query.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { PayerMailId } from '../shared/ids.ts'
import type { PayerMailCounts, ReminderPlan } from './account-part.ts'
import type { MailToPayer } from './payer-mail.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly payerMail: ListWaitingMail | FindPayerMail | FindReminders | FindUnsubscription
  }
  interface Answers {
    readonly ListWaitingMail: readonly WaitingMail[]
    readonly FindPayerMail: WaitingMail | null
    readonly FindReminders: ReminderSettings
    readonly FindUnsubscription: boolean
  }
}

/** Lists the oldest mails to payers that are to be queued. */
export type ListWaitingMail = Question<'ListWaitingMail'>

export type WaitingMail = Pick<MailToPayer, 'purpose' | 'language'> & {
  readonly payerMailId: PayerMailId
  readonly number: number
  readonly transaction: Transaction
  /** The session of the page where it was paid, or is to be; null without one. */
  readonly session: CheckoutSession | null
  /** Null where the payer's address is forgotten. */
  readonly to: string | null
  /** Environment time. */
  readonly nowMs: number
}

/** Finds a mail that is written now; null if a reset of the Sandbox has removed it. */
export type FindPayerMail = Question<'FindPayerMail'> & {
  readonly payerMailId: PayerMailId
  readonly number: number
}

export type FindReminders = Question<'FindReminders'>

export type ReminderSettings = ReminderPlan & Pick<PayerMailCounts, 'sent' | 'reminded' | 'unsubscribed'>

/** Whether the payer with this address wants no reminders. */
export type FindUnsubscription = Question<'FindUnsubscription'> & { readonly addressHash: string }
