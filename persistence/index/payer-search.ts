import type { Work } from '../../engine/kernel/work.ts'
import { bareDocument } from '../../engine/shared/documents.ts'
import { someRows, viewsOf } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { everySegment, hasSegment, segmentsPerGroup, segmentsSaying } from './filter-groups.ts'
import { type NumberSet, newNumberSet } from './number-set.ts'
import { textProbe } from './payer-filter.ts'
import { bytesFrom, firstByteOf, type Payers, type PayerViews, payerSchema, searchable } from './payers.ts'
import { keepSigned, signatureOf, strictestPart } from './signature.ts'

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
  const strictest = strictestPart(wanted)
  const probe = textProbe(needle)
  let saying = everySegment
  for (let segment = 0; segment < rows.segments.length; segment++) {
    yield* yieldIfDue(slice)
    const place = segment % segmentsPerGroup
    if (place === 0 && probe !== null)
      saying = yield* segmentsSaying(payers, segment / segmentsPerGroup, probe, slice)
    if (!hasSegment(saying, place)) continue
    const first = segment << bits
    const count = Math.min(rows.count - first, rowsPerSegment)
    const part = viewsOf(rows, segment)[signatureParts[strictest]!]
    const candidates = keepSigned(part, wanted[strictest]!, count, places)
    const some = someRows(rows, segment, places.subarray(0, candidates))
    for (let n = 0; n < candidates; n++) {
      const place = some.places[n]!
      if (isSigned(some.views, place, wanted) && contains(payers, some.views, place, needle, isMeant))
        add(first + places[n]! + 1)
      if ((n & 255) === 255) yield* yieldIfDue(slice)
    }
  }
}

/** Asked for by name, because each is read from the disk for itself. */
const signatureParts = ['signature0', 'signature1', 'signature2', 'signature3'] as const

const isSigned = (
  { signature0, signature1, signature2, signature3 }: PayerViews,
  place: number,
  wanted: Uint32Array,
): boolean =>
  ((wanted[0]! & ~signature0[place]!) |
    (wanted[1]! & ~signature1[place]!) |
    (wanted[2]! & ~signature2[place]!) |
    (wanted[3]! & ~signature3[place]!)) ===
  0

const contains = (
  { arena }: Payers,
  views: PayerViews,
  n: number,
  needle: Buffer,
  isMeant: IsMeant,
): boolean => {
  const email = views.nameBytes[n]!
  const document = email + views.emailBytes[n]!
  const end = document + views.documentBytes[n]!
  const { byte, at } = bytesFrom(arena, firstByteOf(views.start[n]!), end)
  for (let from = 0; from + needle.length <= end; from++) {
    if (byte[at + from] !== needle[0]) continue
    let same = 1
    while (same < needle.length && byte[at + from + same] === needle[same]) same++
    if (same === needle.length && isMeant({ from, to: from + same, email, document, end })) return true
  }
  return false
}
