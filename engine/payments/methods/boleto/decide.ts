import { wayOf } from '../../../connections/way.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import { issuerOf } from '../../../ledger/issuer.ts'
import { batchAtMs } from '../../../ledger/schedule.ts'
import { addDays, dateIn, endOfDay, nextBusinessDay } from '../../../shared/calendar.ts'
import type { Cents } from '../../../shared/money.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  chargeCreated,
  type ExistingChargeDecider,
  invalidState,
  registrationRefused,
  rejectNotFound,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import { collectedAtOnce } from '../../transaction/collected.ts'
import type { CreateCharge } from '../../transaction/commands.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import { issuedPix } from '../pix/charge.ts'
import { paid, pixPayment, returned } from '../pix/payment.ts'
import { pixOf } from '../pix/pix.ts'
import { type Boleto, type BoletoPayment, boletoOf, unissuedBoleto } from './boleto.ts'
import type { ClearBoleto, MarkOverdue, PayBoleto, PayBoletoByPix } from './commands.ts'
import type { BoletoIssued } from './facts.ts'
import { boletoFeeTerms } from './fee.ts'
import { boletoNumbers } from './numbers.ts'
import { effectiveDueDate, payableOn } from './payable.ts'
import type { BoletoTerms } from './terms.ts'

/** A boleto is written off this many days after its due date. */
export const payableDaysAfterDue = 59
const dueYearsMax = 5

/** The last day on which a boleto can be paid. */
export const payableUntil = (dueDate: BoletoTerms['dueDate']) => addDays(dueDate, payableDaysAfterDue)

/** Decides about a new boleto; refuses due dates and amounts out of range. */
export const createBoleto = (
  command: CreateCharge,
  terms: BoletoTerms,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context, payer } = chargeContext
  const { timeZone } = account.profile
  const today = dateIn(timeZone, context.nowMs)
  if (terms.dueDate < today) return reject({ reason: 'DUE_DATE_IN_THE_PAST' })
  const lastDueDate = `${Number(today.slice(0, 4)) + dueYearsMax}${today.slice(4)}`
  if (terms.dueDate > lastDueDate)
    return reject({ reason: 'DUE_DATE_TOO_FAR', limit: dueYearsMax, unit: 'YEARS' })
  if (payer.customer?.document == null) return reject({ reason: 'CUSTOMER_DOCUMENT_REQUIRED' })
  const feeTerms = boletoFeeTerms(account.profile.fees)
  const created = chargeCreated(
    command,
    chargeContext,
    { boleto: unissuedBoleto(terms), pix: null },
    feeTerms,
  )
  const refused = registrationRefused(command, 'BOLETO', chargeContext)
  if (refused !== null) return accept<TransactionFact>(created, refused)
  const issued = issueBoleto(command.amountCents, terms.dueDate, terms.withPix, chargeContext)
  return accept<TransactionFact>(created, { ...chargeContext.fact, ...issued })
}

/** Assigns its numbers at the bank, and the QR code that can also pay it if a provider of PIX is connected. */
const issueBoleto = (
  amountCents: Cents,
  dueDate: BoletoTerms['dueDate'],
  withPix: boolean,
  chargeContext: ChargeContext,
): Omit<BoletoIssued, keyof ChargeContext['fact']> => {
  const { account, context } = chargeContext
  const hasPix = withPix && wayOf(context.institution, account, 'PIX') !== null
  return {
    type: 'BoletoIssued',
    numbers: boletoNumbers(account.boletosIssued + 1, amountCents, dueDate),
    pix: hasPix ? issuedPix(dueDate, amountCents, chargeContext) : null,
    lateAtMs: endOfDay(account.profile.timeZone, effectiveDueDate(dueDate)),
    expiresAtMs: endOfDay(account.profile.timeZone, payableUntil(dueDate)),
    issuer: issuerOf(account.profile),
  }
}

