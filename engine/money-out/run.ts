import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { withdrawableOf } from '../ledger/withdrawable.ts'
import { dueAgain } from '../payments/transaction/calls.ts'
import { unreachable } from '../shared/assert.ts'
import type { TransferId } from '../shared/ids.ts'
import type { AskBankAgain, RecordTransfer, ResolveTransfer, RunTransfer } from './commands.ts'
import { limitCounts, limitRefusal, type MoneyOut } from './limits.ts'
import { newEndToEndId } from './lookups/lookup-deciders.ts'
import { changeKeyTokens, keyQuota } from './lookups/quota.ts'
import { runTimeOf } from './methods/hours.ts'
import { ownerChanged, type TransferAnswer } from './methods/transfer-request.ts'
import { isPlanned, type NewOutgoing, type OutgoingTransfer, type TransferFailure } from './money-out.ts'
import { payeeKeyOf } from './payees/payee.ts'
import { firstPaidKey } from './payment-keys.ts'
import { moneyOutOf } from './standing.ts'
import { bookMoneyOut, countedBack } from './sums.ts'

/** Why a transfer cannot be paid from what is there; null if it can. */
export const fundsRefusal = (
  draft: Draft,
  transfer: Pick<NewOutgoing, 'accountId' | 'amountCents' | 'feeCents' | 'metadata'>,
): Rejection | null => {
  const isShort =
    draft.context.institution.outcomes.lacksFunds(transfer) ||
    withdrawableOf(draft.account()) < BigInt(transfer.amountCents + transfer.feeCents)
  return isShort ? { reason: 'INSUFFICIENT_BALANCE' } : null
}

/** Reserves the money and records the intent to ask the bank. One that was planned is so no more. */
export const sendOutgoing = (draft: Draft, id: TransferId, out: MoneyOut, wasPlanned: boolean): void => {
  const { nowMs } = draft.context
  const transfer = draft.find('outgoingTransfer', id)!
  const counts = limitCounts(draft.account(), out, nowMs)
  // What is new has counted nothing yet.
  const uncounted = wasPlanned ? [] : transfer.counts
  bookMoneyOut(draft, transfer, 'RESERVED', { wasPlanned, counts: [...uncounted, ...counts] })
  draft.add({
    type: 'OutgoingSent',
    ...factOf(draft, 'outgoingTransfer', id),
    callId: `${id}.1`,
    endToEndId:
      transfer.kind === 'PIX' ? (endToEndIdOfLookup(draft, transfer) ?? newEndToEndId(draft)) : null,
    counts,
  })
  const { beneficiaryId } = transfer
  if (beneficiaryId !== null)
    draft.add({ type: 'BeneficiaryUsed', ...factOf(draft, 'beneficiary', beneficiaryId) })
}

const endToEndIdOfLookup = (draft: Draft, { lookupId }: OutgoingTransfer): string | null =>
  lookupId === null ? null : (draft.find('keyLookup', lookupId)?.endToEndId ?? null)

/** Sends a transfer whose time has come. Balance and limits are checked again, and who owns the key by the bank. */
export const runOutgoing: Decider<RunTransfer> = (draft, { outgoingTransferId: id }) => {
  const transfer = draft.find('outgoingTransfer', id)!
  runScheduled(draft, transfer)
  return null
}

/** The same for one that was just scheduled: it runs if it is time. */
export const runScheduled = (draft: Draft, transfer: OutgoingTransfer): void => {
  const { nowMs } = draft.context
  const account = draft.account()
  const openMs = runTimeOf(account.profile.timeZone, transfer.kind, null, nowMs)
  if (openMs > nowMs) {
    const postponed = { runsAtMs: openMs, ...factOf(draft, 'outgoingTransfer', transfer.id) }
    draft.add({ type: 'OutgoingPostponed', ...postponed })
    return
  }
  const out = moneyOutOf(draft, transfer)
  const refusal = fundsRefusal(draft, transfer) ?? limitRefusal(account, out, nowMs)
  if (refusal === null) sendOutgoing(draft, transfer.id, out, true)
  else fail(draft, transfer, refusal.reason === 'INSUFFICIENT_BALANCE' ? refusal.reason : 'LIMIT_EXCEEDED')
}

