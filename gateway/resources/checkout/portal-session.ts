import Type from 'typebox'
import type { PortalSession } from '../../../engine/portal/portal.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { environmentOf, type PortalSessionId } from '../../../engine/shared/ids.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { identityFields, instant, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** Half an hour of a customer in the portal (checkout, section 10). */
export const portalSession = resource<PortalSession, [urlOf: (id: PortalSessionId) => string]>(
  'PortalSession',
  'A page where one customer sees and mends their own subscriptions, for half an hour.',
).with({
  ...identityFields('ptl', 'portal_session'),
  environment: [
    described(choice('SANDBOX', 'PRODUCTION'), 'Where it is.'),
    ({ accountId }) => environmentOf(accountId),
  ],
  customerId: [textOf('Whose subscriptions it shows.'), same],
  url: [
    described(Type.String(), 'The page. Who has it acts for the customer: send it to them alone.'),
    ({ id }, urlOf) => urlOf(id),
  ],
  returnUrl: [described(nullableText, 'Where the customer goes back to.'), same],
  expiresAt: [described(instant, 'Until when the page opens.'), ({ expiresAtMs }) => isoInstant(expiresAtMs)],
  createdAt: [described(instant, 'When it was created.'), ({ createdAtMs }) => isoInstant(createdAtMs)],
})
