import Type from 'typebox'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import type { Facet, Facets, Totals } from '../../../engine/payments/transaction/figures.ts'
import { chargeProducts, transactionKinds } from '../../../engine/payments/transaction/row.ts'
import { transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { currencies, origins } from '../../../engine/shared/method.ts'
import { providerLabels, providerNames } from '../../providers/index.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { currency } from '../enumerations.ts'
import { amountOf, count, listOf, objectField, textOf } from '../fields.ts'
import { listFields } from '../list.ts'
import { resource, same } from '../resource.ts'
import { transaction } from './transaction.ts'

/** Sums over everything that matches a list's filters, for one currency (decisions, section 26). */
export const totals = resource<Totals>(
  'TransactionTotals',
  'Sums over all transactions of one currency that fit the filters.',
).with({
  currency: [currency, same],
  count: [count('How many transactions.'), same],
  grossAmount: [amountOf('Sum of `amount`.'), ({ grossCents }) => String(grossCents)],
  openAmount: [
    amountOf('Sum of `amount` of what can still be paid: CREATED, PENDING, PROCESSING or AUTHORIZED.'),
    ({ openCents }) => String(openCents),
  ],
  paidAmount: [amountOf('Sum of `paidAmount`.'), ({ paidCents }) => String(paidCents)],
  feeAmount: [amountOf('Sum of `feeAmount`.'), ({ feeCents }) => String(feeCents)],
  netAmount: [
    amountOf('Sum of `netAmount`: what was paid, less fees; refunds and chargebacks are not taken off.'),
    ({ netCents }) => String(netCents),
  ],
  refundedAmount: [amountOf('Sum of `refundedAmount`.'), ({ refundedCents }) => String(refundedCents)],
  disputedAmount: [amountOf('Sum of `disputedAmount`.'), ({ disputedCents }) => String(disputedCents)],
})

/** A page of transactions with the sums over all pages. */
export const transactionList = named(
  'TransactionList',
  Type.Object({
    ...listFields(transaction.schema),
    totals: listOf(totals.schema, 'For each currency, over all pages; empty where no transaction fits.'),
  }),
)

const facet = <const Values extends readonly string[]>(description: string, ...values: Values) =>
  listOf(
    Type.Object({
      value: described(choice(...values), 'What the filter takes.'),
      label: textOf('The same for people.'),
      count: count('How many transactions have it.'),
    }),
    `${description} Those that occur, most frequent first.`,
  )

/** The values of the transaction filters, each with its number of transactions and a label for people. */
export const transactionFacets = resource<Facets>(
  'TransactionFacets',
  'The values that the filters of transactions can take.',
).with({
  ...objectField('transaction_facets'),
  settlers: [
    facet('Values of `providerId`.', ...providerNames),
    ({ providers }) =>
      providers.map(({ value, count }) => ({ value, label: providerLabels[value] ?? value, count })),
  ],
  products: [facet('Values of `product`.', ...chargeProducts), (f) => f.products.map(labelled)],
  methods: [facet('Values of `method`.', ...methodNames), (f) => f.methods.map(labelled)],
  origins: [facet('Values of `origin`.', ...origins), (f) => f.origins.map(labelled)],
  statuses: [facet('Values of `status`.', ...transactionStatuses), (f) => f.statuses.map(labelled)],
  kinds: [facet('Values of `kind`.', ...transactionKinds), (f) => f.kinds.map(labelled)],
  currencies: [facet('Currencies of the totals.', ...currencies), (f) => f.currencies.map(labelled)],
})

/** `PARTIALLY_REFUNDED` becomes "Partially refunded"; short words stay in capitals. */
const labelled = <Value extends string>({ value, count }: Facet<Value>) => ({
  value,
  label: value.length <= 4 ? value : value[0] + value.slice(1).toLowerCase().replaceAll('_', ' '),
  count,
})
