import Type, { type TProperties, type TSchema } from 'typebox'
import type { EventType } from '../../engine/kernel/public-event.ts'
import { described, named } from '../http/named-schema.ts'
import { chargeback, medFields, receivedPix, refund, transaction } from '../routes/answers.ts'
import { invoice, subscriptionEventFields } from '../routes/recurring-answers.ts'
import {
  amountOf,
  count,
  createdAt,
  date,
  flag,
  identity,
  instant,
  nullable,
  objectName,
  text,
  textOf,
  words,
} from '../routes/shapes.ts'
import { splitTransfer } from '../routes/split/answers.ts'
import { brand, environment, failureReason, paymentMethod, subscriptionStatus } from '../routes/vocabulary.ts'

/** The bodies of webhooks, as the OpenAPI document shows them (payments-api, Events; decisions, section 27). */

/** `data` of an event, which says of a sample that it is one. */
const dataOf = (title: string, fields: TProperties, description: string) =>
  named(
    title,
    Type.Object(
      {
        ...fields,
        test: Type.Optional(
          flag('Always true. Only sample events have it, which tell of nothing that happened.'),
        ),
      },
      { description },
    ),
  )

/** Those of a shape that events tell, too. */
const some = (shape: { readonly properties: TProperties }, ...names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, shape.properties[name]!]))

const boletoOfPayment = {
  digitableLine: nullable(
    Type.String({ pattern: '^[0-9]{47}$' }),
    'The 47 digits that the payer types; null where the bank refused to register it.',
  ),
  dueDate: described(date, 'Until this day it costs the amount less the discount.'),
}

const paymentFields = {
  ...some(
    transaction,
    'id',
    'object',
    'method',
    'status',
    'amount',
    'externalId',
    'version',
    'origin',
    'product',
    'kind',
    'currency',
    'paidAmount',
    'refundedAmount',
    'refundableAmount',
    'feeAmount',
    'netAmount',
    'installments',
    'failureReason',
    'failureDetail',
    'reference',
    'customerId',
    'subscriptionId',
    'invoiceId',
    'metadata',
    'splitRuleId',
    'createdAt',
    'updatedAt',
    'approvedAt',
    'expiresAt',
  ),
  pix: nullable(
    Type.Object({
      txid: nullable(textOf('The charge’s id in the PIX arrangement.')),
      endToEndId: nullable(textOf('Id of the payment between banks; null before it is paid.')),
    }),
    'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.',
  ),
  card: nullable(
    Type.Object({
      brand: brand,
      last4: textOf('Last four digits of the card.'),
      nsu: described(text, 'Number that the acquirer gave the transaction (NSU).'),
      tid: described(text, 'Id of the transaction at the acquirer (TID).'),
      authorizationCode: described(text, 'Code of the issuer’s authorization.'),
    }),
    'The card part: of card payments.',
  ),
  boleto: nullable(Type.Object(boletoOfPayment), 'The boleto part: of boletos.'),
}

const payment = dataOf(
  'PaymentEventData',
  paymentFields,
  'The transaction as it was at this event. `amount` is what was asked; what was received is `paidAmount`.',
)

const paymentRefunded = dataOf(
  'PaymentRefundedEventData',
  { ...paymentFields, refund },
  'The transaction as it was at this event, and the refund.',
)

const paymentChargeback = dataOf(
  'PaymentChargebackEventData',
  { ...paymentFields, chargeback },
  'The transaction as it was at this event, and the chargeback: its `status` tells whether it was opened, won or lost.',
)

const boletoPaid = dataOf(
  'BoletoPaidEventData',
  {
    ...paymentFields,
    boleto: Type.Object(
      {
        ...boletoOfPayment,
        paidAt: described(instant, 'When the payer paid.'),
        clearedAt: nullable(instant, 'When the money arrived.'),
        paidAmount: amountOf('What the payer paid.'),
        fineAmount: amountOf('The fine in it.'),
        interestAmount: amountOf('The interest in it.'),
        discountAmount: amountOf('The discount that was agreed.'),
      },
      { description: 'The boleto and its payment.' },
    ),
  },
  'The transaction as it was at this event, and how the boleto was paid.',
)

