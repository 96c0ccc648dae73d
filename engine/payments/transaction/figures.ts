import { type ChargeOrigin, type Currency, currencies, type Method } from '../../shared/method.ts'
import { type ChargeProduct, kindOf, productOf, type TransactionKind } from './row.ts'
import type { GroupFigures } from './search.ts'
import type { TransactionStatus } from './transaction.ts'

/** Sums over all transactions of a list, not only the page (decisions, section 26). */
export type Totals = {
  readonly currency: Currency
  readonly count: number
  readonly grossCents: bigint
  /** What can still be paid. */
  readonly openCents: bigint
  readonly paidCents: bigint
  readonly feeCents: bigint
  readonly netCents: bigint
  readonly refundedCents: bigint
  readonly disputedCents: bigint
}

/** Totals per currency that occurs, in the order of the list of currencies. */
export const totalsOf = (groups: readonly GroupFigures[]): readonly Totals[] =>
  currencies.flatMap((currency) => {
    const own = groups.filter((group) => group.currency === currency && group.count > 0)
    if (own.length === 0) return []
    const sum = (cents: (group: GroupFigures) => bigint): bigint =>
      own.reduce((sum, group) => sum + cents(group), 0n)
    const paidCents = sum((group) => group.paidCents)
    const feeCents = sum((group) => group.feeCents)
    return {
      currency,
      count: own.reduce((count, group) => count + group.count, 0),
      grossCents: sum((group) => group.amountCents),
      openCents: sum(({ status, amountCents }) => (isOpen(status) ? amountCents : 0n)),
      paidCents,
      feeCents,
      netCents: paidCents - feeCents,
      refundedCents: sum((group) => group.refundedCents),
      disputedCents: sum((group) => group.disputedCents),
    }
  })

const isOpen = (status: TransactionStatus): boolean =>
  status === 'CREATED' || status === 'PENDING' || status === 'PROCESSING' || status === 'AUTHORIZED'

/** The values that occur: most frequent first, then alphabetical. */
export type Facets = {
  readonly providers: readonly Facet<string>[]
  readonly products: readonly Facet<ChargeProduct>[]
  readonly methods: readonly Facet<Method>[]
  readonly origins: readonly Facet<ChargeOrigin>[]
  readonly statuses: readonly Facet<TransactionStatus>[]
  readonly kinds: readonly Facet<TransactionKind>[]
  readonly currencies: readonly Facet<Currency>[]
}

export type Facet<Value extends string> = { readonly value: Value; readonly count: number }

/** The choices that a list's filters leave, with counts. */
export const facetsOf = (groups: readonly GroupFigures[]): Facets => ({
  providers: facet(groups, ({ providerId }) => providerId),
  products: facet(groups, productOf),
  methods: facet(groups, ({ method }) => method),
  origins: facet(groups, ({ origin }) => origin),
  statuses: facet(groups, ({ status }) => status),
  kinds: facet(groups, kindOf),
  currencies: facet(groups, ({ currency }) => currency),
})

const facet = <Value extends string>(
  groups: readonly GroupFigures[],
  by: (group: GroupFigures) => Value,
): readonly Facet<Value>[] => {
  const counts = new Map<Value, number>()
  for (const group of groups) counts.set(by(group), (counts.get(by(group)) ?? 0) + group.count)
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
