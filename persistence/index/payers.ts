import type { PayerText } from '../../engine/payments/transaction/row.ts'
import { foldCase } from '../../engine/shared/fold-case.ts'
import {
  append,
  type Columns,
  oneRow,
  schema,
  segmentOf,
  someRows,
  type Take,
  viewsAt,
} from '../base/columns.ts'
import { hash64 } from '../base/hash.ts'
import { signatureOf } from './signature.ts'
import { newTextFilters, type TextFilters } from './text-filters.ts'

/**
 * The payers of an account's transactions, in the form that is searched: name, e-mail and document without
 * case and accents, concatenated in one arena of bytes. Numbered from 1; 0 stands for no payer.
 */
export type Payers = {
  readonly seed: number
  readonly rows: Columns<PayerViews>
  readonly arena: Columns<ByteViews>
  readonly known: KnownPayers
  readonly filters: TextFilters
}

/** Finds payers by a hash of theirs: others may have the same. */
export type KnownPayers = {
  readonly find: (hash: string, count: number) => readonly number[]
  readonly put: (hash: string, payer: number) => void
  readonly remove: (hash: string, payer: number) => void
}

const payerViews = (take: Take) => ({
  /** Where the payer's bytes begin in the arena; see `storedStart`. */
  start: take.uint32('start'),
  /** A 64-bit hash of the original texts: payers with the same hash are the same. */
  hash0: take.uint32('hash0'),
  hash1: take.uint32('hash1'),
  /** The payer's signature, which a search checks first (see `signature.ts`). */
  signature0: take.uint32('signature0'),
  signature1: take.uint32('signature1'),
  signature2: take.uint32('signature2'),
  signature3: take.uint32('signature3'),
  nameBytes: take.uint16('nameBytes'),
  emailBytes: take.uint16('emailBytes'),
  documentBytes: take.uint16('documentBytes'),
})
export type PayerViews = ReturnType<typeof payerViews>
type ByteViews = { readonly byte: Uint8Array }

export const payerSchema = schema(4096, payerViews, {
  of: [
    'start',
    'hash0',
    'hash1',
    'signature0',
    'signature1',
    'signature2',
    'signature3',
    'nameBytes',
    'emailBytes',
    'documentBytes',
  ],
  rows: 128,
})
export const payerBytesSchema = schema(65_536, (take) => ({ byte: take.uint8('byte') }), {
  of: ['byte'],
  rows: 4032,
})

/** The numbers of stored payers. */
export const newPayers = (
  seed: number,
  rows: Columns<PayerViews>,
  arena: Columns<ByteViews>,
  known: KnownPayers,
): Payers => ({ seed, rows, arena, known, filters: newTextFilters() })

/** The number of a payer, new if needed; 0 for none. */
export const numberOfPayer = (payers: Payers, payer: PayerText | null): number => {
  if (payer === null) return 0
  const { seed, rows } = payers
  const hash = hash64(seed, payer.name, payer.email, payer.document)
  const hash0 = hash[0]!
  const hash1 = hash[1]!
  const known = payers.known.find(keyOf(hash0, hash1), rows.count).find((other) => {
    const { views, place } = oneRow(rows, other)
    return views.hash0[place] === hash0 && views.hash1[place] === hash1
  })
  return (known ?? add(payers, payer, hash0, hash1)) + 1
}

const keyOf = (hash0: number, hash1: number): string => `${hash0} ${hash1}`

/** Takes a payer who is being erased from under the hash. */
export const forgetHash = ({ known }: Payers, payer: number, hash0: number, hash1: number): void =>
  known.remove(keyOf(hash0, hash1), payer)

const add = ({ rows, arena, known }: Payers, payer: PayerText, hash0: number, hash1: number): number => {
  const nameBytes = write(payer.name, 0)
  const emailBytes = write(payer.email, nameBytes)
  const documentBytes = write(payer.document, nameBytes + emailBytes)
  const length = nameBytes + emailBytes + documentBytes
  const start = append(arena, roomFor(arena, length))
  viewsAt(arena, start).byte.set(scratch.subarray(0, length), start & payerBytesSchema.mask)
  const added = append(rows)
  const views = viewsAt(rows, added)
  const n = added & payerSchema.mask
  views.start[n] = storedStart(start)
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
  known.put(keyOf(hash0, hash1), added)
  return added
}

/**
 * Where bytes begin, in 32 bits: the first two gigabytes to the byte, the 32 behind them, which are those of half a billion payers, to 16 bytes.
 */
const storedStart = (start: number): number =>
  start < wholeStarts ? start : wholeStarts + (start - wholeStarts) / startUnit

/** Where the bytes of a payer begin, of what is stored. */
export const firstByteOf = (stored: number): number =>
  stored < wholeStarts ? stored : wholeStarts + (stored - wholeStarts) * startUnit

const wholeStarts = 2 ** 31
const startUnit = 16

/** What a payer's bytes take, so that the next one's begin where a start can be stored. A segment begins at such a place. */
const roomFor = ({ count, schema }: Payers['arena'], length: number): number =>
  count < wholeStarts - schema.rowsPerSegment ? length : Math.ceil(length / startUnit) * startUnit

/** The bytes of a payer in an arena, from where they begin in the array. */
export const bytesFrom = (
  arena: Payers['arena'],
  start: number,
  length: number,
): { readonly byte: Uint8Array; readonly at: number } => {
  const at = start & payerBytesSchema.mask
  const { views, places } = someRows(
    arena,
    segmentOf(payerBytesSchema, start),
    everyByte.subarray(at, at + length),
  )
  return { byte: views.byte, at: places[0] ?? 0 }
}

const everyByte = Uint16Array.from({ length: payerBytesSchema.rowsPerSegment }, (_, place) => place)

/** Whether two payers are the same, each by its number among its own, and whether there is neither. */
export const isSamePayer = (payers: Payers, payer: number, others: Payers, other: number): boolean => {
  if (payer === 0 || other === 0) return payer === other
  const [own, its] = [viewsAt(payers.rows, payer - 1), viewsAt(others.rows, other - 1)]
  const [n, m] = [(payer - 1) & payerSchema.mask, (other - 1) & payerSchema.mask]
  const differs = ({ name }: { readonly name: string }): boolean =>
    name !== 'start' && own[name as keyof PayerViews][n] !== its[name as keyof PayerViews][m]
  if (payerSchema.types.some(differs)) return false
  const bytes = bytesOf(others, other - 1)
  return bytesOf(payers, payer - 1).every((byte, at) => byte === bytes[at])
}

const bytesOf = ({ rows, arena }: Payers, payer: number): Uint8Array => {
  const views = viewsAt(rows, payer)
  const n = payer & payerSchema.mask
  const start = firstByteOf(views.start[n]!)
  const from = start & payerBytesSchema.mask
  const length = views.nameBytes[n]! + views.emailBytes[n]! + views.documentBytes[n]!
  return viewsAt(arena, start).byte.subarray(from, from + length)
}

/** The searched form of a text. Only the beginning of a longer one is searched; names and addresses are far shorter. */
export const searchable = (text: string): string => foldCase(text.slice(0, textCharsMax))

const textCharsMax = 1000

const write = (text: string | null, at: number): number =>
  text === null ? 0 : scratch.write(searchable(text), at)

// The bytes of the payer being added. A character takes at most three bytes, and slightly more after case folding.
const scratch = Buffer.alloc(16 * 3 * textCharsMax)
