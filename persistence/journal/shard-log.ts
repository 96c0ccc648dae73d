import type { Replica } from '../cluster/replica.ts'
import type { StoredJournal } from './journal.ts'

/** Where a shard's entries are, and whether this node may add to them. */
export type ShardLog = {
  readonly journal: StoredJournal
  /** Null outside a cluster: this node then owns the shard. */
  readonly replica: Replica | null
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
export const ownLog = (journal: StoredJournal): ShardLog => ({ journal, replica: null, close: journal.close })
