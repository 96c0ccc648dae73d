/** How this node's wall clock differs from the others'. */
export type ClockWatch = ReturnType<typeof openClockWatch>

/**
 * Compares clocks. A message can only be late, so of the last ones from each source the one that shows the latest time counts. Of an even
 * number of clocks that disagree, this node believes its own.
 */
export const openClockWatch = (wallNow: () => number) => {
  /** By source: how far its clock seemed ahead of this one in its last messages. */
  const seen = new Map<string, number[]>()

  return {
    /** What the clock of a node or server showed when it sent something that has just arrived. */
    hear: (source: string, theirMs: number): void => {
      const last = seen.get(source) ?? []
      last.push(theirMs - wallNow())
      if (last.length > samplesMax) last.shift()
      seen.set(source, last)
    },
    forget: (source: string): void => void seen.delete(source),
    /** This process stood still: what it reads now was sent some time ago. */
    resumed: (): void => seen.clear(),
    /** Milliseconds by which this clock is ahead of most; negative when it is behind. */
    aheadMs: (): number => {
      const offsets = [0, ...[...seen.values()].map((last) => Math.max(...last))].sort((a, b) => a - b)
      const low = offsets[(offsets.length - 1) >> 1]!
      const high = offsets[offsets.length >> 1]!
      const middle = low > 0 ? low : high < 0 ? high : 0
      return middle === 0 ? 0 : -middle
    },
  }
}

const samplesMax = 8
