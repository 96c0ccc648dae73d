import type { BankAccountType } from '../shared/bank-account-type.ts'
import type { TaxDocument } from '../shared/documents.ts'

/** Who gets a transfer, and where: by a PIX key, or at a bank account. */
export type Payee = TaxDocument & {
  readonly name: string
  /** Null for a bank account. */
  readonly pixKey: string | null
  /** The bank as the directory of PIX keys names it; null for a bank account. */
  readonly ispb: string | null
  readonly bankName: string | null
  /** Null for a PIX key, all three. */
  readonly bankCode: string | null
  readonly branch: string | null
  readonly account: string | null
  readonly accountType: BankAccountType
}

/** What tells payees apart: a key, or an account with its owner. */
export const payeeKeyOf = ({ pixKey, bankCode, branch, account, document }: Payee): string =>
  pixKey === null ? `bank ${bankCode} ${branch} ${account} ${document}` : `pix ${pixKey}`
