import { checkJournal } from '../journal/check.ts'
import type { StoredJournal } from '../journal/journal.ts'
import type { Replica } from './replica.ts'

/** A shard's entries, and whether this node may add to them. */
export type ShardLog = {
  readonly journal: StoredJournal
  /** Null outside a cluster: this node then owns the shard. */
  readonly replica: Replica | null
  /**
   * Reads the whole log again in the background, and resolves to its last entry; null when stopped. Rejects with
   * `Damaged`. A start reads only the entries behind its snapshot; damage of the rest would stay unnoticed until a
   * request needs it.
   */
  readonly check: (isStopped: () => boolean) => Promise<number | null>
  readonly close: () => Promise<void>
}

/** The events that a replicated log reports to its host. */
export type ShardLogEvents = {
  /** The journal has received entries from another node. */
  readonly entries: () => void
  /** This node owns the shard from now on. */
  readonly owner: () => void
  readonly lost: () => void
  /** The log must be opened again. */
  readonly broken: (error: unknown) => void
}

/** A log that is not replicated. */
export const ownLog = (journal: StoredJournal): ShardLog => ({
  journal,
  replica: null,
  check: (isStopped) => checkJournal(journal, isStopped),
  close: journal.close,
})
