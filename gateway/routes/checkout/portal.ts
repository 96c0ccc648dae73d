import Type from 'typebox'
import type { CustomerId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { portal, portalSession } from '../../resources/checkout/portal-session.ts'
import { idParameter, textUpTo } from '../../schema/schema.ts'
import { forNew } from '../command-target.ts'
import { checkoutReads, checkoutWrites } from '../groups.ts'
import { pageUrlError } from './offer-input.ts'

export const getPortalRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/portal',
  operationId: 'getPortal',
  summary: 'Get the address of the portal',
  description:
    'The page where customers ask for a link to their own subscriptions by mail. The answer there is the same for every address, whether it is of a customer or not.',
  answer: portal.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (_, __, { accountId, pages }) => ({ body: portal.view({ accountId }, pages.portalEntryUrl()) }),
})

export const createPortalSessionRoute = commandRoute({
  ...checkoutWrites,
  permission: 'subscriptions.manage',
  path: '/v1/portal-sessions',
  operationId: 'createPortalSession',
  summary: 'Open the portal for a customer',
  description:
    'A page where one customer sees their subscriptions and invoices, pays what is open, and changes the card; and, where the branding allows it, cancels or changes the plan. It needs no password: send the customer to `url` from where they have signed in. It opens for half an hour.',
  status: 201,
  refusals: [422],
  alsoNeeds: () => ['RECURRING'],
  body: Type.Object({
    customerId: idParameter('The customer.'),
    returnUrl: Type.Optional(
      textUpTo(bounds.pageUrlCharsMax, 'Where the customer goes back to: `https://…`.'),
    ),
  }),
  answer: portalSession.schema,
  read: ({ customerId, returnUrl = null }) => {
    const error = pageUrlError('returnUrl', returnUrl)
    if (error !== null) return { ok: false, errors: [error] }
    return { ok: true, input: { ofCustomer: customerId as CustomerId, returnUrl } }
  },
  command: (input, request) => {
    const target = forNew('portalSessionId', request)
    return {
      type: 'OpenPortal',
      ...target,
      ...input,
      tokenHash: request.pages.hashOf(target.portalSessionId),
    } as const
  },
  view: ({ state }, _, request) => ({ body: portalSession.view(state, request.pages.portalUrl) }),
})
