import type { RemindersTexts } from './reminders-pt.ts'

/** Reminders to payers, which only the page itself loads. */
export const remindersEn: RemindersTexts = {
  lead: 'E-mails that remind payers of boletos and of PIX charges with a due date.',
  when: 'When to remind',
  days: 'Days on which the payer gets a reminder',
  daysHint:
    'Sent at 9 a.m. in the company’s time zone, until the charge is paid or cancelled. Applies to charges created from now on. Without any day, reminders are off.',
  before: (days) => (days === 1 ? '1 day before' : `${days} days before`),
  onDueDate: 'On the due date',
  after: (days) => (days === 1 ? '1 day after' : `${days} days after`),
  figures: 'E-mails to payers',
  sent: 'Charges sent',
  reminded: 'Reminders sent',
  unsubscribed: 'Payers unsubscribed',
  unsubscribedText: 'Every reminder has a link to stop reminders from your company.',
}
