import type { PayerText } from '../../engine/payments/transaction/row.ts'
import { foldCase } from '../../engine/shared/fold-case.ts'
import { append, type Columns, schema, someRows, type Take, viewsAt } from '../base/columns.ts'
import { hash64 } from '../base/hash.ts'
import type { Derived } from '../base/pager.ts'
import { addRecentNumber, findRecent, newRecentNumbers, type RecentNumbers } from './recent-numbers.ts'
import { signatureOf } from './signature.ts'

/**
 * The payers of an account's transactions, in the form that is searched: name, e-mail and document without
 * case and accents, concatenated in one arena of bytes. Numbered from 1; 0 stands for no payer. One who comes back after very many others
 * has several numbers (see `recent-numbers.ts`).
 */
export type Payers = {
  readonly seed: number
  readonly rows: Columns<PayerViews>
  readonly arena: Columns<ByteViews>
  readonly recent: RecentNumbers
  /** The filters of each group of segments that was searched (see `payer-filter.ts`). */
  readonly filters: Derived<FilterGroup>[]
}

/** The filters of some segments in a row, bit by bit: each look at them waits for memory, and this asks all of them at once. */
export type FilterGroup = {
  /** For each bit of a filter a byte with that bit of each segment. */
  readonly bits: Uint8Array
  /** The segments whose filters are in it, a bit each. */
  readonly segments: number
}

const payerViews = (take: Take) => ({
  /** Where the payer's bytes begin in the arena. */
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

export const payerSchema = schema(4096, payerViews)
export const payerBytesSchema = schema(65_536, (take) => ({ byte: take.uint8('byte') }))

/** The numbers of stored payers. */
export const newPayers = (seed: number, rows: Columns<PayerViews>, arena: Columns<ByteViews>): Payers => {
  const hashOf = (payer: number): number => viewsAt(rows, payer).hash0[payer & payerSchema.mask]!
  return { seed, rows, arena, recent: newRecentNumbers(hashOf), filters: [] }
}

/** A number of a payer, new if needed; 0 for none. */
export const numberOfPayer = (payers: Payers, payer: PayerText | null): number => {
  if (payer === null) return 0
  const { seed, rows, recent } = payers
  const hash = hash64(seed, payer.name, payer.email, payer.document)
  const hash0 = hash[0]!
  const hash1 = hash[1]!
  const known = findRecent(recent, rows.count, hash0, (other) => {
    const views = viewsAt(rows, other)
    const n = other & payerSchema.mask
    return views.hash0[n] === hash0 && views.hash1[n] === hash1
  })
  return (known === -1 ? add(payers, payer, hash0, hash1) : known) + 1
}

const add = ({ rows, arena, recent }: Payers, payer: PayerText, hash0: number, hash1: number): number => {
  const nameBytes = write(payer.name, 0)
  const emailBytes = write(payer.email, nameBytes)
  const documentBytes = write(payer.document, nameBytes + emailBytes)
  const length = nameBytes + emailBytes + documentBytes
  const start = append(arena, length)
  viewsAt(arena, start).byte.set(scratch.subarray(0, length), start & payerBytesSchema.mask)
  const added = append(rows)
  const views = viewsAt(rows, added)
  const n = added & payerSchema.mask
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
  addRecentNumber(recent, rows.count, hash0)
  return added
}

/** The bytes of a payer in an arena, from where they begin in the array. */
export const bytesFrom = (
  arena: Payers['arena'],
  start: number,
  length: number,
): { readonly byte: Uint8Array; readonly at: number } => {
  const at = start & payerBytesSchema.mask
  const { views, places } = someRows(
    arena,
    start >>> payerBytesSchema.bits,
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
  const from = views.start[n]! & payerBytesSchema.mask
  const length = views.nameBytes[n]! + views.emailBytes[n]! + views.documentBytes[n]!
  return viewsAt(arena, views.start[n]!).byte.subarray(from, from + length)
}

/** The searched form of a text. Only the beginning of a longer one is searched; names and addresses are far shorter. */
export const searchable = (text: string): string => foldCase(text.slice(0, textCharsMax))

const textCharsMax = 1000

const write = (text: string | null, at: number): number =>
  text === null ? 0 : scratch.write(searchable(text), at)

// The bytes of the payer being added. A character takes at most three bytes, and slightly more after case folding.
const scratch = Buffer.alloc(16 * 3 * textCharsMax)
