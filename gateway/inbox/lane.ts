import type { AdvancePoll, CloseNotice, ListOpenNotices, ReceiveNotice } from '../../engine/inbox/commands.ts'
import type { InboxNotice, InboxOutcome } from '../../engine/inbox/inbox-notice.ts'
import type { PollCursors } from '../../engine/inbox/poll.ts'
import type { RaiseNotice } from '../../engine/notices/commands.ts'
import type { Suspense } from '../../engine/payments/suspense/suspense.ts'
import type { BookedOut, BookedPix, RecordComparedDay } from '../../engine/reconciliation/commands.ts'
import type { Reconciliation } from '../../engine/reconciliation/reconciliation.ts'
import type { StrangePix, ThirdBook } from '../../engine/reconciliation/statement.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { ConnectionId, InboxNoticeId, NoticeId, ReconciliationId } from '../../engine/shared/ids.ts'
import type { Cents } from '../../engine/shared/money.ts'
import type { RailNotice } from '../providers/port.ts'
import type { FeesKnown } from './day-fees.ts'
import type { InboxAlert, Reporting } from './reporting.ts'
import {
  nameOfNotice,
  objectNamedBy,
  type Settled,
  type SettleOptions,
  settleNoticed,
  type UnknownObjects,
} from './settle.ts'

/** The shard that a connection's account is in, as far as its inbox asks it. */
export type InboxShard = {
  readonly receive: (notice: Omit<ReceiveNotice['notice'], 'connectionId'>) => Promise<void>
  readonly close: (id: CloseNotice['closes'], outcome: InboxOutcome) => Promise<void>
  readonly advance: (loop: AdvancePoll['loop'], cursor: string) => Promise<void>
  readonly open: (
    atMost: ListOpenNotices['atMost'],
  ) => Promise<{ readonly ids: readonly InboxNoticeId[]; readonly total: number }>
  readonly find: (id: InboxNoticeId) => Promise<InboxNotice | null>
  readonly cursors: () => Promise<PollCursors>
  /** The time zone of the company, whose days are compared. */
  readonly timeZone: () => Promise<string>
  readonly comparedDay: (id: ReconciliationId) => Promise<Reconciliation | null>
  /** Days whose statement a person has given, and that were not compared with it. */
  readonly awaitingDays: () => Promise<readonly CalendarDate[]>
  readonly recordDay: (
    id: ReconciliationId,
    compared: RecordComparedDay['compared'],
    third: { readonly third: ThirdBook; readonly strange: readonly StrangePix[] } | null,
  ) => Promise<void>
  /** What we have of payments of a window, and of payments by their ids. */
  readonly bookedIn: (fromMs: number, toMs: number) => Promise<readonly BookedPix[]>
  readonly bookedAs: (endToEndIds: readonly string[]) => Promise<readonly BookedPix[]>
  /** What we have of money that left in a window. */
  readonly bookedOut: (fromMs: number, toMs: number) => Promise<readonly BookedOut[]>
  /** What the account has of the connection's fees: its terms, and what was booked of other days. */
  readonly fees: (day: CalendarDate) => Promise<FeesKnown>
  readonly recordFees: (day: CalendarDate, cents: Cents, reason: string) => Promise<void>
  /** Money that has been in suspense since before this time. */
  readonly suspendedBefore: (ms: number) => Promise<readonly Suspense[]>
  /** Raises a notice for people, under an id that says which one it is. */
  readonly raise: (id: NoticeId, notice: RaiseNotice['notice']) => Promise<void>
}

export type LaneOptions = SettleOptions & {
  readonly realNow: () => number
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  /** From 0 to 1. */
  readonly random: () => number
  readonly onAlert: (alert: InboxAlert) => void
  /** Called each time a bank was given a connection's address: with why it did not take it, or null. */
  readonly onHooks: (connectionId: ConnectionId, problem: string | null) => void
  /** Called with what became of each thing that a bank has named in the end, and of each notice as a whole. */
  readonly onSettled: (
    kind: RailNotice['kind'] | 'NOTICE',
    outcome: InboxOutcome,
    reporting: Reporting,
  ) => void
}