const pixReceived = dataOf(
  'PixReceivedEventData',
  {
    ...some(receivedPix, 'id', 'object', 'endToEndId', 'txid', 'amount', 'pixKey'),
    payer: Type.Object(
      {
        name: textOf('Who paid.'),
        document: described(text, 'Part of the CPF or CNPJ, as `***.456.789-**`.'),
        ispb: textOf('ISPB of the payer’s bank, eight digits.'),
      },
      { description: 'Who paid, as the payer’s bank says.' },
    ),
    transactionId: receivedPix.properties.transactionId,
    externalId: described(text, 'Your own identifier, where the charge has one.'),
    receivedAt: receivedPix.properties.receivedAt,
  },
  'A PIX that arrived. One that is returned at once is told by no event.',
)

const medEvent = dataOf(
  'MedEventData',
  { ...medFields, externalId: described(text, 'Your own identifier, where the charge has one.') },
  'The payer’s bank contests a PIX (Mecanismo Especial de Devolução).',
)

const settlement = dataOf(
  'SettlementEventData',
  {
    ...identity('set', 'settlement'),
    status: described(words('PROCESSING', 'COMPLETED'), 'COMPLETED: the money is in the balance.'),
    method: paymentMethod,
    currency: words('BRL'),
    grossAmount: amountOf('Before fees.'),
    feeAmount: amountOf('The fees.'),
    netAmount: amountOf('`grossAmount` less `feeAmount`.'),
    receivablesCount: count('How many receivables it settles.'),
    transactionId: described(text, 'The transaction, where it settles a single one: PIX and boleto.'),
    date: described(date, 'The day on which it settles.'),
    createdAt,
    completedAt: nullable(instant, 'When it was completed.'),
  },
  'Receivables whose day has come.',
)

const subscriptionCreated = dataOf(
  'SubscriptionCreatedEventData',
  subscriptionEventFields,
  'The subscription as it was created, before anything was paid.',
)

const outcomeFields = {
  ...identity('sub', 'subscription'),
  status: subscriptionStatus,
  planId: textOf('The plan, `pln_…`.'),
  customerId: textOf('The subscriber, `cus_…`.'),
  invoice: Type.Object(
    {
      ...some(invoice, 'id', 'number', 'cycle', 'totalAmount', 'periodStart', 'periodEnd', 'paidAt'),
    },
    { description: 'The invoice that this is about.' },
  ),
  transactionId: described(text, 'The charge, `txn_…`; null where there was nothing to pay.'),
  amount: amountOf('What was to be collected.'),
}

const subscriptionPaid = dataOf('SubscriptionPaidEventData', outcomeFields, 'An invoice was paid.')

const subscriptionFailed = dataOf(
  'SubscriptionFailedEventData',
  {
    ...outcomeFields,
    failureReason,
    retryable: flag('Whether the same card may be tried again.'),
    attemptNumber: count('Which attempt of its invoice failed, from 1.'),
    nextAttemptAt: nullable(instant, 'When it is tried again by itself; null: it is not.'),
    final: flag('Whether dunning has given up.'),
  },
  'An attempt to collect an invoice failed, and what comes next.',
)

const crypto = { asset: textOf('The stablecoin.'), network: textOf('The network that carries it.') }
const cryptoAmount = textOf('What moved, as a decimal number.')
const txHash = nullable(textOf('The transaction of the network.'))

const cryptoPayment = dataOf(
  'CryptoPaymentEventData',
  {
    ...identity('txn', 'crypto_payment'),
    transactionId: textOf('The transaction, `txn_…`.'),
    ...crypto,
    cryptoAmount,
    amount: amountOf('What was asked.'),
    txHash,
    confirmations: count('Blocks of the network that confirm it.'),
    address: textOf('The address that it was asked to.'),
  },
  'A charge in a stablecoin.',
)