/** Asks the bank once more, with the same reference. */
export const askBankAgain: Decider<AskBankAgain> = (draft, { outgoingTransferId: id }) => {
  const { call } = draft.find('outgoingTransfer', id)!
  draft.add({ type: 'OutgoingSentAgain', callId: call!.id, ...factOf(draft, 'outgoingTransfer', id) })
  return null
}

/** Records what the bank said. */
export const recordOutgoing: Decider<RecordTransfer> = (
  draft,
  { outgoingTransferId: id, callId, answer },
) => {
  const transfer = draft.find('outgoingTransfer', id)
  if (transfer === undefined) return absentTransfer
  if (transfer.call?.id === callId) record(draft, transfer, answer)
  return null
}

/** Decides in the bank's place. */
export const resolveOutgoing: Decider<ResolveTransfer> = (
  draft,
  { outgoingTransferId: id, failureReason },
) => {
  const transfer = draft.find('outgoingTransfer', id)
  if (transfer === undefined) return absentTransfer
  const { status } = transfer
  if (status !== 'PROCESSING')
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: ['PROCESSING'] }
  if (failureReason === null) complete(draft, transfer)
  else fail(draft, transfer, failureReason)
  return null
}

export const absentTransfer = { reason: 'NOT_FOUND', resource: 'transfer' } as const

const record = (draft: Draft, transfer: OutgoingTransfer, answer: TransferAnswer): void => {
  const { call, id } = transfer
  switch (answer.type) {
    case 'DONE':
      complete(draft, transfer)
      return
    case 'REFUSED':
      fail(draft, transfer, failureOf(answer.code), answer.code)
      return
    case 'PENDING':
    case 'SILENT':
      if (call!.dueAtMs === null)
        draft.add({
          type: 'OutgoingUnanswered',
          callId: call!.id,
          ...factOf(draft, 'outgoingTransfer', id),
          ...dueAgain(call!, draft, askAgainAfterMs),
        })
      return
    default:
      unreachable(answer)
  }
}

/** Delays between inquiries to a bank that does not answer: after a quarter of an hour in all, every ten minutes. */
const askAgainAfterMs = [5_000, 15_000, 40_000, 120_000, 180_000, 540_000, 600_000]

const complete = (draft: Draft, transfer: OutgoingTransfer): void => {
  const { id, call, payee, lookupId } = transfer
  const isFirst = draft.lookup('outgoingTransfer', firstPaidKey(payeeKeyOf(payee))).length === 0
  bookMoneyOut(draft, transfer, 'PAID')
  draft.add({
    type: 'OutgoingCompleted',
    callId: call!.id,
    isFirst,
    ...factOf(draft, 'outgoingTransfer', id),
  })
  if (lookupId !== null) changeKeyTokens(draft, keyQuota.paid)
}

/** Ends a transfer without payment: what was reserved is back, and counts no more. */
const fail = (
  draft: Draft,
  transfer: OutgoingTransfer,
  failureReason: TransferFailure,
  providerCode: string | null = null,
): void => {
  const { id, call } = transfer
  const counts = countedBack(transfer.counts)
  if (isPlanned(transfer)) bookMoneyOut(draft, transfer, 'DROPPED', { wasPlanned: true, counts })
  else bookMoneyOut(draft, transfer, 'RETURNED', { counts })
  draft.add({
    type: 'OutgoingFailed',
    callId: call?.id ?? null,
    failureReason,
    providerCode: providerCode === ownerChanged ? null : providerCode,
    ...factOf(draft, 'outgoingTransfer', id),
  })
}

/** What the codes of banks mean (ISO 20022, as PIX uses them). */
const failureOf = (code: string | null): TransferFailure => failuresByCode[code ?? ''] ?? 'REFUSED_BY_BANK'

const failuresByCode: Readonly<Record<string, TransferFailure>> = {
  [ownerChanged]: 'BENEFICIARY_CHANGED',
  AC03: 'ACCOUNT_NOT_FOUND',
  AC06: 'ACCOUNT_BLOCKED',
  AC07: 'ACCOUNT_CLOSED',
  AC14: 'ACCOUNT_TYPE',
  AB03: 'BANK_TIMEOUT',
  AB11: 'BANK_TIMEOUT',
  AB09: 'BANK_ERROR',
}
