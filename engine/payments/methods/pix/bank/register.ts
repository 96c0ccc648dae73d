import type { RailConnection } from '../../../../connections/rail-connection.ts'
import { accept, reject } from '../../../../kernel/decision.ts'
import type { Timer } from '../../../../kernel/due-work.ts'
import { addDays, type CalendarDate, endOfDay, nextBusinessDay } from '../../../../shared/calendar.ts'
import { randomAlphanumerics } from '../../../../shared/ids.ts'
import type { ProviderAnswer, ProviderRefusal } from '../../../provider.ts'
import { type AnswerDeciders, providerSilent } from '../../../transaction/calls.ts'
import {
  type ChargeContext,
  chargeCreated,
  type ExistingChargeDecider,
  invalidState,
  newCall,
  type TransactionDecision,
} from '../../../transaction/charge-context.ts'
import type { CreateCharge } from '../../../transaction/commands.ts'
import { timer } from '../../../transaction/due-work.ts'
import type { ChargeRefused, TransactionFact } from '../../../transaction/facts.ts'
import type { ProviderCall, Transaction } from '../../../transaction/transaction.ts'
import { dynamicBrCode, isDynamicBrCode, isLocation } from '../br-code.ts'
import type { PixValidity } from '../charge.ts'
import type { TimeOutRegistration } from '../commands.ts'
import { pixFeeTerms } from '../fee.ts'
import { type Pix, pixOf } from '../pix.ts'

/** After being unknown for this long, a registration is taken back and the charge fails (rails, section 2.2). */
const registrationUnknownMs = 10 * 60_000
/** Longer than any provider may take: after this long, an unanswered call is considered lost. */
const answerLostMs = 60_000
const dayOfSeconds = 86_400

/** Records the intent to register a charge at the bank of a connection, which is called once that is on disk. */
export const registerPix = (
  command: CreateCharge,
  { pix: validity }: Extract<PixValidity, { readonly ok: true }>,
  connection: RailConnection,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context, payer } = chargeContext
  if (connection.pixKey === null) return reject({ reason: 'PROVIDER_ABSENT', rail: 'PIX' })
  // A bank registers a charge with a due date only for a payer who is known to the tax office.
  if (validity.type === 'DUE_DATE' && !payer.customer?.document)
    return reject({ reason: 'CUSTOMER_DOCUMENT_REQUIRED' })
  const pix: Pix = {
    // The bank knows the charge by it from the first call on, so it is in the journal before.
    txid: randomAlphanumerics(32, context.entropy),
    copyPaste: null,
    keyId: account.pixKey.id,
    bankKey: connection.pixKey,
    mandateId: null,
    payment: null,
    ...validity,
  }
  const { amountCents, idempotency = null } = command
  const feeTerms = pixFeeTerms(account.profile.fees, command.origin)
  return accept<TransactionFact>(chargeCreated(command, chargeContext, { pix }, feeTerms), {
    type: 'ProviderCalled',
    call: newCall(2, { operation: 'REGISTER', amountCents, idempotency }, chargeContext),
    ...chargeContext.fact,
  })
}

/** For how many days after its due date a bank still takes a charge. None is said explicitly, because a bank's default is 30. */
export const payableForDays = ({ expiresInSeconds }: Pick<Pix, 'expiresInSeconds'>): number =>
  Math.ceil((expiresInSeconds ?? 0) / dayOfSeconds)

/** Decides what a bank's answer to a registration means. A code that no payer's app could read counts as no answer. */
export const registrationAnswers: AnswerDeciders<'REGISTER'> = {
  REGISTER: (transaction, call, answer, chargeContext) => {
    switch (answer.type) {
      case 'REGISTERED': {
        const copyPaste = codeToShow(transaction, answer, chargeContext)
        if (copyPaste === null) return providerSilent(call, chargeContext, answer)
        return {
          type: 'ChargeIssued',
          txid: pixOf(transaction)!.txid!,
          copyPaste,
          expiresAtMs: expiresAtMs(transaction, answer, chargeContext),
          callId: call.id,
          ...chargeContext.fact,
        }
      }
      case 'REFUSED':
        return registrationFailed(call, answer.refusal, chargeContext)
      case 'UNDONE':
        return registrationFailed(call, { reason: 'ERROR', message: answer.message }, chargeContext)
      default:
        return providerSilent(call, chargeContext, answer)
    }
  },
}

