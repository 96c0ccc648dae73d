import type { BeneficiaryId, PersonId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import { isPlanned, type OutgoingTransfer } from './outgoing-transfer.ts'
import { payeeKeyOf } from './payee.ts'

/** How soon the same amount to the same payee may be a mistake (dashboard, section 2.7). */
export const duplicateWithinMs = 10 * 60_000

/** The keys that find a transfer. */
export const keysOfTransfer = (transfer: OutgoingTransfer): readonly string[] => {
  const { status, payee, amountCents, createdAtMs, isFirst, createdBy, beneficiaryId } = transfer
  const payeeKey = payeeKeyOf(payee)
  return [
    ...(status === 'CANCELLED' || status === 'FAILED' ? [] : [sameKey(payeeKey, amountCents, createdAtMs)]),
    ...(isFirst ? [firstPaidKey(payeeKey)] : []),
    ...(status === 'PENDING_APPROVAL' ? [waitingKey(createdBy)] : []),
    ...(beneficiaryId !== null && isPlanned(transfer) ? [plannedKey(beneficiaryId)] : []),
  ]
}

/** Finds the transfers of an amount to a payee, by the ten minutes: those of all time would be ever more to look at. */
export const sameKey = (payeeKey: string, amountCents: Cents, atMs: number): string =>
  `same ${Math.floor(atMs / duplicateWithinMs)} ${amountCents} ${payeeKey}`

/** Finds the first transfer that a payee got. */
export const firstPaidKey = (payeeKey: string): string => `first ${payeeKey}`

/** Finds what waits for approval, by who wants it. */
export const waitingKey = (createdBy: PersonId | null): string => `waiting ${createdBy}`

/** Finds what is yet to leave to a beneficiary. */
export const plannedKey = (beneficiaryId: BeneficiaryId): string => `planned ${beneficiaryId}`
