import Type from 'typebox'
import { mandateJourneys } from '../../../../engine/billing/mandate/mandate.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import type { CustomerId, PlanId } from '../../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../../engine/shared/metadata.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { subscription } from '../../../resources/billing/subscription.ts'
import { billingMethod } from '../../../resources/enumerations.ts'
import { customerInput, readCustomer } from '../../../resources/payments/customer.ts'
import { described } from '../../../schema/named-schema.ts'
import { equals, has, lacks, when } from '../../../schema/rules.ts'
import { choice, idParameter, metadata, textUpTo } from '../../../schema/schema.ts'
import { bankAccountFields } from '../../bank-account-fields.ts'
import { manageScope } from '../../catalog.ts'
import { exactlyOneCustomer, refusedField } from '../../charge-input.ts'
import { forNew } from '../../command-target.ts'
import { refuseCardData } from '../../payments/cards/card-data.ts'
import { cardInput, readCard, sealedCard } from '../../payments/cards/create-payment.ts'
import { missingProduct } from './billing-means.ts'

const pixAutomaticInput = Type.Object(
  {
    journey: Type.Optional(
      described(
        choice('AUTO', ...mandateJourneys),
        'How the payer is asked for the mandate. Default AUTO: NOTIFICATION with `payerAccount`, QR where nothing is due yet, else QR_WITH_PAYMENT.',
      ),
    ),
    payerAccount: Type.Optional(
      Type.Object(
        {
          ispb: Type.String({ format: 'ispb', description: 'The ISPB of their bank.' }),
          branch: Type.Optional(bankAccountFields.branch),
          account: bankAccountFields.account,
        },
        { description: 'The payer’s account, whose bank asks them to confirm.' },
      ),
    ),
  },
  {
    description:
      'Collects the invoices by Pix Automático once the payer has authorized it; only with method PIX. Needs the document of the customer, and an interval of one week, one, three, six or twelve months.',
  },
)

export const createSubscriptionRoute = commandRoute({
  ...manageScope,
  verb: 'POST',
  path: '/v1/subscriptions',
  operationId: 'createSubscription',
  summary: 'Create a subscription',
  description:
    'The first invoice is issued at once, unless the plan has a trial or `startAt` is later: a card is charged, of PIX and boleto `latestInvoice.payment` says how to pay. A card that is declined leaves the subscription PENDING, and is tried again by the dunning policy.',
  idempotent: true,
  status: 201,
  refusals: [422],
  guard: refuseCardData,
  body: Type.Object({
    planId: idParameter('The plan, which must be active.'),
    customerId: Type.Optional(idParameter('A registered customer. Either this or `customer`.')),
    customer: Type.Optional(customerInput),
    method: described(billingMethod, 'One of the methods of the plan.'),
    card: Type.Optional(cardInput),
    couponCode: Type.Optional(textUpTo(bounds.couponCodeCharsMax, 'A coupon, in capitals or not.')),
    startAt: Type.Optional(
      Type.String({ format: 'date', description: 'Default today; at most 730 days ahead.' }),
    ),
    pixAutomatic: Type.Optional(pixAutomaticInput),
    metadata: Type.Optional(metadata),
  }),
  rules: {
    allOf: [
      exactlyOneCustomer,
      when(equals('method', 'CREDIT_CARD'), has('card'), lacks('card')),
      when(has('pixAutomatic'), equals('method', 'PIX')),
    ],
  },
  answer: subscription.schema,
  read: (body) => {
    if (body.customer !== undefined && body.customerId !== undefined)
      return refusedField('customerId', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('customer', 'customerId'))
    if (body.customer === undefined && body.customerId === undefined)
      return refusedField('customer', 'REQUIRED', (say) => say.oneOfTwo('customer', 'customerId'))
    const isCard = body.method === 'CREDIT_CARD'
    if (isCard && body.card === undefined)
      return refusedField('card', 'REQUIRED', (say) => say.requiredWith('card', 'method', 'CREDIT_CARD'))
    if (!isCard && body.card !== undefined)
      return refusedField('card', 'MUTUALLY_EXCLUSIVE', (say) =>
        say.onlyWith('card', 'method', 'CREDIT_CARD'),
      )
    if (body.pixAutomatic !== undefined && body.method !== 'PIX')
      return refusedField('pixAutomatic', 'MUTUALLY_EXCLUSIVE', (say) =>
        say.onlyWith('pixAutomatic', 'method', 'PIX'),
      )
    const { journey = 'AUTO', payerAccount } = body.pixAutomatic ?? {}
    if (journey === 'NOTIFICATION' && payerAccount === undefined)
      return refusedField('pixAutomatic.payerAccount', 'REQUIRED', (say) =>
        say.requiredWith('pixAutomatic.payerAccount', 'pixAutomatic.journey', 'NOTIFICATION'),
      )
    return {
      ok: true,
      input: {
        planId: body.planId as PlanId,
        customerId: (body.customerId as CustomerId | undefined) ?? null,
        customer: body.customer ? readCustomer(body.customer) : null,
        method: body.method,
        card: body.card ? readCard(body.card) : null,
        couponCode: body.couponCode?.trim().toUpperCase() ?? null,
        startOn: (body.startAt as CalendarDate | undefined) ?? null,
        pixAutomatic:
          body.pixAutomatic === undefined
            ? null
            : {
                journey: journey === 'AUTO' ? null : journey,
                payerAccount: payerAccount === undefined ? null : { branch: null, ...payerAccount },
              },
        metadata: sortedMetadata(body.metadata ?? {}),
      },
    }
  },
  command: (input, request) => ({
    type: 'CreateSubscription',
    ...forNew('subscriptionId', request),
    ...input,
    card: input.card && sealedCard(input.card, request),
    missingProduct: missingProduct(input.method, request.company, request.environment),
  }),
  view: ({ state }) => ({ location: `/v1/subscriptions/${state.id}`, body: subscription.view(state) }),
})
