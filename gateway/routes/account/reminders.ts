import Type from 'typebox'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { reminderDays, reminders } from '../../resources/payments/reminders.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'

const ofReminders = { tag: 'Company', product: null, path: '/v1/reminders' } as const

export const getRemindersRoute = queryRoute({
  ...ofReminders,
  verb: 'GET',
  operationId: 'getReminders',
  summary: 'Get the reminders of payers',
  description:
    'In this environment. A reminder goes to the `email` of the customer of a PIX charge with a due date, or of a boleto, at nine in the morning of the company’s time zone, at most once a day, and not any more once the charge is paid or cancelled.',
  permission: 'company.read',
  answer: reminders.schema,
  query: (_, { accountId }) => ({ type: 'FindReminders', accountId }) as const,
  view: (settings) => ({ body: reminders.view(settings) }),
})

export const setRemindersRoute = commandRoute({
  ...ofReminders,
  verb: 'PUT',
  operationId: 'setReminders',
  summary: 'Set the reminders of payers',
  description:
    'The days count for charges that are created from then on; no days also end the reminders of charges before. Payers can unsubscribe by a link in each reminder.',
  permission: 'company.manage',
  isForPeople: true,
  body: Type.Object(
    {
      days: reminderDays,
      language: Type.Optional(described(choice('pt', 'en'), 'Of the mails. Default: `pt`.')),
    },
    { examples: [{ days: [-3, 0, 2] }] },
  ),
  answer: reminders.schema,
  read: ({ days, language }) => ({
    days: days.toSorted((a, b) => a - b),
    language: language ?? ('pt' as const),
  }),
  command: (plan, { accountId, by }) => ({ type: 'SetReminders', accountId, by, plan }) as const,
  view: ({ state: { payerMail } }, { days, language }) => {
    const { sent = 0, reminded = 0, unsubscribed = 0 } = payerMail ?? {}
    return { body: reminders.view({ days, language, sent, reminded, unsubscribed }) }
  },
})
