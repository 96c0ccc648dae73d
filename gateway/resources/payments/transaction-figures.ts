import Type, { type Static } from 'typebox'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import type { Facet, Facets, Totals } from '../../../engine/payments/transaction/figures.ts'
import { chargeProducts, transactionKinds } from '../../../engine/payments/transaction/row.ts'
import { transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { currencies, origins } from '../../../engine/shared/method.ts'
import { providerLabels, providerNames } from '../../providers/index.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { currency } from '../enumerations.ts'
import { amountOf, count, enumeration, listOf, objectName, textOf } from '../fields.ts'
import { listFields } from '../list.ts'
import { transaction } from './transaction.ts'

const totals = namedObject(
  'TransactionTotals',
  'Sums over all transactions of one currency that fit the filters.',
  {
    currency,
    count: count('How many transactions.'),
    grossAmount: amountOf('Sum of `amount`.'),
    paidAmount: amountOf('Sum of `paidAmount`.'),
    feeAmount: amountOf('Sum of `feeAmount`.'),
    netAmount: amountOf('Sum of `netAmount`.'),
    refundedAmount: amountOf('Sum of `refundedAmount`.'),
    disputedAmount: amountOf('Sum of `disputedAmount`.'),
  },
)

/** Sums over everything that matches a list's filters, for one currency (decisions, section 26). */
export const totalsView = (totals: Totals): TotalsView => ({
  currency: totals.currency,
  count: totals.count,
  grossAmount: String(totals.grossCents),
  paidAmount: String(totals.paidCents),
  feeAmount: String(totals.feeCents),
  netAmount: String(totals.netCents),
  refundedAmount: String(totals.refundedCents),
  disputedAmount: String(totals.disputedCents),
})

type TotalsView = Static<typeof totals>

/** A page of transactions with the sums over all pages. */
export const transactionList = named(
  'TransactionList',
  Type.Object({
    ...listFields(transaction),
    totals: listOf(totals, 'For each currency, over all pages; empty where no transaction fits.'),
  }),
)

const facet = <const Values extends readonly string[]>(description: string, ...values: Values) =>
  listOf(
    Type.Object({
      value: described(enumeration(...values), 'What the filter takes.'),
      label: textOf('The same for people.'),
      count: count('How many transactions have it.'),
    }),
    `${description} Those that occur, most frequent first.`,
  )

/** The values of the transaction filters, each with its number of transactions. */
export const transactionFacets = namedObject(
  'TransactionFacets',
  'The values that the filters of transactions can take.',
  {
    object: objectName('transaction_facets'),
    settlers: facet('Values of `providerId`.', ...providerNames),
    products: facet('Values of `product`.', ...chargeProducts),
    methods: facet('Values of `method`.', ...methodNames),
    origins: facet('Values of `origin`.', ...origins),
    statuses: facet('Values of `status`.', ...transactionStatuses),
    kinds: facet('Values of `kind`.', ...transactionKinds),
    currencies: facet('Currencies of the totals.', ...currencies),
  },
)

/** Values of filters with labels for people. */
export const facetsView = (facets: Facets): Static<typeof transactionFacets> => ({
  object: 'transaction_facets',
  settlers: facets.providers.map(({ value, count }) => ({
    value,
    label: providerLabels[value] ?? value,
    count,
  })),
  products: facets.products.map(labelled),
  methods: facets.methods.map(labelled),
  origins: facets.origins.map(labelled),
  statuses: facets.statuses.map(labelled),
  kinds: facets.kinds.map(labelled),
  currencies: facets.currencies.map(labelled),
})

/** `PARTIALLY_REFUNDED` becomes "Partially refunded"; short words stay in capitals. */
const labelled = <Value extends string>({ value, count }: Facet<Value>) => ({
  value,
  label: value.length <= 4 ? value : value[0] + value.slice(1).toLowerCase().replaceAll('_', ' '),
  count,
})
