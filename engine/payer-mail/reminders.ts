import { contextId } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { bounds } from '../shared/bounds.ts'
import { addDays, type CalendarDate, dateIn, instantOf, timeIn } from '../shared/calendar.ts'
import type { PayerMailId } from '../shared/ids.ts'
import type { RemindPayer } from './commands.ts'
import { canBePaid, dueDateOf } from './payable.ts'
import type { MailPurpose, NewPayerMail } from './payer-mail.ts'

/** Plans the reminders of a new charge. Charges of before get none, so that switching reminders on sends no mail at once. */
export const planReminders = (draft: Draft, transaction: Transaction): void => {
  const { id: accountId, reminders } = draft.account()
  const dueDate = dueDateOf(transaction)
  if (reminders === undefined || dueDate === null || !canRemind(draft, transaction)) return
  const days = reminders.days.map((day) => addDays(dueDate, day)).sort()
  const planned = plannedFrom(draft, days)
  if (planned.remindAtMs === null) return
  openMail(draft, { accountId, transactionId: transaction.id, ...planned })
}

/** Opens the mail about a charge, and returns its id. */
export const openMail = (draft: Draft, mail: NewPayerMail): PayerMailId => {
  const { context } = draft
  const id = contextId(context, 'pml')
  draft.add({ actor: 'payerMail', type: 'PayerMailOpened', id, atMs: context.atMs, mail })
  return id
}

/** Asks for the reminder of the day, unless its morning has passed, as after a stop: none is sent at night. */
export const remindPayer: Decider<RemindPayer> = (draft, { payerMailId: id }) => {
  const { remindOn, transactionId } = draft.find('payerMail', id)!
  const { profile, reminders } = draft.account()
  const { nowMs, atMs } = draft.context
  const fact = { actor: 'payerMail', id, atMs } as const
  const transaction = draft.find('transaction', transactionId)!
  if (!reminders?.days.length || !canRemind(draft, transaction)) {
    draft.add({ ...fact, type: 'RemindersPlanned', remindOn: [], remindAtMs: null })
    return null
  }
  const today = dateIn(profile.timeZone, nowMs)
  if (remindOn.includes(today) && timeIn(profile.timeZone, nowMs) < bounds.remindedUntilMs)
    draft.add({
      ...fact,
      type: 'PayerMailAsked',
      purpose: purposeOn(today, dueDateOf(transaction)!),
      language: reminders.language,
    })
  draft.add({ ...fact, type: 'RemindersPlanned', ...plannedFrom(draft, remindOn) })
  return null
}

const canRemind = ({ context }: Draft, transaction: Transaction): boolean =>
  context.institution.sendsMail === true && canBePaid(transaction) && transaction.customer?.email != null

/** The days whose morning is still to come, the first of them with its time. */
const plannedFrom = (draft: Draft, days: readonly CalendarDate[]) => {
  const { timeZone } = draft.account().profile
  const remindAtMsOn = (day: CalendarDate) => instantOf(timeZone, day, bounds.remindedFromMs)
  const remindOn = days.filter((day) => remindAtMsOn(day) > draft.context.nowMs)
  return { remindOn, remindAtMs: remindOn[0] === undefined ? null : remindAtMsOn(remindOn[0]) }
}

const purposeOn = (today: CalendarDate, dueDate: CalendarDate): MailPurpose => {
  if (today === dueDate) return 'ON_DUE_DATE'
  return today < dueDate ? 'BEFORE_DUE' : 'AFTER_DUE'
}
