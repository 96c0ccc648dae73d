import type { Command } from '../../engine/kernel/registry.ts'
import type { SentMoney } from '../../engine/payments/sent-money.ts'
import type { BookedOut, BookedPix } from '../../engine/reconciliation/commands.ts'
import {
  awaitsComparison,
  type ComparedDay,
  differencesMax,
  type Reconciliation,
  reconciliationIdOf,
  reconciliationStatusOf,
} from '../../engine/reconciliation/reconciliation.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  dayMs,
  endOfDay,
  startOfDay,
} from '../../engine/shared/calendar.ts'
import type { SplitTransferId, TransferId } from '../../engine/shared/ids.ts'
import { byProvider } from '../../engine/shared/initiator.ts'
import { toCents } from '../../engine/shared/money.ts'
import type { PixReceived, RailNotice } from '../providers/port.ts'
import { compareBooks } from './day-books.ts'
import { bookableFees, type DayFees, feesOfDay } from './day-fees.ts'
import type { InboxLane } from './lane.ts'
import { noticeKeyOf, packBody } from './notice-body.ts'
import { executeAll } from './settle.ts'
import {
  compareStatement,
  type ShownBack,
  type ShownSent,
  type StatementBooks,
  type StatementDifference,
} from './third-book.ts'

export type DayOutcome =
  /** The books agree, or a person has accepted that they do not. */
  | 'SETTLED'
  | 'DIFFERENT'
  | 'SILENT'
  /** They agree, but the bank's statement, which the connection may read, has not come. */
  | 'NO_STATEMENT'

/** A payment may be listed a while after its time, and clocks of banks differ. */
const overlapMs = 600_000
const fedMax = 1_000
/** A statement that has not arrived by then is waited for no longer. */
const statementDaysMax = 7

/** Compares one day that is not settled yet, and writes down what came of it before anything is fed. */
export const compareDay = async (
  lane: InboxLane,
  zone: string,
  date: CalendarDate,
  feeds: boolean,
): Promise<DayOutcome> => {
  const { reporting, shard } = lane
  const { connectionId, accountId, provider: providerId, sinceMs } = reporting
  const reconciliationId = reconciliationIdOf(accountId, connectionId, date)
  const known = await shard.comparedDay(reconciliationId)
  const isSettled =
    known !== null && reconciliationStatusOf(known) !== 'DIFFERENT' && !awaitsComparison(known)
  const window = { fromMs: startOfDay(zone, date), toMs: endOfDay(zone, date) }
  const { fromMs, toMs } = window
  const given = await statementFor(lane, zone, date, window, known)
  if (given === 'SILENT') return isSettled ? 'SETTLED' : 'SILENT'
  // What the bank has said of its own accord once is asked of it no more.
  const isNew =
    given !== null && given !== 'AWAITED' && given.source === 'BANK' && known?.third?.source !== 'BANK'
  if (isSettled && !isNew) return given === 'AWAITED' ? 'NO_STATEMENT' : 'SETTLED'

  const untilMs = Math.min(toMs + overlapMs, lane.realNow())
  const listed = await reporting.instance.received!({ fromMs: fromMs - overlapMs, untilMs })
  if (listed === null || lane.isClosed) return 'SILENT'
  // What came before the connection is not among its payments.
  const bank = listed.filter(({ paidAtMs }) => paidAtMs >= sinceMs - overlapMs)
  const statement = given === 'AWAITED' ? null : given
  const named = statement?.movements.flatMap(({ kind, endToEndId }) =>
    kind === 'PIX_IN' && endToEndId !== null ? [endToEndId] : [],
  )
  const ours = await bookedFor(
    lane,
    [...bank.map(({ endToEndId }) => endToEndId), ...(named ?? [])],
    fromMs,
    toMs,
  )
  const { unbooked, ...two } = compareBooks({ bank, ours, ...window })
  const fees = await shard.fees(date)
  const third =
    statement === null
      ? null
      : compareStatement({
          ...statement,
          ...{ ours, terms: fees.terms, outs: await shard.bookedOut(fromMs, toMs) },
          ...window,
          isPartial: sinceMs > fromMs,
        })
  const unbookable =
    third === null
      ? []
      : [...(await bookShown(lane, third.sent)), ...(await bookBack(lane, date, third.back, window))]
  const ofDay = bank.filter(({ paidAtMs }) => paidAtMs >= fromMs && paidAtMs < toMs)
  const taken = feesOfDay(third?.third, ofDay, fees)
  const compared = withDifferences({ ...two, statement: third?.statement ?? null }, [
    ...(third?.differences ?? differenceOfFees(taken)),
    ...unbookable,
  ])
  await shard.recordDay(reconciliationId, { connectionId, providerId, date, ...compared }, third)
  if (taken !== null) await shard.recordFees(date, bookableFees(taken, fees), reasonOf(taken))
  if (compared.differencesCount === 0) return given === 'AWAITED' ? 'NO_STATEMENT' : 'SETTLED'
  if (feeds) await feed(lane, date, unbooked)
  return 'DIFFERENT'
}