const cryptoWithdrawal = dataOf(
  'CryptoWithdrawalEventData',
  {
    id: textOf('Its id.'),
    object: objectName('crypto_withdrawal'),
    ...crypto,
    cryptoAmount,
    toAddress: textOf('Part of the address that it goes to.'),
    txHash,
    failureReason: described(text, 'Why it failed.'),
  },
  'A stablecoin on its way to a wallet of your own.',
)

const conversion = dataOf(
  'ConversionEventData',
  {
    id: textOf('Its id.'),
    object: objectName('conversion'),
    fromCurrency: textOf('What was given.'),
    toCurrency: textOf('What was bought.'),
    fromAmount: amountOf('What was given.'),
    toAmount: nullable(amountOf('What was bought.')),
    rate: textOf('Units of `fromCurrency` for one of `toCurrency`, as a decimal number.'),
    failureReason: described(text, 'Why it failed.'),
  },
  'A change of reais into a stablecoin, or back.',
)

const splitTransferEvent = dataOf(
  'SplitTransferEventData',
  splitTransfer.properties,
  'A recipient’s part on its way to the bank: `object` is `split_transfer`.',
)

const transfer = dataOf(
  'TransferEventData',
  {
    id: textOf('Its id, `trf_…`.'),
    object: objectName('transfer'),
    kind: described(words('PIX', 'TED'), 'How it is sent.'),
    status: described(
      words('PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'),
      'PENDING_APPROVAL: somebody else has to agree to it.',
    ),
    amount: amountOf('What is sent.'),
    currency: words('BRL'),
    beneficiary: Type.Object(
      {
        name: textOf('Who gets it.'),
        document: described(text, 'Part of the CPF or CNPJ.'),
        bankCode: Type.Optional(textOf('The bank, of a TED.')),
        pixKey: Type.Optional(textOf('The key, of a PIX.')),
      },
      { description: 'Who gets it.' },
    ),
    scheduledFor: described(instant, 'When it is sent.'),
    approvals: Type.Object(
      { required: count('How many it needs.'), given: count('How many it has.') },
      { description: 'Approvals of people.' },
    ),
    createdBy: described(text, 'Who asked for it.'),
    endToEndId: nullable(textOf('Id of the payment between banks.')),
    failureReason: described(text, 'Why it failed.'),
    createdAt,
    completedAt: nullable(instant, 'When it arrived.'),
  },
  'Money that a person sent from the account: `object` is `transfer`.',
)

const event = (title: string, data: TSchema, ...types: readonly EventType[]) => ({
  types,
  schema: named(
    title,
    Type.Object({
      id: Type.String({
        pattern: '^evt_[0-9A-Z]{26}$',
        description: 'Id of the event: the same at every delivery, so that repeats can be discarded.',
      }),
      type: described(words(...types), 'What happened.'),
      environment,
      createdAt: described(instant, 'When it happened, by the environment’s clock.'),
      data,
    }),
  ),
})

const transferData = Type.Unsafe<unknown>({
  anyOf: [splitTransferEvent, transfer],
  description: 'The transfer as it was at this event.',
})

export const eventShapes = [
  event('PaymentEvent', payment, 'payment.created', 'payment.pending', 'payment.approved', 'payment.failed'),
  event('PaymentRefundedEvent', paymentRefunded, 'payment.refunded'),
  event('PaymentChargebackEvent', paymentChargeback, 'payment.chargeback'),
  event('PixReceivedEvent', pixReceived, 'pix.received'),
  event('MedEvent', medEvent, 'pix.med_opened', 'pix.med_closed'),
  event('BoletoPaidEvent', boletoPaid, 'boleto.paid'),
  event('SubscriptionCreatedEvent', subscriptionCreated, 'subscription.created'),
  event('SubscriptionPaidEvent', subscriptionPaid, 'subscription.paid'),
  event('SubscriptionFailedEvent', subscriptionFailed, 'subscription.failed'),
  event('SettlementEvent', settlement, 'settlement.processing', 'settlement.completed'),
  event(
    'TransferEvent',
    transferData,
    'transfer.scheduled',
    'transfer.pending_approval',
    'transfer.completed',
    'transfer.failed',
  ),
  event('CryptoPaymentEvent', cryptoPayment, 'crypto.received', 'crypto.expired'),
  event('CryptoWithdrawalEvent', cryptoWithdrawal, 'crypto.withdrawal_completed', 'crypto.withdrawal_failed'),
  event('ConversionEvent', conversion, 'conversion.completed', 'conversion.failed'),
] as const

