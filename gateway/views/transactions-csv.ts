import { stringify } from 'csv-stringify/sync'
import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import { providerOf } from '../../engine/payments/provider.ts'
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
  installments: (transaction) => cardOf(transaction)?.installments ?? null,
  externalId: ({ externalId }) => externalId,
  reference: ({ reference }) => reference,
  description: ({ description }) => description,
  customerId: ({ customerId }) => customerId,
  customerName: ({ customer }) => customer?.name ?? null,
  customerDocument: ({ customer }) => customer?.document ?? null,
  customerEmail: ({ customer }) => customer?.email ?? null,
  providerId: ({ method }) => providerOf[method],
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

const cells = Object.values(columns)

/** RFC 4180 with CRLF; a text that a spreadsheet would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const csv = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const

export const csvHead = stringify([Object.keys(columns)], csv)

export const csvRows = (transactions: readonly Transaction[]): string =>
  stringify(
    transactions.map((transaction) => cells.map((cell) => cell(transaction))),
    csv,
  )
