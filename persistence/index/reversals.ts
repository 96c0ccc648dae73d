import type { ListedReversal } from '../../engine/kernel/actor.ts'
import type { CountedWithin, ReversalRef } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { append, touch, viewsAt } from '../base/columns.ts'
import type { Keys } from '../base/keys/keys.ts'
import { labelNumber } from '../base/labels.ts'
import { idAt, packId, writeId } from '../base/packed-id.ts'
import { never } from './rows.ts'
import { reversalSchema } from './table.ts'
import type { Row, TransactionTable } from './table-type.ts'
import type { Tables } from './tables.ts'

/** Refunds, chargebacks and MEDs by id, with their transactions. */
export const newReversalIndex = (tables: Tables, keys: Keys) => {
  const { mask } = reversalSchema

  const refAt = (table: TransactionTable, n: number): ReversalRef => {
    const views = viewsAt(table.reversals, n)
    const prefix = table.labels.all[views.prefix[n & mask]!]!
    return { id: idAt(prefix, views.id, n & mask), createdSequence: views.createdSequence[n & mask]! }
  }

  /** A reversal's number in its table; undefined if the table has none of this id. */
  const numberIn = (table: TransactionTable, reversalId: string): number | undefined =>
    keys
      .find(table.number, keyOf(reversalId), table.reversals.count)
      .find((n) => refAt(table, n).id === reversalId)

  /** Keeps one row for each reversal, however often it is put, with the instant at which it counts by now. */
  const put = (
    table: TransactionTable,
    row: number,
    { id: reversalId, countsAtMs }: ListedReversal,
    sequence: number,
  ): void => {
    const known = numberIn(table, reversalId)
    if (known !== undefined) {
      count(table, known, countsAtMs ?? never)
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
    keys.put(table.number, keyOf(reversalId), n)
    keys.put(everyTable, keyOf(reversalId), table.number)
  }

  const count = (table: TransactionTable, n: number, atMs: number): void => {
    if (viewsAt(table.reversals, n).countsAtMs[n & mask] === atMs) return
    touch(table.reversals, n)
    viewsAt(table.reversals, n).countsAtMs[n & mask] = atMs
  }

  return {
    put,
    transactionRowOf: (reversalId: string): Row<TransactionTable> | undefined => {
      for (const number of keys.find(everyTable, keyOf(reversalId), Number.POSITIVE_INFINITY)) {
        const table = tables.numbered(number) as TransactionTable | undefined
        const n = table?.kind === 'transaction' ? numberIn(table, reversalId) : undefined
        if (n !== undefined) return { table: table!, row: viewsAt(table!.reversals, n).row[n & mask]! }
      }
      return undefined
    },
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
  }
}

/** Keys in the place of a table's, for what is looked up without its account. */
const everyTable = 0

/** Apart from the keys of transactions, which merchants choose. */
const keyOf = (reversalId: string): string => `reversal ${reversalId}`
