import type { Request } from '../kernel/command.ts'
import type { Question } from '../kernel/query.ts'
import type { ConnectionId, InboxNoticeId } from '../shared/ids.ts'
import type { InboxNotice, InboxOutcome, NewInboxNotice } from './inbox-notice.ts'
import type { PollCursors } from './poll.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly inbox: InboxCommand
  }
  interface FolderQueries {
    readonly inbox: InboxQuery
  }
  interface Answers {
    readonly ListOpenNotices: OpenNotices
    readonly FindInboxNotice: InboxNotice | null
    readonly FindPollCursors: PollCursors
  }
  interface FolderRefusals {
    /** Its body is larger than a notice can be. */
    readonly inbox: { readonly reason: 'NOTICE_TOO_LARGE' }
  }
}

export type InboxCommand = ReceiveNotice | CloseNotice | AdvancePoll

/** Takes what came to the address of a connection. The same while it is open, or was closed just before, changes nothing. */
export type ReceiveNotice = Request<'ReceiveNotice'> & {
  readonly inboxNoticeId: InboxNoticeId
  readonly notice: Omit<NewInboxNotice, 'accountId'>
}

/** Says what became of it. Closing it again changes nothing. */
export type CloseNotice = Request<'CloseNotice'> & {
  readonly closes: InboxNoticeId
  readonly outcome: InboxOutcome
}

/** Everything before the cursor is on disk: booked, or as an open notice. */
export type AdvancePoll = Request<'AdvancePoll'> & {
  readonly connectionId: ConnectionId
  readonly loop: string
  readonly cursor: string
}

export type InboxQuery = ListOpenNotices | FindInboxNotice | FindPollCursors

/** Asks for the oldest open notices of a connection, oldest first. */
export type ListOpenNotices = Question<'ListOpenNotices'> & {
  readonly connectionId: ConnectionId
  readonly atMost: number
}

export type OpenNotices = {
  readonly ids: readonly InboxNoticeId[]
  /** How many are open. */
  readonly total: number
  /** When the oldest of them came; null where none is open. */
  readonly oldestAtMs: number | null
}

export type FindInboxNotice = Question<'FindInboxNotice'> & { readonly id: InboxNoticeId }

export type FindPollCursors = Question<'FindPollCursors'> & { readonly connectionId: ConnectionId }
