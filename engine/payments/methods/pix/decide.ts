import { type Context, contextId } from '../../../kernel/context.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import type { Account } from '../../../ledger/account.ts'
import { randomAlphanumerics } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  chargeCreated,
  registrationRefused,
  rejectNotFound,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import { type Collected, collectedAtOnce } from '../../transaction/collected.ts'
import type { CreateCharge } from '../../transaction/commands.ts'
import { noDetails } from '../../transaction/details.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { ReturnReason, Transaction, TransactionStatus } from '../../transaction/transaction.ts'
import { issuePix, pixValidity } from './charge.ts'
import type { PixEvidence, ReceivePix, ReceiveUnrequestedPix } from './commands.ts'
import { endToEndIdOf } from './end-to-end-id.ts'
import { pixFeeTerms } from './fee.ts'
import type { Pix, PixPayment } from './pix.ts'
import type { PixTerms } from './terms.ts'

/** Decides about a new PIX charge. Unless the institution refuses it, its QR code is issued at once. */
export const createPix = (
  command: CreateCharge,
  terms: PixTerms,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context } = chargeContext
  const validity = pixValidity(terms, context.nowMs, account.profile.timeZone)
  if (!validity.ok) return reject(validity.rejection)
  const pix = unissuedPix(account, validity.pix)
  const created = chargeCreated(
    command,
    chargeContext,
    { pix },
    pixFeeTerms(account.profile.fees, command.origin),
  )
  const refused = registrationRefused(command, 'PIX', chargeContext)
  if (refused !== null) return accept<TransactionFact>(created, refused)
  const { txid, copyPaste } = issuePix(pix.type, command.amountCents, account, context)
  const { actor, id, by, atMs } = chargeContext.fact
  const { expiresAtMs } = validity
  return accept<TransactionFact>(created, {
    actor,
    type: 'ChargeIssued',
    id,
    by,
    atMs,
    txid,
    copyPaste,
    expiresAtMs,
  })
}

/** Records a PIX that pays a charge's QR code, or returns it in full when the charge cannot take it. */
export const receivePix: ChargeDecider<ReceivePix> = (transaction, command, chargeContext) => {
  if (transaction === undefined || transaction.method !== 'PIX') return rejectNotFound()
  if (chargeContext.context.institution.outcomes.refusesPayment(transaction))
    return reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
  if (command.amountCents !== null && command.amountCents !== transaction.amountCents) {
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: transaction.amountCents })
  }
  const payment = pixPayment(transaction, command, chargeContext.context)
  if (transaction.status !== 'PENDING')
    return accept<TransactionFact>(returned(transaction, transaction.amountCents, payment, chargeContext))
  return accept<TransactionFact>(paid(transaction, transaction.amountCents, payment, chargeContext))
}

/** Records a PIX to the account's key as a deposit: a transaction that is approved from the start. */
export const receiveUnrequestedPix = (
  command: ReceiveUnrequestedPix,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context } = chargeContext
  const { amountCents, providerId } = command
  const pix = unissuedPix(account, { type: 'IMMEDIATE', dueDate: null, expiresInSeconds: null })
  const created = chargeCreated(
    { terms: { method: 'PIX' }, origin: 'DEPOSIT', amountCents, details: noDetails, collects: null },
    { ...chargeContext, providerId },
    { pix },
    pixFeeTerms(account.profile.fees, 'DEPOSIT'),
  )
  const payment = pixPayment(null, command, context)
  return accept<TransactionFact>(created, paid(created.charge, amountCents, payment, chargeContext))
}

const unissuedPix = (
  { pixKey }: Account,
  { type, dueDate, expiresInSeconds }: Pick<Pix, 'type' | 'dueDate' | 'expiresInSeconds'>,
): Pix => ({
  txid: null,
  copyPaste: null,
  keyId: pixKey.id,
  type,
  dueDate,
  expiresInSeconds,
  payment: null,
})

/** A PIX that pays a charge, or a boleto by its QR code. */
export const paid = (
  charge: Collected,
  paidCents: Cents,
  payment: PixPayment,
  chargeContext: ChargeContext,
): TransactionFact => ({
  type: 'ChargePaid',
  paidCents,
  payment,
  ...chargeContext.fact,
  ...collectedAtOnce(charge, paidCents, chargeContext),
})

/** Returns money that a charge cannot take, in full and at once. */
export const returned = (
  { status }: Pick<Transaction, 'status'>,
  amountCents: Cents,
  payment: PixPayment,
  chargeContext: ChargeContext,
): TransactionFact => ({
  type: 'PaymentReturned',
  returnReason: returnReasonFor(status),
  amountCents,
  payment,
  ...chargeContext.fact,
})

/** An arrived PIX as reported; anything missing is filled in as if the customer had paid it now. */
export const pixPayment = (
  charge: Pick<Transaction, 'accountId' | 'customer' | 'details'> | null,
  { payer: stated, endToEndId: given, paidAtMs }: PixEvidence,
  context: Context,
): PixPayment => {
  const customer = charge?.customer ?? null
  const payer = stated ?? context.institution.outcomes.payerOf(charge)
  return {
    receivedPixId: contextId(context, 'rpx'),
    endToEndId:
      given ?? endToEndIdOf('E', payer.ispb, context.nowMs, randomAlphanumerics(11, context.entropy)),
    payer,
    payerMatchesCustomer: customer?.document ? customer.document === payer.document : null,
    paidAtMs: paidAtMs ?? context.nowMs,
  }
}

const returnReasonFor = (status: TransactionStatus): ReturnReason => {
  if (status === 'EXPIRED') return 'PAID_AFTER_EXPIRY'
  if (status === 'CANCELLED' || status === 'FAILED') return 'PAID_AFTER_CANCELLATION'
  return 'DUPLICATE_PAYMENT'
}
