import type { Answerers } from '../kernel/reader.ts'
import { limits } from '../shared/limits.ts'
import { publicEventsOf } from './public-events.ts'
import type { ListEvents } from './queries.ts'

/** The public events of the past. */
export const eventAnswers: Answerers<ListEvents> = {
  ListEvents: function* (query, { memory, shard, result }) {
    const { entries, next, end } = yield* memory.history(query.accountId, query, limits.historyPage)
    return result({ events: entries.flatMap((entry) => publicEventsOf(entry, shard)), next, end })
  },
}
