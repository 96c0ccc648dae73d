import type { Journal } from '../../engine/kernel/ports.ts'
import type { Replica } from '../cluster/replica.ts'

/** Where a shard's entries are, and whether this node may add to them. */
export type ShardLog = {
  readonly journal: Journal
  /** Null where no other node has the shard: then this one owns it. */
  readonly replica: Replica | null
  readonly close: () => Promise<void>
}

/** What a log that several nodes have tells its host. */
export type ShardLogEvents = {
  /** The journal has got entries that another node wrote. */
  readonly entries: () => void
  /** This node owns the shard from now on. */
  readonly owner: () => void
  readonly lost: () => void
  /** It goes on only when it is opened anew. */
  readonly broken: (error: unknown) => void
}

/** A log that this node alone has. */
export const ownLog = (journal: Journal): ShardLog => ({ journal, replica: null, close: journal.close })
