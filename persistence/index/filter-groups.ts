import type { Work } from '../../engine/kernel/work.ts'
import type { BloomFilter } from '../base/bloom-filter.ts'
import { extraKey } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import { derivedOr, discard, newDerived, type Pager } from '../base/pager.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { filterBits, firstBit, maySay, secondBit, type TextProbe } from './payer-filter.ts'
import type { Payers } from './payers.ts'
import { readFilter, storedFilter, storedValueOf } from './segment-filters.ts'
import type { FilterGroup, FilterPiece } from './text-filters.ts'

/** A set of the segments of a group. */
export type SegmentSet = { readonly low: number; readonly high: number }

export const segmentsPerGroup = 64

/** All segments of a group. */
export const everySegment: SegmentSet = { low: ~0, high: ~0 }

/** Whether a set has a segment, by its place in the group. */
export const hasSegment = ({ low, high }: SegmentSet, place: number): boolean =>
  (((place < 32 ? low : high) >>> (place & 31)) & 1) === 1

/** The segments of a group that may have a text: all others certainly have no payer with it. */
export const segmentsSaying = function* (
  payers: Payers,
  number: number,
  probe: TextProbe,
  slice: TimeSlice,
): Work<SegmentSet> {
  const values = valuesOf(payers, number)
  if (values === null) return yield* saidAlone(payers, number, probe, slice)
  const group = yield* groupAt(payers, number, values, slice)
  // What was made in several turns may be of segments that are not there any more.
  const isCurrent =
    payers.filters.groups[number] === group && markOf(valuesOf(payers, number) ?? []) === group.mark
  const said = isCurrent ? askGroup(payers, group, values, probe) : null
  if (said !== null) return said
  group.isIncomplete = isCurrent
  return yield* saidAlone(payers, number, probe, slice)
}

/** The stored values of the segments of a group; null while it is not whole. */
const valuesOf = ({ rows }: Payers, number: number): readonly number[] | null => {
  if (rows.segments.length < (number + 1) * segmentsPerGroup) return null
  const values: number[] = []
  for (let n = 0; n < segmentsPerGroup; n++) {
    const value = storedValueOf(rows, number * segmentsPerGroup + n)
    if (value === null) return null
    values.push(value)
  }
  return values
}

const markOf = (values: readonly number[]): number =>
  values.reduce((mark, value) => mix(mark ^ value) >>> 0, values.length)

/** Segment for segment, by its own filter. */
const saidAlone = function* (
  { rows, filters }: Payers,
  number: number,
  probe: TextProbe,
  slice: TimeSlice,
): Work<SegmentSet> {
  const said = [0, 0]
  const first = number * segmentsPerGroup
  for (let n = 0; n < Math.min(segmentsPerGroup, rows.segments.length - first); n++) {
    const kept = filters.alone[first + n] ?? newDerived<BloomFilter>()
    filters.alone[first + n] = kept
    const filter = storedFilter(rows, first + n, 0, kept)
    if (filter === null || maySay(filter, probe)) said[n >>> 5]! |= 1 << (n & 31)
    yield* yieldIfDue(slice)
  }
  return { low: said[0]!, high: said[1]! }
}

/** A group, made where not all of it is stored. */
const groupAt = function* (
  payers: Payers,
  number: number,
  values: readonly number[],
  slice: TimeSlice,
): Work<FilterGroup> {
  const { rows, filters } = payers
  const { pager } = rows.paging
  const mark = markOf(values)
  const known = filters.groups[number]
  if (known?.mark === mark && !known.isIncomplete) return known
  for (const piece of known?.pieces ?? []) discard(pager, piece)
  const pieces = Array.from({ length: pieceCount }, () => newDerived<FilterPiece>())
  const group: FilterGroup = { mark, pieces, isIncomplete: false }
  if (known?.isIncomplete === true || readPiece(pager, values, 0, mark) === null) {
    const made = yield* makePieces(payers, values, slice)
    if (markOf(valuesOf(payers, number) ?? []) !== mark) return group
    // In one turn, so that one commit has all of them.
    made.forEach((piece, n) => {
      piece[0] = mark
      derivedOr(pager, pieces[n]!, () => piece, pieceBytes)
      pager.beside.put(pieceKey(values, n), new Uint8Array(piece.buffer))
    })
  }
  filters.groups[number] = group
  return group
}

