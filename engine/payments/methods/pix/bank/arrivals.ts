import { contextId } from '../../../../kernel/context.ts'
import type { ChargeContext } from '../../../transaction/charge-context.ts'
import type { TransactionFact } from '../../../transaction/facts.ts'
import type { ReturnReason, Transaction } from '../../../transaction/transaction.ts'
import { paid, returnReasonFor, withTax } from '../payment.ts'
import { grossOf, type PixAtBank, type PixPayment } from '../pix.ts'
import { returnCall } from './returns.ts'

/**
 * What a charge's payments at its bank mean: the first of its amount pays it, and all others go back. One that is known, by whatever road
 * it came, changes nothing. Calls about the charge end with the payment, because their answers matter no more.
 */
export const arrivals = (
  transaction: Transaction,
  payments: readonly PixAtBank[],
  chargeContext: ChargeContext,
  /** The facts before these. */
  before: readonly TransactionFact[] = [],
): readonly TransactionFact[] => {
  const facts = [...before]
  const answered = new Set(before.flatMap((fact) => ('callId' in fact ? fact.callId : [])))
  const seen = new Set<string>()
  let isOpen = takesPayment(transaction)
  for (const payment of payments) {
    const { endToEndId } = payment
    if (seen.has(endToEndId) || chargeContext.isReceived(endToEndId)) continue
    seen.add(endToEndId)
    const received = paymentOf(transaction, payment, chargeContext)
    if (isOpen && isExact(transaction, payment)) {
      facts.push(
        ...chargeCallsEnded(transaction, chargeContext, answered),
        paid(transaction, transaction.amountCents, received, chargeContext),
      )
      isOpen = false
      continue
    }
    const returnReason = reasonOf(transaction, isOpen, facts)
    const { amountCents } = payment
    facts.push({ type: 'ReturnBegun', returnReason, amountCents, payment: received, ...chargeContext.fact })
    const version = transaction.version + facts.length + 1
    facts.push(returnCall(version, received, amountCents, chargeContext))
  }
  return facts
}

/** Whether a payment would be kept. A notice can come before the bank has answered the registration. */
const takesPayment = ({ status }: Pick<Transaction, 'status'>): boolean =>
  status === 'CREATED' || status === 'PENDING'

/** Facts that end the calls about a charge itself, but those that others answer. */
export const chargeCallsEnded = (
  { calls }: Transaction,
  { fact }: ChargeContext,
  answered: ReadonlySet<string | null> = new Set(),
): readonly TransactionFact[] =>
  calls
    .filter(({ id, operation }) => chargeCalls.includes(operation) && !answered.has(id))
    .map(({ id: callId }) => ({ type: 'CallEnded', callId, message: null, ...fact }))

const chargeCalls: readonly string[] = ['REGISTER', 'CANCEL', 'READ_CHARGE']

/**
 * Nothing is added to an amount, and only tax is taken off it, by as much as the bank itself says was withheld: less without that is other
 * money. The parts that a bank names make up what it took or what was paid.
 */
const isExact = ({ amountCents }: Transaction, payment: PixAtBank): boolean => {
  const { amountCents: netCents, componentsCents, taxWithheldCents = 0 } = payment
  if (netCents < 1 || taxWithheldCents < 0 || grossOf(payment) !== amountCents) return false
  return componentsCents === null || componentsCents === amountCents || componentsCents === netCents
}

const reasonOf = (
  { status }: Transaction,
  isOpen: boolean,
  facts: readonly TransactionFact[],
): ReturnReason => {
  if (isOpen) return 'AMOUNT_MISMATCH'
  return facts.some(({ type }) => type === 'ChargePaid') ? 'DUPLICATE_PAYMENT' : returnReasonFor(status)
}

const paymentOf = (
  transaction: Transaction,
  { endToEndId, payer, paidAtMs, taxWithheldCents }: PixAtBank,
  { context }: ChargeContext,
): PixPayment => {
  const document = transaction.customer?.document ?? null
  return {
    receivedPixId: contextId(context, 'rpx'),
    endToEndId,
    payer,
    payerMatchesCustomer:
      document === null || payer === null || payer.document === null ? null : document === payer.document,
    paidAtMs,
    ...withTax(taxWithheldCents),
  }
}
