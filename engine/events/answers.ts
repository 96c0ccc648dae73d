import type { Answerers } from '../kernel/reader.ts'
import { bounds } from '../shared/bounds.ts'
import { publicEventsOf } from './events-of-entry.ts'
import type { ListEvents } from './queries.ts'

/** The public events of the past. */
export const eventAnswers: Answerers<ListEvents> = {
  ListEvents: function* (query, { memory, shard, result }) {
    const { entries, next, end } = yield* memory.history(query.accountId, query, bounds.historyPage)
    return result({ events: entries.flatMap((entry) => publicEventsOf(entry, shard)), next, end })
  },
}
