import { canonicalAddress } from '../../crypto/address.ts'
import type { Network } from '../../shared/asset.ts'
import type { BankAccountType } from '../../shared/bank-account-type.ts'
import { nameOfBank } from '../../shared/banks.ts'
import type { TaxDocument } from '../../shared/documents.ts'
import type { Asset } from '../../shared/method.ts'

/** The receiver of money, and where it goes. */
export type Payee = BankPayee | WalletPayee

/** The receiver of a transfer: by a PIX key, or at a bank account. */
export type BankPayee = TaxDocument & {
  readonly name: string
  /** Null for a bank account. */
  readonly pixKey: string | null
  /** The bank in the payment system; null for a bank account whose bank is known by its code alone. */
  readonly ispb: string | null
  /** The bank as the directory of PIX keys names it; null for a bank account. */
  readonly bankName: string | null
  /** Null for a PIX key, and where the bank is known by its ISPB alone. */
  readonly bankCode: string | null
  /** Null for a PIX key, both. */
  readonly branch: string | null
  readonly account: string | null
  readonly accountType: BankAccountType
}

/** The wallet that gets stablecoins. */
export type WalletPayee = {
  readonly name: string
  readonly asset: Asset
  readonly network: Network
  readonly address: string
  /** Whether its holder keeps the keys, or a provider does. */
  readonly ownership: (typeof walletOwnerships)[number]
  readonly holderName: string
  readonly holderDocument: string
  readonly providerName: string | null
}

export const walletOwnerships = ['SELF_CUSTODY', 'PROVIDER'] as const

/** The identity of a payee: a PIX key, a bank account with its owner, or an address for an asset. */
export const payeeKeyOf = (payee: Payee): string => {
  if ('address' in payee) {
    const { asset, network, address } = payee
    return `${asset} ${network} ${canonicalAddress(network, address)}`
  }
  const { pixKey, branch, account, document } = payee
  return pixKey === null ? `bank ${nameOfBank(payee)} ${branch} ${account} ${document}` : `pix ${pixKey}`
}

/** The life of a registered payee: it cools off, becomes active, and may be removed. */
export const payeeStatuses = ['COOLING_OFF', 'ACTIVE', 'INACTIVE'] as const
export type PayeeStatus = (typeof payeeStatuses)[number]

/** The status of a registered payee at an environment time. */
export const payeeStatusAt = (isThere: boolean, availableAtMs: number, nowMs: number): PayeeStatus => {
  if (!isThere) return 'INACTIVE'
  return nowMs < availableAtMs ? 'COOLING_OFF' : 'ACTIVE'
}
