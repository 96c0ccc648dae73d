import { type Columns, viewsAt } from '../base/columns.ts'
import { mix } from '../base/hash.ts'
import { firstByteOf, type PayerViews, payerBytesSchema } from './payers.ts'

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
    const from = firstByteOf(start[n]!)
    const { byte } = viewsAt(arena, from)
    const name = from & payerBytesSchema.mask
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
  /** The hashes of its grams, which give two bits each. */
  readonly grams: Uint32Array
  /** Whether those come first that rule out the most. */
  areOrdered: boolean
  /** The hash of all of it; null for one that is no document. */
  readonly document: number | null
}

/** What filters are asked for a text; null for one that is too short. */
export const textProbe = (needle: Uint8Array): TextProbe | null => {
  const grams = new Set<number>()
  visitGrams(needle, 0, needle.length, (hash) => grams.add(hash >>> 0))
  if (grams.size === 0) return null
  const document = isDocumentLong(needle.length) ? documentHash(needle, 0, needle.length) >>> 0 : null
  return { grams: Uint32Array.from(grams), areOrdered: false, document }
}

/** Whether a segment with this filter may have a payer whose name or e-mail contains a text, or whose document it is. */
export const maySay = (filter: Uint32Array, { grams, document }: TextProbe): boolean =>
  (document !== null && hasMember(filter, document)) || grams.every((gram) => hasMember(filter, gram))

const hasMember = (filter: Uint32Array, hash: number): boolean =>
  hasBit(filter, firstBit(hash)) && hasBit(filter, secondBit(hash))

const hasBit = (filter: Uint32Array, bit: number): boolean => ((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 1

/** The first of a member's two bits. */
export const firstBit = (hash: number): number => hash & 0xffff
/** The second of them. */
export const secondBit = (hash: number): number => hash >>> 16

/** 4,096 people with numbers in their addresses set a third of them. */
export const filterBits = 65_536
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
  setBit(filter, firstBit(hash))
  setBit(filter, secondBit(hash))
}

const setBit = (filter: Uint32Array, bit: number): void => {
  filter[bit >>> 5]! |= 1 << (bit & 31)
}
