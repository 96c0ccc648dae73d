import Type from 'typebox'
import type { OpenSession } from '../../../engine/checkout/commands.ts'
import { sessionMsMax, sessionStatuses } from '../../../engine/checkout/session.ts'
import type { CheckoutSessionId, CustomerId, PaymentLinkId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import { checkoutSession } from '../../resources/checkout/session.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { customerInput, readCustomer } from '../../resources/payments/customer.ts'
import { onlyOneOf } from '../../schema/rules.ts'
import {
  amount,
  choice,
  exactParameter,
  idParameter,
  oneOrMore,
  textUpTo,
  wholeNumber,
} from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting, forNew } from '../command-target.ts'
import { checkoutReads, checkoutWrites } from '../groups.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import {
  activeProducts,
  type OfferInput,
  offerInput,
  offerProducts,
  readOffer,
  readPrice,
  urlErrors,
  withMethods,
} from './offer-input.ts'

export const createCheckoutSessionRoute = commandRoute({
  ...checkoutWrites,
  path: '/v1/checkout-sessions',
  operationId: 'createCheckoutSession',
  summary: 'Create a checkout session',
  description:
    'A page where one payer chooses how to pay, and pays: send the payer to `url`. At most one charge of it can be paid at a time. That a payer comes back to `successUrl` proves nothing: the event does, or the session as you read it.',
  status: 201,
  isAudited: false,
  refusals: [422],
  alsoNeeds: offerProducts,
  body: Type.Object(
    {
      amount: Type.Optional(amount(bounds.amountCentsMax, 'What is paid; or send `items`.')),
      ...offerInput,
      customer: Type.Optional(customerInput),
      customerId: Type.Optional(idParameter('A registered customer, instead of `customer`.')),
      couponCode: Type.Optional(textUpTo(64, 'A coupon that is used from the beginning.')),
      expiresInSeconds: Type.Optional(
        wholeNumber(300, sessionMsMax / 1000, 'How long the page can be paid. Default 86400.'),
      ),
    },
    {
      examples: [
        {
          amount: 24900,
          description: 'Curso de barista',
          methods: ['PIX', 'CREDIT_CARD'],
          installments: { max: 6, interestFreeUpTo: 3, monthlyRateBps: 199 },
          successUrl: 'https://loja.example/obrigado?pedido={SESSION_ID}',
        },
      ],
    },
  ),
  rules: onlyOneOf('customerId', 'customer'),
  answer: checkoutSession.schema,
  read: (body): Read<SessionInput> => {
    if (body.customer !== undefined && body.customerId !== undefined)
      return refusedField('customerId', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('customer', 'customerId'))
    const offer = readOffer(body, body.customer !== undefined || body.customerId !== undefined)
    const price = readPrice(body, offer.items)
    const errors = [...(typeof price === 'number' ? [] : price), ...urlErrors(offer)]
    if (typeof price !== 'number' || errors.length > 0) return { ok: false, errors }
    return {
      ok: true,
      input: {
        offer,
        amountCents: price,
        customer: body.customer ? readCustomer(body.customer) : null,
        customerId: (body.customerId as CustomerId | undefined) ?? null,
        couponCode: body.couponCode ?? null,
        externalId: body.externalId?.trim() ?? null,
        expiresInSeconds: body.expiresInSeconds ?? 86_400,
      },
    }
  },
  command: ({ offer, couponCode, expiresInSeconds, ...input }, request) => {
    const target = forNew('checkoutSessionId', request)
    return {
      type: 'OpenSession',
      ...target,
      couponCode,
      lifeMs: expiresInSeconds * 1000,
      session: {
        ...input,
        offer: withMethods(offer, activeProducts(request)),
        customValues: {},
        tokenHash: request.pages.hashOf(target.checkoutSessionId),
      },
    } as const
  },
  view: ({ state }, _, request) => ({
    location: `/v1/checkout-sessions/${state.id}`,
    body: checkoutSession.view(state, request.pages.sessionUrl),
  }),
})

type SessionInput = Pick<OpenSession['session'], 'amountCents' | 'customer' | 'customerId' | 'externalId'> & {
  readonly offer: OfferInput
  readonly couponCode: string | null
  readonly expiresInSeconds: number
}

export const listCheckoutSessionsRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/checkout-sessions',
  operationId: 'listCheckoutSessions',
  summary: 'List checkout sessions',
  description: 'Newest first.',
  parameters: pagingParameters({
    status: Type.Optional(oneOrMore(choice(...sessionStatuses))),
    externalId: Type.Optional(exactParameter(bounds.externalIdCharsMax, 'Your own identifier of the order.')),
    linkId: Type.Optional(idParameter('Those of this payment link.')),
  }),
  answer: listOfRows(checkoutSession.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      externalId: query.externalId ?? null,
      linkId: (query.linkId as PaymentLinkId | undefined) ?? null,
    }),
  query: (input, { accountId }) => ({ type: 'ListSessions', accountId, ...input }) as const,
  view: (listed, input, request) => ({
    body: listView(listed, input, (session) => checkoutSession.view(session, request.pages.sessionUrl)),
  }),
})

export const getCheckoutSessionRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/checkout-sessions/:id',
  operationId: 'getCheckoutSession',
  summary: 'Get one checkout session',
  description: 'As it is now: read it when the payer comes back.',
  refusals: [404],
  answer: checkoutSession.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindSession', accountId, checkoutSessionId: id as CheckoutSessionId }) as const,
  view: (found, _, request) =>
    found === null
      ? notFound('checkout_session')
      : { body: checkoutSession.view(found, request.pages.sessionUrl) },
})

export const expireCheckoutSessionRoute = commandRoute({
  ...checkoutWrites,
  path: '/v1/checkout-sessions/:id/expire',
  operationId: 'expireCheckoutSession',
  summary: 'End a checkout session',
  description:
    'Cancels the charge that could still be paid, then the session is EXPIRED. A charge that is being decided, as by an acquirer, decides first: until then the session stays PROCESSING.',
  refusals: [404, 409],
  answer: checkoutSession.schema,
  command: (_, request) => ({ type: 'ExpireSession', ...forExisting('checkoutSessionId', request) }),
  view: ({ state }, _, request) => ({ body: checkoutSession.view(state, request.pages.sessionUrl) }),
})
