import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { PersonId } from '../shared/ids.ts'
import type { MailChoices, NoticeReader } from './account-part.ts'
import type { NoticeKind, PeopleNotice } from './notice.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly notices: ListNotices | FindMailChoices | ListUnmailedNotices
  }
  interface Answers {
    readonly ListNotices: Listed<ReadableNotice>
    readonly FindMailChoices: MailChoices
    readonly ListUnmailedNotices: UnmailedNotices
  }
}

/** Lists the notices of the last 90 days for a person. */
export type ListNotices = Question<'ListNotices'> &
  Paging & {
    readonly personId: PersonId
    /** The kinds that the person can act on. */
    readonly kinds: readonly NoticeKind[]
    readonly isUnreadOnly: boolean
  }

/** A notice, and when the person who asks has read it. */
export type ReadableNotice = PeopleNotice & { readonly readAtMs: number | null }

export type FindMailChoices = Question<'FindMailChoices'> & { readonly personId: PersonId }

/** Lists the notices whose mails are still to be queued, and people's choices about mail. */
export type ListUnmailedNotices = Question<'ListUnmailedNotices'>

export type UnmailedNotices = {
  readonly notices: readonly PeopleNotice[]
  readonly readers: Readonly<Record<PersonId, NoticeReader>>
}
