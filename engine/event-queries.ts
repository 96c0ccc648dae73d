import type { PublicEvent } from './kernel/public-event.ts'
import type { Question } from './kernel/query.ts'

declare module './kernel/registry.ts' {
  interface FolderQueries {
    readonly events: ListEvents
  }
  interface Answers {
    readonly ListEvents: ListedEvents
  }
}

/** What was told of the account between two instants of real time, whether anybody listened or not; oldest first. */
export type ListEvents = Question<'ListEvents'> & {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before, or its `end`; null for the first page. */
  readonly after: number | null
}

export type ListedEvents = {
  readonly events: readonly PublicEvent[]
  /** Where the next page goes on, which may be far from here; null when there is none. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last journal position that was looked at: a later question goes on after it. */
  readonly end: number
}
