import Type, { type Static } from 'typebox'
import { type LinkPrice, linkStatuses, type NewLink } from '../../../engine/checkout/link.ts'
import { readInstant } from '../../../engine/shared/calendar.ts'
import type { PaymentLinkId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute, type Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { type FieldError, notFound } from '../../problems/problem.ts'
import { paymentLink } from '../../resources/checkout/link.ts'
import { booleanOf } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import {
  amount,
  choice,
  oneOrMore,
  orNull,
  searchParameter,
  textUpTo,
  wholeNumber,
} from '../../schema/schema.ts'
import { forExisting, forNew } from '../command-target.ts'
import { checkoutReads, checkoutWrites } from '../groups.ts'
import { imageTypes, preferredImage } from '../image-type.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { qrImage, qrSize } from '../qr-image.ts'
import { searchTextOf } from '../search-text.ts'
import {
  activeProducts,
  type OfferBody,
  type OfferInput,
  offerInput,
  offerProducts,
  pageUrlError,
  readOffer,
  readPrice,
  successUrlInput,
  urlErrors,
  withMethods,
} from './offer-input.ts'

const { cancelUrl: _, externalId: __, ...ofLinks } = offerInput

const ownFields = {
  name: textUpTo(80, 'What you call it; payers do not see it.'),
  title: textUpTo(80, 'What payers read.'),
  maxPayments: orNull(wholeNumber(1, 100_000, 'How often it can be paid; null: without limit.')),
  expiresAt: orNull(
    Type.String({ format: 'date-time', description: 'Until when it can be opened; null: for ever.' }),
  ),
}

export const createPaymentLinkRoute = commandRoute({
  ...checkoutWrites,
  path: '/v1/payment-links',
  operationId: 'createPaymentLink',
  summary: 'Create a payment link',
  description:
    'An address to share in a message, on a poster, in a profile. Opening it makes nothing; a payer who presses pay gets a checkout session of their own, with a charge of origin LINK.',
  status: 201,
  refusals: [422],
  alsoNeeds: offerProducts,
  body: Type.Object(
    {
      ...ofLinks,
      name: ownFields.name,
      title: Type.Optional(ownFields.title),
      amountMode: Type.Optional({
        ...choice('FIXED', 'OPEN'),
        description: 'OPEN lets the payer decide what to pay. Default FIXED.',
      }),
      amount: Type.Optional(amount(bounds.amountCentsMax, 'What everybody pays; or send `items`.')),
      minAmount: Type.Optional(
        amount(bounds.amountCentsMax, 'With OPEN: the least, at least 100, the default.'),
      ),
      maxAmount: Type.Optional(amount(bounds.amountCentsMax, 'With OPEN: the most. Default 1000000.')),
      suggestedAmounts: Type.Optional(
        Type.Array(amount(bounds.amountCentsMax, 'A suggestion.'), {
          maxItems: 5,
          uniqueItems: true,
          description: 'With OPEN: what the page suggests.',
        }),
      ),
      singleUse: Type.Optional(booleanOf('Whether it is paid once: `maxPayments` 1. Default false.')),
      maxPayments: Type.Optional(ownFields.maxPayments),
      quantity: Type.Optional(
        Type.Object(
          { min: wholeNumber(1, 999, 'At least.'), max: wholeNumber(1, 999, 'At most.') },
          { description: 'How many a payer may buy at once.' },
        ),
      ),
      expiresAt: Type.Optional(ownFields.expiresAt),
      externalIdPrefix: Type.Optional(textUpTo(60, 'The `externalId` of its payments begins with it.')),
    },
    { examples: [{ name: 'Curso, turma de maio', title: 'Curso de barista', amount: 24900 }] },
  ),
  answer: paymentLink.schema,
  read: (body): Read<LinkInput> => {
    const offer = readOffer(body)
    const price = readLinkPrice(body, offer.items)
    const { quantity } = body
    const errors: FieldError[] = [...('mode' in price ? [] : price), ...urlErrors(offer)]
    if (quantity !== undefined && quantity.max < quantity.min)
      errors.push({
        field: 'quantity.max',
        code: 'OUT_OF_RANGE',
        message: (say) => say.between('quantity.max', quantity.min, 999),
      })
    if (!('mode' in price) || errors.length > 0) return { ok: false, errors }
    return {
      ok: true,
      input: {
        offer,
        name: body.name.trim(),
        title: body.title?.trim() ?? body.name.trim(),
        price,
        quantity: quantity ?? null,
        maxPayments: body.singleUse ? 1 : (body.maxPayments ?? null),
        expiresAtMs: body.expiresAt == null ? null : readInstant(body.expiresAt),
        externalIdPrefix: body.externalIdPrefix?.trim() ?? null,
      },
    }
  },
  command: ({ offer, ...input }, request) => {
    const target = forNew('paymentLinkId', request)
    return {
      type: 'CreateLink',
      ...target,
      link: {
        ...input,
        offer: withMethods(offer, activeProducts(request)),
        tokenHash: request.pages.hashOf(target.paymentLinkId),
      },
    } as const
  },
  view: ({ state, nowMs }, _, request) => ({
    location: `/v1/payment-links/${state.id}`,
    body: paymentLink.view(state, nowMs, request.pages.linkUrl),
  }),
})

type LinkInput = Omit<NewLink, 'accountId' | 'offer' | 'tokenHash'> & { readonly offer: OfferInput }

type PriceBody = OfferBody & {
  readonly amountMode?: 'FIXED' | 'OPEN'
  readonly amount?: number | string
  readonly minAmount?: number | string
  readonly maxAmount?: number | string
  readonly suggestedAmounts?: readonly (number | string)[]
}

const readLinkPrice = (
  body: PriceBody,
  items: Parameters<typeof readPrice>[1],
): LinkPrice | readonly FieldError[] => {
  if (body.amountMode !== 'OPEN' || body.mode === 'SUBSCRIPTION') {
    const amountCents = readPrice(body, items)
    return typeof amountCents === 'number' ? { mode: 'FIXED', amountCents } : amountCents
  }
  const field = items.length > 0 ? 'items' : body.amount !== undefined ? 'amount' : null
  if (field !== null)
    return [{ field, code: 'MUTUALLY_EXCLUSIVE', message: (say) => say.eitherOr(field, 'amountMode OPEN') }]
  const [min, max] = [Number(body.minAmount ?? 100), Number(body.maxAmount ?? 1_000_000)]
  if (min < 100 || max < min)
    return [
      { field: 'minAmount', code: 'OUT_OF_RANGE', message: (say) => say.between('minAmount', 100, max) },
    ]
  const suggestedCents = (body.suggestedAmounts ?? []).map((one) => toCents(Number(one)))
  const wrong = suggestedCents.findIndex((one) => one < min || one > max)
  if (wrong !== -1) {
    const at = `suggestedAmounts[${wrong}]`
    return [{ field: at, code: 'OUT_OF_RANGE', message: (say) => say.between(at, min, max) }]
  }
  return { mode: 'OPEN', minCents: toCents(min), maxCents: toCents(max), suggestedCents }
}

export const listPaymentLinksRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/payment-links',
  operationId: 'listPaymentLinks',
  summary: 'List payment links',
  description: 'Newest first, each with how often it was paid.',
  parameters: pagingParameters({
    status: Type.Optional(oneOrMore(choice(...linkStatuses))),
    q: searchParameter('Searches ids, names and titles.'),
  }),
  answer: listOfRows(paymentLink.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [], search: searchTextOf(query.q) }),
  query: (input, { accountId }) => ({ type: 'ListLinks', accountId, ...input }) as const,
  view: (listed, input, request) => ({
    body: listView(listed, input, (link) => paymentLink.view(link, listed.nowMs, request.pages.linkUrl)),
  }),
})

