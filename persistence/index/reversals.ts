import type { ReversalRef } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { append, viewsAt } from '../base/columns.ts'
import { labelNumber } from '../base/labels.ts'
import { idAt, packId, writeId } from '../base/packed-id.ts'
import { reversalSchema } from './table.ts'
import type { TransactionTable } from './table-type.ts'
import type { Row, Tables } from './tables.ts'

/**
 * Refunds, chargebacks and MEDs by id, with their transactions. They are few. The index begins empty; `load` adds
 * a stored table's reversals.
 */
export const newReversalIndex = (tables: Tables) => {
  const rows = new Map<string, Row<TransactionTable>>()
  const { mask } = reversalSchema

  const refAt = (table: TransactionTable, n: number): ReversalRef => {
    const views = viewsAt(table.reversals, n)
    const prefix = table.labels.all[views.prefix[n & mask]!]!
    return { id: idAt(prefix, views.id, n & mask), createdSequence: views.createdSequence[n & mask]! }
  }

  /** Keeps one row for each reversal, however often it is put. */
  const put = (table: TransactionTable, row: number, reversalId: string, sequence: number): void => {
    if (rows.has(reversalId)) return
    const prefix = reversalId.slice(0, reversalId.indexOf('_'))
    const packed = packId(prefix, reversalId)
    assert(packed !== null, `${reversalId} has the shape of an id`)
    const n = append(table.reversals)
    const views = viewsAt(table.reversals, n)
    views.createdSequence[n & mask] = sequence
    writeId(views.id, n & mask, packed)
    views.row[n & mask] = row
    views.prefix[n & mask] = labelNumber(table.labels, prefix)
    rows.set(reversalId, { table, row })
  }

  return {
    put,
    transactionRowOf: (reversalId: string) => rows.get(reversalId),
    of: (accountId: AccountId, prefix: string): readonly ReversalRef[] => {
      const table = tables.of(accountId, 'transaction')
      if (table === undefined) return []
      const own: ReversalRef[] = []
      const wanted = table.labels.all.indexOf(prefix)
      for (let n = 0; n < table.reversals.count; n++)
        if (viewsAt(table.reversals, n).prefix[n & mask] === wanted) own.push(refAt(table, n))
      return own
    },
    load: (table: TransactionTable): void => {
      for (let n = 0; n < table.reversals.count; n++)
        rows.set(refAt(table, n).id, { table, row: viewsAt(table.reversals, n).row[n & mask]! })
    },
    forget: (table: TransactionTable): void => {
      for (let n = 0; n < table.reversals.count; n++) rows.delete(refAt(table, n).id)
    },
  }
}
