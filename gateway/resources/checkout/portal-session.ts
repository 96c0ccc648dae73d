import Type from 'typebox'
import type { PortalSession } from '../../../engine/portal/portal.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { type AccountId, environmentOf, type PortalSessionId } from '../../../engine/shared/ids.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { identityFields, instant, nullableText, objectField, textOf } from '../fields.ts'
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

/** Where customers ask for a link to their own portal. */
export const portal = resource<{ readonly accountId: AccountId }, [url: string | null]>(
  'Portal',
  'Where customers of the company ask for a link to their own subscriptions.',
).with({
  ...objectField('portal'),
  environment: [
    described(choice('SANDBOX', 'PRODUCTION'), 'Where it is.'),
    ({ accountId }) => environmentOf(accountId),
  ],
  url: [
    described(
      nullableText,
      'The page, to be linked from the shop and from mails: a customer types their address there and is sent a link that works for half an hour, once. Null where the service sends no mail.',
    ),
    (_, url) => url,
  ],
})
