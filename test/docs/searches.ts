/** Queries, and the addresses that they find first: on the English pages, and on the Portuguese ones below `/docs/pt`. */
export const searches: readonly (readonly [query: string, places: readonly string[]])[] = [
  ['refund', ['/refunds']],
]
