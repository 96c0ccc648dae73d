import type { Entropy } from '../../../shared/ids.ts'
import type { Methods } from '../../../shared/method.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'

/** A charge on a test network; a paid one has a transfer there. */
export const seedCrypto = (
  { status }: Seed,
  { context: { entropy } }: ChargeContext,
): Methods['CRYPTO']['means'] => ({
  crypto: {
    network: 'POLYGON',
    address: `0x${randomHex(40, entropy)}`,
    txHash: unseenStatuses.some((unseen) => unseen === status) ? null : `0x${randomHex(64, entropy)}`,
  },
})

/** Statuses without a transfer on the network. */
const unseenStatuses = ['CREATED', 'PENDING', 'DECLINED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const

const randomHex = (digits: number, entropy: Entropy): string =>
  Array.from({ length: digits }, () => (entropy() % 16).toString(16)).join('')
