import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'
import { issuedPix } from './charge.ts'

/** A charge with a QR code, whether paid or not. */
export const seedPix = ({ amountCents }: Seed, chargeContext: ChargeContext): Methods['PIX']['means'] => ({
  pix: issuedPix(null, amountCents, chargeContext),
})
