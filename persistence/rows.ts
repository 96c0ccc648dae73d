/**
 * One account's actors of one kind in order of creation, as columns: lists are answered from here and open only the
 * actors that they show. Sorted by creation time, then by id, which is the order of every list (newest last).
 */
export type Rows = {
  readonly size: () => number
  readonly put: (row: Row) => void
  /** Visits rows created in [fromMs, toMs), newest first, until `visit` answers false. */
  readonly scan: (
    fromMs: number,
    toMs: number,
    visit: (id: string, label: string, sequence: number) => boolean,
  ) => void
}

export type Row = {
  readonly id: string
  readonly createdAtMs: number
  /** The entry that created it. */
  readonly sequence: number
  readonly label: string
}

export const newRows = (): Rows => {
  const ids: string[] = []
  const createdAtMs: number[] = []
  const sequences: number[] = []
  const labels: string[] = []

  /** The first place whose row is not before (atMs, id). */
  const placeOf = (atMs: number, id: string): number => {
    let low = 0
    let high = ids.length
    // Nearly every new row is the newest.
    if (high > 0 && isBefore(high - 1, atMs, id)) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(middle, atMs, id)) low = middle + 1
      else high = middle
    }
    return low
  }

  const isBefore = (place: number, atMs: number, id: string): boolean =>
    createdAtMs[place]! < atMs || (createdAtMs[place]! === atMs && ids[place]! < id)

  const put = (row: Row): void => {
    const place = placeOf(row.createdAtMs, row.id)
    if (ids[place] === row.id) {
      labels[place] = interned(row.label)
    } else if (place === ids.length) {
      ids.push(row.id)
      createdAtMs.push(row.createdAtMs)
      sequences.push(row.sequence)
      labels.push(interned(row.label))
    } else {
      ids.splice(place, 0, row.id)
      createdAtMs.splice(place, 0, row.createdAtMs)
      sequences.splice(place, 0, row.sequence)
      labels.splice(place, 0, interned(row.label))
    }
  }

  return {
    size: () => ids.length,
    put,
    scan: (fromMs, toMs, visit) => {
      for (let place = placeOf(toMs, '') - 1; place >= 0 && createdAtMs[place]! >= fromMs; place--) {
        if (!visit(ids[place]!, labels[place]!, sequences[place]!)) return
      }
    },
  }
}

const labelsSeen = new Map<string, string>()

/** Labels are few; a million rows share their texts. */
const interned = (label: string): string => {
  const seen = labelsSeen.get(label)
  if (seen !== undefined) return seen
  labelsSeen.set(label, label)
  return label
}
