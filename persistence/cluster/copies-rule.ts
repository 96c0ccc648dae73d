/** How many nodes hold a copy of each shard, and when that is looked at. */
export type CopiesRule = {
  /** So many; a cluster with fewer nodes has as many as nodes. */
  readonly copies: number
  /** After this long without a heartbeat a node does not come back: others get what it holds. */
  readonly goneMs: number
  /** A node that was heard for so long counts. */
  readonly stableMs: number
  /** Interval of looks. */
  readonly lookMs: number
}

/** What the owner of a shard knows of its copies. */
export type CopiesView = {
  /** Null before copies were ever placed: every node holds one. */
  readonly holders: readonly string[] | null
  /** The nodes that should hold one (`copyPlacement`). */
  readonly wanted: readonly string[]
  /** The nodes that live, or may come back. */
  readonly known: readonly string[]
  /** The holders that have on their disks what the owner had a while ago. */
  readonly caughtUp: ReadonlySet<string>
}

/**
 * The next holders of a shard; null where they stay. New holders come first, all at once. Then others leave, one by one, each only while as
 * many as should hold one have caught up without it.
 */
export const nextHolders = (
  { holders, wanted, known, caughtUp }: CopiesView,
  copies: number,
): readonly string[] | null => {
  if (holders === null) return known.length > copies ? known : null
  const lacking = wanted.filter((node) => !holders.includes(node))
  if (lacking.length > 0) return [...holders, ...lacking].sort()
  const without = (node: string): readonly string[] => holders.filter((other) => other !== node)
  const mayLeave = (node: string): boolean =>
    !wanted.includes(node) && without(node).filter((other) => caughtUp.has(other)).length >= wanted.length
  const leaving = holders.find(mayLeave)
  return leaving === undefined ? null : without(leaving)
}
