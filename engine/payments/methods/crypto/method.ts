import { bookAtOnce } from '../../transaction/booking.ts'
import type { PaymentMethod } from '../method.ts'
import type { CryptoCommand } from './commands.ts'
import { createCrypto } from './create.ts'
import { type Crypto, cryptoOf, receivedUnits } from './crypto.ts'
import { cryptoEvolvers } from './evolve.ts'
import type { CryptoFact } from './facts.ts'
import { cryptoFeeTerms } from './fee.ts'
import { confirmTransfers, dropTransfers, reportTransfer } from './observe.ts'
import { cryptoEvent, cryptoEvents } from './publishes.ts'
import { seedCrypto } from './seed.ts'
import { cryptoStepNames } from './step-names.ts'
import type { CryptoTerms } from './terms.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly CRYPTO: {
      readonly means: { readonly crypto: Crypto }
      readonly terms: CryptoTerms
      readonly commands: CryptoCommand
      readonly facts: CryptoFact
      readonly rail: 'CRYPTO'
      readonly family: 'CRYPTO'
    }
  }
}

/** Stablecoin payments (dashboard, section 3.2). */
export const crypto: PaymentMethod<'CRYPTO'> = {
  rail: 'CRYPTO',
  names: { en: 'Crypto', pt: 'Cripto' },
  stepNames: cryptoStepNames,
  familyOf: () => 'CRYPTO',
  feeTerms: () => cryptoFeeTerms,
  create: createCrypto,
  deciders: {
    ReportTransfer: reportTransfer,
    ConfirmTransfers: confirmTransfers,
    DropTransfers: dropTransfers,
  },
  evolvers: cryptoEvolvers,
  publishes: cryptoEvents,
  bookings: { CryptoPaid: bookAtOnce },
  dueWork: () => [],
  expiry: {
    reason: (transaction) => (receivedUnits(cryptoOf(transaction)!) > 0 ? 'UNDERPAID' : 'CHARGE_EXPIRED'),
    publishes: (transaction) => [cryptoEvent('crypto.expired', transaction)],
  },
  keys: ({ crypto: { address, txHash } }) => [address, txHash],
  reference: ({ crypto: { address } }) => address,
  refunds: null,
  seed: seedCrypto,
}
