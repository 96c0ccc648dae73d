/** Bounds how fast something comes from each of many sides. */
export type SideThrottle = {
  /** Whether one more may come from this side now. */
  readonly take: (side: string) => boolean
}

/** Opens a throttle: each side may send `capacity` at once, and `perSecond` in the long run. The sides that were idle longest are forgotten. */
export const openSideThrottle = (
  { capacity, perSecond, sidesMax }: { capacity: number; perSecond: number; sidesMax: number },
  stopwatch: () => number,
): SideThrottle => {
  const sides = new Map<string, { tokens: number; atMs: number }>()
  return {
    take: (side) => {
      const nowMs = stopwatch()
      const known = sides.get(side)
      sides.delete(side)
      const tokens =
        known === undefined
          ? capacity
          : Math.min(capacity, known.tokens + ((nowMs - known.atMs) * perSecond) / 1000)
      if (sides.size >= sidesMax) sides.delete(sides.keys().next().value!)
      const isFree = tokens >= 1
      sides.set(side, { tokens: isFree ? tokens - 1 : tokens, atMs: nowMs })
      return isFree
    },
  }
}
