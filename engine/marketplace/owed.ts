import { divide } from '../ledger/divide.ts'
import { heldBy, signOf } from '../ledger/receivables.ts'
import { restoredCents, untakenCents, wholeFeeCents } from '../payments/transaction/amounts.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { RecipientId } from '../shared/ids.ts'
import { cameBackCents, type SplitTransfer, splitTransferAmountOf } from './split-transfer.ts'

/** What the company owes a recipient, and how much of it open transfers will pay. */
export type Owed = { balanceCents: number; pendingCents: number }

/**
 * Recounts what the company owes recipients from receivables and transfers, to the centavo: their shares less what
 * was paid out or has yet to settle. Used to check the balances that recipients keep themselves.
 */
export const owedBy = (
  transfers: Iterable<SplitTransfer>,
  transactions: Iterable<Pick<Transaction, 'receivables'>>,
): ReadonlyMap<RecipientId, Owed> & { readonly paidOutCents: bigint; readonly tariffCents: bigint } => {
  const owed = new Map<RecipientId, Owed>()
  let paidOutCents = 0n
  let tariffCents = 0n
  const of = (id: RecipientId): Owed => {
    let own = owed.get(id)
    if (own === undefined) {
      own = { balanceCents: 0, pendingCents: 0 }
      owed.set(id, own)
    }
    return own
  }
  for (const { receivables } of transactions) {
    for (const row of receivables) {
      if (row.recipientId !== null)
        of(row.recipientId).balanceCents += signOf(row) * splitTransferAmountOf(row)
    }
  }
  for (const transfer of transfers) {
    const own = of(transfer.recipientId)
    tariffCents += BigInt(transfer.tariffCents ?? 0)
    const { besidesCents = 0 } = transfer
    own.balanceCents -= besidesCents
    paidOutCents += BigInt(besidesCents)
    if (transfer.status === 'AWAITING_FUNDS') own.balanceCents -= splitTransferAmountOf(transfer)
    else if (isPaidOut(transfer)) {
      const arrivedCents = transfer.dueCents - cameBackCents(transfer)
      own.balanceCents -= arrivedCents
      paidOutCents += BigInt(arrivedCents)
    } else if (isPending(transfer)) own.pendingCents += transfer.dueCents
  }
  return Object.assign(owed, { paidOutCents, tariffCents })
}

/**
 * Where the rows of a divided payment contradict its parties' holdings: none may hold more than its share, and together
 * they hold what is left of payment and fee. When nothing is left, every party must be at zero.
 */
export const divisionProblems = (transaction: Transaction): string[] => {
  const { id, split, receivables, paidCents, reversals } = transaction
  if (split === null || receivables.length === 0) return []
  const problems: string[] = []
  let grossCents = 0
  let feeCents = 0
  for (const share of divide(split.items, paidCents, wholeFeeCents(transaction)).shares) {
    const held = heldBy(receivables, share.partyId)
    grossCents += held.grossCents
    feeCents += held.feeCents
    if (!isWithin(held.grossCents, share.grossCents) || !isWithin(held.feeCents, share.feeCents))
      problems.push(
        `${id}: ${share.partyId ?? 'the company'} holds ${held.grossCents} less ${held.feeCents}, of ${share.grossCents} less ${share.feeCents}`,
      )
  }
  const open = reversals.chargebacks.filter(({ status }) => status === 'OPEN' || status === 'UNDER_REVIEW')
  const left = {
    grossCents:
      untakenCents(transaction) +
      restoredCents(transaction) -
      open.reduce((sum, { amountCents }) => sum + amountCents, 0),
    feeCents: transaction.feeCents - open.reduce((sum, { feeCents }) => sum + feeCents, 0),
  }
  if (grossCents !== left.grossCents || feeCents !== left.feeCents)
    problems.push(
      `${id}: its parties hold ${grossCents} less ${feeCents}, but ${left.grossCents} less ${left.feeCents} is left`,
    )
  return problems
}

const isWithin = (cents: number, most: number): boolean => cents >= 0 && cents <= most

const isPaidOut = ({ completedAtMs }: SplitTransfer): boolean => completedAtMs !== null

const isPending = ({ status, retryAtMs }: SplitTransfer): boolean =>
  status === 'SCHEDULED' || status === 'PROCESSING' || (status === 'FAILED' && retryAtMs !== null)
