import Type from 'typebox'
import type { ConversionId, PersonId, QuoteId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { currencies } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { invalidField, notFound, unavailable } from '../../problems/problem.ts'
import { conversion, conversionQuote, conversionStatus } from '../../resources/crypto/conversion.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { described } from '../../schema/named-schema.ts'
import { exactlyOneOf } from '../../schema/rules.ts'
import { amount, choice, idParameter, metadata, oneOrMore } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forNew } from '../command-target.ts'
import { cryptoBalanceReads, cryptoConversions } from '../groups.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const quantity = (description: string) =>
  Type.Optional(amount(bounds.convertedMax, `${description}, in its smallest unit.`))

export const quoteConversionRoute = commandRoute({
  ...cryptoConversions,
  path: '/v1/conversions/quotes',
  operationId: 'quoteConversion',
  isAudited: false,
  summary: 'Ask for the price of a conversion',
  description:
    'One side is BRL. The price holds for 30 seconds and one conversion. By `toAmount`: the smallest amount that gives at least so much. Ten a minute for each person (429).',
  status: 201,
  refusals: [429, 503],
  body: Type.Object(
    {
      fromCurrency: described(choice(...currencies), 'What you give.'),
      toCurrency: described(choice(...currencies), 'What you buy.'),
      fromAmount: quantity('What you give'),
      toAmount: quantity('What you buy, instead of `fromAmount`'),
    },
    { examples: [{ fromCurrency: 'BRL', toCurrency: 'USDT', fromAmount: 100000 }] },
  ),
  rules: exactlyOneOf('fromAmount', 'toAmount'),
  answer: conversionQuote.schema,
  read: ({ fromCurrency, toCurrency, fromAmount, toAmount }) => {
    if ((fromCurrency === 'BRL') === (toCurrency === 'BRL'))
      return refusedField('toCurrency', 'INVALID_VALUE', (say) => say.oneSideInReais('toCurrency'))
    if (fromAmount !== undefined && toAmount !== undefined)
      return refusedField('toAmount', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('fromAmount', 'toAmount'))
    const cents = fromAmount ?? toAmount
    if (cents === undefined)
      return refusedField('fromAmount', 'REQUIRED', (say) => say.oneOfTwo('fromAmount', 'toAmount'))
    const side = fromAmount === undefined ? ('TO' as const) : ('FROM' as const)
    return { ok: true, input: { fromCurrency, toCurrency, side, cents: toCents(Number(cents)) } }
  },
  command: (input, request) =>
    ({
      type: 'RequestQuote',
      ...forNew('quoteId', request),
      personId: request.by.id as PersonId,
      ...input,
    }) as const,
  view: ({ state }, { side }) => {
    if (state.given !== null) return { body: conversionQuote.view({ ...state, ...state.given }) }
    const field = side === 'FROM' ? 'fromAmount' : 'toAmount'
    return state.failure === 'OUT_OF_RANGE'
      ? invalidField(field, 'OUT_OF_RANGE', (say) => say.amountOutOfQuote(field))
      : unavailable
  },
})

export const createConversionRoute = commandRoute({
  ...cryptoConversions,
  path: '/v1/conversions',
  operationId: 'createConversion',
  summary: 'Convert',
  description:
    'Makes the conversion of a quote, at its price. Nobody approves it: nothing leaves the company.',
  factor: 'OPERATION',
  idempotent: true,
  status: 201,
  refusals: [422, 503],
  body: Type.Object(
    {
      quoteId: idParameter('The quote, `qte_…`.'),
      metadata: Type.Optional(metadata),
    },
    { examples: [{ quoteId: 'qte_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
  ),
  answer: conversion.schema,
  read: ({ quoteId, metadata }) => ({ quote: quoteId as QuoteId, metadata: sortedMetadata(metadata ?? {}) }),
  command: (input, request) => ({ type: 'Convert', ...forNew('conversionId', request), ...input }) as const,
  view: ({ state }) => ({ location: `/v1/conversions/${state.id}`, body: conversion.view(state) }),
})

export const listConversionsRoute = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/conversions',
  operationId: 'listConversions',
  summary: 'List conversions',
  description: 'Newest first.',
  parameters: pagingParameters({ status: oneOrMore(conversionStatus) }),
  answer: listOfRows(conversion.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [] }),
  query: (input, { accountId }) => ({ type: 'ListConversions', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, conversion.view) }),
})

export const getConversionRoute = queryRoute({
  ...cryptoBalanceReads,
  path: '/v1/conversions/:id',
  operationId: 'getConversion',
  summary: 'Get one conversion',
  description: 'With what became of it.',
  refusals: [404],
  answer: conversion.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindConversion', accountId, conversionId: id as ConversionId }) as const,
  view: (found) => (found === null ? notFound('conversion') : { body: conversion.view(found) }),
})
