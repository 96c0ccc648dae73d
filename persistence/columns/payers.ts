import { bareDocument } from '../../engine/documents.ts'
import { folded } from '../../engine/folded.ts'
import type { PayerText } from '../../engine/transaction/row.ts'
import type { Work } from '../../engine/work.ts'
import { append, type Columns, schema, type Take, viewsAt } from './columns.ts'
import { hash64 } from './hash.ts'
import { newHashIndex } from './hash-index.ts'
import { keepWhere } from './keep.ts'
import { giveWay, type Pace } from './pace.ts'

/**
 * The distinct payers of an account's transactions, as what is searched: name, e-mail and document, without case and
 * accents, one after the other in one arena of bytes. They are numbered from 1; 0 stands for nobody.
 */
export type Payers = {
  readonly numberOf: (payer: PayerText | null) => number
  /** Those whose name contains a text, or whose e-mail or document it is. */
  readonly named: (text: string, pace: Pace) => Work<PayerSet>
  /** Those whose name or e-mail contains a text, or whose document it is. */
  readonly saying: (text: string, pace: Pace) => Work<PayerSet>
}

/** A byte for each payer, 1 where they are in it, and the payers themselves where they are few. */
export type PayerSet = { readonly marks: Uint8Array; readonly few: readonly number[] | null }

const fewPayers = 32

const payerViews = (take: Take) => ({
  /** Where their bytes begin in the arena. */
  start: take.uint32('start'),
  /** 64 bits of their texts as they were given: whoever has the same is the same. */
  hash0: take.uint32('hash0'),
  hash1: take.uint32('hash1'),
  /** 128 bits, of which every three bytes in a row set one. What a text sets, all that contain it have set. */
  signature0: take.uint32('signature0'),
  signature1: take.uint32('signature1'),
  signature2: take.uint32('signature2'),
  signature3: take.uint32('signature3'),
  nameBytes: take.uint16('nameBytes'),
  emailBytes: take.uint16('emailBytes'),
  documentBytes: take.uint16('documentBytes'),
})
type PayerViews = ReturnType<typeof payerViews>

export const payerSchema = schema(4096, payerViews)
export const payerBytesSchema = schema(65_536, (take) => ({ byte: take.uint8('byte') }))
type ByteViews = { readonly byte: Uint8Array }

/** Longer ones are searched in their beginning; names and addresses are far shorter. */
const textCharsMax = 1000

export const newPayers = (seed: number, payers: Columns<PayerViews>, arena: Columns<ByteViews>): Payers => {
  const { mask, rowsPerSegment } = payerSchema
  const hashOf = (payer: number): number => viewsAt(payers, payer).hash0[payer & mask]!
  const index = newHashIndex(hashOf, payers.count)
  for (let payer = 0; payer < payers.count; payer++) index.add(hashOf(payer), payer)

  const numberOf = (payer: PayerText | null): number => {
    if (payer === null) return 0
    const hash = hash64(seed, payer.name, payer.email, payer.document)
    const hash0 = hash[0]!
    const hash1 = hash[1]!
    const known = index.find(hash0, (other) => {
      const { hash0: other0, hash1: other1 } = viewsAt(payers, other)
      return other0[other & mask] === hash0 && other1[other & mask] === hash1
    })
    return (known === -1 ? add(payer, hash0, hash1) : known) + 1
  }

  const add = (payer: PayerText, hash0: number, hash1: number): number => {
    const nameBytes = write(payer.name, 0)
    const emailBytes = write(payer.email, nameBytes)
    const documentBytes = write(payer.document, nameBytes + emailBytes)
    const length = nameBytes + emailBytes + documentBytes
    const start = append(arena, length)
    viewsAt(arena, start).byte.set(scratch.subarray(0, length), start & arenaMask)
    const added = append(payers)
    const views = viewsAt(payers, added)
    const n = added & mask
    views.start[n] = start
    views.hash0[n] = hash0
    views.hash1[n] = hash1
    views.nameBytes[n] = nameBytes
    views.emailBytes[n] = emailBytes
    views.documentBytes[n] = documentBytes
    const signature = signatureOf(scratch, length)
    views.signature0[n] = signature[0]!
    views.signature1[n] = signature[1]!
    views.signature2[n] = signature[2]!
    views.signature3[n] = signature[3]!
    index.add(hash0, added)
    return added
  }

  /** `isMeant` looks at what was found: where in which field, as offsets into a payer's bytes. */
  const search = function* (
    text: string,
    isMeant: IsMeant,
    marks: Uint8Array,
    found: number[],
    pace: Pace,
  ): Work<void> {
    const needle = Buffer.from(folded(text.slice(0, textCharsMax)))
    if (needle.length === 0) return
    const places = new Uint16Array(rowsPerSegment)
    const wanted = signatureOf(needle, needle.length).slice()
    for (let payer = 0; payer < payers.count; payer += rowsPerSegment) {
      const views = viewsAt(payers, payer)
      const count = Math.min(payers.count - payer, rowsPerSegment)
      const candidates = keepSigned(signaturesOf(views), wanted, count, places)
      for (let n = 0; n < candidates; n++) {
        const place = places[n]!
        const number = payer + place + 1
        if (marks[number] === 0 && contains(views, place, needle, isMeant)) {
          marks[number] = 1
          if (found.length <= fewPayers) found.push(number)
        }
        if ((n & 255) === 255) yield* giveWay(pace)
      }
      yield* giveWay(pace)
    }
  }

  const contains = (views: PayerViews, n: number, needle: Buffer, isMeant: IsMeant): boolean => {
    const start = views.start[n]!
    const bytes = viewsAt(arena, start).byte
    const from = start & arenaMask
    const email = views.nameBytes[n]!
    const document = email + views.emailBytes[n]!
    const end = document + views.documentBytes[n]!
    const first = needle[0]!
    for (let at = 0; at + needle.length <= end; at++) {
      if (bytes[from + at] !== first) continue
      let same = 1
      while (same < needle.length && bytes[from + at + same] === needle[same]) same++
      if (same === needle.length && isMeant(at, at + same, email, document, end)) return true
    }
    return false
  }

  const searched = (isMeant: IsMeant) =>
    function* (text: string, pace: Pace): Work<PayerSet> {
      const marks = new Uint8Array(payers.count + 1)
      const found: number[] = []
      yield* search(text, isMeant, marks, found, pace)
      const document = bareDocument(text)
      if (document !== text) yield* search(document, isDocument, marks, found, pace)
      return { marks, few: found.length <= fewPayers ? found : null }
    }

  return {
    numberOf,
    named: searched(
      (from, to, email, document, end) =>
        to <= email ||
        (from === email && to === document && to > from) ||
        isDocument(from, to, email, document, end),
    ),
    saying: searched(
      (from, to, email, document, end) =>
        to <= email || (from >= email && to <= document) || isDocument(from, to, email, document, end),
    ),
  }
}

