import { auditAnswers } from '../audit/answers.ts'
import type { Answerers } from '../kernel/reader.ts'
import { actedOn } from './acted-on.ts'
import type { ListActs } from './queries.ts'

/** Names are no part of entries, which are never changed: what is erased has no name from then on. */
export const actsAnswers: Answerers<ListActs> = {
  ListActs: function* (query, reader) {
    const answering = auditAnswers.ListAudit({ ...query, type: 'ListAudit' }, reader)
    const { value } = 'next' in answering ? yield* answering : answering
    const about = new Map(value.rows.flatMap(({ object }) => (object === null ? [] : [[object.id, object]])))
    const objects = [...about.values()].flatMap((object) => actedOn(reader, object) ?? [])
    return reader.result({ ...value, objects })
  },
}
