import { suspendedConnection } from '../connections/rail-connection.ts'
import { chosenWay, routeOfWay } from '../connections/way.ts'
import type { Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { transfer as transferred } from '../ledger/postings.ts'
import { batchAtMs } from '../ledger/schedule.ts'
import {
  contradicts,
  type Declaration,
  freshReturns,
  type SentMoney,
  type TransferAnswer,
} from '../payments/sent-money.ts'
import { dueAgain } from '../payments/transaction/calls.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { addDays, dateIn, dayMs, nextBusinessDay } from '../shared/calendar.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { type Books, openBooks } from './books.ts'
import type { ReportSplitPayOut, TransferCommand } from './commands.ts'
import {
  cameBackCents,
  type PayoutFailure,
  type SplitTransfer,
  splitTransferAmountOf,
} from './split-transfer.ts'

/** How often a refused transfer is retried, each time on the next business day (decisions, section 17.6). */
const retriesMax = 3

/** Deciders for transfers to recipients. */
export const payoutDeciders: Deciders<TransferCommand> = {
  FundTransfer: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      assert(draft.find('batch', transfer.settlementId!) !== undefined, 'a batch runs before its transfers')
      fund(draft, books, transfer)
      send(draft, transferNow(draft, transfer))
      return null
    }),
  SendTransfer: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      schedule(draft, books, transfer)
      send(draft, transferNow(draft, transfer))
      return null
    }),
  CallBankAgain: (draft, command) =>
    changeTransfer(draft, command, (transfer) => {
      draft.add({ type: 'TransferSentAgain', callId: transfer.call!.id, ...transferFact(draft, transfer) })
      return null
    }),
  RecordPayout: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => {
      if (transfer.call?.id === command.callId) recordPayout(draft, books, transfer, command.answer)
      return null
    }),
  ReportSplitPayOut: (draft, command) =>
    changeTransfer(draft, command, (transfer, books) => reportPayout(draft, books, transfer, command)),
}

/** Changes a transfer and writes the recipients' balances once at the end. */
const changeTransfer = (
  draft: Draft,
  { splitTransferId }: TransferCommand,
  change: (transfer: SplitTransfer, books: Books) => Rejection | null,
): Rejection | null => {
  const transfer = draft.find('splitTransfer', splitTransferId)
  if (transfer === undefined) return { reason: 'NOT_FOUND', resource: 'split_transfer' }
  const books = openBooks(draft, transfer.transactionId)
  const refusal = change(transfer, books)
  if (refusal === null) books.close()
  return refusal
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
 * Records the intent to call the bank, with the connection that is chosen for it. Without a bank the transfer waits; with nothing left to pay
 * it completes without a call.
 */
export const send = (draft: Draft, transfer: SplitTransfer): void => {
  const { id, recipientId, dueCents, failures, status } = transfer
  if (status !== 'SCHEDULED') return
  const fact = transferFact(draft, transfer)
  if (dueCents === 0) {
    draft.add({ type: 'TransferCompleted', callId: null, ...fact })
    return
  }
  const attempt = failures + 1
  const known = { rail: 'PAYOUT', amountCents: dueCents, attempt } as const
  const way = chosenWay(draft.context.institution, draft.account(), known)
  if (way === null) {
    draft.add({ type: 'TransferWaiting', untilMs: nextLookAtMs(draft, transfer), ...fact })
    return
  }
  const route = routeOfWay(way)
  if (route !== null) draft.add({ type: 'RouteChosen', route, ...fact })
  const { bank, name, document } = draft.find('recipient', recipientId)!
  draft.add({
    type: 'TransferSent',
    callId: `${id}.${attempt}`,
    bank,
    beneficiary: { name, document },
    ...fact,
  })
}

/**
 * When a transfer without a way is looked at once more. A connection that is suspended is waited for like that of a transfer; without one each
 * wait is as long as all before it, up to a day: there may be very many of them.
 */
const nextLookAtMs = (draft: Draft, { scheduledAtMs }: SplitTransfer): number => {
  const { nowMs } = draft.context
  const isSuspended = suspendedConnection(draft.account(), 'PAYOUT') !== null
  const waitedMs = isSuspended ? 0 : nowMs - scheduledAtMs!
  return nowMs + Math.min(Math.max(waitedMs, shortWaitMs), dayMs)
}

const shortWaitMs = 10 * 60_000

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

/** Records the bank's answer to the call that is open. */
export const recordPayout = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  answer: TransferAnswer,
): void => {
  const call = transfer.call!
  const fact = { callId: call.id, ...transferFact(draft, transfer) }
  switch (answer.type) {
    case 'DONE':
      completePayout(draft, books, transfer, answer)
      return
    case 'UNDONE':
      // What came back is reported by itself, under the id of its return.
      if (answer.hadArrived) completePayout(draft, books, transfer, {})
      else failPayout(draft, books, transfer)
      return
    case 'REFUSED':
      failPayout(draft, books, transfer)
      return
    case 'PENDING':
    case 'SILENT':
      if (call.dueAtMs !== null) return
      if (answer.type === 'PENDING') identify(draft, transfer, answer.endToEndId)
      if (answer.bankNumber !== undefined && answer.bankNumber !== call.bankNumber)
        draft.add({ type: 'TransferNumbered', bankNumber: answer.bankNumber, ...fact })
      if ('isLost' in answer && transfer.lostAtMs === undefined)
        draft.add({ type: 'OutcomeLost', ...transferFact(draft, transfer) })
      draft.add({ type: 'TransferSilent', ...fact, ...dueAgain(call, draft, answer) })
      return
    default:
      unreachable(answer)
  }
}

