import type { Part } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { append, viewsAt } from './columns.ts'
import { labelNumber } from './labels.ts'
import { idAt, packId, writeId } from './packed-id.ts'
import { partSchema } from './table.ts'
import type { TransactionTable } from './table-type.ts'
import type { Row, Tables } from './tables.ts'

/** Refunds, chargebacks and MEDs by their ids, and which transactions own them. They are few. */
export type Parts = {
  /** Once for each part, however often it is said. */
  readonly put: (table: TransactionTable, row: number, reversalId: string, sequence: number) => void
  readonly ownerOf: (reversalId: string) => Row<TransactionTable> | undefined
  readonly of: (accountId: AccountId, prefix: string) => readonly Part[]
  readonly load: (table: TransactionTable) => void
  readonly forget: (table: TransactionTable) => void
}

export const newParts = (tables: Tables): Parts => {
  const owners = new Map<string, Row<TransactionTable>>()
  const { mask } = partSchema

  const partAt = (table: TransactionTable, part: number): Part => {
    const views = viewsAt(table.parts, part)
    const prefix = table.labels.all[views.prefix[part & mask]!]!
    return { id: idAt(prefix, views.id, part & mask), createdSequence: views.createdSequence[part & mask]! }
  }

  const put = (table: TransactionTable, row: number, reversalId: string, sequence: number): void => {
    if (owners.has(reversalId)) return
    const prefix = reversalId.slice(0, reversalId.indexOf('_'))
    const packed = packId(prefix, reversalId)
    assert(packed !== null, `${reversalId} has the shape of an id`)
    const part = append(table.parts)
    const views = viewsAt(table.parts, part)
    views.createdSequence[part & mask] = sequence
    writeId(views.id, part & mask, packed)
    views.row[part & mask] = row
    views.prefix[part & mask] = labelNumber(table.labels, prefix)
    owners.set(reversalId, { table, row })
  }

  return {
    put,
    ownerOf: (reversalId) => owners.get(reversalId),
    of: (accountId, prefix) => {
      const table = tables.of(accountId, 'transaction')
      if (table === undefined) return []
      const own: Part[] = []
      const wanted = table.labels.all.indexOf(prefix)
      for (let part = 0; part < table.parts.count; part++)
        if (viewsAt(table.parts, part).prefix[part & mask] === wanted) own.push(partAt(table, part))
      return own
    },
    load: (table) => {
      for (let part = 0; part < table.parts.count; part++)
        owners.set(partAt(table, part).id, { table, row: viewsAt(table.parts, part).row[part & mask]! })
    },
    forget: (table) => {
      for (let part = 0; part < table.parts.count; part++) owners.delete(partAt(table, part).id)
    },
  }
}
