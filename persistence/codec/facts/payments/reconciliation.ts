import type { ComparedDay, DayBook, Difference } from '../../../../engine/reconciliation/reconciliation.ts'
import type { ReconciliationId } from '../../../../engine/shared/ids.ts'
import { enumeration, list, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, dateLayout, initiator } from '../shared.ts'

const book = record<DayBook>({ count: number(), amountCents: number(), returnedCents: number() })

const difference = record<Difference>({
  kind: enumeration({ MISSING_HERE: 1, MISSING_AT_BANK: 2, AMOUNT: 3, RETURNS: 4, STATEMENT: 5 }),
  endToEndId: nullable(text()),
  txid: nullable(text()),
  bankCents: nullable(number()),
  oursCents: nullable(number()),
})

const compared = record<ComparedDay>({
  accountId,
  connectionId: nullable(text()),
  providerId: text(),
  date: dateLayout,
  bank: book,
  ours: book,
  statement: nullable(book),
  differences: list(difference),
  differencesCount: number(),
  differenceCents: number(),
})

const head = { id: text<ReconciliationId>(), atMs: number() }
const since14 = { since: 14 }

export const reconciliationFacts = {
  DayCompared: [1, { ...head, compared }, since14],
  DifferenceAccepted: [2, { ...head, by: initiator, reason: text() }, since14],
} satisfies FactLayouts<'reconciliation'>
