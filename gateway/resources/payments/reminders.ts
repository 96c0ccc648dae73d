import Type from 'typebox'
import type { ReminderSettings } from '../../../engine/payer-mail/queries.ts'
import { bounds } from '../../base/bounds.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { count } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** Days from the due date on which payers are reminded. */
export const reminderDays = Type.Array(
  Type.Integer({ minimum: -bounds.reminderDaysMax, maximum: bounds.reminderDaysMax }),
  {
    maxItems: bounds.remindersMax,
    uniqueItems: true,
    description:
      'Days from the due date: `-3` is three days before, `0` the day itself, `2` two days after. Empty: no reminders.',
  },
)

/** When payers are reminded of what they are to pay, and how often that was done. */
export const reminders = resource<ReminderSettings>(
  'Reminders',
  'When payers are reminded of the due date of PIX charges and boletos, and what was mailed so far.',
).with({
  days: [reminderDays, ({ days }) => [...days]],
  language: [described(choice('pt', 'en'), 'Of the mails.'), same],
  sent: [count('Charges that were sent to their payers on request.'), same],
  reminded: [count('Reminders.'), same],
  unsubscribed: [count('Payers who want no more reminders.'), same],
})
