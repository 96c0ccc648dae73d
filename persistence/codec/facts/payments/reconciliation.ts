import type { ComparedDay, DayBook, Difference } from '../../../../engine/reconciliation/reconciliation.ts'
import type {
  StatementFile,
  StatementMovement,
  StrangePix,
  ThirdBook,
} from '../../../../engine/reconciliation/statement.ts'
import type { ReconciliationId } from '../../../../engine/shared/ids.ts'
import { enumeration, list, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, dateLayout, initiator } from '../shared.ts'

const book = record<DayBook>({ count: number(), amountCents: number(), returnedCents: number() })

const difference = record<Difference>({
  kind: enumeration({
    MISSING_HERE: 1,
    MISSING_AT_BANK: 2,
    AMOUNT: 3,
    RETURNS: 4,
    STATEMENT: 5,
    STATEMENT_ONLY: 6,
    MISSING_IN_STATEMENT: 7,
    STATEMENT_AMOUNT: 8,
    TARIFF: 9,
  }),
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

const third = record<ThirdBook>({
  source: enumeration({ BANK: 1, FILE: 2 }),
  digest: nullable(text()),
  tariffCents: number(),
  termsCents: nullable(number()),
  othersCount: number(),
})

/** Files show no references of ours. */
const movement = record<Omit<StatementMovement, 'reference'>>({
  kind: enumeration({ PIX_IN: 1, PIX_OUT: 2, RETURN: 3, TARIFF: 4, OTHER: 5 }),
  cents: number(),
  endToEndId: nullable(text()),
  atMs: nullable(number()),
})

const strange = record<StrangePix>({ endToEndId: nullable(text()), amountCents: number() })

const file = record<StatementFile>({
  digest: text(),
  by: initiator,
  atMs: number(),
  movements: list(movement),
})

const head = { id: text<ReconciliationId>(), atMs: number() }
const since14 = { since: 14 }

export const reconciliationFacts = {
  DayCompared: [1, { ...head, compared }, since14],
  ThreeBooksCompared: [3, { ...head, compared, third }, since14],
  StatementGiven: [4, { ...head, file }, since14],
  StrangePixShown: [5, { ...head, strange: list(strange) }, since14],
  DifferenceAccepted: [2, { ...head, by: initiator, reason: text() }, since14],
} satisfies FactLayouts<'reconciliation'>
