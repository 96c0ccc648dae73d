import type { Draft } from '../kernel/draft.ts'
import type { MoneyOut } from './limits.ts'
import type { NewOutgoing } from './money-out.ts'
import { isTrustedAt } from './payees/beneficiary.ts'
import { payeeKeyOf } from './payees/payee.ts'
import { firstPaidKey } from './payment-keys.ts'

/** A transfer as approval policy and limits see it now. */
export const moneyOutOf = (
  draft: Pick<Draft, 'find' | 'lookup' | 'context'>,
  transfer: Pick<NewOutgoing, 'kind' | 'amountCents' | 'createdBy' | 'payee' | 'beneficiaryId' | 'isToOwner'>,
): MoneyOut => {
  const { kind, amountCents, createdBy, payee, beneficiaryId, isToOwner } = transfer
  const key = payeeKeyOf(payee)
  const beneficiary = beneficiaryId === null ? undefined : draft.find('beneficiary', beneficiaryId)
  const isTrusted = beneficiary !== undefined && isTrustedAt(beneficiary, draft.context.nowMs)
  return {
    by: kind,
    worthCents: amountCents,
    createdBy,
    payee: {
      key,
      wasPaid: draft.lookup('outgoingTransfer', firstPaidKey(key)).length > 0,
      coolsOffUntilMs: beneficiary?.availableAtMs ?? null,
      ignoresNight: isToOwner || isTrusted,
    },
  }
}
