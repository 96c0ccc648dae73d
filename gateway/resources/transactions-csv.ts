import { stringify } from 'csv-stringify/sync'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import { type TransactionView, transactionView } from './transaction.ts'

type Cell = string | number | null
type Column = readonly [name: string, cell: (view: TransactionView) => Cell]

/** A field of the transaction under its own name. */
const field = (name: keyof TransactionView): Column => [name, (view) => view[name] as Cell]

/** The same as a number, which spreadsheets can add up. */
const amount = (name: keyof TransactionView): Column => [name, (view) => Number(view[name])]

/** The columns of an export, in order (decisions, section 26). */
const columns: readonly Column[] = [
  ...(['id', 'createdAt', 'approvedAt', 'status', 'method', 'origin', 'product', 'kind'] as const).map(field),
  field('currency'),
  ...(['amount', 'paidAmount', 'refundedAmount', 'disputedAmount', 'feeAmount'] as const).map(amount),
  amount('netAmount'),
  ...(['installments', 'externalId', 'reference', 'description', 'customerId'] as const).map(field),
  ['customerName', ({ customer }) => customer?.name ?? null],
  ['customerDocument', ({ customer }) => customer?.document ?? null],
  ['customerEmail', ({ customer }) => customer?.email ?? null],
  field('providerId'),
  ['endToEndId', ({ pix }) => pix?.endToEndId ?? null],
  ['txid', ({ pix }) => pix?.txid ?? null],
  ['nsu', ({ card }) => card?.nsu ?? null],
  ['tid', ({ card }) => card?.tid ?? null],
  ['authorizationCode', ({ card }) => card?.authorizationCode ?? null],
  ['cardBrand', ({ card }) => card?.brand ?? null],
  ['cardLast4', ({ card }) => card?.last4 ?? null],
  ['boletoOurNumber', ({ boleto }) => boleto?.ourNumber ?? null],
  ...(['subscriptionId', 'invoiceId', 'failureReason', 'splitRuleId'] as const).map(field),
]

/** RFC 4180 with CRLF. A text that spreadsheets would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const csv = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const

/** The first line of an export. */
export const csvHead = stringify([columns.map(([name]) => name)], csv)

/** One line for each transaction. */
export const csvRows = (transactions: readonly Transaction[]): string =>
  stringify(
    transactions.map((transaction) => {
      const view = transactionView(transaction, anyDay)
      return columns.map(([, cell]) => cell(view))
    }),
    csv,
  )

/** No column depends on day or instant. */
const anyDay = { date: '2000-01-01' as CalendarDate, nowMs: 0 }
