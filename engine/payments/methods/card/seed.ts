import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'
import { fakeAcquirerData } from './payment.ts'

/** A payment by test card, authorized or captured as its status says. */
export const seedCard = (
  { status, isPaid: isCaptured, amountCents, createdAtMs }: Seed,
  installments: number,
  { context }: ChargeContext,
): Methods['CREDIT_CARD']['means'] => {
  const isAuthorized = isCaptured || status === 'AUTHORIZED'
  return {
    card: {
      token: 'tok_test_approved',
      tokenFingerprint: 'seeded',
      brand: 'VISA',
      last4: '4242',
      bin: null,
      holderName: null,
      installments,
      captures: status !== 'AUTHORIZED',
      acquirer: isAuthorized ? fakeAcquirerData(context) : null,
      authorizedAtMs: isAuthorized ? createdAtMs : null,
      capturedAtMs: isCaptured ? createdAtMs : null,
      capturedCents: isCaptured ? amountCents : null,
      threeDSecure: null,
    },
  }
}
