/** How this node's wall clock differs from the others'. */
export type ClockWatch = ReturnType<typeof openClockWatch>

/**
 * Compares clocks. Messages can only be late, so each source counts with the latest time among its last messages.
 * When an even number of clocks disagree, this node trusts its own.
 */
export const openClockWatch = (wallNow: () => number) => {
  /** By source: how far its clock seemed ahead of this one in its last messages. */
  const seen = new Map<string, number[]>()
  /** Asked for with every look at the nodes; null since something was heard. */
  let knownAheadMs: number | null = null

  const findAheadMs = (): number => {
    const offsets = [0, ...[...seen.values()].map((last) => Math.max(...last))].sort((a, b) => a - b)
    const low = offsets[(offsets.length - 1) >> 1]!
    const high = offsets[offsets.length >> 1]!
    const middle = low > 0 ? low : high < 0 ? high : 0
    return middle === 0 ? 0 : -middle
  }

  return {
    /** Records the time that a node's or server's clock showed when it sent a message that has just arrived. */
    hear: (source: string, theirMs: number): void => {
      const last = seen.get(source) ?? []
      last.push(theirMs - wallNow())
      if (last.length > samplesMax) last.shift()
      seen.set(source, last)
      knownAheadMs = null
    },
    forget: (source: string): void => {
      seen.delete(source)
      knownAheadMs = null
    },
    /** Forgets all messages after a pause of this process: those it reads now were sent some time ago. */
    resumed: (): void => {
      seen.clear()
      knownAheadMs = null
    },
    /** Milliseconds by which this clock is ahead of most clocks; negative when it is behind. */
    aheadMs: (): number => {
      knownAheadMs ??= findAheadMs()
      return knownAheadMs
    },
  }
}

const samplesMax = 8
