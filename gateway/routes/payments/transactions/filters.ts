import Type, { type Static } from 'typebox'
import type { DateRange } from '../../../../engine/kernel/query.ts'
import { anyTransaction, type TransactionFilters } from '../../../../engine/payments/transaction/filters.ts'
import { partyIdNames } from '../../../../engine/payments/transaction/row.ts'
import { dateFields, type TransactionOrder } from '../../../../engine/payments/transaction/search.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import type { Read } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { withAsciiDomain } from '../../../base/emails.ts'
import {
  kind,
  origin,
  paymentMethod,
  product,
  providerId,
  transactionStatus,
} from '../../../resources/enumerations.ts'
import { fiscalDocumentsParameter } from '../../../resources/payments/fiscal.ts'
import { described } from '../../../schema/named-schema.ts'
import {
  amountParameter,
  choice,
  exactParameter,
  exactTextsParameter,
  idParameter,
  idsParameter,
  oneOrMore,
  searchParameter,
} from '../../../schema/schema.ts'
import { refusedField } from '../../charge-input.ts'
import { searchTextOf } from '../../search-text.ts'

/** What `from` and `to` are about. */
export const dateFieldParameter = Type.Optional(
  described(
    choice(...dateFields),
    'What `from` and `to` are about: `createdAt`, the default; `approvedAt`, when the payment was confirmed; or `settledOn`, the days on which its receivables of type `CREDIT` have settled or are scheduled to. A payment in instalments is on the lists of several days, each time as a whole: what a day brings is in the agenda of receivables. With `approvedAt` and `settledOn` only what was paid is counted.',
  ),
)

/** The filters of a list of transactions (payments-api, Transactions; decisions, section 26). */
export const filterParameters = {
  from: Type.Optional(Type.String({ format: 'date', description: 'First day, in the company time zone.' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'Last day, included.' })),
  dateField: dateFieldParameter,
  status: oneOrMore(transactionStatus),
  method: oneOrMore(paymentMethod),
  origin: oneOrMore(origin),
  product: oneOrMore(product),
  kind: oneOrMore(kind),
  providerId: Type.Optional(described(providerId, 'Who processes it: one of the `settlers` of the facets.')),
  fiscalDocuments: fiscalDocumentsParameter,
  minAmount: Type.Optional(amountParameter('The least `amount`.', { max: bounds.amountCentsMax })),
  maxAmount: Type.Optional(amountParameter('The largest `amount`.', { max: bounds.amountCentsMax })),
  customer: exactParameter(
    bounds.emailCharsMax,
    "Part of the customer's name, or the whole document or e-mail.",
  ),
  customerId: Type.Optional(idParameter('Only those of this customer.')),
  id: idsParameter('Only those with this id.'),
  externalId: exactTextsParameter(bounds.externalIdCharsMax, 'Only those with this `externalId`.'),
  txid: exactParameter(bounds.txidCharsMax, 'Only the PIX charge, or boleto with a QR code, with this txid.'),
  endToEndId: exactParameter(
    bounds.endToEndIdCharsMax,
    'Only what was paid by the PIX with this end-to-end id.',
  ),
  nsu: exactParameter(
    bounds.searchCharsMax,
    'Only card payments to which the acquirer gave this NSU. An acquirer gives the same one again after some time.',
  ),
  tid: exactParameter(bounds.searchCharsMax, 'Only the card payment to which the acquirer gave this TID.'),
  ourNumber: exactParameter(
    bounds.searchCharsMax,
    'Only the boleto to which this number (nosso número) was given.',
  ),
  q: searchParameter(
    'An id, external id, end-to-end id, txid, NSU, TID or document, or part of the customer’s name or e-mail.',
  ),
}

export const sortParameter = {
  sort: Type.Optional(
    described(
      choice('createdAt:desc', 'createdAt:asc', 'amount:desc', 'amount:asc'),
      'The order of rows. Default `createdAt:desc`, the newest first.',
    ),
  ),
}

const texts = Type.Object({ ...filterParameters, ...sortParameter })
type FilterTexts = Static<typeof texts>

export type FilterInput = TransactionFilters &
  Pick<DateRange, 'from' | 'to'> & { readonly order: TransactionOrder }

/** Reads filters and order of a list of transactions. Refuses ranges that end before they begin. */
export const readFilters = (query: FilterTexts): Read<FilterInput> => {
  const { minAmount, maxAmount, from, to } = query
  if (minAmount !== undefined && maxAmount !== undefined && maxAmount < minAmount)
    return refusedField('query.maxAmount', 'OUT_OF_RANGE', (say) =>
      say.notLessThan('query.maxAmount', 'query.minAmount'),
    )
  if (from !== undefined && to !== undefined && to < from)
    return refusedField('query.to', 'OUT_OF_RANGE', (say) => say.notBefore('query.to', 'query.from'))
  const [by, direction] = (query.sort ?? 'createdAt:desc').split(':')
  return {
    ok: true,
    input: {
      ...anyTransaction,
      dateField: query.dateField ?? 'createdAt',
      statuses: query.status ?? [],
      methods: query.method ?? [],
      origins: query.origin ?? [],
      products: query.product ?? [],
      kinds: query.kind ?? [],
      providerId: query.providerId ?? null,
      fiscalDocuments: query.fiscalDocuments ?? null,
      minAmountCents: minAmount ?? null,
      maxAmountCents: maxAmount ?? null,
      ids: query.id ?? [],
      externalIds: query.externalId ?? [],
      partyIds: Object.fromEntries(
        partyIdNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
      ),
      customerId: query.customerId ?? null,
      customer: query.customer === undefined ? null : withAsciiDomain(query.customer.trim()),
      search: searchTextOf(query.q),
      from: (from as CalendarDate | undefined) ?? null,
      to: (to as CalendarDate | undefined) ?? null,
      order: { by: by as TransactionOrder['by'], isDescending: direction === 'desc' },
    },
  }
}
