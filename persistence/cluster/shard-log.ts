import { checkJournal } from '../journal/check.ts'
import type { StoredJournal } from '../journal/journal.ts'
import type { Replica } from './replica.ts'

/** Where a shard's entries are, and whether this node may add to them. */
export type ShardLog = {
  readonly journal: StoredJournal
  /** Null outside a cluster: this node then owns the shard. */
  readonly replica: Replica | null
  /**
   * Reads all of it again in the background, and resolves to its last entry; null when it was stopped. Rejects with `Damaged`. A start
   * reads only what its snapshot lacks, and damage of the rest would wait for the request that needs it.
   */
  readonly check: (isStopped: () => boolean) => Promise<number | null>
  readonly close: () => Promise<void>
}

/** What a replicated log tells its host. */
export type ShardLogEvents = {
  /** The journal has received entries from another node. */
  readonly entries: () => void
  /** This node owns the shard from now on. */
  readonly owner: () => void
  readonly lost: () => void
  /** It must be opened again. */
  readonly broken: (error: unknown) => void
}

/** A log that is not replicated. */
export const ownLog = (journal: StoredJournal): ShardLog => ({
  journal,
  replica: null,
  check: (isStopped) => checkJournal(journal, isStopped),
  close: journal.close,
})