const completePayout = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  { endToEndId, tariffCents = toCents(0) }: Omit<Extract<TransferAnswer, { readonly type: 'DONE' }>, 'type'>,
): void => {
  const { recipientId, dueCents, reversedCents } = transfer
  const fact = transferFact(draft, transfer)
  identify(draft, transfer, endToEndId)
  books.payOut(recipientId, dueCents)
  if (tariffCents > 0) {
    const { id } = draft.account()
    const postings = transferred('available', 'fees', tariffCents)
    const moved = { objectId: transfer.id, currency: 'BRL', postings } as const
    draft.add({ actor: 'account', type: 'FundsMoved', id, atMs: draft.context.nowMs, ...moved })
    draft.add({ type: 'TransferCharged', tariffCents, ...fact })
  }
  draft.add({ type: 'TransferCompleted', callId: transfer.call!.id, ...fact })
  if (reversedCents === splitTransferAmountOf(transfer))
    draft.add({ type: 'TransferReversed', reversedCents, dueCents, ...fact })
}

const identify = (draft: Draft, transfer: SplitTransfer, railId: string | null = null): void => {
  if (railId !== null && railId !== transfer.railId)
    draft.add({ type: 'TransferIdentified', railId, ...transferFact(draft, transfer) })
}

const failPayout = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  failureReason: PayoutFailure = 'REFUSED_BY_BANK',
): void => {
  const { recipientId, dueCents, call } = transfer
  // What was paid by an earlier call is not paid once more.
  const isLast = transfer.failures === retriesMax || transfer.besidesCents !== undefined
  // The money stays on the recipient's balance.
  if (isLast) books.pend(recipientId, -dueCents)
  const retryAtMs = isLast ? null : nextTryAtMs(draft)
  const fact = { callId: call!.id, ...transferFact(draft, transfer) }
  draft.add({ type: 'TransferFailed', failureReason, retryAtMs, ...fact })
}

/**
 * What a bank says of a payout. It counts as an answer to the call that is open, so that a return that overtakes that answer finds a transfer
 * that has arrived; each return counts once. What contradicts the books is refused, so that a person looks.
 */
