import type { Decider } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { dayMs } from '../../shared/calendar.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import { returnAttemptsMax } from '../methods/pix/bank/returns.ts'
import type { ReturnAtBank } from '../methods/pix/pix.ts'
import { dueAgain } from '../transaction/calls.ts'
import type { RecordSuspenseReturn, RepeatSuspenseReturn, ReturnSuspense } from './commands.ts'
import { moveSuspended } from './move.ts'
import { openSuspense } from './open.ts'
import { isSuspended, leftInSuspenseCents, type Suspense, suspenseReturnReference } from './suspense.ts'

/** Begins to send money back to its payer. From then on it is neither assigned nor written off, unless the bank refuses. */
export const returnSuspense: Decider<ReturnSuspense> = (draft, command) => {
  const item = openSuspense(draft, command)
  if ('reason' in item) return item
  begin(draft, item, command.by)
  return null
}

/** Repeats a call whose outcome is unknown; begins another attempt after the bank has refused one. */
export const repeatSuspenseReturn: Decider<RepeatSuspenseReturn> = (draft, { suspenseId, by }) => {
  const item = draft.find('suspense', suspenseId)
  const returning = item?.returning ?? null
  // What became due may be over by the time that it is done.
  if (item === undefined || returning === null || returning.dueAtMs === null) return null
  const { callId } = returning
  if (callId === null) begin(draft, item, by)
  else draft.add({ type: 'SuspenseReturnRepeated', callId, ...factOf(draft, 'suspense', suspenseId) })
  return null
}

const begin = (draft: Draft, item: Suspense, by: ReturnSuspense['by']): void =>
  draft.add({
    type: 'SuspenseReturnBegun',
    by,
    callId: `${item.id}.${(item.returning?.attempts ?? 0) + 1}`,
    amountCents: leftInSuspenseCents(item),
    ...factOf(draft, 'suspense', item.id),
  })

/** Records the bank's answer. One to a call that is over changes nothing. */
export const recordSuspenseReturn: Decider<RecordSuspenseReturn> = (
  draft,
  { suspenseId, callId, answer },
) => {
  const item = draft.find('suspense', suspenseId)
  if (item === undefined) return { reason: 'NOT_FOUND', resource: 'suspense' }
  const { returning } = item
  if (returning === null || returning.callId !== callId) return null
  const fact = factOf(draft, 'suspense', suspenseId)
  switch (answer.type) {
    case 'DONE':
    case 'RETURNED': {
      const returnId = answer.type === 'RETURNED' ? answer.returnId : null
      // What was reported of it meanwhile is not counted twice.
      const amountCents = toCents(Math.min(returning.amountCents, leftInSuspenseCents(item)))
      return returned(draft, item, { callId, bankReturnId: referenceOf(item), returnId, amountCents })
    }
    case 'REFUSED':
      refused(draft, item, callId, answer.refusal.message)
      return null
    case 'UNDONE':
      refused(draft, item, callId, answer.message)
      return null
    default: {
      const { dueAtMs } = dueAgain(returning, draft, answer)
      draft.add({ type: 'SuspenseReturnUnanswered', callId, dueAtMs, ...fact })
      return null
    }
  }
}

/**
 * What a bank says of money in suspense that went back, or is to: by our return, or by a person in the bank's app. The same said twice
 * changes nothing.
 */
export const reportSuspenseReturn = (
  draft: Draft,
  item: Suspense,
  { id: bankReturnId, returnId, amountCents, status, reason }: ReturnAtBank,
): Rejection | null => {
  if (item.returns.some((known) => known.bankReturnId === bankReturnId)) return null
  // Who wrote it off has said that it is not there any more.
  if (item.status === 'WRITTEN_OFF' || status === 'PROCESSING') return null
  const { returning } = item
  const callId = returning !== null && bankReturnId === referenceOf(item) ? returning.callId : null
  if (status === 'NOT_DONE') {
    if (callId !== null) refused(draft, item, callId, reason ?? 'NAO_REALIZADO')
    return null
  }
  // Another amount than the one that was asked for is no answer to it: a person has to look.
  if (callId !== null && amountCents !== returning!.amountCents)
    return { reason: 'AMOUNT_MISMATCH', payableCents: returning!.amountCents }
  // A call about money that is not there any more ends with it.
  const ended = amountCents === leftInSuspenseCents(item) ? (returning?.callId ?? null) : callId
  return returned(draft, item, { callId: ended, bankReturnId, returnId, amountCents })
}

const returned = (
  draft: Draft,
  item: Suspense,
  of: {
    readonly callId: string | null
    readonly bankReturnId: string
    readonly returnId: string | null
    readonly amountCents: Cents
  },
): Rejection | null => {
  const leftCents = leftInSuspenseCents(item)
  if (!isSuspended(item) || of.amountCents > leftCents)
    return { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: leftCents }
  draft.add({ type: 'SuspenseReturned', ...of, ...factOf(draft, 'suspense', item.id) })
  moveSuspended(draft, item.id, 'suspense', 'payer', of.amountCents)
  return null
}

/** The bank sent nothing: it is asked on other days, and after the last one the money is in suspense as before. */
const refused = (draft: Draft, item: Suspense, callId: string, message: string): void => {
  const { attemptsSinceRequest } = item.returning!
  const retryAtMs = attemptsSinceRequest < returnAttemptsMax ? draft.context.nowMs + dayMs : null
  draft.add({
    type: 'SuspenseReturnRefused',
    callId,
    message,
    retryAtMs,
    ...factOf(draft, 'suspense', item.id),
  })
}

const referenceOf = (item: Suspense): string => suspenseReturnReference(item, item.returning!.attempts)
