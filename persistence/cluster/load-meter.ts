/** Measures how many entries a second a shard gets, by how far its log has come. Followers measure it as well as the owner. */
export type LoadMeter = {
  /** Takes how many entries the log has; called often. */
  readonly look: (entries: number, atMs: number) => void
  /** Entries a second within the window, or since the first look. */
  readonly load: () => number
  /** Whether a whole window was measured. */
  readonly isWhole: () => boolean
}

/** Starts without knowing what was before. */
export const newLoadMeter = (windowMs: number): LoadMeter => {
  let marks: Mark[] = []
  let newest: Mark = { entries: 0, atMs: 0 }
  const oldest = (): Mark => marks[0] ?? newest
  const spanMs = (): number => newest.atMs - oldest().atMs
  return {
    look: (entries, atMs) => {
      // A log that is read anew, or fetched from another node, says nothing of how fast it grows.
      if (entries < newest.entries) marks = []
      newest = { entries, atMs }
      if (atMs - (marks.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= windowMs / marksOfWindow)
        marks.push(newest)
      // The first that is old enough stays.
      while (marks.length > 1 && atMs - marks[1]!.atMs >= windowMs) marks.shift()
    },
    load: () => (spanMs() === 0 ? 0 : ((newest.entries - oldest().entries) * 1000) / spanMs()),
    isWhole: () => spanMs() >= windowMs,
  }
}

type Mark = { readonly entries: number; readonly atMs: number }

/** How exactly the window is kept. */
const marksOfWindow = 20
