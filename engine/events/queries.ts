import type { PublicEvent } from '../kernel/event-types.ts'
import type { Question } from '../kernel/query.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly events: ListEvents
  }
  interface Answers {
    readonly ListEvents: ListedEvents
  }
}

/** Every event of the account between two instants of real time, oldest first, whether or not an endpoint listened. */
export type ListEvents = Question<'ListEvents'> & {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before, or its `end`; null for the first page. */
  readonly after: number | null
}

export type ListedEvents = {
  readonly events: readonly PublicEvent[]
  /** Where the next page continues, which may be far ahead; null on the last page. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last journal position that was read: a later query continues after it. */
  readonly end: number
}
