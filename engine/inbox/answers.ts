import type { Answerers } from '../kernel/reader.ts'
import type { InboxQuery } from './commands.ts'
import { pollIdOf } from './poll.ts'

/** Answers about what banks have reported and how far they were polled. */
export const inboxAnswers: Answerers<InboxQuery> = {
  ListOpenNotices: function* ({ accountId, connectionId, atMost }, { memory, result }) {
    const isOpenHere = (label: string): boolean => label === connectionId
    const { total } = yield* memory.listing(accountId, 'inboxNotice', {
      offset: 0,
      limit: 0,
      fits: isOpenHere,
    })
    // Lists are newest first, and what has waited longest comes first here.
    const offset = Math.max(0, total - atMost)
    const { states } = yield* memory.listing(accountId, 'inboxNotice', {
      offset,
      limit: total - offset,
      fits: isOpenHere,
    })
    const oldest = states.toReversed()
    return result({ ids: oldest.map(({ id }) => id), total, oldestAtMs: oldest[0]?.createdAtMs ?? null })
  },
  FindInboxNotice: ({ id }, { find }) => find('inboxNotice', id),
  FindPollCursors: ({ connectionId }, { find }) => {
    const { value, sequence } = find('poll', pollIdOf(connectionId))
    return { value: value?.cursors ?? {}, sequence }
  },
}
