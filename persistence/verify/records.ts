import { headEnd, type LogRecord, placedAt, unpackRecord } from '../cluster/record.ts'
import {
  baseIn,
  baseKey,
  type Position,
  positionAfter,
  positionIn,
  positionKey,
} from '../cluster/replica-store.ts'
import type { OpenBatch } from '../codec/sealed-batch.ts'
import { fittingValue } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import { rangesOf } from '../disk/data-file/ranges.ts'
import { type Source, sequenceIn, slicesOf } from '../home/source.ts'

/** The stored position of a node's copy of a log, and where its records begin; null when one is damaged. */
export const readPositions = (
  source: Source,
): { readonly position: Position; readonly base: Position } | null =>
  source.glance(() => {
    try {
      const meta = source.shelf('meta')
      const position = positionIn(source.path, meta.get(positionKey))
      return { position, base: baseIn(source.path, meta.get(baseKey)) }
    } catch (error) {
      if (error instanceof Damaged) return null
      throw error
    }
  })

/**
 * The damages of the records from one position to another, in words: records that are not what was stored, and records that do
 * not continue the one before. A damaged batch is no damage of its record.
 */
export const recordDamages = async (
  source: Source,
  end: Position,
  batchAt: (sequence: number) => OpenBatch,
  checked: Position | null = null,
): Promise<readonly string[]> => {
  const base = readPositions(source)?.base ?? null
  if (base === null) return ['where its records begin is not what was stored']
  // A running service may have dropped records since.
  const since = checked === null || checked.applied < base.applied ? base : checked
  const damaged: number[] = []
  const breaks: string[] = []
  let whole: Position = since
  /** Whether the hash up to `whole` is known, and the number of entries. */
  let isLinked = true
  let isCounted = true
  const passOver = (sequence: number): void => {
    damaged.push(sequence)
    whole = { ...whole, applied: sequence }
    isLinked = false
    isCounted = false
  }
  for (const slice of slicesOf(source, source.shelf('records'), since.applied + 1, end.applied)) {
    for (const entry of slice) {
      const sequence = sequenceIn(entry)
      if (sequence === null) continue
      while (whole.applied < sequence - 1) passOver(whole.applied + 1)
      const head = fittingValue(sequence, entry.value)
      if (head === null) {
        passOver(sequence)
        continue
      }
      const { record } = unpackRecord(head)
      const { kind, epoch, previous, first, count } = record
      // The record itself says what is unknown in front of it.
      if (!isLinked && kind === 'BATCH') whole = { ...whole, epoch: Math.max(whole.epoch, epoch) }
      if (!isLinked) whole = { ...whole, head: previous }
      if (!isCounted && count > 0) whole = { ...whole, entries: first - 1 }
      isCounted ||= count > 0
      const bytes = wholeRecord(head, record, batchAt)
      const next: Position | null = bytes && positionAfter(whole, placedAt(sequence, bytes))
      if (bytes !== null && next === null)
        breaks.push(`its record ${sequence} does not follow on the one before it`)
      isLinked = next !== null
      whole = next ?? { ...whole, applied: sequence, entries: whole.entries + count }
    }
  }
  while (whole.applied < end.applied) passOver(whole.applied + 1)
  const ranges = rangesOf(damaged).map(([first, last]) =>
    first === last ? `its record ${first} is damaged` : `its records ${first} to ${last} are damaged`,
  )
  const isEnd =
    damaged.length > 0 || breaks.length > 0 || !isLinked || JSON.stringify(whole) === JSON.stringify(end)
  return [...ranges, ...breaks, ...(isEnd ? [] : ['it does not end where it says'])]
}

/** The record as it is in the log; null when its batch is damaged. */
const wholeRecord = (
  head: Buffer,
  record: LogRecord,
  batchAt: (sequence: number) => OpenBatch,
): Buffer | null => {
  if (head.length > headEnd(head) || record.count === 0) return head
  try {
    return Buffer.concat([head, batchAt(record.first).bytes])
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}