/** Records a payment reported by the bank. The amount must be exactly what was payable that day. */
export const payBoleto: ChargeDecider<PayBoleto> = (transaction, command, chargeContext) => {
  const boleto = transaction === undefined ? null : boletoOf(transaction)
  if (transaction === undefined || boleto === null) return rejectNotFound('boleto')
  if (transaction.status !== 'PENDING') return invalidState(transaction, ['PENDING'])
  const { account, context } = chargeContext
  const { nowMs } = context
  if (chargeContext.context.institution.outcomes.refusesPayment(transaction))
    return reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
  const paidAtMs = command.paidAtMs ?? nowMs
  // The current time is always in range, even when a clock that was put back shows a time before the boleto.
  const isStated = command.paidAtMs !== null
  if (isStated && (paidAtMs < transaction.createdAtMs || paidAtMs > nowMs))
    return reject({ reason: 'PAID_AT_OUT_OF_RANGE' })
  const { timeZone } = account.profile
  const price = priceAt(paidAtMs, transaction, boleto, chargeContext)
  if (command.amountCents !== null && command.amountCents !== price.paidCents)
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: price.paidCents })
  const clearsOn = nextBusinessDay(addDays(dateIn(timeZone, nowMs), 1))
  const clearsAtMs = command.clearing === 'IMMEDIATE' ? nowMs : batchAtMs(timeZone, clearsOn)
  const payment = { paidAtMs, clearsAtMs, ...price }
  if (clearsAtMs === nowMs) return accept<TransactionFact>(cleared(transaction, payment, chargeContext))
  return accept<TransactionFact>({ type: 'BoletoPaymentReported', payment, ...chargeContext.fact })
}

/**
 * Records a payment by the boleto's QR code, reported and cleared at once. A payment that the boleto can no longer take
 * is returned, as with a charge's QR code (decisions, section 10).
 */
export const payBoletoByPix: ChargeDecider<PayBoletoByPix> = (transaction, command, chargeContext) => {
  const boleto = transaction === undefined ? null : boletoOf(transaction)
  if (transaction === undefined || boleto === null) return rejectNotFound('boleto')
  if (pixOf(transaction) === null) return reject({ reason: 'NO_QR_CODE' })
  if (chargeContext.context.institution.outcomes.refusesPayment(transaction))
    return reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
  const { context } = chargeContext
  const price = priceAt(command.paidAtMs ?? context.nowMs, transaction, boleto, chargeContext)
  const { paidCents } = price
  if (command.amountCents !== null && command.amountCents !== paidCents)
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: paidCents })
  const payment = pixPayment(null, transaction, command, context)
  if (transaction.status !== 'PENDING')
    return accept<TransactionFact>(returned(transaction, paidCents, payment, chargeContext))
  const { paidAtMs } = payment
  return accept<TransactionFact>(
    {
      type: 'BoletoPaymentReported',
      payment: { paidAtMs, clearsAtMs: paidAtMs, ...price },
      ...chargeContext.fact,
    },
    paid(transaction, paidCents, payment, chargeContext),
  )
}

/** What the boleto costs on the day of a payment, and the parts of it. */
const priceAt = (
  paidAtMs: number,
  { amountCents }: Transaction,
  boleto: Boleto,
  { account }: ChargeContext,
): Omit<BoletoPayment, 'paidAtMs' | 'clearsAtMs'> => {
  const day = dateIn(account.profile.timeZone, paidAtMs)
  const { payableCents, fineCents, interestCents, discountCents } = payableOn({ amountCents, ...boleto }, day)
  return { paidCents: payableCents, fineCents, interestCents, discountCents }
}

/** Clears a reported payment: its money is in the balance now. */
export const clearBoleto: ExistingChargeDecider<ClearBoleto> = (transaction, _, chargeContext) => {
  const payment = boletoOf(transaction)?.payment
  if (transaction.status !== 'PROCESSING' || payment == null) return invalidState(transaction, ['PROCESSING'])
  return accept<TransactionFact>(cleared(transaction, payment, chargeContext))
}

/** Marks an open boleto as overdue once its last day without a fine is over. */
export const markOverdue: ExistingChargeDecider<MarkOverdue> = (transaction, _, chargeContext) => {
  if (transaction.status !== 'PENDING') return invalidState(transaction, ['PENDING'])
  return accept<TransactionFact>({ type: 'BoletoOverdue', ...chargeContext.fact })
}

const cleared = (
  transaction: Transaction,
  payment: BoletoPayment,
  chargeContext: ChargeContext,
): TransactionFact => ({
  type: 'BoletoCleared',
  payment,
  ...chargeContext.fact,
  ...collectedAtOnce(transaction, payment.paidCents, chargeContext),
})
