import type { Question } from '../kernel/query.ts'
import type { ActorStates } from '../kernel/registry.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly search: Search
  }
  interface Answers {
    readonly Search: SearchFound
  }
}

/** The kinds that a person looks for by what is printed on a screen, a receipt or a boleto. */
export const searchedKinds = [
  'transaction',
  'customer',
  'subscription',
  'invoice',
  'plan',
  'coupon',
  'delivery',
  'transfer',
  'withdrawal',
] as const
export type SearchedKind = (typeof searchedKinds)[number]

/** Finds the newest few matches of each kind for a text. */
export type Search = Question<'Search'> & {
  readonly text: string
  readonly kinds: readonly SearchedKind[]
}

export type SearchFound = { readonly [Kind in SearchedKind]: readonly ActorStates[Kind][] }
