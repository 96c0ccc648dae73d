import { nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, customerLayout, revenue } from '../shared.ts'

export const subscriberFacts = {
  SubscriberCounted: [
    1,
    {
      id: text(),
      atMs: number(),
      first: nullable(record({ accountId, customerId: text(), customer: customerLayout })),
      subscriptions: number(),
      active: number(),
      served: number(),
      revenue,
      overdueInvoices: number(),
      overdueCents: number(),
    },
  ],
} satisfies FactLayouts<'subscriber'>
