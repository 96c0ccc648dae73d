import Type from 'typebox'
import { type CardLimitName, usualCardLimits } from '../../../engine/shared/card-limits.ts'
import { operationRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { checkoutBranding } from '../../resources/checkout/branding.ts'
import { booleanOf } from '../../resources/fields.ts'
import { idParameter, orNull, textUpTo, wholeNumber } from '../../schema/schema.ts'
import { checkoutReads } from '../groups.ts'

export const getCheckoutBrandingRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/checkout-branding',
  operationId: 'getCheckoutBranding',
  summary: 'Get the branding of the checkout',
  description:
    'How the pages look where payers pay, and what payers can do in the portal. The same in both environments; people change it in the dashboard.',
  answer: checkoutBranding.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (_, __, { company }) => ({ body: checkoutBranding.view(company) }),
})

const httpsUrl = (description: string) =>
  Type.Optional(orNull(Type.String({ maxLength: bounds.pageUrlCharsMax, format: 'https-url', description })))

const cardLimit = (name: CardLimitName, description: string) =>
  Type.Optional(
    orNull(
      wholeNumber(1, usualCardLimits[name], `${description} null for the usual ${usualCardLimits[name]}.`),
    ),
  )

const changes = Type.Object({
  displayName: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: bounds.displayNameCharsMax,
        format: 'shown-name',
        description:
          'The name at the head of the pages. The legal name and the CNPJ are shown all the same; null takes it away.',
      }),
    ),
  ),
  accent: Type.Optional(
    orNull(
      Type.String({
        format: 'color',
        description: 'The colour of buttons, such as `#1f7a5a`; null for that of the service.',
      }),
    ),
  ),
  supportEmail: Type.Optional(
    orNull(Type.String({ format: 'e-mail', description: 'Where payers write to.' })),
  ),
  supportPhone: Type.Optional(orNull(Type.String({ format: 'phone', description: 'Where payers call.' }))),
  termsUrl: httpsUrl('Terms of sale: begins with `https://`.'),
  privacyUrl: httpsUrl('Privacy policy: begins with `https://`.'),
  thankYouText: Type.Optional(
    orNull(textUpTo(bounds.thankYouCharsMax, 'What a payer reads who has paid.', { multiline: true })),
  ),
  portal: Type.Optional(
    Type.Object(
      {
        cancel: Type.Optional(booleanOf('Whether payers can cancel their subscriptions. Default false.')),
        changeCard: Type.Optional(booleanOf('Whether they can change the card. Default true.')),
        changePlan: Type.Optional(
          Type.Array(idParameter('A plan, `pln_…`.'), {
            maxItems: bounds.portalPlansMax,
            uniqueItems: true,
            description:
              'The plans that they can change to. Each environment offers those of them that it has.',
          }),
        ),
      },
      { description: 'What payers can do with their subscriptions by themselves.' },
    ),
  ),
  cardLimits: Type.Optional(
    orNull(
      Type.Object(
        {
          perSession: cardLimit('perSession', 'Cards tried in one session.'),
          perAddress: cardLimit('perAddress', 'Cards tried from one IP address at one link, within an hour.'),
          perNetwork: cardLimit(
            'perNetwork',
            'Cards tried from one network (/24, /48) at one link, within an hour.',
          ),
          perBin: cardLimit('perBin', 'Declined cards of one issuer (BIN) at one link, within an hour.'),
          declinesPerHour: cardLimit('declinesPerHour', 'Declined cards at all your pages, within an hour.'),
        },
        {
          description:
            'Limits against those who test stolen cards. They can be set lower than usual, and never higher; null for the usual ones.',
        },
      ),
    ),
  ),
})

export const changeCheckoutBrandingRoute = operationRoute({
  tag: 'Checkout',
  product: null,
  permission: 'company.manage',
  factor: 'SESSION',
  verb: 'PATCH',
  path: '/v1/company/checkout',
  operationId: 'changeCheckoutBranding',
  summary: 'Change the branding of the checkout',
  description:
    'Changes what is sent, and leaves the rest; pages that are open show it when they are loaded again. The logo is that of the company.',
  body: changes,
  answer: checkoutBranding.schema,
  operation: 'company checkout',
})
