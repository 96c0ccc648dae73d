import { bankOf } from '../../../engine/shared/banks.ts'
import type { PayOutPayee } from '../port.ts'

/** The bank account of a payee as banks take it: the bank by its ISPB, the account without punctuation. Null where one of the three is missing. */
export const payeeAccount = ({
  ispb,
  bankCode,
  branch,
  account,
}: PayOutPayee): { readonly ispb: string; readonly branch: string; readonly account: string } | null => {
  const bank = ispb ?? (bankCode === null ? null : bankOf({ bankCode }).ispb)
  if (bank === null || branch === null || account === null) return null
  return { ispb: bank, branch, account: account.replace(/\W/g, '') }
}
