import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Receivable } from '../ledger/receivable.ts'
import { batchAtMs } from '../ledger/schedule.ts'
import type { TransactionChange } from '../payments/transaction/change.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { RecipientId } from '../shared/ids.ts'
import { type Books, openBooks } from './books.ts'
import { fund, send, takeBack, transferFact, transferNow } from './payouts.ts'
import { type SplitTransfer, splitTransferAmountOf } from './split-transfer.ts'

/**
 * Brings recipients' transfers in line with the receivables of a divided payment (decisions, sections 17.5 and 17.6).
 * Each receivable has a transfer, paid once it settles; what is taken back shrinks waiting transfers, or becomes a debt
 * of recipients already paid. It depends on the rows alone, whatever changed them.
 */
export const syncTransfers = (draft: Draft, change: TransactionChange): void => {
  const transaction = draft.find('transaction', change.events[0]!.id)!
  const { id, receivables, split } = transaction
  const before = change.before?.receivables ?? receivables.slice(0, 0)
  if (split === null || receivables === before || (receivables.length === 0 && before.length === 0)) return
  const transfers = new Map<string, SplitTransfer[]>()
  const known = before.length === 0 ? [] : draft.lookup('splitTransfer', id)
  for (const transfer of known) enter(transfers, transfer)
  const books = openBooks(draft, id)
  const funded: SplitTransfer[] = []
  for (const row of receivables) {
    if (row.recipientId === null || !brings(row)) continue
    const transfer = transferOf(transfers, row) ?? newTransfer(draft, books, transaction, row, transfers)
    if (transfer?.status === 'AWAITING_FUNDS' && follow(draft, books, transfer, row)) funded.push(transfer)
  }
  for (const [recipientId, cents] of besideTransfers(before, receivables)) books.adjust(recipientId, cents)
  const earlier = new Set(before.map(({ id }) => id))
  for (const row of receivables) {
    if (row.recipientId === null || !takes(row) || earlier.has(row.id)) continue
    takeRow(draft, books, transfers, row)
  }
  for (const transfer of funded) send(draft, transferNow(draft, transfer))
  books.close()
}

const takes = ({ type }: Receivable): boolean => type === 'REFUND' || type === 'CHARGEBACK'
const brings = (row: Receivable): boolean => !takes(row)

/** The amount that a row moves by transfer. A negative row has nothing to transfer (see `besideTransfers`). */
const netOf = (row: Receivable): number => Math.max(0, splitTransferAmountOf(row))

/**
 * The amounts that rows move on recipients' balances without a transfer. A reversal takes its part at once, or
 * credits it if it returns more fee than it takes; an instalment with more fee than gross becomes a debt, because
 * no bank can be asked for it. Leaving either out would lose a centavo at each rounding, and many reversals would
 * add up.
 */
const besideTransfers = (
  before: readonly Receivable[],
  after: readonly Receivable[],
): ReadonlyMap<RecipientId, number> => {
  const moved = new Map<RecipientId, number>()
  const add = (rows: readonly Receivable[], sign: 1 | -1): void => {
    for (const row of rows) {
      if (row.recipientId === null) continue
      const cents = takes(row)
        ? -splitTransferAmountOf(row)
        : isLive(row)
          ? Math.min(0, splitTransferAmountOf(row))
          : 0
      if (cents !== 0) moved.set(row.recipientId, (moved.get(row.recipientId) ?? 0) + sign * cents)
    }
  }
  add(before, -1)
  add(after, 1)
  return moved
}

const isLive = ({ status }: Receivable): boolean => status === 'SCHEDULED' || status === 'SETTLED'

const enter = (transfers: Map<string, SplitTransfer[]>, transfer: SplitTransfer): void => {
  const own = transfers.get(transfer.receivableId)
  if (own === undefined) transfers.set(transfer.receivableId, [transfer])
  else own.push(transfer)
}

/** A row taken and restored by a chargeback has a new transfer: the one cancelled before settling is over. */
const transferOf = (
  transfers: ReadonlyMap<string, readonly SplitTransfer[]>,
  { id }: Receivable,
): SplitTransfer | undefined =>
  transfers.get(id)?.find(({ status, scheduledAtMs }) => status !== 'CANCELLED' || scheduledAtMs !== null)

const newTransfer = (
  draft: Draft,
  books: Books,
  { id: transactionId, accountId, split }: Transaction,
  row: Receivable,
  transfers: Map<string, SplitTransfer[]>,
): SplitTransfer | undefined => {
  if (!isLive(row) || netOf(row) === 0) return undefined
  const recipientId = row.recipientId!
  const isToCome = row.status === 'SCHEDULED'
  const { grossCents, feeCents, expectedOn, installment } = row
  const id = contextId(draft.context, 'spt')
  draft.add({
    type: 'TransferCreated',
    transfer: {
      accountId,
      recipientId,
      ruleId: split!.ruleId,
      transactionId,
      receivableId: row.id,
      installment,
      grossCents,
      feeCents,
      bank: draft.find('recipient', recipientId)!.bank,
      settlementId: isToCome ? row.settlementId : null,
      expectedOn,
      fundsAtMs: isToCome ? batchAtMs(draft.account().profile.timeZone, expectedOn) : null,
    },
    ...transferFact(draft, { id }),
  })
  const transfer = transferNow(draft, { id })
  books.expect(transfer.settlementId, splitTransferAmountOf(transfer))
  enter(transfers, transfer)
  return transfer
}

/** Adjusts a waiting transfer to its row. Returns whether its money is there now. */
const follow = (draft: Draft, books: Books, transfer: SplitTransfer, row: Receivable): boolean => {
  const fact = transferFact(draft, transfer)
  if (!isLive(row) || netOf(row) === 0) {
    draft.add({ type: 'TransferCancelled', ...fact })
    books.expect(transfer.settlementId, -splitTransferAmountOf(transfer))
    return false
  }
  const { grossCents, feeCents } = row
  if (grossCents !== transfer.grossCents || feeCents !== transfer.feeCents) {
    draft.add({ type: 'TransferReduced', grossCents, feeCents, ...fact })
    books.expect(
      transfer.settlementId,
      splitTransferAmountOf({ grossCents, feeCents }) - splitTransferAmountOf(transfer),
    )
  }
  if (row.status !== 'SETTLED') return false
  fund(draft, books, transferNow(draft, transfer))
  return true
}

/**
 * Takes a row back from transfers of the same instalment, oldest first; anything they no longer hold becomes a debt.
 */
const takeRow = (
  draft: Draft,
  books: Books,
  transfers: ReadonlyMap<string, readonly SplitTransfer[]>,
  row: Receivable,
): void => {
  const recipientId = row.recipientId!
  let left = netOf(row)
  for (const known of [...transfers.values()].flat()) {
    if (known.recipientId !== recipientId || known.installment !== row.installment || left === 0) continue
    const transfer = transferNow(draft, known)
    if (transfer.scheduledAtMs === null) continue
    const part = Math.min(left, splitTransferAmountOf(transfer) - transfer.reversedCents)
    if (part <= 0) continue
    left -= part
    takeBack(draft, books, transfer, part)
  }
}
