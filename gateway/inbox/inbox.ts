import type { RecordFeeDifference } from '../../engine/connections/commands.ts'
import type { InboxCommand } from '../../engine/inbox/commands.ts'
import type { Answers, Query } from '../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { RaiseNotice } from '../../engine/notices/commands.ts'
import type { BookedPage, BookedPix, RecordComparedDay } from '../../engine/reconciliation/commands.ts'
import type { AccountId, InboxNoticeId } from '../../engine/shared/ids.ts'
import { byProvider } from '../../engine/shared/initiator.ts'
import { type BooksWatch, openBooksWatch } from './books-watch.ts'
import type { InboxConnections } from './company-connections.ts'
import { type DailyBooks, startDailyBooks } from './daily.ts'
import { feesKnownOf } from './day-fees.ts'
import { keepHooksRegistered } from './hook-registration.ts'
import { closeInboxLane, type InboxLane, type InboxShard, type LaneOptions, newInboxLane } from './lane.ts'
import { startPolls } from './poller.ts'
import { openReconciler, type Reconciler } from './reconciler.ts'
import type { Reporting } from './reporting.ts'

/** What banks report to the accounts whose shards this worker owns. */
export type Inbox = {
  /** Begins with connections that are new here, and ends with those that are not any more. */
  readonly sync: () => void
  /** Takes up the notices of an entry on disk. */
  readonly onFlushed: (entry: FlushedEntry) => void
  readonly counts: () => ReturnType<Reconciler['counts']> & ReturnType<BooksWatch['sums']>
  readonly close: () => void
}

export type InboxOptions = LaneOptions & {
  readonly connections: Pick<InboxConnections, 'inUse' | 'open'>
  /** This worker's leadership of the shard of an account, another one each time; null where it does not lead. */
  readonly leadershipOf: (accountId: AccountId) => object | null
  readonly query: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
  readonly newId: () => InboxNoticeId
}

/** Opens the inbox of a worker. Nothing happens before the first `sync`. */
export const openInbox = (options: InboxOptions): Inbox => {
  const lanes = new Map<string, OpenInboxLane>()
  const books = openBooksWatch(options.onAlert)

  const begin = (reporting: Reporting, leadership: object): void => {
    const lane = newInboxLane(options, reporting, shardFor(options, reporting))
    const reconciler = openReconciler(lane)
    lanes.set(reporting.connectionId, { lane, reconciler, leadership, daily: startDailyBooks(lane) })
    reconciler.load()
    startPolls(lane, reconciler.afterPoll)
    keepHooksRegistered(lane, Math.min(lanes.size * registeredEachMs, registeredWithinMs))
  }

  /** Accounts whose books are being read, or were. */
  const watched = new Map<AccountId, object>()
  const watchAccounts = (): void => {
    const led = new Map(
      [...lanes.values()].map(({ lane, leadership }) => [lane.reporting.accountId, { lane, leadership }]),
    )
    for (const accountId of watched.keys())
      if (!led.has(accountId)) {
        watched.delete(accountId)
        books.forget(accountId)
      }
    for (const [accountId, { lane, leadership }] of led) {
      if (watched.get(accountId) === leadership) continue
      watched.set(accountId, leadership)
      void watchBooks(options, books, lane.reporting).then((isRead) => {
        if (!isRead && watched.get(accountId) === leadership) watched.delete(accountId)
      })
    }
  }

  return {
    sync: () => {
      const there = new Set<string>()
      for (const { connectionId, accountId } of options.connections.inUse()) {
        const leadership = options.leadershipOf(accountId)
        const reporting = leadership && options.connections.open(connectionId)
        if (leadership === null || reporting === null) continue
        there.add(connectionId)
        const known = lanes.get(connectionId)
        // Another owner may have taken notices meanwhile, and credentials may have changed.
        if (known?.leadership === leadership && isSame(known.lane.reporting, reporting)) continue
        if (known !== undefined) closeInboxLane(known.lane)
        begin(reporting, leadership)
      }
      for (const [connectionId, { lane }] of lanes)
        if (!there.has(connectionId)) {
          closeInboxLane(lane)
          lanes.delete(connectionId)
        }
      watchAccounts()
    },
    onFlushed: (entry) => {
      if (lanes.size === 0) return
      books.onFlushed(entry)
      for (const { event, after } of entry.steps) {
        if (event.type === 'NoticeReceived') lanes.get(event.notice.connectionId)?.reconciler.take(event.id)
        if (event.type === 'StatementGiven' && 'differences' in after && after.connectionId !== null)
          lanes.get(after.connectionId)?.daily.compare(after.date)
      }
    },
    counts: () => {
      let [open, unmatched] = [0, 0]
      for (const { reconciler } of lanes.values()) {
        const counts = reconciler.counts()
        open += counts.open
        unmatched += counts.unmatched
      }
      return { open, unmatched, ...books.sums() }
    },
    close: () => {
      for (const { lane } of lanes.values()) closeInboxLane(lane)
      lanes.clear()
    },
  }
}

