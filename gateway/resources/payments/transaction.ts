import Type, { type Static } from 'typebox'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import { methodOf } from '../../../engine/payments/methods/index.ts'
import { pixOf, taxWithheldOf } from '../../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import { kindOf, productOf } from '../../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { environmentOf } from '../../../engine/shared/ids.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { cryptoPart } from '../crypto/crypto-part.ts'
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
  datedFields,
  digitsOrNull,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { boletoPart, boletoPriceOn } from './boleto-part.ts'
import { card } from './card-part.ts'
import { detailsFields } from './charge-details.ts'
import { customer, shownCustomer } from './customer.ts'
import { type FiscalPayee, fiscalFields } from './fiscal.ts'
import { pix } from './pix-part.ts'

/** When something is shown, an instant of the company's environment and the date there, and who takes the money. */
export type Today = { readonly date: CalendarDate; readonly nowMs: number; readonly payee: FiscalPayee }

const failureDetail = namedObject('FailureDetail', 'What a provider said about a failure.', {
  providerCode: nullableField(textOf('The code of ABECS for a declined card.')),
  message: textOf('What the provider said.'),
  retryable: booleanOf('Whether the same card may be tried again.'),
})

/**
 * A transaction as the API shows it (decisions, section 9); charges of a method have these fields and some of their own. Amounts are
 * strings of digits, times ISO 8601 in UTC. The price of a boleto depends on the day, and the refundable amount on the instant.
 */
export const transaction = resource<Transaction, [Today]>(
  'Transaction',
  'A charge of any kind in its current state.',
).with({
  ...identityFields('txn', 'transaction'),
  environment: [environment, (t) => environmentOf(t.accountId)],
  version: [Type.Integer({ minimum: 1, description: 'Grows by one at every change.' }), same],
  method: [paymentMethod, same],
  origin: [origin, same],
  product: [product, (t) => productOf(t)],
  kind: [kind, (t) => kindOf(t)],
  status: [transactionStatus, same],
  currency: [currency, same],
  amount: [amountOf('What was asked; it never changes.'), (t) => String(t.amountCents)],
  authorizedAmount: [
    nullableField(amountOf('What the card’s issuer authorized.')),
    (t) => ((cardOf(t)?.authorizedAtMs ?? null) === null ? null : String(t.amountCents)),
  ],
  capturedAmount: [
    nullableField(amountOf('What of it was captured.')),
    (t) => digitsOrNull(cardOf(t)?.capturedCents),
  ],
  paidAmount: [amountOf('What the payer paid.'), (t) => String(t.paidCents)],
  refundedAmount: [amountOf('What was given back.'), (t) => String(refundedCents(t))],
  refundableAmount: [
    amountOf('What a refund that is asked for now could take.'),
    (t, { nowMs }) => String(refundableCents(t, nowMs)),
  ],
  disputedAmount: [amountOf('What open and lost chargebacks hold.'), (t) => String(disputedCents(t))],
  taxesWithheldAmount: [
    amountOf('What of `paidAmount` was withheld as tax, and never arrived. A refund cannot give it back.'),
    (t) => String(taxWithheldOf(t)),
  ],
  feeAmount: [amountOf('What processing it costs.'), (t) => String(t.feeCents)],
  netAmount: [
    amountOf(
      '`paidAmount` less `feeAmount`. Refunds, chargebacks and withheld taxes are not taken off: they are `refundedAmount`, `disputedAmount` and `taxesWithheldAmount`.',
    ),
    (t) => String(t.paidCents - t.feeCents),
  ],
  installments: [
    nullableField(Type.Integer(), 'Instalments of a card payment.'),
    (t) => cardOf(t)?.installments ?? null,
  ],
  ...detailsFields,
  providerId: [providerId, same],
  providerReference: [
    described(nullableText, 'Its id at the provider: the txid, the TID, the nosso número or the address.'),
    (t) => methodOf(t).reference(t.means),
  ],
  customer: [
    nullableField(customer, 'The payer, where one was sent and is not forgotten.'),
    (t) => shownCustomer(t.customer),
  ],
  customerId: [described(nullableText, 'The payer’s entry in your register of customers, `cus_…`.'), same],
  splitRuleId: [
    described(nullableText, 'The rule that divides it, `spr_…`.'),
    (t) => t.split?.ruleId ?? null,
  ],
  subscriptionId: [described(nullableText, 'The subscription that it collects for, `sub_…`.'), same],
  invoiceId: [described(nullableText, 'The invoice that it collects, `inv_…`.'), same],
  failureReason: [nullableField(failureReason, 'Null while it can still be paid, and once it is.'), same],
  failureDetail: [nullableField(failureDetail, 'Where a provider said why.'), same],
  cancelReason: [described(nullableText, 'The reason that was sent when it was cancelled.'), same],
  pix: [
    nullableField(
      pix.schema,
      'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.',
    ),
    (t) => pixOf(t) && pix.view(pixOf(t)!, t),
  ],
  card: [
    nullableField(card.schema, 'The card part: of card payments.'),
    (t) => cardOf(t) && card.view(cardOf(t)!, t),
  ],
  boleto: [
    nullableField(boletoPart.schema, 'The boleto part: of boletos.'),
    (t, { date }) => boletoOf(t) && boletoPart.view(boletoOf(t)!, t, boletoPriceOn(t, date)),
  ],
  crypto: [
    nullableField(cryptoPart.schema, 'The crypto part: of charges in stablecoins.'),
    (t) => cryptoOf(t) && cryptoPart.view(cryptoOf(t)!, t),
  ],
  ...fiscalFields,
  ...datedFields,
  authorizedAt: [
    nullableField(instant, 'When the card was authorized.'),
    (t) => instantOrNull(cardOf(t)?.authorizedAtMs),
  ],
  capturedAt: [
    nullableField(instant, 'When it was captured.'),
    (t) => instantOrNull(cardOf(t)?.capturedAtMs),
  ],
  approvedAt: [
    nullableField(instant, 'When the payment was confirmed.'),
    (t) => instantOrNull(t.approvedAtMs),
  ],
  expiresAt: [
    nullableField(instant, 'Until when it can be paid, or captured.'),
    (t) => instantOrNull(t.expiresAtMs),
  ],
  expiredAt: [nullableField(instant, 'When it expired.'), (t) => instantOrNull(t.expiredAtMs)],
  cancelledAt: [nullableField(instant, 'When it was cancelled.'), (t) => instantOrNull(t.cancelledAtMs)],
  failedAt: [nullableField(instant, 'When it failed or was declined.'), (t) => instantOrNull(t.failedAtMs)],
})

/** A transaction as answers and events show it. */
export type TransactionView = Static<typeof transaction.schema>
