/**
 * Keeps trouble that goes on from filling the log. Its first line is written at once; while it repeats, one line a minute says how
 * often it did; once it has stopped for a quarter of a minute, a last line says so.
 */
export type Repeats = {
  /** Takes a line; returns how many like it were left out since the last one that was written, or null to leave this one out. */
  readonly take: (key: string, message: string) => number | null
  /** Reports what is over. Call every few seconds. */
  readonly look: () => void
}

/** Trouble that repeated, and has stopped. */
export type Over = { readonly message: string; readonly times: number; readonly lastedMs: number }

/** Opens the filter. `realNow` is a clock in milliseconds that never goes back. */
export const openRepeats = (realNow: () => number, onOver: (over: Over) => void): Repeats => {
  const lines = new Map<string, Line>()

  const take: Repeats['take'] = (key, message) => {
    const atMs = realNow()
    const known = lines.get(key)
    if (known === undefined) {
      // The bound only matters where all lines differ; nothing is left out then.
      if (lines.size < linesMax)
        lines.set(key, { message, firstMs: atMs, lastMs: atMs, writtenMs: atMs, times: 1, leftOut: 0 })
      return 0
    }
    known.message = message
    known.lastMs = atMs
    known.times += 1
    if (atMs - known.writtenMs < everyMs) {
      known.leftOut += 1
      return null
    }
    const { leftOut } = known
    known.writtenMs = atMs
    known.leftOut = 0
    return leftOut
  }

  const look = (): void => {
    const atMs = realNow()
    for (const [key, { message, firstMs, lastMs, times }] of lines) {
      if (atMs - lastMs < overAfterMs) continue
      lines.delete(key)
      if (times > 1) onOver({ message, times, lastedMs: Math.round(lastMs - firstMs) })
    }
  }

  return { take, look }
}

const everyMs = 60_000
/** Longer than every pause between two tries of anything. */
const overAfterMs = 15_000
const linesMax = 1_000

type Line = {
  message: string
  readonly firstMs: number
  lastMs: number
  writtenMs: number
  times: number
  leftOut: number
}
