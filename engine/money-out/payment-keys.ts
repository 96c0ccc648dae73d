import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { PersonId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'

/** How soon the same amount to the same payee may be a mistake (dashboard, section 2.7). */
const duplicateWithinMs = 10 * 60_000

/** Finds the payments of an amount to a payee, by the ten minutes: those of all time would be ever more to look at. */
export const sameKey = (payeeKey: string, amountCents: Cents, atMs: number): string =>
  `same ${Math.floor(atMs / duplicateWithinMs)} ${amountCents} ${payeeKey}`

/** Finds the first payment that a payee got. */
export const firstPaidKey = (payeeKey: string): string => `first ${payeeKey}`

/** Finds what waits for approval, by who wants it. */
export const waitingKey = (createdBy: PersonId | null): string => `waiting ${createdBy}`

/** Finds what waits for its time, by who has asked for it. */
export const scheduledByKey = (createdBy: PersonId | null): string => `scheduled ${createdBy}`

/** The refusal of a payment that repeats one of the last ten minutes; null if it does not. */
export const duplicateRefusal = (
  { context: { nowMs }, lookup }: Pick<Draft, 'context' | 'lookup'>,
  kind: 'outgoingTransfer' | 'cryptoWithdrawal',
  payeeKey: string,
  amountCents: Cents,
): Rejection | null => {
  const same = [nowMs - duplicateWithinMs, nowMs]
    .flatMap((ms) => lookup(kind, sameKey(payeeKey, amountCents, ms)))
    .find(({ createdAtMs }) => createdAtMs > nowMs - duplicateWithinMs)
  return same === undefined ? null : { reason: 'POSSIBLE_DUPLICATE', existingId: same.id }
}
