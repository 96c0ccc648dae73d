import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'
import { issuePix } from './charge.ts'

/** A charge with a QR code, whether paid or not. */
export const seedPix = (
  { amountCents }: Seed,
  { account, context }: ChargeContext,
): Methods['PIX']['means'] => ({
  pix: {
    ...issuePix('IMMEDIATE', amountCents, account, context),
    keyId: account.pixKey.id,
    type: 'IMMEDIATE',
    dueDate: null,
    expiresInSeconds: null,
    payment: null,
  },
})
