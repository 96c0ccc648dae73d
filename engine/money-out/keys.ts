import type { BeneficiaryId } from '../shared/ids.ts'
import { isPlanned, type OutgoingTransfer } from './money-out.ts'
import { payeeKeyOf } from './payees/payee.ts'
import { firstPaidKey, sameKey, scheduledByKey, waitingKey } from './payment-keys.ts'

/** The keys that find a transfer. */
export const keysOfTransfer = (transfer: OutgoingTransfer): readonly string[] => {
  const { status, payee, amountCents, createdAtMs, isFirst, createdBy, beneficiaryId } = transfer
  const payeeKey = payeeKeyOf(payee)
  return [
    ...(status === 'CANCELLED' || status === 'FAILED' ? [] : [sameKey(payeeKey, amountCents, createdAtMs)]),
    ...(isFirst ? [firstPaidKey(payeeKey)] : []),
    ...(status === 'PENDING_APPROVAL' ? [waitingKey(createdBy)] : []),
    ...(status === 'SCHEDULED' ? [scheduledByKey(createdBy)] : []),
    ...(beneficiaryId !== null && isPlanned(transfer) ? [plannedKey(beneficiaryId)] : []),
  ]
}

/** Finds what is yet to leave to a beneficiary. */
export const plannedKey = (beneficiaryId: BeneficiaryId): string => `planned ${beneficiaryId}`