/** The name's bytes end at `email`, the e-mail's at `document`, the document's at `end`. */
type IsMeant = (from: number, to: number, email: number, document: number, end: number) => boolean

const isDocument: IsMeant = (from, to, _, document, end) => from === document && to === end

const arenaMask = payerBytesSchema.mask

// The bytes of the one payer that is being looked for. A character takes at most three bytes, folded a little more.
const scratch = Buffer.alloc(16 * 3 * textCharsMax)

const write = (text: string | null, at: number): number =>
  text === null ? 0 : scratch.write(folded(text.slice(0, textCharsMax)), at)

const signaturesOf = (views: PayerViews): readonly Uint32Array[] => [
  views.signature0,
  views.signature1,
  views.signature2,
  views.signature3,
]

/** Those of the first `count` places whose signature has all that is wanted, into `places`. Answers how many. */
const keepSigned = (
  signatures: readonly Uint32Array[],
  wanted: Uint32Array,
  count: number,
  places: Uint16Array,
): number => {
  // The part that most has to be found in comes first: it leaves few for the others.
  const [first, ...others] = [0, 1, 2, 3].sort((a, b) => bitsIn(wanted[b]!) - bitsIn(wanted[a]!))
  let kept = keepFirst(signatures[first!]!, wanted[first!]! | 0, count, places)
  for (const part of others) {
    const signature = signatures[part]!
    kept = keepWhere((place) => (wanted[part]! & ~signature[place]!) === 0, places, kept)
  }
  return kept
}

const keepFirst = (signature: Uint32Array, wanted: number, count: number, places: Uint16Array): number => {
  let kept = 0
  for (let place = 0; place < count; place++) {
    if ((wanted & ~signature[place]!) === 0) places[kept++] = place
  }
  return kept
}

const bitsIn = (part: number): number => {
  let bits = 0
  for (let rest = part; rest !== 0; rest &= rest - 1) bits += 1
  return bits
}

/** Of the last text that it was asked for. */
const signatureOf = (bytes: Uint8Array, length: number): Uint32Array => {
  signature.fill(0)
  for (let n = 2; n < length; n++) {
    const bit = Math.imul((bytes[n - 2]! << 16) | (bytes[n - 1]! << 8) | bytes[n]!, 0x9e3779b1) >>> 25
    signature[bit >>> 5]! |= 1 << (bit & 31)
  }
  return signature
}

const signature = new Uint32Array(4)
