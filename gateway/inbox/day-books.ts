import type { BookedPix } from '../../engine/reconciliation/commands.ts'
import {
  type ComparedDay,
  type DayBook,
  type Difference,
  differencesMax,
} from '../../engine/reconciliation/reconciliation.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'
import type { PixReceived } from '../providers/port.ts'

/** What a bank and we have of one day. */
export type DayBooks = {
  /** What the bank lists, around the day, too: the order counts, for a row that comes twice. */
  readonly bank: readonly PixReceived[]
  /** What we have of that day, and of other days where the bank lists it for this one. */
  readonly ours: readonly BookedPix[]
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

export type ComparedBooks = Pick<
  ComparedDay,
  'bank' | 'ours' | 'differences' | 'differencesCount' | 'differenceCents'
> & {
  /** Payments of which the bank has more than we: they can be booked by what it has. */
  readonly unbooked: readonly PixReceived[]
}

/**
 * Compares a day, payment by payment. The day is the bank's: what it lists for another one is of that one, whatever we have. What was written
 * off is in neither book.
 */
export const compareBooks = ({ bank, ours, fromMs, toMs }: DayBooks): ComparedBooks => {
  const listed = new Map(bank.map((pix) => [pix.endToEndId, pix]))
  const booked = new Map(ours.map((pix) => [pix.endToEndId, pix]))
  const isOfDay = ({ paidAtMs }: { readonly paidAtMs: number }): boolean =>
    paidAtMs >= fromMs && paidAtMs < toMs
  const [ofBank, ofUs] = [newTally(), newTally()]
  const differences: Difference[] = []
  const unbooked: PixReceived[] = []
  let count = 0
  let cents = 0
  const differ = (difference: Difference, distance: number): void => {
    count += 1
    cents += distance
    if (differences.length < differencesMax) differences.push(difference)
  }

  for (const pix of listed.values()) {
    if (!isOfDay(pix)) continue
    const { endToEndId, txid, amountCents } = pix
    const returned = returnedAtBank(pix)
    const own = booked.get(endToEndId)
    if (own?.isWrittenOff) continue
    ofBank.add(amountCents, returned)
    if (own === undefined) {
      unbooked.push(pix)
      differ({ kind: 'MISSING_HERE', endToEndId, txid, bankCents: amountCents, oursCents: null }, amountCents)
      continue
    }
    ofUs.add(own.amountCents, own.returnedCents)
    const head = { endToEndId, txid } as const
    if (own.amountCents !== amountCents)
      differ(
        { kind: 'AMOUNT', ...head, bankCents: amountCents, oursCents: own.amountCents },
        Math.abs(amountCents - own.amountCents),
      )
    if (own.returnedCents !== returned)
      differ(
        { kind: 'RETURNS', ...head, bankCents: returned, oursCents: own.returnedCents },
        Math.abs(returned - own.returnedCents),
      )
    if (returned > own.returnedCents) unbooked.push(pix)
  }
  for (const own of booked.values()) {
    const { endToEndId, txid, amountCents, returnedCents, isWrittenOff } = own
    if (isWrittenOff || listed.has(endToEndId) || !isOfDay(own)) continue
    ofUs.add(amountCents, returnedCents)
    differ(
      { kind: 'MISSING_AT_BANK', endToEndId, txid, bankCents: null, oursCents: amountCents },
      amountCents,
    )
  }
  return {
    bank: ofBank.sum(),
    ours: ofUs.sum(),
    differences,
    differencesCount: count,
    differenceCents: toCents(cents),
    unbooked,
  }
}

const newTally = () => {
  let [count, amount, returned] = [0, 0, 0]
  return {
    add: (amountCents: number, returnedCents: number): void => {
      count += 1
      amount += amountCents
      returned += returnedCents
    },
    sum: (): DayBook => ({ count, amountCents: toCents(amount), returnedCents: toCents(returned) }),
  }
}

/** What has gone back, by whomever it was asked for. */
const returnedAtBank = ({ returns }: PixReceived): Cents =>
  toCents(returns.reduce((sum, { status, amountCents }) => sum + (status === 'DONE' ? amountCents : 0), 0))
