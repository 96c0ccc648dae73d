import type { ListedReversal } from '../../engine/kernel/actor.ts'
import type { CountedWithin, ReversalRef } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { append, touch, viewsAt } from '../base/columns.ts'
import { labelNumber } from '../base/labels.ts'
import { idAt, packId, writeId } from '../base/packed-id.ts'
import { never } from './rows.ts'
import { reversalSchema } from './table.ts'
import type { TransactionTable } from './table-type.ts'
import type { Row, Tables } from './tables.ts'

/**
 * Refunds, chargebacks and MEDs by id, with their transactions. They are few. The index begins empty; `load` adds
 * a stored table's reversals.
 */
export const newReversalIndex = (tables: Tables) => {
  const rows = new Map<string, Row<TransactionTable> & { readonly n: number }>()
  const { bits, mask } = reversalSchema

  const refAt = (table: TransactionTable, n: number): ReversalRef => {
    const views = viewsAt(table.reversals, n)
    const prefix = table.labels.all[views.prefix[n & mask]!]!
    return { id: idAt(prefix, views.id, n & mask), createdSequence: views.createdSequence[n & mask]! }
  }

  /** Keeps one row for each reversal, however often it is put, with the instant at which it counts by now. */
  const put = (
    table: TransactionTable,
    row: number,
    { id: reversalId, countsAtMs }: ListedReversal,
    sequence: number,
  ): void => {
    const known = rows.get(reversalId)
    if (known !== undefined) {
      count(table, known.n, countsAtMs ?? never)
      return
    }
    const prefix = reversalId.slice(0, reversalId.indexOf('_'))
    const packed = packId(prefix, reversalId)
    assert(packed !== null, `${reversalId} has the shape of an id`)
    const n = append(table.reversals)
    const views = viewsAt(table.reversals, n)
    views.createdSequence[n & mask] = sequence
    views.countsAtMs[n & mask] = countsAtMs ?? never
    writeId(views.id, n & mask, packed)
    views.row[n & mask] = row
    views.prefix[n & mask] = labelNumber(table.labels, prefix)
    rows.set(reversalId, { table, row, n })
  }

  const count = (table: TransactionTable, n: number, atMs: number): void => {
    const { countsAtMs } = viewsAt(table.reversals, n)
    if (countsAtMs[n & mask] === atMs) return
    touch(table.reversals.segments[n >>> bits]!)
    viewsAt(table.reversals, n).countsAtMs[n & mask] = atMs
  }

  return {
    put,
    transactionRowOf: (reversalId: string) => rows.get(reversalId),
    of: (accountId: AccountId, prefix: string, within?: CountedWithin): readonly ReversalRef[] => {
      const table = tables.of(accountId, 'transaction')
      if (table === undefined) return []
      const own: ReversalRef[] = []
      const wanted = table.labels.all.indexOf(prefix)
      for (let n = 0; n < table.reversals.count; n++) {
        const { prefix, countsAtMs } = viewsAt(table.reversals, n)
        if (prefix[n & mask] !== wanted) continue
        const atMs = countsAtMs[n & mask]!
        if (within === undefined || (atMs >= within.fromMs && atMs < within.toMs)) own.push(refAt(table, n))
      }
      return own
    },
    load: (table: TransactionTable): void => {
      for (let n = 0; n < table.reversals.count; n++)
        rows.set(refAt(table, n).id, { table, row: viewsAt(table.reversals, n).row[n & mask]!, n })
    },
    forget: (table: TransactionTable): void => {
      for (let n = 0; n < table.reversals.count; n++) rows.delete(refAt(table, n).id)
    },
  }
}
