import { bounds as engineBounds } from '../../engine/shared/bounds.ts'
import { append, type Columns, newColumns, type SegmentPaging, schema, viewsAt } from '../base/columns.ts'
import { addHashed, findHashed, type HashIndex, hashIndexOf } from '../base/hash-index.ts'
import { releaseMembers } from '../base/pager.ts'

/**
 * The entries made for idempotency keys, by the key's hash; the entry itself confirms the key. Grouped by day of real
 * time, so that forgetting means dropping a day. About 20 bytes per key.
 */
export type ReplyRegister = ReturnType<typeof newReplyRegister>

type ReplyViews = { readonly sequence: Float64Array; readonly hash: Uint32Array }
export const replySchema = schema(16_384, (take) => ({
  sequence: take.float64('sequence'),
  hash: take.uint32('hash'),
}))

type Day = { readonly replies: Columns<ReplyViews>; readonly index: HashIndex }

/** An empty register. */
export const newReplyRegister = (paging: SegmentPaging) => {
  const { mask } = replySchema
  const days = new Map<number, Day>()

  /** Loads a stored day. */
  const open = (number: number, replies: Columns<ReplyViews>): Day => {
    const hashOf = (reply: number): number => viewsAt(replies, reply).hash[reply & mask]!
    const day = { replies, index: hashIndexOf(hashOf, replies.count) }
    days.set(number, day)
    return day
  }

  const dayOf = (atMs: number): Day => {
    const number = Math.floor(atMs / engineBounds.idempotencyRetentionMs)
    const known = days.get(number)
    if (known !== undefined) return known
    for (const [other, { replies }] of days) {
      if (other >= number - 1) continue
      days.delete(other)
      releaseMembers(paging.pager, new Set(replies.segments))
    }
    return open(number, newColumns(replySchema, paging))
  }

  return {
    put: (hash: number, sequence: number, atMs: number): void => {
      const { replies, index } = dayOf(atMs)
      const reply = append(replies)
      const views = viewsAt(replies, reply)
      views.sequence[reply & mask] = sequence
      views.hash[reply & mask] = hash
      addHashed(index, hash, reply)
    },
    /** The entries that may belong to the key, newest first. */
    find: (hash: number): readonly number[] => {
      const found: number[] = []
      for (const { replies, index } of days.values()) {
        findHashed(index, hash, (reply) => {
          const views = viewsAt(replies, reply)
          if (views.hash[reply & mask] === hash) found.push(views.sequence[reply & mask]!)
          return false
        })
      }
      return found.sort((a, b) => b - a)
    },
    load: open,
    days: function* () {
      for (const [number, { replies }] of days) yield [number, replies] as const
    },
  }
}
