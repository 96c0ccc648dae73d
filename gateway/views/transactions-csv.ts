import { stringify } from 'csv-stringify/sync'
import { disputedCents, refundedCents } from '../../engine/payments/transaction/amounts.ts'
import { kindOf, productOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instant } from './transaction.ts'

/** The columns of an export, in their order (decisions, section 26). */
const columns: Readonly<Record<string, (transaction: Transaction) => string | number | null>> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }) => isoInstant(createdAtMs),
  approvedAt: ({ approvedAtMs }) => instant(approvedAtMs),
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
  installments: ({ card }) => card?.installments ?? null,
  externalId: ({ externalId }) => externalId,
  reference: ({ reference }) => reference,
  description: ({ description }) => description,
  customerId: ({ customerId }) => customerId,
  customerName: ({ customer }) => customer?.name ?? null,
  customerDocument: ({ customer }) => customer?.document ?? null,
  customerEmail: ({ customer }) => customer?.email ?? null,
  providerId: ({ providerId }) => providerId,
  endToEndId: ({ pix }) => pix?.payment?.endToEndId ?? null,
  txid: ({ pix }) => pix?.txid ?? null,
  nsu: ({ card }) => card?.acquirer?.nsu ?? null,
  tid: ({ card }) => card?.acquirer?.tid ?? null,
  authorizationCode: ({ card }) => card?.acquirer?.authorizationCode ?? null,
  cardBrand: ({ card }) => card?.brand ?? null,
  cardLast4: ({ card }) => card?.last4 ?? null,
  boletoOurNumber: ({ boleto }) => boleto?.numbers?.ourNumber ?? null,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  invoiceId: ({ invoiceId }) => invoiceId,
  failureReason: ({ failureReason }) => failureReason,
  splitRuleId: ({ split }) => split?.ruleId ?? null,
}

const cells = Object.values(columns)

/** RFC 4180 with CRLF; a text that a spreadsheet would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const csv = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const

export const csvHead = stringify([Object.keys(columns)], csv)

export const csvRows = (transactions: readonly Transaction[]): string =>
  stringify(
    transactions.map((transaction) => cells.map((cell) => cell(transaction))),
    csv,
  )
