import type { Request } from '../kernel/command.ts'
import type { PayerMailId, TransactionId } from '../shared/ids.ts'
import type { ReminderPlan } from './account-part.ts'
import type { MailOutcome } from './payer-mail.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly payerMail: PayerMailCommand
  }
}

export type PayerMailCommand = SendCharge | RemindPayer | RecordPayerMail | SetReminders | Unsubscribe

/** Sends the payer of a charge what they need to pay it. */
export type SendCharge = Request<'SendCharge'> & {
  readonly transactionId: TransactionId
  readonly language: 'pt' | 'en'
}

/** The day of a reminder has come. */
export type RemindPayer = Request<'RemindPayer'> & { readonly payerMailId: PayerMailId }

/** Records what became of a waiting mail; refused when it no longer waits, so that of several nodes one queues it. */
export type RecordPayerMail = Request<'RecordPayerMail'> & {
  readonly payerMailId: PayerMailId
  readonly number: number
  readonly outcome: MailOutcome
}

export type SetReminders = Request<'SetReminders'> & { readonly plan: ReminderPlan }

/** A payer wants no more reminders. Once is enough: a repetition changes nothing. */
export type Unsubscribe = Request<'Unsubscribe'> & { readonly addressHash: string }
