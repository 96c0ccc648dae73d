import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import { pixOf } from '../../payments/methods/pix/pix.ts'
import { addFacts, executeOnTransaction } from '../../payments/transaction/execute.ts'
import type { FailureReason, Transaction } from '../../payments/transaction/transaction.ts'
import { dateIn } from '../../shared/calendar.ts'
import { byClock, type Initiator } from '../../shared/initiator.ts'
import { collect } from '../invoice/collect.ts'
import { isPayable, runningAttempt } from '../invoice/invoice.ts'
import { failAttempt } from '../invoice/outcome.ts'
import { changeCharge, endCharge, endsAtMs, lapsesOf } from './charge.ts'
import type { ChargeOfMandate } from './held.ts'
import { hasLiveAttempt, type MandateAttempt } from './mandate.ts'

/** Codes after which the payer's bank does not try once more (rails, section 4). */
const finalCodes: ReadonlySet<string> = new Set([
  'AC05',
  'AM09',
  'DENC',
  'DS27',
  'DTED',
  'MIDI',
  'MSUC',
  'NITX',
  'RC09',
])

/** Whether a charge that was rejected with this code may be tried on another day. */
export const isRetried = (code: string | null): boolean => code === null || !finalCodes.has(code)

/** The bank has taken a charge: its day is waited for. */
export const chargeTaken = (draft: Draft, of: ChargeOfMandate, by: Initiator): void => {
  const { mandate, charge } = of
  const attempts: readonly MandateAttempt[] =
    charge.attempts.length > 0 ? charge.attempts : [{ on: charge.dueOn, state: 'REQUESTED', code: null }]
  changeCharge(draft, of, { state: 'OPEN', attempts, nextAtMs: lapsesOf(mandate, charge.dueOn) })
  const transaction = draft.find('transaction', charge.transactionId)!
  if (transaction.status !== 'CREATED') return
  const expiresAtMs = endsAtMs(mandate, charge)
  addFacts(draft, transaction, [
    { type: 'ChargeScheduled', expiresAtMs, by, ...factOf(draft, 'transaction', transaction.id) },
  ])
}

/** Takes over the attempts as the bank has them. When none is left that may pay, the attempt at the invoice has failed. */
export const attemptsSeen = (
  draft: Draft,
  of: ChargeOfMandate,
  attempts: readonly MandateAttempt[],
  by: Initiator,
): void => {
  const { mandate, charge } = of
  if (JSON.stringify(attempts) === JSON.stringify(charge.attempts)) return
  const wasLive = hasLiveAttempt(mandate, charge)
  changeCharge(draft, of, { attempts })
  const seen = fresh(draft, of)
  if (seen === null || !wasLive || hasLiveAttempt(seen.mandate, seen.charge)) return
  const last = attempts.at(-1)
  if (last === undefined || last.state === 'PAID') return
  if (isRetried(last.code)) attemptFailed(draft, seen, last.code, by)
  else chargeLost(draft, seen, last.code, by, false)
}

/** One day has passed without a payment. The charge stays, because its bank may be called for another day. */
export const attemptFailed = (
  draft: Draft,
  of: ChargeOfMandate,
  code: string | null,
  by: Initiator,
): void => {
  const { charge, mandate } = of
  // Before its day nothing has failed: a QR code takes its place in time.
  if (!mandate.allowsRetries || isEarly(draft, of)) {
    chargeLost(draft, of, code, by, false)
    return
  }
  changeCharge(draft, of, { nextAtMs: null })
  const invoice = draft.find('invoice', charge.invoiceId)!
  const running = runningAttempt(invoice)
  if (running === null || running.transactionId !== charge.transactionId) return
  failAttempt(draft, invoice.id, running.number, { failureReason: reasonOf(code), retryable: true }, by)
}

/** Nothing will be paid by this charge. Before its day a QR code replaces it; from then on the invoice is late. */
export const chargeLost = (
  draft: Draft,
  of: ChargeOfMandate,
  code: string | null,
  by: Initiator,
  /** Whether its period may have another charge: the bank has rejected or cancelled this one (R4). */
  isPeriodFree: boolean,
): void => {
  const { charge } = of
  const isReplaced = isEarly(draft, of) || charge.isReplaced
  endCharge(draft, of, isPeriodFree)
  if (isReplaced) leaveAttempt(draft, of)
  fail(draft, draft.find('transaction', charge.transactionId)!, code, by)
  if (isReplaced) replaceByCode(draft, of)
}

