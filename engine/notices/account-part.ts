import type { AccountFact } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import type { PersonId } from '../shared/ids.ts'
import type { NoticeKind } from './notice.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** What the account knows of those who read its notices. Missing in accounts that were stored before there were notices. */
    readonly noticeReaders?: Readonly<Record<PersonId, NoticeReader>>
  }
  interface AccountPartFacts {
    readonly notices: NoticesFact
  }
}

export type NoticeReader = {
  /** All notices up to this time were read at this time. */
  readonly readUpToMs: number | null
  /** The kinds that the person has chosen for, with whether they come by mail. */
  readonly mail: MailChoices
}

export type MailChoices = Readonly<Partial<Record<NoticeKind, boolean>>>

type NoticesFact =
  | (AccountFact<'NoticesRead'> & { readonly personId: PersonId; readonly upToMs: number })
  | (AccountFact<'NoticeMailChosen'> & { readonly personId: PersonId; readonly mail: MailChoices })

/** Who has read up to where, and what each wants by mail. */
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
