import type { Work } from '../../engine/kernel/work.ts'
import { bareDocument } from '../../engine/shared/documents.ts'
import { viewsAt } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { type Payers, type PayerViews, payerBytesSchema, payerSchema, searchable } from './payers.ts'
import { keepSigned, signatureOf } from './signature.ts'

/** A byte per payer, 1 for members of the set; and the payers themselves if they are few. */
export type PayerSet = { readonly marks: Uint8Array; readonly few: readonly number[] | null }

const fewPayers = 32

/** Payers whose name contains a text, or whose e-mail or document equals it. */
export const payersNamed = (payers: Payers, text: string, slice: TimeSlice): Work<PayerSet> =>
  payersWith(payers, text, slice, (found) => isInName(found) || isEmail(found) || isDocument(found))

/** Payers whose name or e-mail contains a text, or whose document equals it. */
export const payersSaying = (payers: Payers, text: string, slice: TimeSlice): Work<PayerSet> =>
  payersWith(payers, text, slice, (found) => isInName(found) || isInEmail(found) || isDocument(found))

/** Where a text was found, as offsets into a payer's bytes. The name ends at `email`, the e-mail at `document`. */
type Found = {
  readonly from: number
  readonly to: number
  readonly email: number
  readonly document: number
  readonly end: number
}
type IsMeant = (found: Found) => boolean

const isInName: IsMeant = ({ to, email }) => to <= email
const isInEmail: IsMeant = ({ from, to, email, document }) => from >= email && to <= document
const isEmail: IsMeant = ({ from, to, email, document }) => from === email && to === document
const isDocument: IsMeant = ({ from, to, document, end }) => from === document && to === end

const payersWith = function* (
  payers: Payers,
  text: string,
  slice: TimeSlice,
  isMeant: IsMeant,
): Work<PayerSet> {
  const marks = new Uint8Array(payers.rows.count + 1)
  const found: number[] = []
  yield* mark(payers, text, isMeant, marks, found, slice)
  const document = bareDocument(text)
  if (document !== text) yield* mark(payers, document, isDocument, marks, found, slice)
  return { marks, few: found.length <= fewPayers ? found : null }
}

const mark = function* (
  payers: Payers,
  text: string,
  isMeant: IsMeant,
  marks: Uint8Array,
  found: number[],
  slice: TimeSlice,
): Work<void> {
  const { rows } = payers
  const { rowsPerSegment } = payerSchema
  const needle = Buffer.from(searchable(text))
  if (needle.length === 0) return
  const places = new Uint16Array(rowsPerSegment)
  const wanted = signatureOf(needle, needle.length).slice()
  for (let payer = 0; payer < rows.count; payer += rowsPerSegment) {
    const views = viewsAt(rows, payer)
    const { signature0, signature1, signature2, signature3 } = views
    const count = Math.min(rows.count - payer, rowsPerSegment)
    const candidates = keepSigned([signature0, signature1, signature2, signature3], wanted, count, places)
    for (let n = 0; n < candidates; n++) {
      const number = payer + places[n]! + 1
      if (marks[number] === 0 && contains(payers, views, places[n]!, needle, isMeant)) {
        marks[number] = 1
        if (found.length <= fewPayers) found.push(number)
      }
      if ((n & 255) === 255) yield* yieldIfDue(slice)
    }
    yield* yieldIfDue(slice)
  }
}

const contains = (
  { arena }: Payers,
  views: PayerViews,
  n: number,
  needle: Buffer,
  isMeant: IsMeant,
): boolean => {
  const start = views.start[n]!
  const { byte } = viewsAt(arena, start)
  const base = start & payerBytesSchema.mask
  const email = views.nameBytes[n]!
  const document = email + views.emailBytes[n]!
  const end = document + views.documentBytes[n]!
  for (let from = 0; from + needle.length <= end; from++) {
    if (byte[base + from] !== needle[0]) continue
    let same = 1
    while (same < needle.length && byte[base + from + same] === needle[same]) same++
    if (same === needle.length && isMeant({ from, to: from + same, email, document, end })) return true
  }
  return false
}