const reportPayout = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  { callNumber, connectionId, payOut }: ReportSplitPayOut,
): Rejection | null => {
  const { failures, route, call, dueCents, completedAtMs } = transfer
  const { state, railId, code } = payOut
  if (callNumber <= failures) {
    // Nothing of that call was done in the end.
    if (state !== 'DONE') return null
    if (transfer.unsentCalls?.includes(callNumber) !== true) return contradicts(transfer.status)
    payUnsent(draft, books, transfer, { callNumber, amountCents: payOut.amountCents, railId })
    return null
  }
  const isOpen = call !== null
  if (callNumber > failures + 1 || (!isOpen && completedAtMs === null)) return contradicts(transfer.status)
  // Two connections may reach the same account at the bank: only the one that sent it speaks for it.
  if (route?.connectionId !== connectionId) return null
  if (payOut.amountCents !== dueCents) return contradicts(transfer.status)
  switch (state) {
    case 'PROCESSING':
      return isOpen ? null : contradicts(transfer.status)
    case 'REFUSED':
      if (isOpen) recordPayout(draft, books, transfer, { type: 'REFUSED', code })
      else if (isDeclaredSent(transfer))
        return comeBack(draft, books, transfer, [
          { id: `${transfer.id}.0`, amountCents: restCents(transfer), atMs: null },
        ])
      return isOpen ? null : contradicts(transfer.status)
    case 'DONE':
    case 'RETURNED':
      if (isOpen) recordPayout(draft, books, transfer, { type: 'DONE', endToEndId: railId })
      return comeBack(draft, books, transferNow(draft, transfer), payOut.returns)
    default:
      return unreachable(state)
  }
}

const isDeclaredSent = ({ declared }: SplitTransfer): boolean =>
  declared?.outcome === 'SENT' && declared.confirmedBy !== null

const restCents = (transfer: SplitTransfer): Cents => toCents(transfer.dueCents - cameBackCents(transfer))

/**
 * Books that a call has paid which people had declared unsent. Where a later call has paid the recipient once more, or may, this one is a debt of
 * theirs, which their next parts pay.
 */
const payUnsent = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  paid: { readonly callNumber: number; readonly amountCents: Cents; readonly railId: string | null },
): void => {
  const { recipientId, status, dueCents, retryAtMs } = transfer
  const completes = status === 'FAILED' || status === 'SCHEDULED'
  // What waits to be sent is pending; what was tried on all of its days is not.
  const waits = status === 'SCHEDULED' || (status === 'FAILED' && retryAtMs !== null)
  books.pend(recipientId, paid.amountCents - (waits ? dueCents : 0))
  books.payOut(recipientId, paid.amountCents)
  draft.add({ type: 'UnsentFound', completes, ...paid, ...transferFact(draft, transfer) })
  if (completes) draft.add({ type: 'TransferCompleted', callId: null, ...transferFact(draft, transfer) })
}

/** People say what became of the call that is open. */
export const settleDeclared = (
  draft: Draft,
  transfer: SplitTransfer,
  { outcome, endToEndId }: Declaration,
): void => {
  const books = openBooks(draft, transfer.transactionId)
  if (outcome === 'SENT') completePayout(draft, books, transfer, { endToEndId })
  else failPayout(draft, books, transfer, 'NOT_SENT')
  books.close()
}

/** Books what came back and is not booked yet. It is owed to the recipient, and is not sent once more: why it came back is for people. */
const comeBack = (
  draft: Draft,
  books: Books,
  transfer: SplitTransfer,
  returns: SentMoney['returns'],
): Rejection | null => {
  const fresh = freshReturns(transfer.returns, returns, draft.context.nowMs)
  const cents = fresh.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (cents > transfer.dueCents - cameBackCents(transfer)) return contradicts(transfer.status)
  for (const part of fresh) {
    books.payBack(transfer.recipientId, part.amountCents)
    draft.add({ type: 'TransferCameBack', part, ...transferFact(draft, transfer) })
  }
  return null
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
