import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../engine/payments/transaction/amounts.ts'
import { kindOf, productOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instantOrNull } from './fields.ts'

/** The columns of an export, in order (decisions, section 26): the fields of `transactionView`, with amounts as numbers. */
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
  externalId: ({ details }) => details.externalId,
  reference: ({ details }) => details.reference,
  description: ({ details }) => details.description,
  customerId: ({ customerId }) => customerId,
  customerName: ({ customer }) => customer?.name ?? null,
  customerDocument: ({ customer }) => customer?.document ?? null,
  customerEmail: ({ customer }) => customer?.email ?? null,
  providerId: ({ providerId }) => providerId,
  endToEndId: (transaction) => pixOf(transaction)?.payment?.endToEndId ?? null,
  txid: (transaction) => pixOf(transaction)?.txid ?? null,
  nsu: (transaction) => cardOf(transaction)?.acquirer?.nsu ?? null,
  tid: (transaction) => cardOf(transaction)?.acquirer?.tid ?? null,
  authorizationCode: (transaction) => cardOf(transaction)?.acquirer?.authorizationCode ?? null,
  cardBrand: (transaction) => cardOf(transaction)?.brand ?? null,
  cardLast4: (transaction) => cardOf(transaction)?.last4 ?? null,
  boletoOurNumber: (transaction) => boletoOf(transaction)?.numbers?.ourNumber ?? null,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  invoiceId: ({ invoiceId }) => invoiceId,
  failureReason: ({ failureReason }) => failureReason,
  splitRuleId: ({ split }) => split?.ruleId ?? null,
}

/** The first line of an export. */
export const csvHead = Buffer.from(`${Object.keys(columns).join()}\r\n`)

/** One line for each transaction, as RFC 4180 says, with CRLF. */
export const csvRows = (transactions: Iterable<Transaction>): string => {
  let rows = ''
  for (const transaction of transactions) rows += rowOf(transaction)
  return rows
}

const cells = Object.values(columns)

const rowOf = (transaction: Transaction): string => {
  let row = cellOf(cells[0]!(transaction))
  for (let n = 1; n < cells.length; n++) row += `,${cellOf(cells[n]!(transaction))}`
  return `${row}\r\n`
}

const cellOf = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  // Nearly every text is plain.
  return isPlain.test(value) ? value : quoted(value)
}

const isPlain = /^(?:[\w.][^",\r\n]*)?$/

/** A text that spreadsheets would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const quoted = (value: string): string => {
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(value) ? `"${text.replaceAll('"', '""')}"` : text
}
