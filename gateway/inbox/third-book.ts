import { bankFeeOn, type ConnectionTerms } from '../../engine/connections/terms.ts'
import type { BookedOut, BookedPix } from '../../engine/reconciliation/commands.ts'
import type { DayBook, Difference } from '../../engine/reconciliation/reconciliation.ts'
import {
  type StatementMovement,
  type StrangePix,
  strangeMax,
  type ThirdBook,
} from '../../engine/reconciliation/statement.ts'
import { bookOfStatement, tariffsIn } from '../../engine/reconciliation/sums.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'
import { payOutOfReference } from '../providers/references.ts'

/** A bank's statement of a day, and what we have of it. */
export type StatementBooks = {
  readonly source: ThirdBook['source']
  readonly digest: string | null
  readonly movements: readonly StatementMovement[]
  /** What we have of that day, and of other days where the statement names it. */
  readonly ours: readonly BookedPix[]
  readonly outs: readonly BookedOut[]
  readonly terms: ConnectionTerms | null
  /** Whether the connection was first used on that day: money of before is in the statement, and none of ours. */
  readonly isPartial: boolean
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

export type ComparedThird = {
  readonly statement: DayBook
  readonly third: ThirdBook
  readonly differences: readonly StatementDifference[]
  /** PIX that left and are none of ours, as far as is known. */
  readonly strange: readonly StrangePix[]
  /** PIX that left under a reference of ours, and that our books do not have. */
  readonly sent: readonly ShownSent[]
  /** Money that has come back, under the id of a PIX that was sent. */
  readonly back: readonly ShownBack[]
}

/** Money that the bank itself shows as come back. */
export type ShownBack = {
  /** The id of the PIX that was sent. */
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Which of those of the same day, id and amount, from 1. */
  readonly nth: number
}

/** Money that the bank itself shows as sent, by our reference. */
export type ShownSent = {
  readonly reference: string
  readonly amountCents: Cents
  readonly endToEndId: string | null
}

export type StatementDifference = Difference & {
  /** By how much. */
  readonly distance: number
}

/**
 * Compares a statement with our books, movement by movement: by the ids of PIX where it has them, else by amount and time. Where a bank shows many
 * payments as one line, their sum is compared. What leaves the account without us is no difference, since a company may send money in its bank's
 * app; what comes in is one.
 */
export const compareStatement = (books: StatementBooks): ComparedThird => {
  const { source, digest, movements, outs, terms } = books
  const differences: StatementDifference[] = []
  const payments = matchIncoming(books, differences)
  const { others, strange, sent, back } = matchOutgoing(books, differences)
  const tariffCents = toCents(tariffsIn(movements))
  const transfers = outs.filter(({ isTransfer, atMs }) => isTransfer && atMs !== null)
  const termsCents = feesByTerms(terms, payments, transfers)
  if (termsCents !== null && termsCents !== tariffCents)
    differences.push({
      ...{ kind: 'TARIFF', endToEndId: null, txid: null },
      bankCents: toCents(Math.max(tariffCents, 0)),
      oursCents: termsCents,
      distance: Math.abs(tariffCents - termsCents),
    })
  return {
    statement: bookOfStatement(movements),
    third: { source, digest, tariffCents, termsCents, othersCount: others },
    differences,
    strange: strange.slice(0, strangeMax),
    sent,
    back,
  }
}

/** What a bank is to take of these, by the terms of its connection; null where those say nothing. */
export const feesByTerms = (
  terms: ConnectionTerms | null,
  payments: readonly Pick<BookedPix, 'amountCents'>[],
  transfers: readonly Pick<BookedOut, 'amountCents'>[],
): ThirdBook['termsCents'] => {
  if (terms?.PIX === undefined && terms?.PAYOUT === undefined) return null
  const feesOf = (rail: 'PIX' | 'PAYOUT', of: readonly Pick<BookedPix, 'amountCents'>[]): number =>
    of.reduce((sum, { amountCents }) => sum + (bankFeeOn(terms, rail, amountCents) ?? 0), 0)
  return toCents(feesOf('PIX', payments) + feesOf('PAYOUT', transfers))
}

/** Compares what came in; returns our payments of the day. */
const matchIncoming = (
  { movements, ours, isPartial, fromMs, toMs }: StatementBooks,
  differences: StatementDifference[],
): readonly BookedPix[] => {
  const booked = new Map(ours.filter((pix) => !pix.isWrittenOff).map((pix) => [pix.endToEndId, pix]))
  const ofDay = [...booked.values()].filter(({ paidAtMs }) => paidAtMs >= fromMs && paidAtMs < toMs)
  const open = new Set(ofDay)
  const seen = new Set<string>()
  const unnamed: StatementMovement[] = []
  for (const movement of movements) {
    const { kind, cents, endToEndId } = movement
    if (kind !== 'PIX_IN') continue
    if (endToEndId === null) {
      unnamed.push(movement)
      continue
    }
    const own = booked.get(endToEndId)
    // The same payment twice is money that we do not have.
    if (own === undefined || seen.has(endToEndId)) {
      if (own !== undefined || !isPartial) differences.push(alone(movement))
      continue
    }
    seen.add(endToEndId)
    open.delete(own)
    if (own.amountCents !== cents)
      differences.push({
        ...{ kind: 'STATEMENT_AMOUNT', endToEndId, txid: own.txid },
        bankCents: cents,
        oursCents: own.amountCents,
        distance: Math.abs(own.amountCents - cents),
      })
  }
  const left = pairByAmount(unnamed, open, ({ paidAtMs }) => paidAtMs)
  if (!isOneSum(left, open)) {
    if (!isPartial) differences.push(...left.map(alone))
    for (const { endToEndId, txid, amountCents } of open)
      differences.push(absent(endToEndId, txid, amountCents))
  }
  return ofDay
}

type Left = Pick<ComparedThird, 'strange' | 'sent' | 'back'> & {
  /** How many lines have nothing to do with us. */
  readonly others: number
}

/** Compares what left. */
const matchOutgoing = (
  { movements, outs, source }: StatementBooks,
  differences: StatementDifference[],
): Left => {
  const sent: ShownSent[] = []
  const strange: StrangePix[] = []
  const open = new Set(outs)
  const byId = new Map<string, BookedOut[]>()
  for (const out of outs) for (const id of out.ids) addTo(byId, id, out)
  let others = 0
  const unnamed: StatementMovement[] = []
  const isBack = (movement: StatementMovement): boolean => source === 'BANK' && isReturnOfSent(movement)
  for (const movement of movements) {
    const { kind, cents, endToEndId } = movement
    if (kind === 'PIX_IN' || kind === 'TARIFF' || isBack(movement)) continue
    if (kind === 'OTHER' || cents >= 0) {
      others += 1
      continue
    }
    const named = endToEndId === null ? [] : (byId.get(endToEndId) ?? []).filter((out) => open.has(out))
    const subject =
      source === 'BANK' && movement.reference !== undefined ? sentIdOf(movement.reference) : null
    const own =
      named.find(({ amountCents }) => amountCents === -cents) ??
      named[0] ??
      [...open].find(({ sentId }) => sentId !== null && sentId === subject)
    if (own === undefined && subject !== null) {
      sent.push({ reference: movement.reference!, amountCents: toCents(-cents), endToEndId })
      continue
    }
    if (own === undefined) {
      unnamed.push(movement)
      continue
    }
    open.delete(own)
    if (own.amountCents !== -cents)
      differences.push({
        ...{ kind: 'STATEMENT_AMOUNT', endToEndId, txid: null },
        bankCents: toCents(-cents),
        oursCents: own.amountCents,
        distance: Math.abs(own.amountCents + cents),
      })
  }
  const left = pairByAmount(unnamed, open, ({ atMs }) => atMs)
  const required = new Set([...open].filter(({ atMs }) => atMs !== null))
  // Only a return is about a payment to us.
  for (const movement of isOneSum(left, required) ? [] : left)
    if (movement.kind === 'RETURN') differences.push(alone(movement))
    else {
      others += 1
      strange.push({ endToEndId: movement.endToEndId, amountCents: toCents(-movement.cents) })
    }
  if (!isOneSum(left, required))
    for (const { ids, amountCents } of required) differences.push(absent(ids[0] ?? null, null, amountCents))
  return { others, strange, sent, back: returnsIn(movements.filter(isBack)) }
}

/**
 * Whether it came back under the id of what was sent. A text would be no sign: who is paid reads our reference, and may write it into a payment of
 * their own, which is booked as one.
 */
const isReturnOfSent = ({ kind, cents, endToEndId }: StatementMovement): boolean =>
  kind === 'RETURN' && cents > 0 && endToEndId?.startsWith('E') === true

const returnsIn = (movements: readonly StatementMovement[]): readonly ShownBack[] => {
  const seen = new Map<string, number>()
  return movements.map(({ cents: amountCents, endToEndId }) => {
    const line = `${endToEndId} ${amountCents}`
    const nth = (seen.get(line) ?? 0) + 1
    seen.set(line, nth)
    return { endToEndId: endToEndId!, amountCents, nth }
  })
}

/** Whose money a reference was made for; null for what is none of ours. */
const sentIdOf = (reference: string): string | null => {
  const subject = payOutOfReference(reference)
  return subject === null ? null : 'transferId' in subject ? subject.transferId : subject.splitTransferId
}

/** Pairs lines without an id with what has the same amount, the nearest in time first; returns the lines that are left, and takes out what is paired. */
const pairByAmount = <Own extends { readonly amountCents: number }>(
  lines: readonly StatementMovement[],
  open: Set<Own>,
  atMsOf: (own: Own) => number | null,
): readonly StatementMovement[] => {
  const byAmount = new Map<number, Own[]>()
  for (const own of open) addTo(byAmount, own.amountCents, own)
  return lines.filter(({ cents, atMs }) => {
    const candidates = byAmount.get(Math.abs(cents)) ?? []
    if (candidates.length === 0) return true
    const distance = (own: Own): number => Math.abs((atMsOf(own) ?? 0) - (atMs ?? 0))
    const nearest =
      atMs === null
        ? // What must be there goes first.
          (candidates.find((own) => atMsOf(own) !== null) ?? candidates[0]!)
        : candidates.reduce((best, own) => (distance(own) < distance(best) ? own : best))
    candidates.splice(candidates.indexOf(nearest), 1)
    open.delete(nearest)
    return false
  })
}

const addTo = <Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

/** Whether what is left on both sides is the same money, in fewer lines. */
const isOneSum = (
  lines: readonly StatementMovement[],
  open: ReadonlySet<{ readonly amountCents: number }>,
): boolean => {
  const shown = lines.reduce((sum, { cents }) => sum + Math.abs(cents), 0)
  const own = [...open].reduce((sum, { amountCents }) => sum + amountCents, 0)
  return shown === own
}

const alone = ({ endToEndId, cents }: StatementMovement): StatementDifference => {
  const bankCents = toCents(Math.abs(cents))
  return { kind: 'STATEMENT_ONLY', endToEndId, txid: null, bankCents, oursCents: null, distance: bankCents }
}

const absent = (
  endToEndId: string | null,
  txid: string | null,
  oursCents: BookedPix['amountCents'],
): StatementDifference => ({
  ...{ kind: 'MISSING_IN_STATEMENT', endToEndId, txid },
  bankCents: null,
  oursCents,
  distance: oursCents,
})
