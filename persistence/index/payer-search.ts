import type { Work } from '../../engine/kernel/work.ts'
import { bareDocument } from '../../engine/shared/documents.ts'
import { viewsAt } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { type NumberSet, newNumberSet } from './number-set.ts'
import { isTextRuledOut, textProbe } from './payer-filter.ts'
import { type Payers, type PayerViews, payerBytesSchema, payerSchema, searchable } from './payers.ts'
import { keepSigned, signatureOf } from './signature.ts'

/** Payers whose name contains a text, or whose e-mail or document equals it. */
export const payersNamed = (payers: Payers, text: string, slice: TimeSlice): Work<NumberSet> =>
  payersWith(payers, text, slice, (found) => isInName(found) || isEmail(found) || isDocument(found))

/** Payers whose name or e-mail contains a text, or whose document equals it. */
export const payersSaying = (payers: Payers, text: string, slice: TimeSlice): Work<NumberSet> =>
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
): Work<NumberSet> {
  const found = newNumberSet(() => payers.rows.count)
  yield* findText(payers, text, isMeant, found.add, slice)
  const document = bareDocument(text)
  if (document !== text) yield* findText(payers, document, isDocument, found.add, slice)
  return found.set()
}

const findText = function* (
  payers: Payers,
  text: string,
  isMeant: IsMeant,
  add: (payer: number) => void,
  slice: TimeSlice,
): Work<void> {
  const { rows } = payers
  const { rowsPerSegment, bits } = payerSchema
  const needle = Buffer.from(searchable(text))
  if (needle.length === 0) return
  const places = new Uint16Array(rowsPerSegment)
  const wanted = signatureOf(needle, needle.length).slice()
  const probe = textProbe(needle)
  for (let segment = 0; segment < rows.segments.length; segment++) {
    yield* yieldIfDue(slice)
    if (probe !== null && isTextRuledOut(payers, segment, probe)) continue
    const payer = segment << bits
    const views = viewsAt(rows, payer)
    const { signature0, signature1, signature2, signature3 } = views
    const count = Math.min(rows.count - payer, rowsPerSegment)
    const candidates = keepSigned([signature0, signature1, signature2, signature3], wanted, count, places)
    for (let n = 0; n < candidates; n++) {
      if (contains(payers, views, places[n]!, needle, isMeant)) add(payer + places[n]! + 1)
      if ((n & 255) === 255) yield* yieldIfDue(slice)
    }
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