/** Resolves to whether the account could be read; it is tried once more by the next sync. */
const watchBooks = async (
  { query, onFault }: InboxOptions,
  books: BooksWatch,
  reporting: Reporting,
): Promise<boolean> => {
  const { accountId } = reporting
  try {
    const found = await query({ type: 'FindAccount', accountId })
    const { rows } = await query({
      type: 'ListReconciliations',
      accountId,
      statuses: ['DIFFERENT'],
      connectionId: null,
      date: null,
      ...{ page: 1, pageSize: watchedDaysMax, asOf: null, from: null, to: null },
    })
    books.begin(accountId, {
      suspenseCents: Number(found?.account.balances.suspense ?? 0n),
      differing: new Map(rows.map(({ id, differenceCents }) => [id, differenceCents])),
    })
    return true
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) onFault(error, reporting)
    return false
  }
}

const watchedDaysMax = 1_000

/** A new connection is registered at once, and those of a node that starts one after the other. */
const registeredEachMs = 50
const registeredWithinMs = 30_000

const isSame = (one: Reporting, other: Reporting): boolean =>
  one.instance === other.instance && one.hookAddress === other.hookAddress

type OpenInboxLane = {
  readonly lane: InboxLane
  readonly reconciler: Reconciler
  readonly leadership: object
  readonly daily: DailyBooks
}

/** Money in suspense that people are reminded of: where there is more of it, they have enough to look at. */
const suspendedMax = 200

/** Payments that are looked up in one turn of a shard. */
const foundAtOnce = 200

const shardFor = (
  { execute, query, newId }: InboxOptions,
  { accountId, connectionId }: Reporting,
): InboxShard => {
  const perform = async (
    command: InboxCommand | RecordComparedDay | RecordFeeDifference | RaiseNotice,
  ): Promise<void> => {
    const reply = await execute(command)
    // An account of a connection that is open exists, unless its shard is not what it was.
    if (!reply.accepted) throw new ShardUnavailable(`${command.type}: ${reply.rejection.reason}`)
  }
  const target = { accountId, by: byProvider }
  return {
    receive: (notice) =>
      perform({
        type: 'ReceiveNotice',
        ...target,
        inboxNoticeId: newId(),
        notice: { connectionId, ...notice },
      }),
    close: (closes, outcome) => perform({ type: 'CloseNotice', ...target, closes, outcome }),
    advance: (loop, cursor) => perform({ type: 'AdvancePoll', ...target, connectionId, loop, cursor }),
    open: (atMost) => query({ type: 'ListOpenNotices', accountId, connectionId, atMost }),
    find: (id) => query({ type: 'FindInboxNotice', accountId, id }),
    cursors: () => query({ type: 'FindPollCursors', accountId, connectionId }),
    timeZone: async () => {
      const found = await query({ type: 'FindAccount', accountId })
      if (found === null) throw new ShardUnavailable('the account of a connection is not there')
      return found.account.profile.timeZone
    },
    comparedDay: (reconciliationId) => query({ type: 'FindReconciliation', accountId, reconciliationId }),
    awaitingDays: () => query({ type: 'ListAwaitingDays', accountId, connectionId }),
    recordDay: (reconciliationId, compared, given) =>
      perform({
        type: 'RecordComparedDay',
        ...target,
        reconciliationId,
        compared,
        ...(given && { third: given.third, strange: given.strange }),
      }),
    bookedOut: (fromMs, toMs) => query({ type: 'ListBookedOut', accountId, connectionId, fromMs, toMs }),
    fees: async (day) => {
      const found = await query({ type: 'FindAccount', accountId })
      return feesKnownOf(found?.account ?? {}, connectionId, day)
    },
    recordFees: (day, cents, reason) =>
      perform({ type: 'RecordFeeDifference', ...target, connectionId, day, cents, reason }),
    suspendedBefore: async (ms) => {
      const { rows } = await query({
        type: 'ListSuspense',
        accountId,
        statuses: ['OPEN'],
        ...{ page: 1, pageSize: suspendedMax, asOf: null, from: null, to: null },
      })
      return rows.filter((item) => item.connectionId === connectionId && item.createdAtMs < ms)
    },
    raise: (noticeId, notice) => perform({ type: 'RaiseNotice', ...target, noticeId, notice }),
    bookedIn: async (fromMs, toMs) => {
      const booked: BookedPix[] = []
      let asOf: number | null = null
      for (let page = 0; ; page++) {
        const read: BookedPage = await query({
          type: 'ListBookedPix',
          accountId,
          connectionId,
          fromMs,
          toMs,
          page,
          asOf,
        })
        booked.push(...read.booked)
        if (!read.hasMore) return booked
        asOf = read.asOf
      }
    },
    bookedAs: async (endToEndIds) => {
      const booked: BookedPix[] = []
      for (let n = 0; n < endToEndIds.length; n += foundAtOnce)
        booked.push(
          ...(await query({
            type: 'FindBookedPix',
            accountId,
            connectionId,
            endToEndIds: endToEndIds.slice(n, n + foundAtOnce),
          })),
        )
      return booked
    },
  }
}