const pieceBytes = ({ byteLength }: FilterPiece): number => byteLength

const makePieces = function* (
  { rows }: Payers,
  values: readonly number[],
  slice: TimeSlice,
): Work<readonly FilterPiece[]> {
  const pieces = Array.from({ length: pieceCount }, () => new Uint32Array(headNumbers + 2 * bitsPerPiece))
  for (const [segment, value] of values.entries()) {
    const filter = readFilter(rows, value, 0)
    const half = segment >>> 5
    const own = 1 << (segment & 31)
    for (let n = 0; n < filter.length; n++)
      for (let left = filter[n]!; left !== 0; left &= left - 1) {
        const bit = (n << 5) + 31 - Math.clz32(left & -left)
        pieces[Math.floor(bit / bitsPerPiece)]![placeOf(bit) + half]! |= own
      }
    yield* yieldIfDue(slice)
  }
  return pieces
}

/** Discards what is in memory of filters that have changed. */
export const forgetFilters = ({ rows, filters }: Payers): void => {
  const { pager } = rows.paging
  for (const kept of filters.alone) if (kept !== undefined) discard(pager, kept)
  for (const group of filters.groups) for (const piece of group?.pieces ?? []) discard(pager, piece)
}

/** Those that a group's pieces name; null when one of them is missing. */
const askGroup = (
  { rows }: Payers,
  group: FilterGroup,
  values: readonly number[],
  probe: TextProbe,
): SegmentSet | null => {
  const { pager } = rows.paging
  const withBit = (bit: number): SegmentSet | null => {
    const n = Math.floor(bit / bitsPerPiece)
    const piece = derivedOr(
      pager,
      group.pieces[n]!,
      () => readPiece(pager, values, n, group.mark),
      pieceBytes,
    )
    return piece && { low: piece[placeOf(bit)]!, high: piece[placeOf(bit) + 1]! }
  }
  const withMember = (hash: number): SegmentSet | null => {
    const [first, second] = [withBit(firstBit(hash)), withBit(secondBit(hash))]
    return first && second && { low: first.low & second.low, high: first.high & second.high }
  }
  const { grams, document } = probe
  let { low, high } = everySegment
  const few = Math.min(grams.length, probe.areOrdered ? gramsAsked : grams.length)
  const sizes: number[] = []
  for (let n = 0; n < few && (!probe.areOrdered || (low | high) !== 0); n++) {
    const found = withMember(grams[n]!)
    if (found === null) return null
    sizes.push(bitsIn(found.low) + bitsIn(found.high))
    low &= found.low
    high &= found.high
  }
  if (!probe.areOrdered) orderGrams(probe, sizes)
  const documented = document === null ? { low: 0, high: 0 } : withMember(document)
  return documented && { low: low | documented.low, high: high | documented.high }
}

/** Puts those grams first that the fewest segments of a group have: it is likely to be so elsewhere. */
const orderGrams = (probe: TextProbe, sizes: readonly number[]): void => {
  const order = [...probe.grams.keys()].sort((a, b) => sizes[a]! - sizes[b]!)
  probe.grams.set(order.map((n) => probe.grams[n]!))
  probe.areOrdered = true
}

/** How many of them are asked for in each group: what these do not rule out others hardly do. */
const gramsAsked = 6

const bitsIn = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** With its head a piece takes a page of LMDB's. */
const bitsPerPiece = 504
const headNumbers = 2
const pieceCount = Math.ceil(filterBits / bitsPerPiece)
const placeOf = (bit: number): number => headNumbers + 2 * (bit % bitsPerPiece)

/** Pieces lie beside the segments, each of which has room for some, and leave the disk with any of them. */
const pieceKey = (values: readonly number[], piece: number): number =>
  extraKey(values[piece % segmentsPerGroup]!, 1 + Math.floor(piece / segmentsPerGroup))

const readPiece = (
  pager: Pager,
  values: readonly number[],
  piece: number,
  mark: number,
): FilterPiece | null => {
  pager.reads += 1
  const bytes = pager.beside.find(pieceKey(values, piece))
  if (bytes === null || bytes.length !== 4 * (headNumbers + 2 * bitsPerPiece)) return null
  const numbers = new Uint32Array(new Uint8Array(bytes).buffer)
  return numbers[0] === mark ? numbers : null
}
