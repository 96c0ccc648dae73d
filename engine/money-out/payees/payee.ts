import type { BankAccountType } from '../../shared/bank-account-type.ts'
import type { TaxDocument } from '../../shared/documents.ts'

/** Who gets a transfer, and where: by a PIX key, or at a bank account. */
export type Payee = TaxDocument & {
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

/** What tells payees apart: a key, or an account with its owner. */
export const payeeKeyOf = ({ pixKey, bankCode, ispb, branch, account, document }: Payee): string =>
  pixKey === null ? `bank ${bankCode ?? ispb} ${branch} ${account} ${document}` : `pix ${pixKey}`
