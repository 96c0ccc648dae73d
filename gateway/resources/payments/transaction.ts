import Type, { type Static } from 'typebox'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import { methodOf } from '../../../engine/payments/methods/index.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import { kindOf, productOf } from '../../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../../engine/shared/calendar.ts'
import { environmentOf } from '../../../engine/shared/ids.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { cryptoPart, cryptoPartView } from '../crypto/crypto-part.ts'
import {
  currency,
  environment,
  failureReason,
  kind,
  origin,
  paymentMethod,
  product,
  providerId,
  transactionStatus,
} from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  dated,
  digitsOrNull,
  identity,
  instant,
  instantOrNull,
  nullable,
  text,
  textOf,
} from '../fields.ts'
import { boletoPart, boletoPartView } from './boleto-part.ts'
import { card, cardView } from './card-part.ts'
import { detailsFields, detailsView } from './charge-details.ts'
import { customer } from './customer.ts'
import { pix, pixView } from './pix-part.ts'

/** When something is shown: an instant of the company's environment, and the date there. */
export type Today = { readonly date: CalendarDate; readonly nowMs: number }

const failureDetail = namedObject('FailureDetail', 'What a provider said about a failure.', {
  providerCode: nullable(textOf('The code of ABECS for a declined card.')),
  message: textOf('What the provider said.'),
  retryable: booleanOf('Whether the same card may be tried again.'),
})

/** A transaction as the API shows it (decisions, section 9). Charges of a method have these fields and some of their own. */
export const transaction = namedObject('Transaction', 'A charge of any kind in its current state.', {
  ...identity('txn', 'transaction'),
  environment,
  version: Type.Integer({ minimum: 1, description: 'Grows by one at every change.' }),
  method: paymentMethod,
  origin,
  product,
  kind,
  status: transactionStatus,
  currency,
  amount: amountOf('What was asked; it never changes.'),
  authorizedAmount: nullable(amountOf('What the card’s issuer authorized.')),
  capturedAmount: nullable(amountOf('What of it was captured.')),
  paidAmount: amountOf('What the payer paid.'),
  refundedAmount: amountOf('What was given back.'),
  refundableAmount: amountOf('What a refund that is asked for now could take.'),
  disputedAmount: amountOf('What open and lost chargebacks hold.'),
  feeAmount: amountOf('What processing it costs.'),
  netAmount: amountOf('`paidAmount` less `feeAmount`.'),
  installments: nullable(Type.Integer(), 'Instalments of a card payment.'),
  ...detailsFields,
  providerId,
  providerReference: described(
    text,
    'Its id at the provider: the txid, the TID, the nosso número or the address.',
  ),
  customer: nullable(customer, 'The payer, where one was sent.'),
  customerId: described(text, 'The payer’s entry in your register of customers, `cus_…`.'),
  splitRuleId: described(text, 'The rule that divides it, `spr_…`.'),
  subscriptionId: described(text, 'The subscription that it collects for, `sub_…`.'),
  invoiceId: described(text, 'The invoice that it collects, `inv_…`.'),
  failureReason: nullable(failureReason, 'Null while it can still be paid, and once it is.'),
  failureDetail: nullable(failureDetail, 'Where a provider said why.'),
  cancelReason: described(text, 'The reason that was sent when it was cancelled.'),
  pix: nullable(pix, 'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.'),
  card: nullable(card, 'The card part: of card payments.'),
  boleto: nullable(boletoPart, 'The boleto part: of boletos.'),
  crypto: nullable(cryptoPart, 'The crypto part: of charges in stablecoins.'),
  ...dated,
  authorizedAt: nullable(instant, 'When the card was authorized.'),
  capturedAt: nullable(instant, 'When it was captured.'),
  approvedAt: nullable(instant, 'When the payment was confirmed.'),
  expiresAt: nullable(instant, 'Until when it can be paid, or captured.'),
  expiredAt: nullable(instant, 'When it expired.'),
  cancelledAt: nullable(instant, 'When it was cancelled.'),
  failedAt: nullable(instant, 'When it failed or was declined.'),
})

/** A transaction as answers and events show it. */
export type TransactionView = Static<typeof transaction>

/**
 * Shows a transaction. Amounts are strings of digits, times ISO 8601 in UTC. The price of a boleto depends on the day, and the
 * refundable amount on the instant.
 */
export const transactionView = (t: Transaction, today: Today): TransactionView => {
  const pix = pixOf(t)
  const card = cardOf(t)
  const boleto = boletoOf(t)
  const crypto = cryptoOf(t)
  return {
    id: t.id,
    object: 'transaction',
    environment: environmentOf(t.accountId),
    version: t.version,
    method: t.method,
    origin: t.origin,
    product: productOf(t),
    kind: kindOf(t),
    status: t.status,
    currency: t.currency,
    amount: String(t.amountCents),
    authorizedAmount: card !== null && card.authorizedAtMs !== null ? String(t.amountCents) : null,
    capturedAmount: digitsOrNull(card?.capturedCents ?? null),
    paidAmount: String(t.paidCents),
    refundedAmount: String(refundedCents(t)),
    refundableAmount: String(refundableCents(t, today.nowMs)),
    disputedAmount: String(disputedCents(t)),
    feeAmount: String(t.feeCents),
    netAmount: String(t.paidCents - t.feeCents),
    installments: card?.installments ?? null,
    providerId: t.providerId,
    providerReference: methodOf(t).reference(t.means),
    customer: t.customer,
    customerId: t.customerId,
    splitRuleId: t.split?.ruleId ?? null,
    subscriptionId: t.subscriptionId,
    invoiceId: t.invoiceId,
    failureReason: t.failureReason,
    failureDetail: t.failureDetail,
    cancelReason: t.cancelReason,
    pix: pix && pixView(t, pix),
    card: card && cardView(t, card),
    boleto: boleto && boletoPartView(t, boleto, today.date),
    crypto: crypto && cryptoPartView(t, crypto),
    createdAt: isoInstant(t.createdAtMs),
    updatedAt: isoInstant(t.updatedAtMs),
    authorizedAt: instantOrNull(card?.authorizedAtMs ?? null),
    capturedAt: instantOrNull(card?.capturedAtMs ?? null),
    approvedAt: instantOrNull(t.approvedAtMs),
    expiresAt: instantOrNull(t.expiresAtMs),
    expiredAt: instantOrNull(t.expiredAtMs),
    cancelledAt: instantOrNull(t.cancelledAtMs),
    failedAt: instantOrNull(t.failedAtMs),
    ...detailsView(t.details),
  }
}
