/** What of a log is kept in any case. */
export type TrimRule = {
  /** So many of the newest records, and what came in so many milliseconds. */
  readonly records: number
  readonly ms: number
  /** On the disks of how many nodes a record must be, whose process lives, before the servers drop it. */
  readonly nodesMin: number
  /** Interval of looks whether a log can be shortened, where it is long enough. */
  readonly lookMs: number
}

/** What is known of a log's copies when it is looked at. */
export type LogCopies = {
  /** The newest record on the owner's disk. */
  readonly applied: number
  /** The newest record of that time before which records may be dropped; 0 where it is not known. */
  readonly oldEnough: number
  /** The newest record on the disk of each other living node that holds a copy; 0 for one that fetches the shard, null for one that does not answer. */
  readonly others: readonly (number | null)[]
}

/**
 * The last unneeded record, which the servers need not keep; 0 for none. Each living holder has it on its disk, and enough of them: a node that comes
 * later fetches a copy of the shard from one of these. While a living node does not answer or has nothing, it may need any record.
 */
export const lastUnneeded = ({ applied, oldEnough, others }: LogCopies, rule: TrimRule): number => {
  if (1 + others.length < rule.nodesMin) return 0
  const needed = others.map((other) => other ?? 0)
  return Math.max(0, Math.min(applied - rule.records, oldEnough, ...needed))
}
