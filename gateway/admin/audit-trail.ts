import type { Directory, DirectoryEvent } from '../../engine/directory/directory.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { delay } from '../delay.ts'
import { limits } from '../limits.ts'
import { accountsOfFact } from './audit-draft.ts'
import type { CommitBy } from './operation-options.ts'

/**
 * What the directory has to tell the audit logs of accounts, which are in their shards (dashboard, section 6). It is part of the facts
 * themselves, so that none can be missing; how far it has been told is a fact, too. An entry that is told twice has the same number.
 */
export type AuditTrail = {
  /** Takes every fact of the directory, in order and after it was applied, by its number from 1. */
  readonly apply: (fact: DirectoryEvent, sequence: number) => void
  /** Tells what has not been told, and goes on until all is. */
  readonly tell: () => void
  /** From time to time, what another node should have told. */
  readonly tellOverdue: () => void
  /** Nothing is told before it is opened. */
  readonly open: (port: AuditPort) => void
}

export type AuditPort = {
  /** Appends to the account's log unless it has this number. Rejects if that is not certain. */
  readonly record: (accountId: AccountId, entry: ToldAct) => Promise<unknown>
  readonly commit: CommitBy
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}

/** The sequence is that of the fact in the directory: the same on every node, and greater for each later entry. */
export type ToldAct = { readonly sequence: number; readonly draft: AuditDraft }

/** The trail of a directory that is kept current. */
export const newAuditTrail = (directory: Directory): AuditTrail => {
  /** The entries of each account that are not known to be in its log, oldest first. */
  const waiting = new Map<AccountId, ToldAct[]>()
  const telling = new Set<AccountId>()
  let told = 0
  let last = 0
  let isSaving = false
  let port: AuditPort | null = null

  const apply = (fact: DirectoryEvent, sequence: number): void => {
    last = sequence
    if (fact.type === 'AuditsTold') forget(fact.upTo)
    if (fact.type === 'AuditsTold' || fact.audit === undefined) return
    for (const accountId of accountsOfFact(directory, fact)) {
      const entries = waiting.get(accountId)
      const entry = { sequence, draft: fact.audit }
      if (entries === undefined) waiting.set(accountId, [entry])
      else entries.push(entry)
    }
  }

  const forget = (upTo: number): void => {
    told = upTo
    for (const [accountId, entries] of waiting) {
      const left = entries.filter(({ sequence }) => sequence > upTo)
      if (left.length === 0) waiting.delete(accountId)
      else waiting.set(accountId, left)
    }
  }

  /** Accounts are told beside each other: a shard without an owner holds up no other. */
  const tellAccount = async (accountId: AccountId, { record, onTrouble, pause = delay }: AuditPort) => {
    if (telling.has(accountId)) return
    telling.add(accountId)
    let pauseMs: number = limits.accountsRetryMs
    for (;;) {
      const entry = waiting.get(accountId)?.[0]
      if (entry === undefined) break
      try {
        await record(accountId, entry)
        remove(accountId, entry)
        pauseMs = limits.accountsRetryMs
      } catch (error) {
        onTrouble(error, accountId)
        await pause(pauseMs)
        pauseMs = Math.min(2 * pauseMs, limits.accountsCheckMs)
      }
    }
    telling.delete(accountId)
  }

  const remove = (accountId: AccountId, { sequence }: ToldAct): void => {
    const left = (waiting.get(accountId) ?? []).filter((entry) => entry.sequence > sequence)
    if (left.length === 0) waiting.delete(accountId)
    else waiting.set(accountId, left)
  }

  /** One fact for all that was told meanwhile. */
  const save = async ({ commit, onTrouble }: AuditPort): Promise<void> => {
    if (isSaving) return
    isSaving = true
    try {
      while (toldNow() > told) {
        const upTo = toldNow()
        await commit(() => (upTo > told ? { type: 'AuditsTold', upTo } : null))
        // The fact about it is itself nothing to tell.
        if (waiting.size === 0) break
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
    apply,
    tell: () => tellThose([...waiting.keys()]),
    tellOverdue: () => {
      const beforeMs = (port?.realNow() ?? 0) - limits.accountsCheckMs
      tellThose(
        [...waiting]
          .filter(([, entries]) => entries[0]!.draft.atMs <= beforeMs)
          .map(([accountId]) => accountId),
      )
    },
    open: (given) => {
      port = given
    },
  }
}
