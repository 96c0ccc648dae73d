import type { Answerers } from '../kernel/reader.ts'
import { type AuditEntry, labelOfEntry, partsOfLabel } from './audit-entry.ts'
import type { ListAudit, VerifyAudit } from './queries.ts'
import { newChainCheck } from './verify.ts'

/** The audit log of an account. */
export const auditAnswers: Answerers<ListAudit | VerifyAudit> = {
  ListAudit: function* (query, { list, listByKey, result }) {
    const fits = labelFits(query)
    if (query.objectId === null) return result(yield* list('auditEntry', query, fits, null))
    const matches = (entry: AuditEntry) => fits(labelOfEntry(entry))
    return result(listByKey('auditEntry', query.objectId, query, matches))
  },
  VerifyAudit: function* (_, { account, list, result, appended }) {
    const check = newChainCheck()
    const asOf = appended()
    const { entries, headHash } = account?.audit ?? { entries: 0, headHash: null }
    for (let page = 1; (page - 1) * pageSize < entries; page++) {
      const { rows } = yield* list(
        'auditEntry',
        { page, pageSize, asOf, from: null, to: null },
        () => true,
        null,
      )
      rows.forEach(check.add)
    }
    return result({ entries, headHash, brokenAt: check.end(entries, headHash) })
  },
}

const pageSize = 500

/** Filters by what the label says, so that no entry has to be read for it. */
const labelFits = ({ actor, action }: ListAudit): ((label: string) => boolean) => {
  if (actor === null && action === null) return () => true
  return (label) => {
    const [kind, id, done] = partsOfLabel(label)
    return (actor === null || actor === kind || actor === id) && (action === null || action === done)
  }
}