export const getPaymentLinkRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/payment-links/:id',
  operationId: 'getPaymentLink',
  summary: 'Get one payment link',
  description: 'As it is now.',
  refusals: [404],
  answer: paymentLink.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindLink', accountId, paymentLinkId: id as PaymentLinkId }) as const,
  view: (found, _, request) =>
    found === null
      ? notFound('payment_link')
      : { body: paymentLink.view(found.link, found.nowMs, request.pages.linkUrl) },
})

export const getPaymentLinkQrRoute = queryRoute({
  ...checkoutReads,
  path: '/v1/payment-links/:id/qr',
  operationId: 'getPaymentLinkQr',
  summary: 'Get the QR code of one payment link',
  description:
    'Draws the address of the link as a QR code, to print or to show: PNG, or SVG where `format` or `Accept` asks for it.',
  refusals: [404],
  mediaTypes: imageTypes,
  parameters: Type.Object({
    format: Type.Optional({
      ...choice('png', 'svg'),
      description: 'The kind of picture. By default what `Accept` prefers, or else PNG.',
    }),
    size: qrSize,
  }),
  answer: Type.Object({}),
  read: ({ format, size }) => ({ format, ...(size !== undefined && { size }) }),
  query: (_, { accountId, id }) =>
    ({ type: 'FindLink', accountId, paymentLinkId: id as PaymentLinkId }) as const,
  view: (found, { format, ...size }, { accept, pages }) => {
    if (found === null) return notFound('payment_link')
    const { id } = found.link
    return qrImage(pages.linkUrl(id), {
      ...size,
      type: format === undefined ? preferredImage(accept) : imageTypeOf[format],
      name: `qr-code-${id}`,
      // The address stays the same until the service gets another host.
      maxAge: '3600',
    })
  },
})

