import { accept, reject } from '../../../../kernel/decision.ts'
import type { Timer } from '../../../../kernel/due-work.ts'
import { dayMs } from '../../../../shared/calendar.ts'
import type { ProviderAnswer } from '../../../provider.ts'
import { type AnswerDeciders, providerSilent } from '../../../transaction/calls.ts'
import { type ChargeContext, newCall, type TransactionDecision } from '../../../transaction/charge-context.ts'
import type { CancelCharge } from '../../../transaction/commands.ts'
import { timer } from '../../../transaction/due-work.ts'
import type { TransactionFact } from '../../../transaction/facts.ts'
import type { ProviderCall, Transaction } from '../../../transaction/transaction.ts'
import { hasCodeAtBank } from '../pix.ts'
import { arrivals, chargeCallsEnded } from './arrivals.ts'
import { registrationFailed } from './register.ts'

/** A bank is asked about an expired charge a little later: what was paid in the last second is on its way (rails, section 2.4). */
const askAfterExpiryMs = 60_000
/** While the bank says nothing, a charge stays PENDING for so long at most. */
const silentMax = dayMs

/** Asks the bank to remove the charge. Nothing of it is cancelled before the bank says so: it may be paid already. */
export const cancelAtBank = (
  { version, amountCents }: Transaction,
  { reason, idempotency }: CancelCharge,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const call = newCall(
    version + 1,
    { operation: 'CANCEL', amountCents, reason, idempotency: idempotency ?? null },
    chargeContext,
  )
  return accept<TransactionFact>({ type: 'ProviderCalled', call, ...chargeContext.fact })
}

/** Asks the bank what became of a charge whose time is over; one that says nothing for a day is not waited for. */
export const expireAtBank = (transaction: Transaction, chargeContext: ChargeContext): TransactionDecision => {
  const { version, amountCents, status } = transaction
  const open = openCallOf(transaction)
  if (open === undefined) {
    const call = newCall(version + 1, { operation: 'READ_CHARGE', amountCents }, chargeContext)
    return accept<TransactionFact>({ type: 'ProviderCalled', call, ...chargeContext.fact })
  }
  if (chargeContext.context.nowMs < unknownAtMs(transaction))
    return reject({ reason: 'OPERATION_IN_PROGRESS', currentStatus: status, operation: open.operation })
  return accept<TransactionFact>(...chargeCallsEnded(transaction, chargeContext, new Set([open.id])), {
    type: 'ChargeExpired',
    callId: open.id,
    ...chargeContext.fact,
  })
}

/** Due when the bank is to be asked about an expired charge, and when its silence has lasted too long. */
export const expiryAtBankTimer = (transaction: Transaction): Timer | null => {
  const { status, expiresAtMs } = transaction
  if (status !== 'PENDING' || expiresAtMs === null || !hasCodeAtBank(transaction)) return null
  const isAsked = openCallOf(transaction) !== undefined
  const atMs = isAsked ? unknownAtMs(transaction) : expiresAtMs + askAfterExpiryMs
  return timer(transaction, atMs, { type: 'ExpireCharge', method: null })
}

/** Decides what the state of a charge at its bank means. Its payments decide before everything else. */
export const chargeStateAnswers: AnswerDeciders<'CANCEL' | 'READ_CHARGE'> = {
  CANCEL: (transaction, call, answer, chargeContext) => {
    const fact = { callId: call.id, ...chargeContext.fact }
    const isUnregistered = transaction.status === 'CREATED'
    switch (answer.type) {
      case 'CHARGE_STATE':
        return stateOf(transaction, call, answer, chargeContext)
      case 'DONE':
        return isUnregistered
          ? registrationFailed(call, null, chargeContext)
          : over(transaction, { type: 'ChargeCancelled', reason: call.reason, ...fact }, chargeContext)
      case 'REFUSED':
        // What was to be registered and is not there has failed; of a charge that is there, nothing has changed.
        return isUnregistered
          ? registrationFailed(call, null, chargeContext)
          : { type: 'CallEnded', message: answer.refusal.message, ...fact }
      default:
        return providerSilent(call, chargeContext, answer)
    }
  },
  // A refusal says nothing of the charge: it is asked until the time is over.
  READ_CHARGE: (transaction, call, answer, chargeContext) =>
    answer.type === 'CHARGE_STATE'
      ? stateOf(transaction, call, answer, chargeContext)
      : providerSilent(call, chargeContext, answer),
}

const stateOf = (
  transaction: Transaction,
  call: ProviderCall,
  answer: Extract<ProviderAnswer, { readonly type: 'CHARGE_STATE' }>,
  chargeContext: ChargeContext,
): TransactionFact | readonly TransactionFact[] => {
  const fact = { callId: call.id, ...chargeContext.fact }
  const ended = { type: 'CallEnded', message: null, ...fact } as const
  const { status, payments } = answer
  const silent = providerSilent(call, chargeContext, answer)
  const isCancelling = call.operation === 'CANCEL'
  const booked = arrivals(transaction, payments, chargeContext, [ended])
  if (booked.some(({ type }) => type === 'ChargePaid')) return booked
  // Money that goes back leaves the charge as it is: its state is asked for once more.
  if (booked.length > 1) return [silent, ...booked.slice(1)]
  switch (status) {
    case 'REMOVED_BY_PROVIDER':
      return over(transaction, registrationFailed(call, null, chargeContext), chargeContext)
    case 'REMOVED_BY_RECEIVER': {
      if (transaction.status === 'CREATED') return registrationFailed(call, null, chargeContext)
      const reason = isCancelling ? call.reason : removedAtBank
      return over(transaction, { type: 'ChargeCancelled', reason, ...fact }, chargeContext)
    }
    case 'ACTIVE':
      return isCancelling ? silent : expired(transaction, call, chargeContext)
    case 'PAID':
      // Paid, and by nothing that it shows: the payments are asked for once more.
      if (payments.length === 0) return silent
      // All of it went back, or does: the charge cannot be paid any more.
      if (transaction.status === 'CREATED') return registrationFailed(call, null, chargeContext)
      return isCancelling
        ? over(transaction, { type: 'ChargeCancelled', reason: call.reason, ...fact }, chargeContext)
        : expired(transaction, call, chargeContext)
  }
}

/** A charge that was not paid in time, unless a cancellation that is under way decides. */
const expired = (
  { calls }: Transaction,
  { id: callId }: ProviderCall,
  { fact }: ChargeContext,
): TransactionFact =>
  calls.some(({ operation }) => operation === 'CANCEL')
    ? { type: 'CallEnded', callId, message: null, ...fact }
    : { type: 'ChargeExpired', callId, ...fact }

/** The reason of a cancellation that we did not ask for. */
const removedAtBank = 'REMOVED_AT_BANK'

/** A fact after which the charge is over, and nothing more is asked about it. */
const over = (
  transaction: Transaction,
  fact: TransactionFact & { readonly callId: string | null },
  chargeContext: ChargeContext,
): readonly TransactionFact[] => [
  fact,
  ...chargeCallsEnded(transaction, chargeContext, new Set([fact.callId])),
]

/** What is open of the charge itself. */
const openCallOf = ({ calls }: Transaction): ProviderCall | undefined =>
  calls.find(({ operation }) => operation === 'CANCEL' || operation === 'READ_CHARGE')

const unknownAtMs = ({ expiresAtMs }: Transaction): number => expiresAtMs! + askAfterExpiryMs + silentMax