/** The statement of a day: the bank's own, else the newest file; null where there is none, and `AWAITED` where the bank is to give it. */
const statementFor = async (
  lane: InboxLane,
  zone: string,
  date: CalendarDate,
  { fromMs, toMs }: Pick<StatementBooks, 'fromMs' | 'toMs'>,
  known: Reconciliation | null,
): Promise<Pick<StatementBooks, 'source' | 'digest' | 'movements'> | 'AWAITED' | 'SILENT' | null> => {
  const { instance } = lane.reporting
  const hadOwn = known?.third?.source === 'BANK'
  const isRecent = date >= addDays(dateIn(zone, lane.realNow()), -statementDaysMax)
  if (instance.statement !== undefined && (hadOwn || isRecent)) {
    if (hadOwn && reconciliationStatusOf(known) !== 'DIFFERENT') return null
    const movements = await instance.statement({ date, fromMs, toMs })
    if (movements !== null) return { source: 'BANK', digest: null, movements }
    if (hadOwn) return 'SILENT'
    return fileOf(known) ?? 'AWAITED'
  }
  return fileOf(known)
}

const fileOf = (known: Reconciliation | null) =>
  known?.file === undefined
    ? null
    : ({ source: 'FILE', digest: known.file.digest, movements: known.file.movements } as const)

/**
 * Books what the bank's own statement shows as sent under a reference of ours, when no answer of the bank has said so. Answers what cannot be
 * booked: another amount than what was to be sent, or a payout that the bank had refused.
 */
const bookShown = async (
  lane: InboxLane,
  sent: readonly ShownSent[],
): Promise<readonly StatementDifference[]> => {
  const unbookable: StatementDifference[] = []
  for (const { reference, amountCents, endToEndId } of sent) {
    const shown = { kind: 'PAYOUT', reference, state: 'DONE', amountCents, endToEndId } as const
    const bookings = lane.bookingsOf({ ...shown, reason: null, returns: [] }, lane.reporting) ?? []
    if ((await executeAll(lane, bookings)) === 'REFUSED')
      unbookable.push({
        ...{ kind: 'STATEMENT_ONLY', endToEndId, txid: null, oursCents: null },
        ...{ bankCents: amountCents, distance: amountCents },
      })
  }
  return unbookable
}

/** For so long after a PIX its payee may send it back. */
const returnableMs = 90 * dayMs

/**
 * Books what came back of money that we had sent (R11), each return once: the bank shows no id of its own for it, so it is known by its day and by what is
 * on its line. Answers what cannot be booked, such as more than was sent. What came back of something else is none of ours.
 */