/** What one connection reports, while its account's shard is owned here. */
export type InboxLane = LaneOptions & {
  readonly reporting: Reporting
  readonly shard: InboxShard
  isClosed: boolean
  /** Cancels what waits for its time. */
  readonly timers: Set<() => void>
  /** Names of notices that are booked or were refused here, newest last: what polls find time and again. */
  readonly settled: Map<string, 'TAKEN' | 'REFUSED' | 'UNMATCHED'>
  /** Names that open notices wait for, with how many of them do. */
  readonly awaited: Map<string, number>
  readonly unknown: UnknownObjects
  /** Objects that are fetched at this moment. */
  fetching: number
  readonly waiting: (() => void)[]
  /** Money in suspense of which people were reminded. */
  readonly reminded: Set<string>
}

/** A lane that has nothing to do yet. */
export const newInboxLane = (options: LaneOptions, reporting: Reporting, shard: InboxShard): InboxLane => ({
  ...options,
  reporting,
  shard,
  isClosed: false,
  timers: new Set(),
  settled: new Map(),
  awaited: new Map(),
  unknown: new Map(),
  fetching: 0,
  waiting: [],
  reminded: new Set(),
})

/** Stops everything of a lane. What is under way ends by itself, and is done once more by the next owner where it did not. */
export const closeInboxLane = (lane: InboxLane): void => {
  lane.isClosed = true
  for (const cancel of lane.timers) cancel()
  lane.timers.clear()
}

/** Calls back after so many milliseconds, unless the lane is closed before. */
export const later = (lane: InboxLane, ms: number, callback: () => void): (() => void) => {
  const cancel = lane.timeout(ms, () => {
    lane.timers.delete(cancel)
    if (!lane.isClosed) callback()
  })
  lane.timers.add(cancel)
  return () => {
    lane.timers.delete(cancel)
    cancel()
  }
}

export type SettledNotice = { readonly notice: RailNotice; readonly settled: Settled }

/** Settles notices, each object once, a few at a time: a bank bounds how fast it is asked. */
export const settleAll = async (
  lane: InboxLane,
  notices: readonly RailNotice[],
  isOverdue: boolean,
): Promise<readonly SettledNotice[]> => {
  const byObject = new Map<string, RailNotice[]>()
  for (const notice of notices) {
    const object = objectNamedBy(notice)
    const others = byObject.get(object)
    if (others === undefined) byObject.set(object, [notice])
    else others.push(notice)
  }
  const all = await Promise.all(
    [...byObject.values()].map(async (ofOne) => {
      const settled = await inTurn(lane, () =>
        settleNoticed(lane, lane.reporting, ofOne[0]!, isOverdue, lane.unknown),
      )
      return ofOne.map((notice) => ({ notice, settled }))
    }),
  )
  for (const { notice, settled } of all.flat()) remember(lane, notice, settled)
  return all.flat()
}

const remember = (lane: InboxLane, notice: RailNotice, settled: Settled): void => {
  if (settled !== 'TAKEN' && settled !== 'REFUSED' && settled !== 'UNMATCHED') return
  lane.onSettled(notice.kind, settled, lane.reporting)
  const name = nameOfNotice(notice)
  lane.settled.delete(name)
  lane.settled.set(name, settled)
  if (lane.settled.size > settledMax) lane.settled.delete(lane.settled.keys().next().value!)
}

/** As many as a busy company has in a day; what is forgotten is fetched once more, and booked no second time. */
const settledMax = 50_000

const inTurn = async <Value>(lane: InboxLane, work: () => Promise<Value>): Promise<Value> => {
  if (lane.fetching < fetchedAtOnceMax) lane.fetching += 1
  // Its place comes from one that is done.
  else await new Promise<void>((resolve) => lane.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = lane.waiting.shift()
    if (next === undefined) lane.fetching -= 1
    else next()
  }
}

const fetchedAtOnceMax = 4
