import type { AccountId } from '../../engine/shared/ids.ts'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'

/**
 * What a log has to tell accounts, which are in their shards (dashboard, section 6). It is in the log before, and how far it has been told is
 * in the log, too, so no crash loses any of it. Each account is told in order, and by the numbers of the log: what is told twice, by this
 * node or by two, is taken once.
 */
export type Trail<Entry extends TrailEntry> = {
  /** Takes what an account has to be told. Numbers grow. */
  readonly add: (accountId: AccountId, entry: Entry) => void
  /** The log has come to this number. */
  readonly reach: (sequence: number) => void
  /** Every account was told what it has up to this number. */
  readonly forget: (upTo: number) => void
  /** Tells what has not been told, and goes on until all is. */
  readonly tell: () => void
  /** From time to time, what another node should have told. */
  readonly tellOverdue: () => void
  /** Nothing is told before it is opened. */
  readonly open: (port: TrailPort<Entry>) => void
}

/** The sequence is that of the log: the same on every node, and greater for each later entry. */
export type TrailEntry = { readonly sequence: number; readonly atMs: number }

export type TrailPort<Entry> = {
  /** Rejects if it is not certain that the account has it. */
  readonly record: (accountId: AccountId, entry: Entry) => Promise<unknown>
  /** Stores in the log how far it has been told, unless that is known. */
  readonly save: (upTo: number, isKnown: () => boolean) => Promise<void>
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}

/** A trail with nothing to tell. */
export const newTrail = <Entry extends TrailEntry>(): Trail<Entry> => {
  /** The entries that each account is not known to have, oldest first. */
  const waiting = new Map<AccountId, Entry[]>()
  const telling = new Set<AccountId>()
  let told = 0
  let last = 0
  let isSaving = false
  /** How many entries were told. */
  let tellings = 0
  let port: TrailPort<Entry> | null = null

  const add = (accountId: AccountId, entry: Entry): void => {
    const entries = waiting.get(accountId)
    if (entries === undefined) waiting.set(accountId, [entry])
    else entries.push(entry)
  }

  const forget = (upTo: number): void => {
    told = upTo
    for (const accountId of waiting.keys()) keepAfter(accountId, upTo)
  }

  const keepAfter = (accountId: AccountId, upTo: number): void => {
    const left = (waiting.get(accountId) ?? []).filter(({ sequence }) => sequence > upTo)
    if (left.length === 0) waiting.delete(accountId)
    else waiting.set(accountId, left)
  }

  /** Accounts are told beside each other: a shard without an owner holds up no other. */
  const tellAccount = async (
    accountId: AccountId,
    { record, onTrouble, pause = delay }: TrailPort<Entry>,
  ): Promise<void> => {
    if (telling.has(accountId)) return
    telling.add(accountId)
    let pauseMs: number = limits.accountsRetryMs
    for (;;) {
      const entry = waiting.get(accountId)?.[0]
      if (entry === undefined) break
      try {
        await record(accountId, entry)
        keepAfter(accountId, entry.sequence)
        tellings++
        pauseMs = limits.accountsRetryMs
      } catch (error) {
        onTrouble(error, accountId)
        await pause(pauseMs)
        pauseMs = Math.min(2 * pauseMs, limits.accountsCheckMs)
      }
    }
    telling.delete(accountId)
  }

  /** One fact for all that was told meanwhile. */
  const save = async ({ save, onTrouble }: TrailPort<Entry>): Promise<void> => {
    if (isSaving) return
    isSaving = true
    try {
      while (toldNow() > told) {
        const upTo = toldNow()
        const before = tellings
        await save(upTo, () => upTo <= told)
        // The fact about it is itself nothing to tell; but what was told while it was stored is not in it.
        if (waiting.size === 0 && tellings === before) break
      }
    } catch (error) {
      onTrouble(error, [...waiting.keys()][0]!)
    } finally {
      isSaving = false
    }
  }

  /** Everything before the oldest entry that waits. */
  const toldNow = (): number => {
    let oldest = last + 1
    for (const entries of waiting.values()) oldest = Math.min(oldest, entries[0]!.sequence)
    return oldest - 1
  }

  const tellThose = (accountIds: readonly AccountId[]): void => {
    const opened = port
    if (opened === null) return
    for (const accountId of accountIds) void tellAccount(accountId, opened).then(() => save(opened))
  }

  return {
    add,
    reach: (sequence) => {
      last = sequence
    },
    forget,
    tell: () => tellThose([...waiting.keys()]),
    tellOverdue: () => {
      const beforeMs = (port?.realNow() ?? 0) - limits.accountsCheckMs
      tellThose(
        [...waiting].filter(([, entries]) => entries[0]!.atMs <= beforeMs).map(([accountId]) => accountId),
      )
    },
    open: (given) => {
      port = given
    },
  }
}