const bookBack = async (
  lane: InboxLane,
  date: CalendarDate,
  back: readonly ShownBack[],
  { fromMs, toMs }: Pick<StatementBooks, 'fromMs' | 'toMs'>,
): Promise<readonly StatementDifference[]> => {
  if (back.length === 0) return []
  const outs = await lane.shard.bookedOut(fromMs - returnableMs, toMs)
  const unbookable: StatementDifference[] = []
  for (const { endToEndId, amountCents, nth } of back) {
    const own = outs.find(({ sentId, ids }) => sentId !== null && ids.includes(endToEndId))
    if (own === undefined) continue
    const part = { id: `${endToEndId} ${date} ${amountCents} ${nth}`, amountCents, atMs: fromMs }
    if ((await executeAll(lane, [backOf(lane, own, endToEndId, part)])) === 'REFUSED')
      unbookable.push({
        ...{ kind: 'STATEMENT_ONLY', endToEndId, txid: null, oursCents: null },
        ...{ bankCents: amountCents, distance: amountCents },
      })
  }
  return unbookable
}

const backOf = (
  { reporting: { accountId, connectionId } }: InboxLane,
  { sentId, callNumber, amountCents }: BookedOut,
  railId: string,
  part: SentMoney['returns'][number],
): Command => {
  const payOut = { state: 'DONE', amountCents, railId, code: null, returns: [part] } as const
  const reported = { accountId, by: byProvider, connectionId, payOut }
  return callNumber === undefined
    ? { type: 'ReportPayOut', ...reported, transferId: sentId as TransferId }
    : {
        ...{ type: 'ReportSplitPayOut', ...reported, callNumber },
        splitTransferId: sentId as SplitTransferId,
      }
}

type TwoBooks = Pick<
  ComparedDay,
  'bank' | 'ours' | 'statement' | 'differences' | 'differencesCount' | 'differenceCents'
>

const withDifferences = (two: TwoBooks, more: readonly StatementDifference[]): TwoBooks => ({
  ...two,
  differences: [...two.differences, ...more.map(({ distance: _, ...difference }) => difference)].slice(
    0,
    differencesMax,
  ),
  differencesCount: two.differencesCount + more.length,
  differenceCents: toCents(two.differenceCents + more.reduce((sum, { distance }) => sum + distance, 0)),
})

const differenceOfFees = (fees: DayFees | null): readonly StatementDifference[] =>
  fees === null || fees.takenCents === fees.termsCents
    ? []
    : [
        {
          ...{ kind: 'TARIFF', endToEndId: null, txid: null },
          bankCents: toCents(fees.takenCents),
          oursCents: toCents(fees.termsCents),
          distance: Math.abs(fees.takenCents - fees.termsCents),
        },
      ]

const reasonOf = ({ takenCents, termsCents }: DayFees): string =>
  `the bank took ${takenCents}, and its terms say ${termsCents}`

/** What we have of the day, and of what the bank names for it. */
const bookedFor = async (
  { shard }: InboxLane,
  endToEndIds: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<readonly BookedPix[]> => {
  const booked = await shard.bookedIn(fromMs, toMs)
  const known = new Set(booked.map(({ endToEndId }) => endToEndId))
  const others = [...new Set(endToEndIds)].filter((id) => !known.has(id))
  return [...booked, ...(await shard.bookedAs(others))]
}

/** Has the inbox look at payments, as if the bank had reported them: what it fetches is booked, once. */
const feed = async (lane: InboxLane, date: CalendarDate, unbooked: readonly PixReceived[]): Promise<void> => {
  for (const { endToEndId, txid, amountCents, paidAtMs } of unbooked.slice(0, fedMax)) {
    const notice: RailNotice = {
      kind: 'PIX_IN',
      // What a poll has found and booked is not looked at once more under the same key.
      key: `${endToEndId} ${date}`,
      atMs: paidAtMs,
      data: { endToEndId, txid, amountCents },
    }
    const packed = await packBody(Buffer.from(JSON.stringify([notice])))
    const key = noticeKeyOf('books', Buffer.from(notice.key))
    await lane.shard.receive({ key, source: 'POLL', path: '', headers: {}, packed })
  }
}
