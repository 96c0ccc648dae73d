import type { Request } from '../kernel/command.ts'
import type { NoticeId, PersonId } from '../shared/ids.ts'
import type { MailChoices } from './account-part.ts'
import type { NewNotice, NoticeKind } from './notice.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly notices: NoticeCommand
  }
}

export type NoticeCommand =
  | RaiseNotice
  | RemindOfDefense
  | ReadNotices
  | ChooseNoticeMail
  | RecordNoticesMailed

/** Raises a notice about something outside the shard. Raising it again adds nothing. */
export type RaiseNotice = Request<'RaiseNotice'> & {
  readonly noticeId: NoticeId
  readonly notice: Pick<NewNotice, 'kind' | 'personId' | 'objectId' | 'details'>
}

/** The end of a chargeback's defense is near. */
export type RemindOfDefense = Request<'RemindOfDefense'> & { readonly noticeId: NoticeId }

/** Marks notices as read by a person: the named ones, or all of them if null. */
export type ReadNotices = Request<'ReadNotices'> & {
  readonly personId: PersonId
  readonly noticeIds: readonly NoticeId[] | null
  /** The kinds that the person can act on. */
  readonly kinds: readonly NoticeKind[]
}

/** Changes which kinds come by mail; kinds that are left out stay as they are. */
export type ChooseNoticeMail = Request<'ChooseNoticeMail'> & {
  readonly personId: PersonId
  readonly mail: MailChoices
}

export type RecordNoticesMailed = Request<'RecordNoticesMailed'> & { readonly noticeIds: readonly NoticeId[] }
