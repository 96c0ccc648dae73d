import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { subscription } from '../../../resources/billing/subscription.ts'
import { booleanOf } from '../../../resources/fields.ts'
import { textUpTo } from '../../../schema/schema.ts'
import { manageScope } from '../../catalog.ts'
import { forExisting } from '../../command-target.ts'

const changes = { ...manageScope, verb: 'POST', refusals: [404, 409], answer: subscription.schema } as const

export const pauseSubscriptionRoute = commandRoute({
  ...changes,
  path: '/v1/subscriptions/:id/pause',
  operationId: 'pauseSubscription',
  summary: 'Pause a subscription',
  description:
    'Nothing is billed and nothing is tried again until it is resumed; invoices that are open stay payable.',
  command: (_, request) => ({ type: 'PauseSubscription', ...forExisting('subscriptionId', request) }),
  view: ({ state }) => ({ body: subscription.view(state) }),
})

export const resumeSubscriptionRoute = commandRoute({
  ...changes,
  path: '/v1/subscriptions/:id/resume',
  operationId: 'resumeSubscription',
  summary: 'Resume a subscription',
  description:
    'Resumes a subscription that is PAUSED or SUSPENDED. Paused time is never billed: if the period is over, a new one begins today. A trial keeps the days that it had left.',
  command: (_, request) => ({ type: 'ResumeSubscription', ...forExisting('subscriptionId', request) }),
  view: ({ state }) => ({ body: subscription.view(state) }),
})

export const cancelSubscriptionRoute = commandRoute({
  ...changes,
  path: '/v1/subscriptions/:id/cancel',
  operationId: 'cancelSubscription',
  summary: 'Cancel a subscription',
  description: 'Open invoices are void and their charges cancelled; nothing is refunded.',
  body: Type.Object({
    reason: textUpTo(bounds.reasonCharsMax, 'Why: it is kept with the subscription.'),
    atPeriodEnd: Type.Optional(booleanOf('Default false. True: it runs on until its period is over.')),
  }),
  read: (body) => ({ reason: body.reason.trim(), atPeriodEnd: body.atPeriodEnd ?? false }),
  command: (input, request) => ({
    type: 'CancelSubscription',
    ...forExisting('subscriptionId', request),
    ...input,
  }),
  view: ({ state }) => ({ body: subscription.view(state) }),
})
