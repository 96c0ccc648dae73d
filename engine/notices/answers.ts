import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { notMailed } from './notice.ts'
import type { FindMailChoices, ListNotices, ListUnmailedNotices } from './queries.ts'
import { isFor, readAtMsOf } from './reading.ts'

/** Answers about notices. */
export const noticeAnswers: Answerers<ListNotices | FindMailChoices | ListUnmailedNotices> = {
  ListNotices: function* (query, { memory, account, realMs, nowMs, spanOf, result }) {
    const { accountId, personId, kinds, isUnreadOnly, page, pageSize } = query
    const { asOf, fromMs, toMs } = spanOf(query)
    const reader = account?.noticeReaders?.[personId]
    const { states, total } = yield* memory.listing(accountId, 'notice', {
      offset: (page - 1) * pageSize,
      limit: pageSize,
      asOf,
      fromMs: Math.max(fromMs ?? 0, realMs - bounds.noticesShownMs),
      toMs,
      fits: (label) => isFor(label, personId, kinds),
      matches: isUnreadOnly ? (notice) => readAtMsOf(notice, personId, reader) === null : null,
    })
    const rows = states.map((notice) => ({ ...notice, readAtMs: readAtMsOf(notice, personId, reader) }))
    return result({ rows, total, asOf, nowMs })
  },
  FindMailChoices: ({ personId }, { account, result }) =>
    result(account?.noticeReaders?.[personId]?.mail ?? {}),
  ListUnmailedNotices: ({ accountId }, { memory, account, result }) =>
    result({
      notices: memory.lookup('notice', accountId, notMailed).map(({ state }) => state),
      readers: account?.noticeReaders ?? {},
    }),
}
