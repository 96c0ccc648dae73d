/** The breaker of one connection: it opens when the provider is silent, so that a dead bank costs no request its eight seconds. */
export type Breaker = {
  readonly isOpen: () => boolean
  /** Counts an outcome; returns whether it opened the breaker. */
  readonly count: (isSilent: boolean) => boolean
  readonly close: () => void
}

/** When it opens (rails, section 1.4): so many silent in a row, or half of at least so many within the window. */
export const breakerLimits = { silentInRow: 10, windowMs: 30_000, windowMin: 20 } as const

/** Makes a closed breaker; the stopwatch counts milliseconds. */
export const newBreaker = (stopwatch: () => number): Breaker => {
  let isOpen = false
  let silentInRow = 0
  let recent: { readonly atMs: number; readonly isSilent: boolean }[] = []
  /** The first of them that is still within the window, and how many from there on are silent. */
  let first = 0
  let silent = 0

  const slide = (nowMs: number): void => {
    for (; first < recent.length && nowMs - recent[first]!.atMs >= breakerLimits.windowMs; first++)
      if (recent[first]!.isSilent) silent--
    if (first > 1_000) {
      recent = recent.slice(first)
      first = 0
    }
  }

  const isHalfSilent = (): boolean => {
    const outcomes = recent.length - first
    return outcomes >= breakerLimits.windowMin && silent * 2 >= outcomes
  }

  return {
    isOpen: () => isOpen,
    count: (isSilent) => {
      const atMs = stopwatch()
      silentInRow = isSilent ? silentInRow + 1 : 0
      recent.push({ atMs, isSilent })
      if (isSilent) silent++
      slide(atMs)
      // An outcome that came never opens it, even while most of those before it are silent.
      if (isOpen || !isSilent || (silentInRow < breakerLimits.silentInRow && !isHalfSilent())) return false
      isOpen = true
      return true
    },
    close: () => {
      isOpen = false
      silentInRow = 0
      recent = []
      first = 0
      silent = 0
    },
  }
}
