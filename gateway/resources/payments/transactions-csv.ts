import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import { kindOf, productOf } from '../../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { textCell } from '../csv-cell.ts'
import { instantOrNull } from '../fields.ts'
import { detailsColumns } from './charge-details.ts'

/**
 * The columns of an export, in order (decisions, section 26): the fields of `transactionView`, with amounts as numbers. Ids, words, instants and
 * numbers are written as they are.
 */
const columns: Readonly<Record<string, (transaction: Transaction) => string | number | null>> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }) => isoInstant(createdAtMs),
  approvedAt: ({ approvedAtMs }) => instantOrNull(approvedAtMs),
  status: ({ status }) => status,
  method: ({ method }) => method,
  origin: ({ origin }) => origin,
  product: productOf,
  kind: kindOf,
  currency: ({ currency }) => currency,
  amount: ({ amountCents }) => amountCents,
  paidAmount: ({ paidCents }) => paidCents,
  refundedAmount: refundedCents,
  disputedAmount: disputedCents,
  feeAmount: ({ feeCents }) => feeCents,
  netAmount: ({ paidCents, feeCents }) => paidCents - feeCents,
  installments: (transaction) => cardOf(transaction)?.installments ?? null,
  ...detailsColumns,
  customerId: ({ customerId }) => customerId,
  customerName: (transaction) => textCell(transaction.customer?.name),
  customerDocument: (transaction) => textCell(transaction.customer?.document),
  customerEmail: (transaction) => textCell(shownEmailOrNull(transaction.customer?.email ?? null)),
  providerId: (transaction) => textCell(transaction.providerId),
  endToEndId: (transaction) => textCell(pixOf(transaction)?.payment?.endToEndId),
  txid: (transaction) => textCell(pixOf(transaction)?.txid),
  nsu: (transaction) => textCell(cardOf(transaction)?.acquirer?.nsu),
  tid: (transaction) => textCell(cardOf(transaction)?.acquirer?.tid),
  authorizationCode: (transaction) => textCell(cardOf(transaction)?.acquirer?.authorizationCode),
  cardBrand: (transaction) => cardOf(transaction)?.brand ?? null,
  cardLast4: (transaction) => textCell(cardOf(transaction)?.last4),
  boletoOurNumber: (transaction) => textCell(boletoOf(transaction)?.numbers?.ourNumber),
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  invoiceId: ({ invoiceId }) => invoiceId,
  failureReason: ({ failureReason }) => failureReason,
  splitRuleId: ({ split }) => split?.ruleId ?? null,
}

/** The first line of an export. */
export const csvHead = Buffer.from(`${Object.keys(columns).join()}\r\n`)

/** One line for each transaction, as RFC 4180 says, with CRLF. */
export const csvRows = (transactions: Iterable<Transaction>): Buffer<ArrayBuffer> => {
  let end = 0
  // Row by row: a text of all rows would keep their cells alive until its end.
  for (const transaction of transactions) {
    const row = rowOf(transaction)
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

const cells = Object.values(columns)

const rowOf = (transaction: Transaction): string => {
  let row = String(cells[0]!(transaction))
  for (let n = 1; n < cells.length; n++) row += `,${cells[n]!(transaction) ?? ''}`
  return `${row}\r\n`
}
