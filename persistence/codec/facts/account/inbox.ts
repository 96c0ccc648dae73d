import type { InboxOutcome, NewInboxNotice } from '../../../../engine/inbox/inbox-notice.ts'
import type { Poll } from '../../../../engine/inbox/poll.ts'
import type { InboxNoticeId, PollId } from '../../../../engine/shared/ids.ts'
import { blob, enumeration, json, number, personal, record, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId } from '../shared.ts'

/** Bodies name payers, so they are sealed with the keys of payers. */
const notice = record<NewInboxNotice>({
  accountId,
  connectionId: repeatedText(),
  key: text(),
  source: enumeration({ HOOK: 1, POLL: 2 }),
  path: text(),
  headers: json(),
  packed: personal(blob, new Uint8Array()),
})

const outcome = enumeration<InboxOutcome>({
  UNREADABLE: 1,
  FORGED: 2,
  REFUSED: 3,
  UNMATCHED: 4,
  TAKEN: 5,
  EMPTY: 6,
})

const noticeHead = { id: text<InboxNoticeId>(), atMs: number() }

export const inboxNoticeFacts = {
  NoticeReceived: [1, { ...noticeHead, notice }, { since: 14 }],
  NoticeClosed: [2, { ...noticeHead, outcome }, { since: 14 }],
} satisfies FactLayouts<'inboxNotice'>

const poll = record<Omit<Poll, 'id'>>({
  accountId,
  connectionId: text(),
  cursors: json(),
  createdAtMs: number(),
})

export const pollFacts = {
  PollAdvanced: [1, { id: text<PollId>(), atMs: number(), poll }, { since: 14 }],
} satisfies FactLayouts<'poll'>
