import { type Columns, viewsAt } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import { derivedOr, discard, newDerived } from '../base/pager.ts'
import { type FilterGroup, type Payers, type PayerViews, payerBytesSchema } from './payers.ts'
import { readFilter, storedValueOf } from './segment-filters.ts'

/**
 * A filter of the texts of a full segment of payers, which a snapshot stores beside it: the grams of a name or an e-mail set two of its
 * bits each, and so does a document as a whole, if it has the length of one. An end-to-end id or the number of a receipt, which every search also
 * looks for in names, is found in none without reading any payer. Grams are four consecutive bytes, and six where all are digits: of those
 * all combinations of four are everywhere.
 */
export const textFilterOf = (
  arena: Columns<{ readonly byte: Uint8Array }>,
  { start, nameBytes, emailBytes, documentBytes }: PayerViews,
  rows: number,
): Uint8Array => {
  const filter = new Uint32Array(filterBits / 32)
  for (let n = 0; n < rows; n++) {
    const { byte } = viewsAt(arena, start[n]!)
    const name = start[n]! & payerBytesSchema.mask
    const email = name + nameBytes[n]!
    const document = email + emailBytes[n]!
    const end = document + documentBytes[n]!
    addGrams(filter, byte, name, email)
    addGrams(filter, byte, email, document)
    if (isDocumentLong(documentBytes[n]!)) add(filter, documentHash(byte, document, end))
    else addGrams(filter, byte, document, end)
  }
  return new Uint8Array(filter.buffer)
}

const addGrams = (filter: Uint32Array, bytes: Uint8Array, from: number, to: number): void =>
  visitGrams(bytes, from, to, (hash) => add(filter, hash))

const visitGrams = (bytes: Uint8Array, from: number, to: number, visit: (hash: number) => void): void => {
  let digits = 0
  for (let last = from; last < to; last++) {
    digits = isDigit(bytes[last]!) ? digits + 1 : 0
    if (digits < gramBytes && last - from >= gramBytes - 1) visit(gramHash(bytes, last - gramBytes + 1))
    if (digits >= digitGramBytes) visit(digitGramHash(bytes, last - digitGramBytes + 1))
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** Whether a text has the length of a CPF or a CNPJ. */
const isDocumentLong = (bytes: number): boolean => bytes === 11 || bytes === 14

/** A text to look for. */
export type TextProbe = {
  /** The hashes of its grams: the one that ruled out a group of segments last comes first. */
  readonly grams: Uint32Array
  /** The hash of all of it; null for one that is no document. */
  readonly document: number | null
  /** The group that was asked last, and which of its segments may have the text: a bit each. */
  group: number
  segments: number
}

/** What filters are asked for a text; null for one that is too short. */
export const textProbe = (needle: Uint8Array): TextProbe | null => {
  const grams: number[] = []
  visitGrams(needle, 0, needle.length, (hash) => grams.push(hash >>> 0))
  if (grams.length === 0) return null
  const document = isDocumentLong(needle.length) ? documentHash(needle, 0, needle.length) : null
  return { grams: Uint32Array.from(grams), document, group: -1, segments: 0 }
}

/** Whether a segment certainly has no payer whose name or e-mail contains a text, or whose document it is. */
export const isTextRuledOut = (payers: Payers, segment: number, probe: TextProbe): boolean => {
  const group = Math.floor(segment / segmentsPerGroup)
  if (probe.group !== group) {
    probe.segments = segmentsSaying(payers, group, probe)
    probe.group = group
  }
  return ((probe.segments >>> (segment % segmentsPerGroup)) & 1) === 0
}

const segmentsPerGroup = 8

/** Those segments of a group that may have a text, a bit each: all that have no filter yet. */
const segmentsSaying = (payers: Payers, number: number, { grams, document }: TextProbe): number => {
  const group = filterGroupAt(payers, number)
  if (group === null) return ~0
  let saying = group.segments
  for (let n = 0; n < grams.length && saying !== 0; n++) {
    const gram = grams[n]!
    saying &= segmentsWith(group, gram)
    if (saying !== 0) continue
    // It is likely to be in no other segment either.
    grams[n] = grams[0]!
    grams[0] = gram
  }
  const documented = document === null ? 0 : segmentsWith(group, document)
  return saying | (documented & group.segments) | ~group.segments
}

const segmentsWith = ({ bits }: FilterGroup, hash: number): number =>
  bits[hash & 0xffff]! & bits[hash >>> 16]!

const filterGroupAt = ({ rows, filters }: Payers, number: number): FilterGroup | null => {
  const { pager } = rows.paging
  const kept = filters[number] ?? newDerived()
  filters[number] = kept
  // Payers do not change; one that is forgotten is looked for in vain.
  if (kept.value?.segments !== everySegment) {
    const segments = storedSegments(rows, number)
    if (kept.value !== null && kept.value.segments !== segments) discard(pager, kept)
    if (segments === 0) return null
  }
  return derivedOr(
    pager,
    kept,
    () => readGroup(rows, number),
    ({ bits }) => bits.length,
  )
}

const everySegment = 2 ** segmentsPerGroup - 1

/** The segments of a group that have a stored filter, a bit each. */
const storedSegments = (rows: Payers['rows'], number: number): number => {
  let segments = 0
  for (let n = 0; n < segmentsPerGroup; n++)
    if (storedValueOf(rows, number * segmentsPerGroup + n) !== null) segments |= 1 << n
  return segments
}

const readGroup = (rows: Payers['rows'], number: number): FilterGroup => {
  const bits = new Uint8Array(filterBits)
  for (let n = 0; n < segmentsPerGroup; n++) {
    const value = storedValueOf(rows, number * segmentsPerGroup + n)
    if (value !== null) addFilter(bits, readFilter(rows, value, 0), n)
  }
  return { bits, segments: storedSegments(rows, number) }
}

const addFilter = (bits: Uint8Array, filter: Uint32Array, segment: number): void => {
  for (let n = 0; n < filter.length; n++)
    for (let left = filter[n]!; left !== 0; left &= left - 1)
      bits[(n << 5) + 31 - Math.clz32(left & -left)]! |= 1 << segment
}

/** 4,096 people with numbers in their addresses set a third of them. */
const filterBits = 65_536
const gramBytes = 4
const digitGramBytes = 6

const gramHash = (bytes: Uint8Array, at: number): number =>
  mix(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))

const digitGramHash = (bytes: Uint8Array, at: number): number =>
  mix(gramHash(bytes, at) ^ (bytes[at + 4]! | (bytes[at + 5]! << 8)))

const documentHash = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return mix(hash)
}

const add = (filter: Uint32Array, hash: number): void => {
  setBit(filter, hash & 0xffff)
  setBit(filter, hash >>> 16)
}

const setBit = (filter: Uint32Array, bit: number): void => {
  filter[bit >>> 5]! |= 1 << (bit & 31)
}
