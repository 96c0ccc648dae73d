/** Rows by due time, earliest first: a binary heap. A row may be in it more than once; the caller knows which time counts. */
export type DueQueue = {
  readonly push: (dueAtMs: number, row: number) => void
  /** The earliest due time; `never` where nothing is due. Of equal times the lowest row comes first. */
  readonly dueAtMs: () => number
  /** The row that is due first; there is one. */
  readonly row: () => number
  /** Takes the first one out; there is one. */
  readonly pop: () => void
}

const never = Number.POSITIVE_INFINITY
const capacityMin = 16

export const newDueQueue = (): DueQueue => {
  // Two columns instead of objects: nearly every charge waits here for its expiry.
  let times = new Float64Array(0)
  let rows = new Uint32Array(0)
  let count = 0

  const resize = (capacity: number): void => {
    const otherTimes = new Float64Array(capacity)
    const otherRows = new Uint32Array(capacity)
    otherTimes.set(times.subarray(0, count))
    otherRows.set(rows.subarray(0, count))
    times = otherTimes
    rows = otherRows
  }

  const isBefore = (dueAtMs: number, row: number, place: number): boolean =>
    dueAtMs < times[place]! || (dueAtMs === times[place] && row < rows[place]!)

  const put = (place: number, dueAtMs: number, row: number): void => {
    times[place] = dueAtMs
    rows[place] = row
  }

  return {
    push: (dueAtMs, row) => {
      if (count === times.length) resize(Math.max(capacityMin, Math.ceil(1.5 * count)))
      let place = count++
      while (place > 0) {
        const parent = (place - 1) >>> 1
        if (!isBefore(dueAtMs, row, parent)) break
        put(place, times[parent]!, rows[parent]!)
        place = parent
      }
      put(place, dueAtMs, row)
    },
    dueAtMs: () => (count === 0 ? never : times[0]!),
    row: () => rows[0]!,
    pop: () => {
      count -= 1
      const dueAtMs = times[count]!
      const row = rows[count]!
      let place = 0
      for (;;) {
        let child = 2 * place + 1
        if (child >= count) break
        if (child + 1 < count && isBefore(times[child + 1]!, rows[child + 1]!, child)) child += 1
        if (!isBefore(times[child]!, rows[child]!, count)) break
        put(place, times[child]!, rows[child]!)
        place = child
      }
      put(place, dueAtMs, row)
      if (4 * count < times.length && times.length > capacityMin) resize(Math.max(capacityMin, 2 * count))
    },
  }
}
