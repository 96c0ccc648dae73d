import type { MoneyOut } from '../controls/money-out.ts'
import { firstPaidKey } from '../controls/payment-keys.ts'
import type { Draft } from '../kernel/draft.ts'
import { isTrustedAt } from './beneficiary.ts'
import type { NewOutgoing } from './outgoing-transfer.ts'
import { payeeKeyOf } from './payee.ts'

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
