import type { Facet, Facets, Totals } from '../../engine/payments/transaction/figures.ts'
import { providerLabels } from '../providers/index.ts'

/** Sums over everything that fits a list's filters, for one currency (decisions, section 26). */
export const totalsView = (totals: Totals) => ({
  currency: totals.currency,
  count: totals.count,
  grossAmount: String(totals.grossCents),
  paidAmount: String(totals.paidCents),
  feeAmount: String(totals.feeCents),
  netAmount: String(totals.netCents),
  refundedAmount: String(totals.refundedCents),
  disputedAmount: String(totals.disputedCents),
})

export const facetsView = (facets: Facets) => ({
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

/** `PARTIALLY_REFUNDED` reads "Partially refunded"; what is short stays in capitals. */
const labelled = <Value extends string>({ value, count }: Facet<Value>) => ({
  value,
  label: value.length <= 4 ? value : value[0] + value.slice(1).toLowerCase().replaceAll('_', ' '),
  count,
})
