import type { ReceivedRow } from '../../engine/payments/received/row.ts'
import type { TransactionRow } from '../../engine/payments/transaction/row.ts'
import { viewsAt } from '../base/columns.ts'
import { labelNumber } from '../base/labels.ts'
import { discard } from '../base/pager.ts'
import { groupCodeOf } from './group-code.ts'
import { numberOfId } from './id-numbers.ts'
import { listParties } from './party-lists.ts'
import { numberOfPayer } from './payers.ts'
import { type LabelledViews, never, receivedCode } from './rows.ts'
import { forgetRun } from './runs.ts'
import { summarise, tally } from './segment-stats.ts'
import type { ReceivedTable, Table, TransactionTable } from './table-type.ts'

/** Writes a transaction's columns into a new row, or one about to change. */
export const fillTransaction = (
  table: TransactionTable,
  row: number,
  values: TransactionRow,
  isNew: boolean,
): void => {
  const { payers, customers, labels } = table
  const views = viewsAt(table.rows, row)
  const n = row & table.rows.schema.mask
  const stats = isNew ? null : table.segmentStats[row >>> table.rows.schema.bits]!
  if (stats !== null) {
    tally(table, row, -1)
    forgetRun(table, row)
  }
  // Amounts should never change; if one does, the order by amount is invalid.
  if (stats !== null && views.amountCents[n] !== values.amountCents)
    discard(table.rows.paging.pager, stats.byAmount)
  views.approvedAtMs[n] = values.approvedAtMs ?? never
  views.settlesAtOnce[n] = values.settlesAtOnce ? 1 : 0
  views.amountCents[n] = values.amountCents
  views.paidCents[n] = values.paidCents
  views.feeCents[n] = values.feeCents
  views.refundedCents[n] = values.refundedCents
  views.disputedCents[n] = values.disputedCents
  // Who pays what never changes (`TransactionChanges`).
  if (isNew) {
    views.scheduled[n] = 0
    views.payer[n] = numberOfPayer(payers, values.payer)
    views.customer[n] = numberOfId(customers, values.customerId)
    listParties(table, row, views.payer[n]!, views.customer[n]!)
  }
  views.group[n] = groupCodeOf(labels, values)
  if (isNew) summarise(table, row)
  else tally(table, row, 1)
}

/** Writes the columns of a received PIX, which never changes. */
export const fillReceived = (table: ReceivedTable, row: number, values: ReceivedRow, label: string): void => {
  const views = viewsAt(table.rows, row)
  const n = row & table.rows.schema.mask
  views.amountCents[n] = values.amountCents
  views.feeCents[n] = values.feeCents
  views.group[n] = receivedCode(values.isReturned, values.isDeposit)
  views.label[n] = labelNumber(table.labels, label)
  summarise(table, row)
}

/** Writes an actor's label into its row. */
export const fillLabel = (table: Table<LabelledViews>, row: number, label: string, isNew: boolean): void => {
  viewsAt(table.rows, row).label[row & table.rows.schema.mask] = labelNumber(table.labels, label)
  if (isNew) summarise(table, row)
}
