import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import { noDetails } from '../../transaction/details.ts'
import type { Seed } from '../method.ts'
import { issuedPix } from './charge.ts'
import { pixPayment } from './payment.ts'

/** A charge with a QR code. Who has paid it is its customer, when it was made. */
export const seedPix = (
  { isPaid, amountCents, createdAtMs }: Seed,
  chargeContext: ChargeContext,
): Methods['PIX']['means'] => {
  const { account, context, payer } = chargeContext
  const pix = issuedPix(null, amountCents, chargeContext)
  if (!isPaid) return { pix }
  const charge = { accountId: account.id, customer: payer.customer, details: noDetails }
  const then = { ...context, nowMs: createdAtMs }
  return { pix: { ...pix, payment: pixPayment(null, charge, {}, then) } }
}