/** What an event's body is. */
export const shapeOfEvent = (type: EventType): TSchema =>
  eventShapes.find(({ types }) => types.includes(type))!.schema

/** What each event says has happened (payments-api, Event types). */
export const eventTexts: Readonly<Record<EventType, string>> = {
  'payment.created':
    'A charge was created, by any method. `data.status` is CREATED; the event that follows at once says what became of it.',
  'payment.pending':
    'A charge waits for its payment. PIX and boleto: it can be paid. Card: it is AUTHORIZED and can be captured, or PROCESSING because the acquirer has not answered.',
  'payment.approved':
    'A payment was confirmed. The goods can be shipped. `data.paidAmount` is what was received.',
  'payment.failed':
    'A charge will not be paid. It was declined, failed, expired or was cancelled: `data.status` and `data.failureReason` say which.',
  'payment.refunded':
    'A refund was completed, in full or in part: `data.refund`. `data.status` is REFUNDED or PARTIALLY_REFUNDED.',
  'payment.chargeback':
    'A chargeback was opened, won or lost. `data.chargeback.status` says which: OPEN, WON or LOST.',
  'pix.received':
    'A PIX arrived, for a charge, a deposit, or to the key without either. It comes before `payment.approved`.',
  'pix.med_opened':
    'The payer’s bank contests a PIX. The contested amount is blocked until it is decided, at most 7 days.',
  'pix.med_closed':
    'A contested PIX was decided. `data.result` says how. ACCEPTED: `data.returnedAmount` went back, and `payment.refunded` follows.',
  'boleto.paid':
    'A boleto cleared. `data.boleto` says what was paid, fine and interest included. `payment.approved` follows.',
  'subscription.created':
    'A subscription was created. Whether its first invoice is paid is told by the events that follow.',
  'subscription.paid':
    'An invoice of a subscription was paid. Where there was nothing to pay `data.amount` is "0".',
  'subscription.failed':
    'An invoice of a subscription was not paid. An attempt failed. `data.nextAttemptAt` says when it is tried again; with `data.final` it is not any more.',
  'settlement.processing': 'A settlement has begun. Receivables whose day has come are put into the balance.',
  'settlement.completed': 'A settlement is completed. `data.netAmount` is in the balance.',
  'crypto.received': 'A stablecoin arrived. The network has confirmed it. `payment.approved` follows.',
  'crypto.expired': 'A charge in a stablecoin expired. Nothing arrived in time. `payment.failed` follows.',
  'crypto.withdrawal_completed': 'A stablecoin was sent to your wallet. The network has confirmed it.',
  'crypto.withdrawal_failed':
    'A stablecoin could not be sent. The network refused or dropped it, and it is in the account again.',
  'conversion.completed': 'A conversion is completed. Reais became a stablecoin, or the other way round.',
  'conversion.failed': 'A conversion was not completed. Nothing was changed: `data.failureReason` says why.',
  'transfer.scheduled':
    'A transfer is scheduled, to a recipient of splits (`data.object` is `split_transfer`) or by a person (`transfer`).',
  'transfer.pending_approval': 'A transfer waits for approval. Another person has to agree to it.',
  'transfer.completed': 'A transfer is completed. The bank has confirmed it.',
  'transfer.failed':
    'A transfer failed. The bank refused it. Of a split it is tried again on the next business days.',
}
