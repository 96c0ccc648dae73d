import { knownConnection } from '../../../connections/rail-connection.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import type { Account } from '../../../ledger/account.ts'
import { toCents } from '../../../shared/money.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  chargeCreated,
  type ExistingChargeDecider,
  registrationRefused,
  rejectNotFound,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import type { CreateCharge } from '../../transaction/commands.ts'
import { noDetails } from '../../transaction/details.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import { arrivals } from './bank/arrivals.ts'
import { registerPix } from './bank/register.ts'
import { issuePix, pixValidity } from './charge.ts'
import type { ReceivePix, ReceivePixAtBank, ReceiveUnrequestedPix } from './commands.ts'
import { pixFeeTerms } from './fee.ts'
import { paid, pixPayment, returned } from './payment.ts'
import { grossOf, isAtBank, type Pix } from './pix.ts'
import type { PixTerms } from './terms.ts'

/** Decides about a new PIX charge: the bank of a connection registers it; without one its QR code is issued at once, unless the institution refuses it. */
export const createPix = (
  command: CreateCharge,
  terms: PixTerms,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context, connection } = chargeContext
  const validity = pixValidity(terms, context.nowMs, account.profile.timeZone)
  if (!validity.ok) return reject(validity.rejection)
  if (terms.byMandate !== undefined)
    return createByMandate(command, validity.pix, terms.byMandate, chargeContext)
  if (connection !== null) return registerPix(command, validity, connection, chargeContext)
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
    callId: null,
  })
}

/** A charge by a mandate: it is pending once the bank has taken it. */
const createByMandate = (
  command: CreateCharge,
  dated: Pick<Pix, 'type' | 'dueDate' | 'expiresInSeconds'>,
  { mandateId, txid }: NonNullable<PixTerms['byMandate']>,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, connection } = chargeContext
  const bankKey = connection?.pixKey ?? null
  const pix: Pix = { ...unissuedPix(account, dated), txid, mandateId, bankKey }
  const feeTerms = pixFeeTerms(account.profile.fees, command.origin)
  return accept<TransactionFact>(chargeCreated(command, chargeContext, { pix }, feeTerms))
}

/** Records a PIX that pays a charge's QR code, or returns it in full when the charge cannot take it. */
export const receivePix: ChargeDecider<ReceivePix> = (transaction, command, chargeContext) => {
  // What came to a bank is reported by it: a payment that is only said to have come would be money that is not there.
  if (transaction === undefined || transaction.method !== 'PIX' || isAtBank(transaction))
    return rejectNotFound()
  if (chargeContext.context.institution.outcomes.refusesPayment(transaction))
    return reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
  const netCents = toCents(transaction.amountCents - (command.taxWithheldCents ?? 0))
  if (netCents < 1 || (command.amountCents !== null && command.amountCents !== netCents))
    return reject({ reason: 'AMOUNT_MISMATCH', payableCents: netCents })
  const payment = pixPayment(null, transaction, command, chargeContext.context)
  // Only what arrived can go back.
  if (transaction.status !== 'PENDING')
    return accept<TransactionFact>(returned(transaction, netCents, payment, chargeContext))
  return accept<TransactionFact>(paid(transaction, transaction.amountCents, payment, chargeContext))
}

/** Records a payment as the bank of the charge reports it. */
export const receivePixAtBank: ExistingChargeDecider<ReceivePixAtBank> = (
  transaction,
  command,
  chargeContext,
) =>
  isAtBank(transaction)
    ? accept<TransactionFact>(...arrivals(transaction, [command], chargeContext))
    : rejectNotFound()

/** Records a PIX to the account's key as a deposit: a transaction that is approved from the start. */
export const receiveUnrequestedPix = (
  command: ReceiveUnrequestedPix,
  chargeContext: ChargeContext,
): TransactionDecision => {
  const { account, context } = chargeContext
  const { providerId, connectionId = null } = command
  const amountCents = grossOf(command)
  const known = connectionId === null ? null : knownConnection(account, connectionId)
  const bankKey = command.pixKey ?? known?.pixKey ?? null
  const unissued = unissuedPix(account, { type: 'IMMEDIATE', dueDate: null, expiresInSeconds: null })
  const pix = { ...unissued, bankKey }
  const created = chargeCreated(
    { terms: { method: 'PIX' }, origin: 'DEPOSIT', amountCents, details: noDetails, collects: null },
    { ...chargeContext, providerId, connectionId },
    { pix },
    pixFeeTerms(account.profile.fees, 'DEPOSIT'),
  )
  const payment = pixPayment(connectionId, null, command, context)
  return accept<TransactionFact>(created, paid(created.charge, amountCents, payment, chargeContext))
}

const unissuedPix = (
  { pixKey }: Account,
  { type, dueDate, expiresInSeconds }: Pick<Pix, 'type' | 'dueDate' | 'expiresInSeconds'>,
): Pix => ({
  txid: null,
  copyPaste: null,
  keyId: pixKey.id,
  bankKey: null,
  mandateId: null,
  type,
  dueDate,
  expiresInSeconds,
  payment: null,
})
