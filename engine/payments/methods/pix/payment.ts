import { type Context, contextId } from '../../../kernel/context.ts'
import { type ConnectionId, randomAlphanumerics } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import { type Collected, collectedAtOnce } from '../../transaction/collected.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { ReturnReason, Transaction, TransactionStatus } from '../../transaction/transaction.ts'
import type { PixEvidence } from './commands.ts'
import { endToEndIdOf } from './end-to-end-id.ts'
import type { PixPayment } from './pix.ts'

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

/** An arrived PIX as reported; outside a bank's connection, anything missing is filled in as if the customer had paid it now. */
export const pixPayment = (
  connectionId: ConnectionId | null,
  charge: Pick<Transaction, 'accountId' | 'customer' | 'details'> | null,
  { payer: stated, endToEndId: given, paidAtMs, taxWithheldCents }: PixEvidence,
  context: Context,
): PixPayment => {
  const customer = charge?.customer ?? null
  const receivedPixId = contextId(context, 'rpx')
  const withheld = withTax(taxWithheldCents)
  if (connectionId !== null && stated == null) {
    const unknown = { payer: null, payerMatchesCustomer: null }
    return { receivedPixId, endToEndId: given!, ...unknown, paidAtMs: paidAtMs!, ...withheld }
  }
  const payer = stated ?? context.institution.outcomes.payerOf(charge)
  return {
    receivedPixId,
    endToEndId:
      given ?? endToEndIdOf('E', payer.ispb, context.nowMs, randomAlphanumerics(11, context.entropy)),
    payer,
    payerMatchesCustomer: customer?.document ? customer.document === payer.document : null,
    paidAtMs: paidAtMs ?? context.nowMs,
    ...withheld,
  }
}

/** The member that says what was withheld of a payment as tax; none where nothing was. */
export const withTax = (cents: Cents | null | undefined): Pick<PixPayment, 'taxWithheldCents'> =>
  cents ? { taxWithheldCents: cents } : {}

/** Why money for a charge in this status goes back. */
export const returnReasonFor = (status: TransactionStatus): ReturnReason => {
  if (status === 'EXPIRED') return 'PAID_AFTER_EXPIRY'
  if (status === 'CANCELLED' || status === 'FAILED') return 'PAID_AFTER_CANCELLATION'
  return 'DUPLICATE_PAYMENT'
}
