// Carries records and notices from the logs of the main thread to the accounts in their shards.
import type { AccountId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'

/**
 * Delivers the entries of a log to accounts in their shards (dashboard, section 6). The log holds the entries and
 * how far they are delivered, so no crash loses any. Each account gets its entries in order, under the numbers of
 * the log: an entry delivered twice, by this node or by two, counts once.
 */
export type Trail<Entry extends TrailEntry> = {
  /** Adds an entry for an account. Numbers grow. */
  readonly add: (accountId: AccountId, entry: Entry) => void
  /** The log has reached this number. */
  readonly reach: (sequence: number) => void
  /** Every account has its entries up to this number. */
  readonly forget: (upTo: number) => void
  /** Delivers what waits, until nothing is left. */
  readonly report: () => void
  /** Periodically delivers what another node failed to deliver. */
  readonly reportOverdue: () => void
  /** Starts the delivery, which waits until then. */
  readonly open: (port: TrailPort<Entry>) => void
}

/** The sequence is the log's: the same on every node, and greater for each later entry. */
export type TrailEntry = { readonly sequence: number; readonly atMs: number }

export type TrailPort<Entry> = {
  /** Rejects if it is not certain that the account has it. */
  readonly record: (accountId: AccountId, entry: Entry) => Promise<unknown>
  /** Stores in the log up to which number all is delivered, unless that is known. */
  readonly save: (upTo: number, isKnown: () => boolean) => Promise<void>
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}

type TrailState<Entry extends TrailEntry> = {
  /** The entries that each account is not known to have, oldest first. */
  readonly waiting: Map<AccountId, Entry[]>
  /** The accounts that entries are being delivered to. */
  readonly telling: Set<AccountId>
  /** Every entry up to this number is known to be delivered. */
  reportedUpTo: number
  last: number
  isSaving: boolean
  /** How many entries were delivered. */
  tellings: number
  port: TrailPort<Entry> | null
}

/** A trail with nothing to deliver. */
export const newTrail = <Entry extends TrailEntry>(): Trail<Entry> => {
  const trail: TrailState<Entry> = {
    waiting: new Map(),
    telling: new Set(),
    reportedUpTo: 0,
    last: 0,
    isSaving: false,
    tellings: 0,
    port: null,
  }
  return {
    add: (accountId, entry) => {
      const entries = trail.waiting.get(accountId)
      if (entries === undefined) trail.waiting.set(accountId, [entry])
      else entries.push(entry)
    },
    reach: (sequence) => {
      trail.last = sequence
    },
    forget: (upTo) => {
      trail.reportedUpTo = upTo
      for (const accountId of trail.waiting.keys()) keepAfter(trail, accountId, upTo)
    },
    report: () => reportThose(trail, [...trail.waiting.keys()]),
    reportOverdue: () => {
      const beforeMs = (trail.port?.realNow() ?? 0) - bounds.accountsCheckMs
      const overdue = [...trail.waiting].filter(([, entries]) => entries[0]!.atMs <= beforeMs)
      reportThose(
        trail,
        overdue.map(([accountId]) => accountId),
      )
    },
    open: (port) => {
      trail.port = port
    },
  }
}

const keepAfter = <Entry extends TrailEntry>(
  trail: TrailState<Entry>,
  accountId: AccountId,
  upTo: number,
): void => {
  const left = (trail.waiting.get(accountId) ?? []).filter(({ sequence }) => sequence > upTo)
  if (left.length === 0) trail.waiting.delete(accountId)
  else trail.waiting.set(accountId, left)
}

/** Accounts get their entries in parallel: a shard without an owner holds up no other. */
const tellAccount = async <Entry extends TrailEntry>(
  trail: TrailState<Entry>,
  accountId: AccountId,
  { record, onTrouble, pause = delay }: TrailPort<Entry>,
): Promise<void> => {
  if (trail.telling.has(accountId)) return
  trail.telling.add(accountId)
  let pauseMs: number = bounds.accountsRetryMs
  for (;;) {
    const entry = trail.waiting.get(accountId)?.[0]
    if (entry === undefined) break
    try {
      await record(accountId, entry)
      keepAfter(trail, accountId, entry.sequence)
      trail.tellings++
      pauseMs = bounds.accountsRetryMs
    } catch (error) {
      onTrouble(error, accountId)
      await pause(pauseMs)
      pauseMs = Math.min(2 * pauseMs, bounds.accountsCheckMs)
    }
  }
  trail.telling.delete(accountId)
}

/** Stores one fact for everything that was delivered meanwhile. */
const save = async <Entry extends TrailEntry>(
  trail: TrailState<Entry>,
  { save, onTrouble }: TrailPort<Entry>,
): Promise<void> => {
  if (trail.isSaving) return
  trail.isSaving = true
  try {
    while (toldNow(trail) > trail.reportedUpTo) {
      const upTo = toldNow(trail)
      const before = trail.tellings
      await save(upTo, () => upTo <= trail.reportedUpTo)
      // The stored fact itself needs no delivery; but it does not cover what was delivered while it was stored.
      if (trail.waiting.size === 0 && trail.tellings === before) break
    }
  } catch (error) {
    onTrouble(error, [...trail.waiting.keys()][0]!)
  } finally {
    trail.isSaving = false
  }
}

/** The number before the oldest waiting entry. */
const toldNow = <Entry extends TrailEntry>(trail: TrailState<Entry>): number => {
  let oldest = trail.last + 1
  for (const entries of trail.waiting.values()) oldest = Math.min(oldest, entries[0]!.sequence)
  return oldest - 1
}

const reportThose = <Entry extends TrailEntry>(
  trail: TrailState<Entry>,
  accountIds: readonly AccountId[],
): void => {
  const opened = trail.port
  if (opened === null) return
  for (const accountId of accountIds)
    void tellAccount(trail, accountId, opened).then(() => save(trail, opened))
}
