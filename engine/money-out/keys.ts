import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import { railKey } from '../payments/sent-money.ts'
import type { PersonId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import { type AskedMoneyOut, kindOfMoneyOut } from './asked.ts'
import { isPlanned, type MoneyOut } from './money-out.ts'
import { payeeKeyOf } from './payees/payee.ts'

/** The keys that find money out. */
export const keysOfMoneyOut = (out: MoneyOut): readonly string[] => {
  const { status, payee, payeeId, amountCents, createdAtMs, isFirst, createdBy, connectionId, railId } = out
  const payeeKey = payeeKeyOf(payee)
  return [
    ...(status === 'CANCELLED' || status === 'FAILED' ? [] : [sameKey(payeeKey, amountCents, createdAtMs)]),
    ...(isFirst ? [firstPaidKey(payeeKey)] : []),
    ...(status === 'PENDING_APPROVAL' ? [waitingKey(createdBy)] : []),
    ...(status === 'SCHEDULED' ? [scheduledByKey(createdBy)] : []),
    ...(payeeId !== null && isPlanned(out) ? [plannedKey(payeeId)] : []),
    ...(connectionId !== undefined && railId !== null ? [railKey(railId)] : []),
  ]
}

/** How soon the same amount to the same payee may be a mistake (dashboard, section 2.7). */
const duplicateWithinMs = 10 * 60_000

/** The lookup key of an amount to a payee, by ten minutes: a key for all time would find ever more payments. */
const sameKey = (payeeKey: string, amountCents: Cents, atMs: number): string =>
  `same ${Math.floor(atMs / duplicateWithinMs)} ${amountCents} ${payeeKey}`

/** The lookup key of the first payment that a payee got. */
export const firstPaidKey = (payeeKey: string): string => `first ${payeeKey}`

/** The lookup key of a person's payments that wait for approval. */
export const waitingKey = (createdBy: PersonId | null): string => `waiting ${createdBy}`

/** The lookup key of a person's payments that wait for their time. */
export const scheduledByKey = (createdBy: PersonId | null): string => `scheduled ${createdBy}`

/** The lookup key of the waiting payments to a registered payee. */
export const plannedKey = (payeeId: NonNullable<MoneyOut['payeeId']>): string => `planned ${payeeId}`

/** Refuses a payment that repeats one of the last ten minutes; null if it does not. */
export const duplicateRefusal = (
  { context: { nowMs }, lookup }: Pick<Draft, 'context' | 'lookup'>,
  asked: AskedMoneyOut,
): Rejection | null => {
  const same = [nowMs - duplicateWithinMs, nowMs]
    .flatMap((ms) => lookup(kindOfMoneyOut(asked), sameKey(payeeKeyOf(asked.payee), asked.amountCents, ms)))
    .find(({ createdAtMs }) => createdAtMs > nowMs - duplicateWithinMs)
  return same === undefined ? null : { reason: 'POSSIBLE_DUPLICATE', existingId: same.id }
}
