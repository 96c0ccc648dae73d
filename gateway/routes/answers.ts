import Type from 'typebox'
import { kinds, products } from '../../engine/payments/transaction/row.ts'
import { transactionStatuses } from '../../engine/payments/transaction/transaction.ts'
import { currencies, methods, origins } from '../../engine/shared/method.ts'
import { deliveryStatuses } from '../../engine/webhooks/delivery.ts'
import { described, named } from '../http/named-schema.ts'
import { providerNames } from '../providers/index.ts'
import {
  amountOf,
  anyObject,
  count,
  createdAt,
  date,
  dated,
  documentType,
  flag,
  identity,
  image,
  instant,
  listFields,
  listOf,
  nullable,
  objectName,
  ownMetadata,
  resource,
  text,
  textOf,
  words,
} from './shapes.ts'
import {
  boletoStatus,
  brand,
  chargebackReason,
  chargebackStatus,
  currency,
  environment,
  eventType,
  failureReason,
  kind,
  origin,
  paymentMethod,
  product,
  providerId,
  transactionStatus,
} from './vocabulary.ts'

/** The shapes of answers, as the OpenAPI document shows them. Tests hold every answer they see against them. */

const customerFields = {
  name: textOf('Name of the person or company.'),
  document: described(text, 'CPF or CNPJ without punctuation.'),
  documentType,
  email: described(text, 'The domain in lower case.'),
  phone: described(text, 'With area code, digits only.'),
}
export const customer = named(
  'CustomerData',
  Type.Object(customerFields, { description: 'The payer, as known when the charge was made.' }),
)

const payerFields = {
  name: textOf('Who paid.'),
  document: described(text, 'CPF or CNPJ without punctuation.'),
  documentType,
  ispb: textOf('ISPB of the payer’s bank, eight digits.'),
  bankName: described(text, 'The payer’s bank.'),
}
export const payer = named(
  'PixPayer',
  Type.Object(payerFields, { description: 'Who paid, as the payer’s bank says.' }),
)

const txid = Type.String({
  pattern: '^[a-zA-Z0-9]{26,35}$',
  description: 'The charge’s id in the PIX arrangement.',
})
const endToEndId = nullable(textOf('Id of the payment between banks; null before it is paid.'))

export const pix = named(
  'Pix',
  Type.Object(
    {
      txid: nullable(txid),
      endToEndId,
      copyPaste: nullable(textOf('The BR Code that the payer pastes into a banking app.')),
      qrCodeUrl: nullable(textOf('Path of the same code as an image.')),
      keyId: textOf('The PIX key that receives it.'),
      type: described(words('IMMEDIATE', 'DUE_DATE'), 'DUE_DATE where a due date was sent.'),
      dueDate: nullable(date, 'The due date that was sent.'),
      expiresInSeconds: nullable(Type.Integer(), 'The time to pay that was sent, or its default.'),
      registryStatus: described(
        words('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'),
        'Status of the central bank’s record. It stays ATIVA when a charge expires.',
      ),
      payer: nullable(payer, 'Null before it is paid.'),
      payerMatchesCustomer: nullable(
        Type.Boolean(),
        'False: somebody with another document than the customer’s paid. The payment counts all the same.',
      ),
      paidAt: nullable(instant, 'When it was paid.'),
    },
    { description: 'The PIX part of a transaction.' },
  ),
)

export const card = named(
  'Card',
  Type.Object(
    {
      brand,
      last4: textOf('Last four digits of the card.'),
      bin: described(text, 'First six or eight digits, where they were sent.'),
      holderName: described(text, 'As printed on the card, where it was sent.'),
      tokenFingerprint: textOf('Equal for equal tokens. The token itself is never shown.'),
      nsu: described(text, 'Number that the acquirer gave the transaction (NSU).'),
      tid: described(text, 'Id of the transaction at the acquirer (TID).'),
      authorizationCode: described(text, 'Code of the issuer’s authorization.'),
      acquirerReturnCode: described(text, 'The acquirer’s answer, as a code of ABECS.'),
      acquirerMessage: described(text, 'The acquirer’s answer in words.'),
      authorizedAt: nullable(instant, 'When the issuer authorized it.'),
      capturedAt: nullable(instant, 'When it was captured.'),
      authorizationExpiresAt: nullable(instant, 'Until when it can be captured: 7 days.'),
    },
    { description: 'The card part of a transaction.' },
  ),
)

