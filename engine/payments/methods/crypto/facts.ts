import type { Cents } from '../../../shared/money.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/facts.ts'
import type { TransactionStatus } from '../../transaction/transaction.ts'
import type { ChainTransfer } from './crypto.ts'

export type CryptoFact = AddressOpened | TransferSeen | TransferConfirmed | TransferDropped | CryptoPaid

/** The charge has its address, and can be paid until `expiresAtMs`. */
export type AddressOpened = Fact<'AddressOpened'> & {
  readonly callId: string
  readonly address: string
  readonly uri: string
  readonly expiresAtMs: number
}

/** A transfer to the address was seen, for the first time or after it was dropped; with it the charge has this status. */
export type TransferSeen = Fact<'TransferSeen'> & {
  readonly transfer: ChainTransfer
  readonly status: TransactionStatus
}

export type TransferConfirmed = Fact<'TransferConfirmed'> & {
  readonly txHash: string
  readonly confirmations: number
  /** Whether these confirmations are enough. */
  readonly isFinal: boolean
}

/** The network has dropped a transfer; without it the charge has this status. */
export type TransferDropped = Fact<'TransferDropped'> & {
  readonly txHash: string
  readonly status: TransactionStatus
}

/** Enough is confirmed; each transfer has the part that paid the charge. */
export type CryptoPaid = Fact<'CryptoPaid'> &
  Collection & { readonly paidCents: Cents; readonly transfers: readonly ChainTransfer[] }
