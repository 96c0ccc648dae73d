import type { BloomFilter } from '../base/bloom-filter.ts'
import { type Columns, viewsAt } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import { type Derived, newDerived } from '../base/pager.ts'
import { type Payers, type PayerViews, payerBytesSchema, payerSchema } from './payers.ts'
import { storedFilter } from './segment-filters.ts'

/**
 * A filter of the texts of a full segment of payers, which a snapshot stores beside it: every four consecutive bytes of a name or an
 * e-mail set two of its bits, and so does a document as a whole. An end-to-end id, which every search also looks for in
 * names, is found in none without reading any payer.
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
    for (let at = name; at + gramBytes <= email; at++) add(filter, gramHash(byte, at))
    for (let at = email; at + gramBytes <= document; at++) add(filter, gramHash(byte, at))
    if (documentBytes[n] !== 0) add(filter, documentHash(byte, document, document + documentBytes[n]!))
  }
  return new Uint8Array(filter.buffer)
}

/** A text to look for: the hashes of its grams, of which the one that ruled out a segment last comes first, and of all of it. */
export type TextProbe = { readonly grams: Uint32Array; readonly document: number }

/** What filters are asked for a text; null for one that is too short. */
export const textProbe = (needle: Uint8Array): TextProbe | null => {
  if (needle.length < gramBytes) return null
  const grams = new Uint32Array(needle.length - gramBytes + 1)
  for (let at = 0; at < grams.length; at++) grams[at] = gramHash(needle, at)
  return { grams, document: documentHash(needle, 0, needle.length) }
}

/** Whether a full segment certainly has no payer whose name or e-mail contains a text, or whose document it is. */
export const isTextRuledOut = ({ rows, filters }: Payers, segment: number, probe: TextProbe): boolean => {
  if (rows.count < (segment + 1) * payerSchema.rowsPerSegment) return false
  const filter = storedFilter(rows, segment, 0, filterAt(filters, segment))
  return filter !== null && !mayContain(filter, probe.grams) && !mayHave(filter, probe.document)
}

const filterAt = (filters: Derived<BloomFilter>[], segment: number): Derived<BloomFilter> => {
  filters[segment] ??= newDerived()
  return filters[segment]
}

const mayContain = (filter: BloomFilter, grams: Uint32Array): boolean => {
  for (let n = 0; n < grams.length; n++) {
    const gram = grams[n]!
    if (mayHave(filter, gram)) continue
    // It is likely to be in no other segment either, and each look at a filter waits for memory.
    grams[n] = grams[0]!
    grams[0] = gram
    return false
  }
  return true
}

/** 4,096 people with numbers in their addresses set a third of them. */
const filterBits = 65_536
const gramBytes = 4

const gramHash = (bytes: Uint8Array, at: number): number =>
  mix(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))

const documentHash = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return mix(hash)
}

const add = (filter: BloomFilter, hash: number): void => {
  setBit(filter, hash & 0xffff)
  setBit(filter, hash >>> 16)
}

const mayHave = (filter: BloomFilter, hash: number): boolean =>
  hasBit(filter, hash & 0xffff) && hasBit(filter, hash >>> 16)

const setBit = (filter: BloomFilter, bit: number): void => {
  filter[bit >>> 5]! |= 1 << (bit & 31)
}

const hasBit = (filter: BloomFilter, bit: number): boolean => ((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 1
