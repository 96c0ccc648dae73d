import type { AuditEntry } from '../audit/audit-entry.ts'
import type { ListAudit } from '../audit/queries.ts'
import type { Listed, Question } from '../kernel/query.ts'
import type { ActorStates } from '../kernel/registry.ts'
import type { ActedOn } from './acted-on.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly search: Search | ListActs
  }
  interface Answers {
    readonly Search: SearchFound
    readonly ListActs: Listed<AuditEntry> & { readonly objects: readonly ActedOn[] }
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

/** Lists the audit log as `ListAudit` does, with what its entries are about as that is called now. */
export type ListActs = Omit<ListAudit, 'type'> & { readonly type: 'ListActs' }
