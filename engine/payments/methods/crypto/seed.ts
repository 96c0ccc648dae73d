import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'
import { randomHex } from './tx-hash.ts'

/** A charge on a test network; a paid one has a transfer there. */
export const seedCrypto = (
  { status }: Seed,
  { context: { entropy, institution } }: ChargeContext,
): Methods['CRYPTO']['means'] => ({
  crypto: {
    network: 'POLYGON',
    quotedCents: null,
    rateMicros: null,
    toleranceBps: 0,
    requiredConfirmations: institution.crypto.confirmations.POLYGON,
    expiresInSeconds: 0,
    address: `0x${randomHex(40, entropy)}`,
    uri: null,
    txHash: unseenStatuses.some((unseen) => unseen === status) ? null : `0x${randomHex(64, entropy)}`,
    transfers: [],
  },
})

/** Statuses without a transfer on the network. */
const unseenStatuses = ['CREATED', 'PENDING', 'DECLINED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const
