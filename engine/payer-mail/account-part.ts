import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** When payers are reminded; missing while they are not. */
    readonly reminders?: ReminderPlan
    /** Counts of mail to payers. Missing before the first. */
    readonly payerMail?: PayerMailCounts
  }
  interface AccountPartFacts {
    readonly payerMail: PayerMailAccountFact
  }
}

export type ReminderPlan = {
  /** Days from the due date: -3 is three days before, 0 the day itself, 2 two days after. Empty for no reminders. */
  readonly days: readonly number[]
  readonly language: 'pt' | 'en'
}

export type PayerMailCounts = {
  /** Mails that people and keys asked for, reminders, and payers who unsubscribed. */
  readonly sent: number
  readonly reminded: number
  readonly unsubscribed: number
  /** The hour of the last mail that was asked for, since 1970 in real time, and how many were asked for in it. */
  readonly hour: number
  readonly sentInHour: number
}

export type CountedMail = 'SENT' | 'REMINDED' | 'UNSUBSCRIBED'

type PayerMailAccountFact =
  | (AccountFactOf<'RemindersSet'> & { readonly plan: ReminderPlan })
  | (AccountFactOf<'PayerMailCounted'> & { readonly counted: CountedMail; readonly realMs: number })

export const noCounts: PayerMailCounts = { sent: 0, reminded: 0, unsubscribed: 0, hour: 0, sentInHour: 0 }

export const hourMs = 3_600_000

/** When payers are reminded, and how much was written to them. */
export const payerMailAccountPart: AccountPart<'payerMail'> = {
  opened: {},
  cleared: () => ({}),
  auditedFields: ({ reminders }) => ({ reminderDays: reminders?.days.join(' ') ?? null }),
  evolve: {
    RemindersSet: (account, { plan }) => ({ ...account, reminders: plan }),
    PayerMailCounted: (account, { counted, realMs }) => {
      const counts = account.payerMail ?? noCounts
      if (counted === 'REMINDED')
        return { ...account, payerMail: { ...counts, reminded: counts.reminded + 1 } }
      if (counted === 'UNSUBSCRIBED')
        return { ...account, payerMail: { ...counts, unsubscribed: counts.unsubscribed + 1 } }
      const hour = Math.floor(realMs / hourMs)
      const sentInHour = hour === counts.hour ? counts.sentInHour + 1 : 1
      return { ...account, payerMail: { ...counts, sent: counts.sent + 1, hour, sentInHour } }
    },
  },
}
