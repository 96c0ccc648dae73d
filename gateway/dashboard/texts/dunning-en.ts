import type { DunningTexts } from './dunning-pt.ts'

/** How overdue invoices are collected, which only the page itself loads. */
export const dunningEn: DunningTexts = {
  lead: 'What happens to an unpaid invoice: new charge attempts and the final action.',
  company: 'Company policy',
  plan: (name) => `Policy for plan ${name}`,
  off: 'off',
  dueText: '1st attempt',
  day: (days) => `+${days} ${days === 1 ? 'day' : 'days'}`,
  attempt: (n) => `attempt ${n}`,
  finalAction: { SUSPEND: 'Suspend', CANCEL: 'Cancel', KEEP_PAST_DUE: 'Keep past due' },
  finalText: {
    SUSPEND: 'the subscription is suspended until payment',
    CANCEL: 'the subscription is cancelled',
    KEEP_PAST_DUE: 'the subscription continues',
  },
  addPlan: 'Policy for a specific plan',
  choose: 'choose…',
  enabled: 'Retry unpaid charges',
  retryDays: 'Days after the due date',
  retryDaysHint: 'In order, separated by commas, such as 1, 3, 5, 7.',
  notDays: 'Enter days from 1 to 60 in ascending order',
  hour: 'Time of day',
  end: 'Final action',
  removed: 'The plan follows the company’s policy again',
}
