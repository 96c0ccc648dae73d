import { percentage } from '../../../ledger/fees.ts'
import type { PaymentMethod } from '../method.ts'
import type { Crypto } from './crypto.ts'
import { seedCrypto } from './seed.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly CRYPTO: {
      readonly means: { readonly crypto: Crypto }
      readonly terms: never
      readonly commands: never
      readonly facts: never
    }
  }
}

/** Stablecoin payments. So far only the Sandbox has them, as if they had happened. */
export const crypto: PaymentMethod<'CRYPTO'> = {
  rail: 'CRYPTO',
  familyOf: () => null,
  feeTerms: () => percentage(0),
  create: null,
  deciders: {},
  evolvers: {},
  publishes: {},
  dueWork: () => [],
  keys: ({ crypto: { address, txHash } }) => [address, txHash],
  reference: ({ crypto: { txHash } }) => txHash,
  refunds: null,
  seed: seedCrypto,
}
