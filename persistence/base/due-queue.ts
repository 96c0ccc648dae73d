/**
 * Rows by due time, earliest first: a binary heap in two columns, because nearly every charge waits here to expire. A
 * row may occur more than once; the caller knows which time counts. Equal times are ordered by row.
 */
export type DueQueue = { times: Float64Array; rows: Uint32Array; count: number }

/** An empty queue. */
export const newDueQueue = (): DueQueue => ({ times: noTimes, rows: noRows, count: 0 })

const noTimes = new Float64Array(0)
const noRows = new Uint32Array(0)
const never = Number.POSITIVE_INFINITY
const capacityMin = 16

/** The earliest due time; `never` when the queue is empty. */
export const firstDueAtMs = ({ times, count }: DueQueue): number => (count === 0 ? never : times[0]!)

/** The row that is due first. The queue must not be empty. */
export const firstDueRow = ({ rows }: DueQueue): number => rows[0]!

/** Adds a row with its due time. */
export const pushDue = (queue: DueQueue, dueAtMs: number, row: number): void => {
  if (queue.count === queue.times.length) resize(queue, Math.max(capacityMin, Math.ceil(1.5 * queue.count)))
  const { times, rows } = queue
  let place = queue.count++
  while (place > 0) {
    const parent = (place - 1) >>> 1
    if (!isBefore(queue, dueAtMs, row, parent)) break
    times[place] = times[parent]!
    rows[place] = rows[parent]!
    place = parent
  }
  times[place] = dueAtMs
  rows[place] = row
}

/** Removes the first row. The queue must not be empty. */
export const popDue = (queue: DueQueue): void => {
  const { times, rows } = queue
  const count = --queue.count
  const dueAtMs = times[count]!
  const row = rows[count]!
  let place = 0
  for (;;) {
    let child = 2 * place + 1
    if (child >= count) break
    if (child + 1 < count && isBefore(queue, times[child + 1]!, rows[child + 1]!, child)) child += 1
    if (!isBefore(queue, times[child]!, rows[child]!, count)) break
    times[place] = times[child]!
    rows[place] = rows[child]!
    place = child
  }
  times[place] = dueAtMs
  rows[place] = row
  if (4 * count < times.length && times.length > capacityMin) resize(queue, Math.max(capacityMin, 2 * count))
}

const isBefore = ({ times, rows }: DueQueue, dueAtMs: number, row: number, place: number): boolean =>
  dueAtMs < times[place]! || (dueAtMs === times[place] && row < rows[place]!)

const resize = (queue: DueQueue, capacity: number): void => {
  const times = new Float64Array(capacity)
  const rows = new Uint32Array(capacity)
  times.set(queue.times.subarray(0, queue.count))
  rows.set(queue.rows.subarray(0, queue.count))
  queue.times = times
  queue.rows = rows
}