const imageTypeOf = { png: 'image/png', svg: 'image/svg+xml' } as const

const changesBody = Type.Partial(
  Type.Object({
    name: ownFields.name,
    title: ownFields.title,
    active: booleanOf('False: no new payments; pages that are open can still be paid.'),
    amount: amount(
      bounds.amountCentsMax,
      'What everybody pays. Only before anybody has paid (409 `LINK_IN_USE`).',
    ),
    maxPayments: ownFields.maxPayments,
    expiresAt: ownFields.expiresAt,
    successUrl: orNull(successUrlInput),
    metadata: ofLinks.metadata,
  }),
)

export const editPaymentLinkRoute = commandRoute({
  ...checkoutWrites,
  verb: 'PATCH',
  idempotent: false,
  path: '/v1/payment-links/:id',
  operationId: 'updatePaymentLink',
  summary: 'Change a payment link',
  description:
    'Fields that are left out stay as they are, and `metadata` is replaced as a whole. What payers were promised never changes silently: the amount only before the first payer has pressed pay, and `successUrl` for pages that are opened afterwards.',
  refusals: [404, 409],
  body: changesBody,
  answer: paymentLink.schema,
  read: (body) => {
    const error = pageUrlError('successUrl', body.successUrl ?? null)
    return error === null ? { ok: true, input: readChanges(body) } : { ok: false, errors: [error] }
  },
  command: (changes, request) => ({
    type: 'EditLink',
    ...forExisting('paymentLinkId', request),
    changes,
  }),
  view: ({ state, nowMs }, _, request) => ({ body: paymentLink.view(state, nowMs, request.pages.linkUrl) }),
})

const readChanges = ({
  name,
  title,
  active,
  amount,
  maxPayments,
  expiresAt,
  successUrl,
  metadata,
}: Static<typeof changesBody>) => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(title !== undefined && { title: title.trim() }),
  ...(active !== undefined && { active }),
  ...(amount !== undefined && { price: { mode: 'FIXED', amountCents: toCents(Number(amount)) } as const }),
  ...(maxPayments !== undefined && { maxPayments }),
  ...(expiresAt !== undefined && { expiresAtMs: expiresAt === null ? null : readInstant(expiresAt) }),
  ...((successUrl !== undefined || metadata !== undefined) && {
    offer: {
      ...(successUrl !== undefined && { successUrl }),
      ...(metadata !== undefined && { metadata: sortedMetadata(metadata) }),
    },
  }),
})

export const deactivatePaymentLinkRoute = commandRoute({
  ...checkoutWrites,
  path: '/v1/payment-links/:id/deactivate',
  operationId: 'deactivatePaymentLink',
  summary: 'Deactivate a payment link',
  description: 'It takes no new payments. Pages that payers have opened from it can still be paid.',
  refusals: [404],
  answer: paymentLink.schema,
  command: (_, request) => ({
    type: 'EditLink',
    ...forExisting('paymentLinkId', request),
    changes: { active: false },
  }),
  view: ({ state, nowMs }, _, request) => ({ body: paymentLink.view(state, nowMs, request.pages.linkUrl) }),
})