export const boletoPart = named(
  'BoletoData',
  Type.Object(
    {
      bankCode: described(text, 'The bank that registered it; 999 in Sandbox.'),
      digitableLine: nullable(
        Type.String({ pattern: '^[0-9]{47}$' }),
        'The 47 digits that the payer types; null where the bank refused to register it.',
      ),
      barcode: nullable(Type.String({ pattern: '^[0-9]{44}$' }), 'The 44 digits of the bar code.'),
      ourNumber: described(text, 'The bank’s number of it (nosso número).'),
      dueDate: described(date, 'Until this day it costs the amount less the discount.'),
      effectiveDueDate: described(date, 'The last day without fine: the due date, or the next business day.'),
      payableUntil: described(date, 'It is written off after this day, 59 days after the due date.'),
      interestBps: count('Interest for 30 days of delay, in basis points.'),
      fineBps: count('Fine for any delay, in basis points.'),
      discountAmount: amountOf('What is taken off until the due date.'),
      instructions: described(text, 'What is printed on it.'),
      payableAmountToday: Type.String({
        pattern: '^[0-9]+$',
        description: 'What it costs today; once it is paid, what was paid. In centavos, as digits.',
      }),
      fineAmount: amountOf('The fine in `payableAmountToday`.'),
      interestAmount: amountOf('The interest in `payableAmountToday`.'),
      daysOverdue: count('Days since the due date, once the fine applies.'),
      paidAt: nullable(instant, 'When the payer paid.'),
      clearedAt: nullable(instant, 'When the money arrived.'),
      pdfUrl: described(text, 'Path of the PDF.'),
    },
    { description: 'The boleto part of a transaction.' },
  ),
)

const failureDetail = named(
  'FailureDetail',
  Type.Object(
    {
      providerCode: nullable(textOf('The code of ABECS for a declined card.')),
      message: textOf('What the provider said.'),
      retryable: flag('Whether the same card may be tried again.'),
    },
    { description: 'What a provider said about a failure.' },
  ),
)

const transactionFields = {
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
  description: described(text, 'As it was sent.'),
  reference: described(text, 'As it was sent.'),
  externalId: described(text, 'Your own identifier of the order. It need not be unique.'),
  providerId,
  providerReference: described(text, 'Its id at the provider: the txid, the TID or the nosso número.'),
  customer: nullable(customer, 'The payer, where one was sent.'),
  customerId: described(text, 'The payer’s entry in your register of customers, `cus_…`.'),
  metadata: ownMetadata,
  splitRuleId: described(text, 'The rule that divides it, `spr_…`.'),
  subscriptionId: described(text, 'The subscription that it collects for, `sub_…`.'),
  invoiceId: described(text, 'The invoice that it collects, `inv_…`.'),
  failureReason: nullable(failureReason, 'Null while it can still be paid, and once it is.'),
  failureDetail: nullable(failureDetail, 'Where a provider said why.'),
  cancelReason: described(text, 'The reason that was sent when it was cancelled.'),
  pix: nullable(pix, 'The PIX part: of PIX charges, and of boletos that can be paid by their QR code.'),
  card: nullable(card, 'The card part: of card payments.'),
  boleto: nullable(boletoPart, 'The boleto part: of boletos.'),
  crypto: nullable(anyObject, 'Always null.'),
  ...dated,
  authorizedAt: nullable(instant, 'When the card was authorized.'),
  capturedAt: nullable(instant, 'When it was captured.'),
  approvedAt: nullable(instant, 'When the payment was confirmed.'),
  expiresAt: nullable(instant, 'Until when it can be paid, or captured.'),
  expiredAt: nullable(instant, 'When it expired.'),
  cancelledAt: nullable(instant, 'When it was cancelled.'),
  failedAt: nullable(instant, 'When it failed or was declined.'),
}