/** A charge that was being closed is closed: it brings nothing any more. */
export const chargeClosed = (
  draft: Draft,
  of: ChargeOfMandate,
  by: Initiator,
  isPeriodFree: boolean,
): void => {
  const { charge } = of
  endCharge(draft, of, isPeriodFree)
  if (!charge.isReplaced) return
  leaveAttempt(draft, of)
  const transaction = draft.find('transaction', charge.transactionId)!
  const { accountId, id: transactionId } = transaction
  if (isUnpaid(transaction))
    executeOnTransaction(draft, transaction, {
      type: 'CancelCharge',
      accountId,
      by,
      transactionId,
      family: null,
      reason: null,
    })
  replaceByCode(draft, of)
}

/** The code of a charge that also offers the mandate takes the place of the plain one. */
export const offerShown = (
  draft: Draft,
  { mandate }: Pick<ChargeOfMandate, 'mandate'>,
  by: Initiator,
): void => {
  const { copyPaste, transactionId } = mandate
  const transaction = transactionId === null ? undefined : draft.find('transaction', transactionId)
  if (copyPaste === null || transaction === undefined || transaction.status !== 'PENDING') return
  if (pixOf(transaction)?.copyPaste === copyPaste) return
  addFacts(draft, transaction, [
    { type: 'ChargeCodeReplaced', copyPaste, by, ...factOf(draft, 'transaction', transaction.id) },
  ])
}

/** The same charge with what was added meanwhile; null when it is over. */
export const fresh = (draft: Draft, { mandate, charge }: ChargeOfMandate): ChargeOfMandate | null => {
  const current = draft.find('mandate', mandate.id)!
  const found = current.charges.find(({ txid }) => txid === charge.txid)
  return found === undefined ? null : { mandate: current, charge: found }
}

const isEarly = (draft: Draft, { mandate, charge }: ChargeOfMandate): boolean => {
  const running = runningAttempt(draft.find('invoice', charge.invoiceId)!)
  return (
    running?.transactionId === charge.transactionId &&
    running.trigger === 'AUTOMATIC' &&
    dateIn(mandate.timeZone, draft.context.nowMs) < charge.dueOn
  )
}

/** The attempt at the invoice ends without having failed: another one takes its place. */
const leaveAttempt = (draft: Draft, { charge: { invoiceId, transactionId } }: ChargeOfMandate): void => {
  const running = runningAttempt(draft.find('invoice', invoiceId)!)
  if (running?.transactionId !== transactionId) return
  draft.add({ type: 'AttemptCancelled', number: running.number, ...factOf(draft, 'invoice', invoiceId) })
}

const replaceByCode = (draft: Draft, { charge: { invoiceId } }: ChargeOfMandate): void => {
  const invoice = draft.find('invoice', invoiceId)!
  if (!isPayable(invoice) || invoice.status === 'UNCOLLECTIBLE' || runningAttempt(invoice) !== null) return
  collect(draft, invoiceId, {
    trigger: 'AUTOMATIC',
    by: byClock,
    means: null,
    idempotency: null,
    isByCode: true,
  })
}

const fail = (draft: Draft, transaction: Transaction, code: string | null, by: Initiator): void => {
  if (!isUnpaid(transaction)) return
  const failureDetail = {
    providerCode: code,
    message:
      code === null ? 'not paid by the bank of the payer' : `rejected by the bank of the payer: ${code}`,
    retryable: isRetried(code),
  }
  const fact = { by, ...factOf(draft, 'transaction', transaction.id) }
  addFacts(draft, transaction, [
    { type: 'ScheduledChargeFailed', failureReason: reasonOf(code), failureDetail, ...fact },
  ])
}

const isUnpaid = ({ status }: Transaction): boolean => status === 'CREATED' || status === 'PENDING'

/** What a code of the payment system means in our words. */
const reasonOf = (code: string | null): FailureReason =>
  code === null ? 'CHARGE_EXPIRED' : (reasons[code] ?? 'GENERIC_DECLINE')

const reasons: Readonly<Record<string, FailureReason>> = {
  AM04: 'INSUFFICIENT_FUNDS',
  AM02: 'AMOUNT_LIMIT_EXCEEDED',
  AC04: 'ACCOUNT_CLOSED',
  AC06: 'TRANSACTION_NOT_PERMITTED',
}
