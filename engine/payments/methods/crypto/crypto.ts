/** Charges in stablecoins: each has an address of its own, which the chain provider watches for transfers. */
import type { Network, RateMicros } from '../../../shared/asset.ts'
import type { Asset } from '../../../shared/method.ts'
import { basisPointsDown, type Cents, toCents } from '../../../shared/money.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

/** A payment in a stablecoin; the asset is the transaction's currency. */
export type Crypto = CryptoOffer & {
  /** The address to pay to, unique to this charge; null until the provider has opened it. */
  readonly address: string | null
  /** What a wallet opens to pay. */
  readonly uri: string | null
  /** The first transfer on the network; null until one is seen. */
  readonly txHash: string | null
  /** Transfers to the address, in the order in which the provider reported them. Seeds have none. */
  readonly transfers: readonly ChainTransfer[]
}

/** What is fixed when a charge is created. */
export type CryptoOffer = {
  readonly network: Network
  /** The price in reais, and the rate by which it became the amount. Null for seeds. */
  readonly quotedCents: Cents | null
  readonly rateMicros: RateMicros | null
  /** How much less than the amount approves it. */
  readonly toleranceBps: number
  readonly requiredConfirmations: number
  readonly expiresInSeconds: number
}

/** A transfer to the address of a charge. */
export type ChainTransfer = {
  readonly txHash: string
  readonly asset: Asset
  /** Millionths. */
  readonly units: Cents
  readonly fromAddress: string | null
  readonly seenAtMs: number
  readonly confirmations: number
  readonly status: 'SEEN' | 'CONFIRMED' | 'DROPPED'
  /** Whether it counts: the right asset, seen while the charge could be paid. */
  readonly isInTime: boolean
  /** The part of it that paid the charge. */
  readonly paidUnits: Cents
}

/** The crypto part of a transaction; null for every other method. */
export const cryptoOf = ({ means }: Pick<Transaction, 'means'>): Crypto | null =>
  'crypto' in means ? means.crypto : null

/** The crypto part with these changes. */
export const withCrypto = (transaction: Pick<Transaction, 'means'>, changes: Partial<Crypto>): Means => ({
  crypto: { ...cryptoOf(transaction)!, ...changes },
})

/** What counts towards the charge: everything that arrived in time, or only what the network has confirmed. */
export const receivedUnits = ({ transfers }: Pick<Crypto, 'transfers'>, isConfirmed = false): Cents =>
  toCents(
    transfers.reduce(
      (sum, { units, isInTime, status }) =>
        isInTime && (isConfirmed ? status === 'CONFIRMED' : status !== 'DROPPED') ? sum + units : sum,
      0,
    ),
  )

/** The least amount that approves a charge. */
export const acceptedUnits = (amount: Cents, { toleranceBps }: Pick<Crypto, 'toleranceBps'>): Cents =>
  toCents(amount - basisPointsDown(amount, toleranceBps))

/** How far a charge is paid. */
export const paymentStateOf = ({
  status,
  amountCents,
  means,
}: Pick<Transaction, 'status' | 'amountCents' | 'means'>):
  | 'NONE'
  | 'SEEN'
  | 'PARTIAL'
  | 'PAID'
  | 'OVERPAID' => {
  const crypto = cryptoOf({ means })!
  const received = receivedUnits(crypto)
  if (received === 0) return 'NONE'
  if (received < acceptedUnits(amountCents, crypto)) return 'PARTIAL'
  if (status === 'PROCESSING') return 'SEEN'
  return received > amountCents ? 'OVERPAID' : 'PAID'
}