const scannable = {
  copyPaste: nullable(textOf('Same as `pix.copyPaste`.')),
  qrCodeUrl: nullable(textOf('Same as `pix.qrCodeUrl`.')),
  qrCode: Type.Optional(
    nullable(
      image,
      'The code as an image, `data:image/png;base64,…`: in the answer that creates the charge, and with `include=qrCode`.',
    ),
  ),
}

const timelineStep = named(
  'TimelineStep',
  Type.Object(
    {
      id: textOf('The transaction’s id and the version, as `txn_….3`.'),
      type: textOf('What happened.'),
      status: transactionStatus,
      version: count('The transaction’s version from then on.'),
      actor: Type.Object(
        {
          kind: described(
            words('KEY', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR', 'PROVIDER'),
            'KEY: a request. CLOCK: its time came. PROVIDER: a bank or acquirer answered.',
          ),
          id: described(text, 'Which one, where it has an id.'),
        },
        { description: 'Who caused it.' },
      ),
      at: described(instant, 'When it happened.'),
      data: described(anyObject, 'Details of the step: amounts, codes, reasons.'),
    },
    { description: 'One step of a transaction’s history, also of those that no webhook tells.' },
  ),
)

const receivable = named(
  'Receivable',
  Type.Object(
    {
      id: textOf('Its id, `rcv_…`.'),
      object: objectName('receivable'),
      transactionId: textOf('The transaction that it belongs to.'),
      installment: count('Which instalment, from 1.'),
      installments: count('How many there are.'),
      recipientId: described(text, 'Whose it is; null is the company.'),
      type: described(
        words('CREDIT', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL'),
        'CREDIT: money that comes. REFUND, CHARGEBACK: taken back after it had settled. CHARGEBACK_REVERSAL: given back by a won chargeback.',
      ),
      status: described(
        words('SCHEDULED', 'SETTLED', 'SUSPENDED', 'CANCELLED'),
        'SUSPENDED: a chargeback is open. CANCELLED: nothing is left of it.',
      ),
      grossAmount: amountOf('Before the fee.'),
      feeAmount: amountOf('The fee.'),
      netAmount: amountOf('`grossAmount` less `feeAmount`.'),
      expectedOn: described(date, 'The day on which it settles.'),
      settledAt: nullable(instant, 'When it settled.'),
      settlementId: described(text, 'The settlement that it was part of, `set_…`.'),
    },
    { description: 'Money that settles on a day: one for each party and instalment.' },
  ),
)

const webhook = named(
  'WebhookDelivery',
  Type.Object(
    {
      deliveryId: textOf('Id of the delivery, `dlv_…`.'),
      eventId: textOf('Id of the event, `evt_…`.'),
      type: eventType,
      endpointId: textOf('The endpoint, `whk_…`.'),
      status: described(
        words(...deliveryStatuses),
        'EXHAUSTED: twelve attempts failed. CANCELLED: the endpoint is gone.',
      ),
      attempts: count('Attempts made so far.'),
      lastStatusCode: nullable(Type.Integer(), 'What the endpoint answered last; null where it did not.'),
      lastAttemptAt: nullable(instant, 'When the last attempt was made.'),
    },
    { description: 'What became of an event about this transaction at one endpoint.' },
  ),
)

export const refund = named(
  'Refund',
  resource('Money that goes back to the payer, in full or in part.', {
    ...identity('rfd', 'refund'),
    transactionId: textOf('The transaction that it belongs to.'),
    amount: amountOf('What is given back.'),
    status: described(
      words('PROCESSING', 'COMPLETED', 'FAILED'),
      'PROCESSING: the amount is reserved, and the bank or acquirer has not confirmed yet.',
    ),
    origin: described(words('API', 'DASHBOARD', 'CARD_CANCEL', 'MED'), 'What asked for it.'),
    reason: described(text, 'As it was sent.'),
    failureReason: nullable(words('REFUSED_BY_PROVIDER', 'DISPUTE_OPENED'), 'Why it FAILED.'),
    feeReversedAmount: amountOf('What of the fee comes back.'),
    split: listOf(
      Type.Object({
        recipientId: described(text, 'Null is the company.'),
        amount: amountOf('Its part.'),
      }),
      'What each party gives back.',
    ),
    returnId: nullable(textOf('Id under which a PIX travels back.')),
    transactionStatus,
    refundableAmount: amountOf('What can still be refunded.'),
    createdAt,
    completedAt: nullable(instant, 'When the bank or acquirer confirmed it.'),
    failedAt: nullable(instant, 'When the bank or acquirer refused it.'),
  }),
)

export const chargeback = named(
  'Chargeback',
  resource('The holder of a card contests a payment.', {
    ...identity('cbk', 'chargeback'),
    transactionId: textOf('The transaction that it belongs to.'),
    amount: amountOf('What is contested.'),
    currency,
    brand,
    reasonCode: textOf('The network’s own code.'),
    reason: chargebackReason,
    status: chargebackStatus,
    lostReason: nullable(words('NO_DEFENSE', 'DEFENSE_REJECTED'), 'Why it is LOST.'),
    openedAt: described(instant, 'When the issuer opened it.'),
    defenseDueAt: described(instant, 'Until when a defense can be sent: 10 days, to the end of the day.'),
    defense: nullable(
      Type.Object({ text: textOf('As it was sent.'), submittedAt: described(instant, 'When it happened.') }),
      'The defense, once it was sent.',
    ),
    resolvedAt: nullable(instant, 'When it was won or lost.'),
    ...dated,
  }),
)

export const medFields = {
  ...identity('med', 'med'),
  transactionId: textOf('The transaction that it belongs to.'),
  endToEndId,
  amount: amountOf('What is contested.'),
  blockedAmount: amountOf('What is blocked meanwhile.'),
  returnedAmount: amountOf('What was returned.'),
  reason: described(words('FRAUD', 'OPERATIONAL_FAILURE'), 'Why the payer’s bank contests it.'),
  status: described(words('OPEN', 'CLOSED'), 'OPEN: it is being analysed.'),
  result: nullable(words('ACCEPTED', 'REJECTED', 'CANCELLED'), 'ACCEPTED: the money went back.'),
  details: described(text, 'What the payer’s bank says.'),
  openedAt: described(instant, 'When it was opened.'),
  analysisDueAt: described(instant, 'Without a decision until then it is accepted: 7 days.'),
  closedAt: nullable(instant, 'When it was decided.'),
}
export const med = named(
  'Med',
  Type.Object(medFields, {
    description:
      'The payer’s bank contests a PIX (Mecanismo Especial de Devolução). It opens and closes without you.',
  }),
)

const splitResult = named(
  'SplitResult',
  Type.Object(
    {
      ruleId: textOf('The rule, as it was when the charge was made.'),
      parties: listOf(
        Type.Object({
          recipientId: nullable(textOf('Null is the company.')),
          percentBps: nullable(Type.Integer(), 'Part of the gross amount, in basis points.'),
          fixedAmount: nullable(amountOf('Fixed part.')),
          grossAmount: nullable(amountOf('Part of the payment; null before it is paid.')),
          feeAmount: nullable(amountOf('Part of the fee.')),
          netAmount: nullable(amountOf('`grossAmount` less `feeAmount`.')),
          reversedAmount: nullable(amountOf('What of the gross amount was taken back, or is disputed.')),
        }),
        'Everybody who gets a part.',
      ),
    },
    { description: 'How a payment is divided.' },
  ),
)

const detailFields = {
  events: listOf(timelineStep, 'Its whole history, oldest first.'),
  refunds: listOf(refund, 'Its refunds.'),
  chargebacks: listOf(chargeback, 'Its chargebacks.'),
  meds: listOf(med, 'Its MEDs.'),
  split: nullable(splitResult, 'How it is divided, where a rule was named.'),
  receivables: listOf(receivable, 'When its money settles, for each party.'),
  webhooks: listOf(webhook, 'What became of the events about it.'),
}

const pixFields = { ...transactionFields, pix, ...scannable }
export const pixCharge = named(
  'PixCharge',
  resource('A PIX charge: a transaction, with the QR code that the payer pays.', pixFields),
)
export const pixChargeDetail = named(
  'PixChargeDetail',
  resource('A PIX charge with its history.', { ...pixFields, ...detailFields }),
)
export const pixDeposit = named(
  'PixDeposit',
  resource('A QR code by which you deposit into your own account.', pixFields),
)
export const pixDepositDetail = named(
  'PixDepositDetail',
  resource('A deposit with its history.', { ...pixFields, ...detailFields }),
)

const cardFields = { ...transactionFields, card }
export const cardPayment = named(
  'CardPayment',
  resource('A card payment: a transaction, with what the acquirer said.', cardFields),
)
export const cardPaymentDetail = named(
  'CardPaymentDetail',
  resource('A card payment with its history.', { ...cardFields, ...detailFields }),
)

const boletoFields = {
  ...transactionFields,
  ...scannable,
  status: boletoStatus,
  transactionStatus,
  boleto: boletoPart,
}
export const boleto = named(
  'Boleto',
  resource('A boleto: a transaction under the status of a boleto.', boletoFields),
)
export const boletoDetail = named(
  'BoletoDetail',
  resource('A boleto with its history.', { ...boletoFields, ...detailFields }),
)

export const transaction = named(
  'Transaction',
  resource('A charge of any kind and what has become of it.', transactionFields),
)
export const transactionDetail = named(
  'TransactionDetail',
  resource('A transaction with its history.', { ...transactionFields, ...detailFields }),
)

export const registeredCustomer = named(
  'Customer',
  resource('An entry of your register of payers.', {
    ...identity('cus', 'customer'),
    ...customerFields,
    externalId: described(text, 'Your own identifier of the customer. It need not be unique.'),
    metadata: ownMetadata,
    ...dated,
  }),
)

export const cardFeeTable = named(
  'CardFeeTable',
  resource('What card payments cost.', {
    object: objectName('card_fee_table'),
    currency: words('BRL'),
    effectiveFrom: described(date, 'Since when it holds.'),
    fees: listOf(
      Type.Object({
        brand,
        type: described(words('CREDIT', 'DEBIT'), 'Kind of card.'),
        installmentsFrom: count('For payments of so many instalments …'),
        installmentsTo: count('… up to so many.'),
        percentBps: count('Part of the captured amount, in basis points.'),
        fixedAmount: amountOf('Added to it.'),
        settlementDays: count(
          'Until the first instalment settles: calendar days for credit, business days for debit.',
        ),
      }),
      'One line for each brand, kind of card and number of instalments.',
    ),
    chargebackFeeAmount: amountOf('What a chargeback costs beside the amount.'),
  }),
)

const receivedPixFields = {
  ...identity('rpx', 'received_pix'),
  endToEndId: textOf('Id of the payment between banks.'),
  txid: nullable(textOf('The charge’s id in the PIX arrangement; null of a PIX without a charge.')),
  amount: amountOf('What arrived.'),
}
const arrival = {
  transactionId: textOf('The transaction that it belongs to.'),
  receivedAt: described(instant, 'When it arrived.'),
}
const pixKeyThatReceived = textOf('The key that received it.')
export const receivedPix = named(
  'ReceivedPix',
  resource('A PIX that arrived.', {
    ...receivedPixFields,
    status: described(words('RECEIVED', 'RETURNED'), 'RETURNED: it went back at once, in full.'),
    returnReason: nullable(
      words('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT'),
      'Why it was RETURNED.',
    ),
    pixKey: pixKeyThatReceived,
    payer,
    description: described(text, 'What the payer wrote.'),
    ...arrival,
  }),
)

export const pixKey = named(
  'PixKey',
  resource('A key to which the company receives.', {
    id: textOf('Its id.'),
    object: objectName('pix_key'),
    type: described(words('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'), 'EVP is a random key.'),
    key: textOf('The key itself.'),
    status: described(words('ACTIVE', 'PENDING', 'INACTIVE'), 'Whether it can receive.'),
    createdAt,
  }),
)

const tally = named(
  'Tally',
  Type.Object(
    { count: count('How many.'), amount: amountOf('What they come to.') },
    { description: 'How many, and what they come to.' },
  ),
)

export const pixOverview = named(
  'PixOverview',
  resource('What PIX came to in a period.', {
    object: objectName('pix_overview'),
    from: described(date, 'First day of the period.'),
    to: described(date, 'Last day of the period.'),
    timezone: textOf('The company’s time zone, in which days are counted.'),
    currency: words('BRL'),
    charges: Type.Object(
      { created: tally, pending: tally, paid: tally, expired: tally, cancelled: tally, failed: tally },
      { description: 'Charges that were created in the period, by what has become of them.' },
    ),
    received: described(tally, 'PIX for charges that arrived in the period.'),
    deposits: described(tally, 'Your own deposits that arrived in the period.'),
    refunds: described(tally, 'Refunds of the period.'),
    returned: described(tally, 'What arrived and went back at once.'),
    med: Type.Object(
      { open: tally, accepted: tally, rejected: tally },
      { description: 'MEDs of the period, by their result.' },
    ),
    feeAmount: amountOf('Fees of what was received.'),
    netAmount: amountOf('What was received, less fees.'),
    averageTicket: amountOf('What a received PIX came to on average.'),
    conversionBps: count('Share of the created charges that were paid, in basis points.'),
    daily: listOf(
      Type.Object({
        date,
        receivedCount: count('How many arrived on this day.'),
        receivedAmount: amountOf('What they came to.'),
      }),
      'Every day of the period.',
    ),
  }),
)

export const clock = named(
  'SandboxClock',
  resource('The clock of the Sandbox environment.', {
    object: objectName('clock'),
    now: described(instant, 'What the environment’s clock shows.'),
    realNow: described(instant, 'What a real clock shows.'),
    offsetSeconds: Type.Number({
      description: 'How far the environment’s clock is ahead of the real one.',
    }),
    status: described(words('IDLE', 'ADVANCING'), 'ADVANCING: jobs that became due are still being done.'),
    target: nullable(instant, 'Where a clock that is ADVANCING will arrive.'),
  }),
)

export const sampleEvent = named(
  'SampleEvent',
  resource('A sample event that was sent.', {
    object: objectName('sample_event'),
    type: eventType,
    test: flag('Always true, as in the event’s `data`.'),
  }),
)

export const sandboxReset = named(
  'SandboxReset',
  resource('The Sandbox has been emptied.', { object: objectName('sandbox'), reset: flag('Always true.') }),
)

const totals = named(
  'TransactionTotals',
  Type.Object(
    {
      currency,
      count: count('How many transactions.'),
      grossAmount: amountOf('Sum of `amount`.'),
      paidAmount: amountOf('Sum of `paidAmount`.'),
      feeAmount: amountOf('Sum of `feeAmount`.'),
      netAmount: amountOf('Sum of `netAmount`.'),
      refundedAmount: amountOf('Sum of `refundedAmount`.'),
      disputedAmount: amountOf('Sum of `disputedAmount`.'),
    },
    { description: 'Sums over all transactions of one currency that fit the filters.' },
  ),
)

export const transactionList = named(
  'TransactionList',
  Type.Object({
    ...listFields(transaction),
    totals: listOf(totals, 'For each currency, over all pages; empty where no transaction fits.'),
  }),
)

const facet = (description: string, ...values: readonly string[]) =>
  listOf(
    Type.Object({
      value: described(words(...values), 'What the filter takes.'),
      label: textOf('The same for people.'),
      count: count('How many transactions have it.'),
    }),
    `${description} Those that occur, most frequent first.`,
  )

export const transactionFacets = named(
  'TransactionFacets',
  resource('The values that the filters of transactions can take.', {
    object: objectName('transaction_facets'),
    settlers: facet('Values of `providerId`.', ...providerNames),
    products: facet('Values of `product`.', ...products),
    methods: facet('Values of `method`.', ...methods),
    origins: facet('Values of `origin`.', ...origins),
    statuses: facet('Values of `status`.', ...transactionStatuses),
    kinds: facet('Values of `kind`.', ...kinds),
    currencies: facet('Currencies of the totals.', ...currencies),
  }),
)
