import { providerOf } from '../kernel/context.ts'
import type { Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { batchAtMs } from '../ledger/schedule.ts'
import { dueAgain } from '../payments/transaction/calls.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { addDays, dateIn, nextBusinessDay } from '../shared/calendar.ts'
import { toCents } from '../shared/money.ts'
import { type Books, openBooks } from './books.ts'
import type { TransferCommand } from './commands.ts'
import type { PayoutAnswer } from './payout-request.ts'
import { type SplitTransfer, splitTransferAmountOf } from './split-transfer.ts'

/** How often a refused transfer is retried, each time on the next business day (decisions, section 17.6). */
const retriesMax = 3

/** Deciders for transfers to recipients. */
export const payoutDeciders: Deciders<TransferCommand> = {
  FundTransfer: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      assert(draft.find('batch', transfer.settlementId!) !== undefined, 'a batch runs before its transfers')
      fund(draft, books, transfer)
      send(draft, transferNow(draft, transfer))
    }),
  SendTransfer: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      schedule(draft, books, transfer)
      send(draft, transferNow(draft, transfer))
    }),
  CallBankAgain: (draft, command) =>
    changeTransfer(draft, command, (transfer) => {
      draft.add({ type: 'TransferSentAgain', callId: transfer.call!.id, ...transferFact(draft, transfer) })
    }),
  RecordPayout: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      if (transfer.call?.id === command.callId) recordPayout(draft, books, transfer, command.answer)
    }),
}

/** Changes a transfer and writes the recipients' balances once at the end. */
const changeTransfer = (
  draft: Draft,
  { splitTransferId }: TransferCommand,
  change: (transfer: SplitTransfer, books: Books) => void,
): Rejection | null => {
  const transfer = draft.find('splitTransfer', splitTransferId)
  if (transfer === undefined) return { reason: 'NOT_FOUND', resource: 'split_transfer' }
  const books = openBooks(draft, transfer.transactionId)
  change(transfer, books)
  books.close()
  return null
}

/** The transfer's money has arrived. The recipient's debt is paid first (decisions, section 17.5). */
export const fund = (draft: Draft, books: Books, transfer: SplitTransfer): void => {
  const { recipientId } = transfer
  const amountCents = splitTransferAmountOf(transfer)
  const debtRecoveredCents = books.credit(recipientId, amountCents)
  const dueCents = toCents(amountCents - debtRecoveredCents)
  books.pend(recipientId, dueCents)
  books.expect(transfer.settlementId, -amountCents)
  draft.add({ type: 'TransferScheduled', debtRecoveredCents, dueCents, ...transferFact(draft, transfer) })
}

/** Continues a transfer that waited for its next try or a bank. A debt made meanwhile is paid from it. */
const schedule = (draft: Draft, books: Books, transfer: SplitTransfer): void => {
  const { recipientId, dueCents, status } = transfer
  const recoveredCents = Math.min(dueCents, books.debtOf(recipientId))
  if (status === 'SCHEDULED' && recoveredCents === 0) return
  books.pend(recipientId, -recoveredCents)
  draft.add({
    type: 'TransferScheduled',
    debtRecoveredCents: toCents(transfer.debtRecoveredCents + recoveredCents),
    dueCents: toCents(dueCents - recoveredCents),
    ...transferFact(draft, transfer),
  })
}

/**
 * Records the intent to call the bank. Without a bank the transfer waits; with nothing left to pay it completes without
 * a call.
 */
export const send = (draft: Draft, transfer: SplitTransfer): void => {
  const { id, accountId, recipientId, dueCents, failures, status } = transfer
  if (status !== 'SCHEDULED') return
  const fact = transferFact(draft, transfer)
  if (dueCents === 0) {
    draft.add({ type: 'TransferCompleted', callId: null, ...fact })
    return
  }
  if (providerOf(draft.context.institution, accountId, 'PAYOUT') === null) return
  const { bank, name, document } = draft.find('recipient', recipientId)!
  const callId = `${id}.${failures + 1}`
  draft.add({ type: 'TransferSent', callId, bank, beneficiary: { name, document }, ...fact })
}

/** A reversal takes back a settled share: from the transfer if it was not sent yet, otherwise as a debt. */
export const takeBack = (draft: Draft, books: Books, transfer: SplitTransfer, cents: number): void => {
  const { recipientId, dueCents, status, retryAtMs } = transfer
  const isUnsent = status === 'SCHEDULED' || (status === 'FAILED' && retryAtMs !== null)
  const reversedCents = toCents(transfer.reversedCents + cents)
  // A reversal during an unanswered bank call left a debt, which ends with the transfer.
  const isGone = reversedCents === splitTransferAmountOf(transfer)
  const cut = isUnsent ? (isGone ? dueCents : Math.min(dueCents, cents)) : 0
  books.pend(recipientId, -cut)
  draft.add({
    type: 'TransferReversed',
    reversedCents,
    dueCents: toCents(dueCents - cut),
    ...transferFact(draft, transfer),
  })
  const after = transferNow(draft, transfer)
  if (after.status === 'FAILED' && isUnsent && after.dueCents === 0)
    draft.add({ type: 'TransferCompleted', callId: null, ...transferFact(draft, transfer) })
}

const recordPayout = (draft: Draft, books: Books, transfer: SplitTransfer, answer: PayoutAnswer): void => {
  const { recipientId, dueCents, reversedCents } = transfer
  const call = transfer.call!
  const fact = { callId: call.id, ...transferFact(draft, transfer) }
  switch (answer.type) {
    case 'DONE':
      books.payOut(recipientId, dueCents)
      draft.add({ type: 'TransferCompleted', ...fact })
      if (reversedCents === splitTransferAmountOf(transfer))
        draft.add({ type: 'TransferReversed', reversedCents, dueCents, ...transferFact(draft, transfer) })
      return
    case 'REFUSED':
    case 'UNDONE': {
      const isLast = transfer.failures === retriesMax
      // The money stays on the recipient's balance.
      if (isLast) books.pend(recipientId, -dueCents)
      const retryAtMs = isLast ? null : nextTryAtMs(draft)
      draft.add({ type: 'TransferFailed', failureReason: 'REFUSED_BY_BANK', retryAtMs, ...fact })
      return
    }
    case 'PENDING':
    case 'SILENT':
      if (call.dueAtMs === null)
        draft.add({ type: 'TransferSilent', ...fact, ...dueAgain(call, draft, answer) })
      return
    default:
      unreachable(answer.type)
  }
}

/** The next business day, when its batches run. */
const nextTryAtMs = (draft: Draft): number => {
  const { timeZone } = draft.account().profile
  return batchAtMs(timeZone, nextBusinessDay(addDays(dateIn(timeZone, draft.context.nowMs), 1)))
}

/** The transfer as the draft has left it. */
export const transferNow = (draft: Draft, { id }: Pick<SplitTransfer, 'id'>): SplitTransfer =>
  draft.find('splitTransfer', id)!

/** The members that all facts of a transfer share. */
export const transferFact = (draft: Draft, { id }: Pick<SplitTransfer, 'id'>) =>
  factOf(draft, 'splitTransfer', id)
