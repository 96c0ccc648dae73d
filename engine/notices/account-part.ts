import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import type { PersonId } from '../shared/ids.ts'
import type { NoticeKind } from './notice.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** People's reading positions and choices about mail. Missing in accounts stored before there were notices. */
    readonly noticeReaders?: Readonly<Record<PersonId, NoticeReader>>
  }
  interface AccountPartFacts {
    readonly notices: NoticesFact
  }
}

export type NoticeReader = {
  /** All notices up to this time count as read at it. */
  readonly readUpToMs: number | null
  /** Whether a kind of notice comes by mail, for the kinds that the person has chosen about. */
  readonly mail: MailChoices
}

export type MailChoices = Readonly<Partial<Record<NoticeKind, boolean>>>

type NoticesFact =
  | (AccountFactOf<'NoticesRead'> & { readonly personId: PersonId; readonly upToMs: number })
  | (AccountFactOf<'NoticeMailChosen'> & { readonly personId: PersonId; readonly mail: MailChoices })

/** How far each person has read, and the kinds that each wants by mail. */
export const noticesAccountPart: AccountPart<'notices'> = {
  opened: {},
  cleared: () => ({}),
  evolve: {
    NoticesRead: ({ noticeReaders = {}, ...account }, { personId, upToMs: readUpToMs }) => ({
      ...account,
      noticeReaders: {
        ...noticeReaders,
        [personId]: { ...(noticeReaders[personId] ?? unknown), readUpToMs },
      },
    }),
    NoticeMailChosen: ({ noticeReaders = {}, ...account }, { personId, mail }) => ({
      ...account,
      noticeReaders: { ...noticeReaders, [personId]: { ...(noticeReaders[personId] ?? unknown), mail } },
    }),
  },
}

const unknown: NoticeReader = { readUpToMs: null, mail: {} }
