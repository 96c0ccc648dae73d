import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { pixOf, taxWithheldOf } from '../../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import { kindOf, productOf } from '../../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { type CsvCells, csvHeadOf, rfc4180 } from '../csv-format.ts'
import type { CsvColumn } from '../csv-heads.ts'
import { detailsColumns } from './charge-details.ts'

/**
 * The columns of an export, in order (decisions, section 26): the fields of `transactionView`, with amounts as numbers. Ids, words, instants and
 * numbers are written as they are.
 */
const columns: Readonly<
  Partial<Record<CsvColumn, (transaction: Transaction, cells: CsvCells) => string | number | null>>
> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  approvedAt: ({ approvedAtMs }, { instant }) => instant(approvedAtMs),
  status: ({ status }) => status,
  method: ({ method }) => method,
  origin: ({ origin }) => origin,
  product: productOf,
  kind: kindOf,
  currency: ({ currency }) => currency,
  amount: ({ amountCents, currency }, { amount }) => amount(amountCents, currency),
  paidAmount: ({ paidCents, currency }, { amount }) => amount(paidCents, currency),
  refundedAmount: (transaction, { amount }) => amount(refundedCents(transaction), transaction.currency),
  disputedAmount: (transaction, { amount }) => amount(disputedCents(transaction), transaction.currency),
  feeAmount: ({ feeCents, currency }, { amount }) => amount(feeCents, currency),
  netAmount: ({ paidCents, feeCents, currency }, { amount }) => amount(paidCents - feeCents, currency),
  installments: (transaction) => cardOf(transaction)?.installments ?? null,
  ...detailsColumns,
  customerId: ({ customerId }) => customerId,
  customerName: (transaction, { text }) => text(transaction.customer?.name),
  customerDocument: (transaction, { code }) => code(transaction.customer?.document),
  customerEmail: (transaction, { text }) => text(shownEmailOrNull(transaction.customer?.email ?? null)),
  providerId: (transaction, { text }) => text(transaction.providerId),
  endToEndId: (transaction, { code }) => code(pixOf(transaction)?.payment?.endToEndId),
  txid: (transaction, { code }) => code(pixOf(transaction)?.txid),
  nsu: (transaction, { code }) => code(cardOf(transaction)?.acquirer?.nsu),
  tid: (transaction, { code }) => code(cardOf(transaction)?.acquirer?.tid),
  authorizationCode: (transaction, { code }) => code(cardOf(transaction)?.acquirer?.authorizationCode),
  cardBrand: (transaction) => cardOf(transaction)?.brand ?? null,
  cardLast4: (transaction, { code }) => code(cardOf(transaction)?.last4),
  boletoOurNumber: (transaction, { code }) => code(boletoOf(transaction)?.numbers?.ourNumber),
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  invoiceId: ({ invoiceId }) => invoiceId,
  failureReason: ({ failureReason }) => failureReason,
  splitRuleId: ({ split }) => split?.ruleId ?? null,
  taxesWithheldAmount: (transaction, { amount }) => amount(taxWithheldOf(transaction), transaction.currency),
  fiscalDocuments: ({ fiscalDocuments }, { code }) => code(fiscalDocuments?.join(' ')),
}

/** What an export begins with: its first line. */
export const csvHead = (cells: CsvCells = rfc4180): Buffer => Buffer.from(csvHeadOf(columns, cells))

/** One line for each transaction, with CRLF. */
export const csvRows = (
  transactions: Iterable<Transaction>,
  form: CsvCells = rfc4180,
): Buffer<ArrayBuffer> => {
  let end = 0
  // Row by row: a text of all rows would keep their cells alive until its end.
  for (const transaction of transactions) {
    const row = rowOf(transaction, form)
    if (end + bytesPerCharMax * row.length > written.length) grow(bytesPerCharMax * row.length)
    end += written.write(row, end)
  }
  // Bytes of its own, which can be handed to another thread.
  const rows = Buffer.allocUnsafeSlow(end)
  written.copy(rows, 0, 0, end)
  return rows
}

const bytesPerCharMax = 3
// The rows that are being written.
let written = Buffer.alloc(256 * 1024)

const grow = (bytes: number): void => {
  const larger = Buffer.alloc(2 * written.length + bytes)
  written.copy(larger)
  written = larger
}

const writers = Object.values(columns)

const rowOf = (transaction: Transaction, cells: CsvCells): string => {
  const { separator } = cells
  let row = String(writers[0]!(transaction, cells))
  for (let n = 1; n < writers.length; n++) row += separator + (writers[n]!(transaction, cells) ?? '')
  return `${row}\r\n`
}
