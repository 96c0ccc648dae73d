import type { Answerers } from '../kernel/reader.ts'
import type { CryptoQuery } from './queries.ts'

/** Answers about stablecoins that are no charges. */
export const cryptoAnswers: Answerers<CryptoQuery> = {
  ListCryptoDeposits: function* (query, { list, result }) {
    return result(yield* list('cryptoDeposit', query, isAmong(query.statuses), null))
  },
  FindConversion: ({ conversionId }, { find }) => find('conversion', conversionId),
  ListConversions: function* (query, { list, result }) {
    const fits = isAmong(query.statuses)
    return result(yield* list('conversion', query, (label) => fits(label.split(' ')[0]!), null))
  },
}

const isAmong =
  (statuses: readonly string[]) =>
  (label: string): boolean =>
    statuses.length === 0 || statuses.includes(label)
