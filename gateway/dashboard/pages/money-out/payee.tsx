import type { Schemas } from '../../core/api.ts'
import { documentNumber, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'

/** The fields of a payee that every response has. */
type Payee = {
  readonly pixKey: string | null
  readonly bankName: string | null
  readonly bankCode: string | null
  readonly ispb: string | null
  readonly branch: string | null
  readonly account: string | null
}

/** Where money goes, as one line. */
export const placeOfPayee = ({ pixKey, bankName, bankCode, ispb, branch, account }: Payee): string =>
  pixKey === null
    ? `${t.money.bank} ${bankCode ?? ispb} · ${branch} · ${account}`
    : [pixKey, bankName].filter(Boolean).join(' · ')

/** The facts of a payee that a person checks before money leaves. */
export const payeeFacts = (
  payee: Payee & { readonly name: string; readonly document: string },
): (readonly [string, string])[] => [
  [t.money.payee, payee.name],
  [t.common.document, documentNumber(payee.document)],
  ...(payee.pixKey === null
    ? ([
        [t.money.bank, payee.bankCode ?? payee.ispb ?? ''],
        [t.money.branch, payee.branch ?? ''],
        [t.money.account, payee.account ?? ''],
      ] as const)
    : ([
        [t.money.pixKey, payee.pixKey],
        [t.money.bank, payee.bankName ?? ''],
      ] as const)),
]

/** What new payees can get within 24 hours, read where `isShown`; null until it is known. */
export const useNewPayeeLimit = (isShown: boolean): string | null => {
  const { data } = useGet(isShown && can('balance.read') ? '/v1/company/limits' : null)
  return data && money(data.newBeneficiaryDayAmount)
}

/** Payee, and where the money goes, in a row of a list. */
export const PayeeCell = ({ of }: { of: Schemas['TransferPayee'] }) => (
  <span class="who">
    <span>{of.name}</span>
    <small class="sub">{placeOfPayee(of)}</small>
  </span>
)
