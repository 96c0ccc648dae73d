import { percentage } from '../../../ledger/fees.ts'
import type { PaymentMethod } from '../method.ts'
import { seedCrypto } from './seed.ts'

/** Payments in stablecoins: so far only the Sandbox has them, as if they had happened. */
export const crypto: PaymentMethod<'CRYPTO'> = {
  product: 'CRYPTO',
  familyOf: () => null,
  feeTerms: () => percentage(0),
  create: null,
  deciders: {},
  steps: {},
  dueWork: () => [],
  keys: ({ crypto: { address, txHash } }) => [address, txHash],
  refunds: null,
  seed: seedCrypto,
}
