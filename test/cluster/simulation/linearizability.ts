/** One operation on a register, as its client saw it. Every write writes another value. */
export type Operation = {
  readonly kind: 'WRITE' | 'READ'
  /** What was written or read; null for a register that was never written. */
  readonly value: string | null
  readonly startMs: number
  /** Null where no answer came: a write may then have happened at any time, or not at all. */
  readonly endMs: number | null
}

/**
 * Why a history of one register is not linearizable; null if it is. Each value is written once, so a write and the reads of its value
 * form a cluster, and it is enough to look at pairs of those (P. B. Gibbons and E. Korach, Testing Shared Memories, SIAM J. Comput. 26,
 * 1997, section 4): a cluster whose operations do not all overlap is a forward zone, from its first end to its last start, and any other
 * a backward zone, from its last start to its first end. Forward zones must not overlap, and none may hold a backward one.
 */
export const linearizabilityProblem = (operations: readonly Operation[]): string | null => {
  const clusters = new Map<string | null, Cluster>([
    [
      null,
      {
        value: null,
        writtenMs: Number.NEGATIVE_INFINITY,
        firstEndMs: Number.NEGATIVE_INFINITY,
        lastStartMs: Number.NEGATIVE_INFINITY,
      },
    ],
  ])
  for (const { kind, value, startMs, endMs } of operations) {
    if (kind !== 'WRITE') continue
    if (clusters.has(value)) return `${value} is written twice`
    clusters.set(value, {
      value,
      writtenMs: startMs,
      firstEndMs: endMs ?? Number.POSITIVE_INFINITY,
      lastStartMs: startMs,
    })
  }
  for (const { kind, value, startMs, endMs } of operations) {
    if (kind !== 'READ' || endMs === null) continue
    const cluster = clusters.get(value)
    if (cluster === undefined) return `${value} is read and was never written`
    if (endMs < cluster.writtenMs) return `${value} is read before it is written`
    cluster.firstEndMs = Math.min(cluster.firstEndMs, endMs)
    cluster.lastStartMs = Math.max(cluster.lastStartMs, startMs)
  }
  return zonesProblem(
    [...clusters.values()].filter(({ firstEndMs }) => firstEndMs < Number.POSITIVE_INFINITY),
  )
}

type Cluster = {
  readonly value: string | null
  readonly writtenMs: number
  firstEndMs: number
  lastStartMs: number
}

const zonesProblem = (clusters: readonly Cluster[]): string | null => {
  const isForward = ({ firstEndMs, lastStartMs }: Cluster): boolean => firstEndMs < lastStartMs
  const forward = clusters.filter(isForward).sort((a, b) => a.firstEndMs - b.firstEndMs)
  for (const [n, zone] of forward.entries()) {
    const next = forward[n + 1]
    if (next !== undefined && next.firstEndMs < zone.lastStartMs)
      return `${zone.value} and ${next.value} are both read after the other one was there`
  }
  for (const { value, lastStartMs, firstEndMs } of clusters.filter((cluster) => !isForward(cluster))) {
    const around = forward.find((zone) => zone.firstEndMs < lastStartMs && firstEndMs < zone.lastStartMs)
    if (around !== undefined) return `${value} is there while ${around.value} was never replaced`
  }
  return null
}