/** The fact that a charge is not registered, with the reason as the bank says it. */
export const registrationFailed = (
  { id: callId }: ProviderCall,
  refusal: ProviderRefusal | null,
  chargeContext: ChargeContext,
): ChargeRefused => ({
  type: 'ChargeRefused',
  failureReason: refusal?.reason === 'REGISTRATION_REJECTED' ? 'REGISTRATION_REJECTED' : 'PROVIDER_ERROR',
  failureDetail: refusal && {
    providerCode: 'code' in refusal ? refusal.code : null,
    message: refusal.message,
    retryable: false,
  },
  callId,
  ...chargeContext.fact,
})

/** Takes back a registration whose outcome is unknown: the charge fails once the bank says that it is not there. */
export const timeOutRegistration: ExistingChargeDecider<TimeOutRegistration> = (
  transaction,
  _,
  chargeContext,
) => {
  const call = registrationOf(transaction)
  if (transaction.status !== 'CREATED' || call === undefined) return invalidState(transaction, ['CREATED'])
  const { amountCents } = call
  const cancel = newCall(transaction.version + 2, { operation: 'CANCEL', amountCents }, chargeContext)
  return accept<TransactionFact>(
    { type: 'RegistrationTimedOut', callId: call.id, ...chargeContext.fact },
    { type: 'ProviderCalled', call: cancel, ...chargeContext.fact },
  )
}

/** Due when a registration has been unknown for too long. A call under way is answered first: it could arrive after the cancellation. */
export const registrationTimer = (transaction: Transaction): Timer | null => {
  const call = registrationOf(transaction)
  if (transaction.status !== 'CREATED' || call === undefined) return null
  const unknownAtMs = call.openedAtMs + registrationUnknownMs
  const atMs =
    call.dueAtMs === null ? Math.max(unknownAtMs, transaction.updatedAtMs + answerLostMs) : unknownAtMs
  return timer(transaction, atMs, { type: 'TimeOutRegistration' })
}

const registrationOf = ({ calls }: Transaction): ProviderCall | undefined =>
  calls.find(({ operation }) => operation === 'REGISTER')

type Registered = Extract<ProviderAnswer, { readonly type: 'REGISTERED' }>

/** What the payer pastes: the bank's own text if it can be read, or one for the bank's location where it sends none. */
const codeToShow = (
  { amountCents }: Transaction,
  { copyPaste, location }: Registered,
  { account }: ChargeContext,
): string | null => {
  if (copyPaste !== null) return isDynamicBrCode(copyPaste, amountCents) ? copyPaste : null
  if (!isLocation(location)) return null
  return dynamicBrCode({ location, amountCents, merchant: account.profile })
}

/**
 * Until when the bank takes the charge. It counts from when it created it, and after a due date in whole days; a charge is never over for
 * us while it is payable there.
 */
const expiresAtMs = (
  transaction: Transaction,
  { createdAtMs }: Registered,
  { account, context }: ChargeContext,
): number => {
  const { dueDate, expiresInSeconds } = pixOf(transaction)!
  if (dueDate === null) {
    const fromMs = Math.min(Math.max(createdAtMs, transaction.createdAtMs), context.nowMs)
    return fromMs + expiresInSeconds! * 1000
  }
  const { timeZone } = account.profile
  const ours = endOfDay(timeZone, nextBusinessDay(dueDate)) + (expiresInSeconds ?? 0) * 1000
  return Math.max(ours, endOfDay(timeZone, lastDayAtBank(dueDate, payableForDays({ expiresInSeconds }))))
}

const lastDayAtBank = (dueDate: CalendarDate, days: number): CalendarDate =>
  nextBusinessDay(addDays(nextBusinessDay(dueDate), days))
