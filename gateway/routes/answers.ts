import Type from 'typebox'
import { deliveryStatuses } from '../../engine/delivery/delivery.ts'
import { brands } from '../../engine/methods/card/fees.ts'
import { providerIds } from '../../engine/providers.ts'
import { kinds, products } from '../../engine/transaction/row.ts'
import {
  chargebackReasons,
  currencies,
  methods,
  origins,
  transactionStatuses,
} from '../../engine/transaction/transaction.ts'
import { boletoStatuses } from '../views/boleto.ts'
import {
  anyObject,
  anyText,
  cents,
  date,
  dated,
  documentType,
  identity,
  image,
  instant,
  listOf,
  listOfRows,
  maybeInstant,
  nullable,
  text,
  words,
} from './shapes.ts'

/** The shapes of answers, as the OpenAPI document shows them. A contract test holds real answers against them. */

const customerFields = { name: anyText, document: text, documentType, email: text, phone: text }
export const customer = Type.Object(customerFields)

const payer = Type.Object({
  name: anyText,
  document: text,
  documentType,
  ispb: anyText,
  bankName: text,
})

const pix = Type.Object({
  txid: nullable(Type.String({ pattern: '^[a-zA-Z0-9]{26,35}$' })),
  endToEndId: text,
  copyPaste: nullable(anyText, 'The BR Code that the payer pastes into a banking app.'),
  qrCodeUrl: nullable(anyText, 'Where the same code is found as an image.'),
  keyId: anyText,
  type: words('IMMEDIATE', 'DUE_DATE'),
  dueDate: nullable(date),
  expiresInSeconds: nullable(Type.Integer()),
  registryStatus: words('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'),
  payer: nullable(payer),
  payerMatchesCustomer: nullable(Type.Boolean()),
  paidAt: maybeInstant,
})

const card = Type.Object({
  brand: words(...brands),
  last4: anyText,
  bin: text,
  holderName: text,
  tokenFingerprint: Type.String({ description: 'Equal for equal tokens. The token itself is never shown.' }),
  nsu: text,
  tid: text,
  authorizationCode: text,
  acquirerReturnCode: text,
  acquirerMessage: text,
  authorizedAt: maybeInstant,
  capturedAt: maybeInstant,
  authorizationExpiresAt: maybeInstant,
})

const boletoPart = Type.Object({
  bankCode: text,
  digitableLine: nullable(Type.String({ pattern: '^[0-9]{47}$' }), 'What the payer types.'),
  barcode: nullable(Type.String({ pattern: '^[0-9]{44}$' })),
  ourNumber: nullable(anyText, 'Nosso numero.'),
  dueDate: date,
  effectiveDueDate: Type.String({
    format: 'date',
    description: 'The last day without fine: the due date, or the next business day.',
  }),
  payableUntil: Type.String({ format: 'date', description: 'It is written off after this day.' }),
  interestBps: Type.Integer(),
  fineBps: Type.Integer(),
  discountAmount: cents,
  instructions: text,
  payableAmountToday: Type.String({
    pattern: '^[0-9]+$',
    description: 'What it costs today; once it is paid, what was paid.',
  }),
  fineAmount: cents,
  interestAmount: cents,
  daysOverdue: Type.Integer(),
  paidAt: maybeInstant,
  clearedAt: maybeInstant,
  pdfUrl: text,
})

const failureDetail = Type.Object({
  providerCode: nullable(anyText, 'The code of ABECS for a declined card.'),
  message: anyText,
  retryable: Type.Boolean(),
})

const transactionFields = {
  ...identity('txn', 'transaction'),
  environment: words('SANDBOX', 'PRODUCTION'),
  version: Type.Integer({ minimum: 1, description: 'Grows by one at every change.' }),
  method: words(...methods),
  origin: words(...origins),
  product: words(...products),
  kind: words(...kinds),
  status: words(...transactionStatuses),
  currency: words(...currencies),
  amount: cents,
  authorizedAmount: nullable(cents),
  capturedAmount: nullable(cents),
  paidAmount: cents,
  refundedAmount: cents,
  refundableAmount: cents,
  disputedAmount: cents,
  feeAmount: cents,
  netAmount: cents,
  installments: nullable(Type.Integer()),
  description: text,
  reference: text,
  externalId: text,
  providerId: words(...providerIds),
  providerReference: text,
  customer: nullable(customer),
  customerId: text,
  metadata: anyObject,
  splitRuleId: text,
  subscriptionId: text,
  invoiceId: text,
  failureReason: text,
  failureDetail: nullable(failureDetail),
  cancelReason: text,
  pix: nullable(pix),
  card: nullable(card),
  boleto: nullable(boletoPart),
  crypto: nullable(anyObject),
  ...dated,
  authorizedAt: maybeInstant,
  capturedAt: maybeInstant,
  approvedAt: maybeInstant,
  expiresAt: maybeInstant,
  expiredAt: maybeInstant,
  cancelledAt: maybeInstant,
  failedAt: maybeInstant,
}

const scannable = {
  copyPaste: nullable(anyText, 'Same as `pix.copyPaste`.'),
  qrCodeUrl: nullable(anyText, 'Same as `pix.qrCodeUrl`.'),
  qrCode: Type.Optional(
    nullable(
      image,
      'The code as an image, `data:image/png;base64,…`: in the answer that creates the charge, and with `include=qrCode`.',
    ),
  ),
}

const timelineStep = Type.Object({
  id: anyText,
  type: anyText,
  status: words(...transactionStatuses),
  version: Type.Integer(),
  actor: Type.Object({ kind: words('KEY', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR', 'PROVIDER'), id: text }),
  at: instant,
  data: anyObject,
})

const receivable = Type.Object({
  id: anyText,
  object: words('receivable'),
  transactionId: anyText,
  installment: Type.Integer(),
  installments: Type.Integer(),
  recipientId: text,
  type: words('CREDIT', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL'),
  status: words('SCHEDULED', 'SETTLED', 'SUSPENDED', 'CANCELLED'),
  grossAmount: cents,
  feeAmount: cents,
  netAmount: cents,
  expectedOn: date,
  settledAt: maybeInstant,
  settlementId: text,
})

const webhook = Type.Object({
  deliveryId: anyText,
  eventId: anyText,
  type: anyText,
  endpointId: anyText,
  status: words(...deliveryStatuses),
  attempts: Type.Integer(),
  lastStatusCode: nullable(Type.Integer()),
  lastAttemptAt: maybeInstant,
})

export const refund = Type.Object({
  ...identity('rfd', 'refund'),
  transactionId: anyText,
  amount: cents,
  status: words('PROCESSING', 'COMPLETED', 'FAILED'),
  origin: words('API', 'DASHBOARD', 'CARD_CANCEL', 'MED'),
  reason: text,
  failureReason: nullable(words('REFUSED_BY_PROVIDER', 'DISPUTE_OPENED')),
  feeReversedAmount: cents,
  split: listOf(Type.Object({ recipientId: text, amount: cents })),
  returnId: nullable(anyText, 'Of a PIX: the id under which the money travels back.'),
  transactionStatus: words(...transactionStatuses),
  refundableAmount: cents,
  createdAt: instant,
  completedAt: maybeInstant,
  failedAt: maybeInstant,
})

export const chargeback = Type.Object({
  ...identity('cbk', 'chargeback'),
  transactionId: anyText,
  amount: cents,
  currency: words(...currencies),
  brand: words(...brands),
  reasonCode: anyText,
  reason: words(...chargebackReasons),
  status: words('OPEN', 'UNDER_REVIEW', 'WON', 'LOST'),
  lostReason: nullable(words('NO_DEFENSE', 'DEFENSE_REJECTED')),
  openedAt: instant,
  defenseDueAt: instant,
  defense: nullable(Type.Object({ text: anyText, submittedAt: instant })),
  resolvedAt: maybeInstant,
  ...dated,
})

export const med = Type.Object({
  ...identity('med', 'med'),
  transactionId: anyText,
  endToEndId: text,
  amount: cents,
  blockedAmount: cents,
  returnedAmount: cents,
  reason: words('FRAUD', 'OPERATIONAL_FAILURE'),
  status: words('OPEN', 'CLOSED'),
  result: nullable(words('ACCEPTED', 'REJECTED', 'CANCELLED')),
  details: text,
  openedAt: instant,
  analysisDueAt: instant,
  closedAt: maybeInstant,
})

const splitResult = Type.Object({
  ruleId: anyText,
  parties: listOf(
    Type.Object({
      recipientId: nullable(anyText, 'Null is the company.'),
      percentBps: nullable(Type.Integer()),
      fixedAmount: nullable(cents),
      grossAmount: nullable(cents, 'Of the payment; null before it is paid.'),
      feeAmount: nullable(cents),
      netAmount: nullable(cents),
      reversedAmount: nullable(cents, 'What of the gross amount was taken back, or is disputed.'),
    }),
  ),
})

const detailFields = {
  events: listOf(timelineStep),
  refunds: listOf(refund),
  chargebacks: listOf(chargeback),
  meds: listOf(med),
  split: nullable(splitResult),
  receivables: listOf(receivable),
  webhooks: listOf(webhook),
}

export const pixCharge = Type.Object({ ...transactionFields, ...scannable })
export const pixChargeDetail = Type.Object({ ...transactionFields, ...scannable, ...detailFields })
export const transactionDetail = Type.Object({ ...transactionFields, ...detailFields })
export const transaction = Type.Object(transactionFields)
const boletoFields = {
  ...transactionFields,
  ...scannable,
  status: words(...boletoStatuses),
  transactionStatus: words(...transactionStatuses),
}
export const boleto = Type.Object(boletoFields)
export const boletoDetail = Type.Object({ ...boletoFields, ...detailFields })

export const registeredCustomer = Type.Object({
  ...identity('cus', 'customer'),
  ...customerFields,
  externalId: text,
  metadata: anyObject,
  ...dated,
})

export const cardFeeTable = Type.Object({
  object: words('card_fee_table'),
  currency: words('BRL'),
  effectiveFrom: date,
  fees: listOf(
    Type.Object({
      brand: words(...brands),
      type: words('CREDIT', 'DEBIT'),
      installmentsFrom: Type.Integer(),
      installmentsTo: Type.Integer(),
      percentBps: Type.Integer(),
      fixedAmount: cents,
      settlementDays: Type.Integer({
        description: 'Until the first instalment settles: calendar days for credit, business days for debit.',
      }),
    }),
  ),
  chargebackFeeAmount: cents,
})

export const receivedPix = Type.Object({
  ...identity('rpx', 'received_pix'),
  endToEndId: anyText,
  txid: text,
  amount: cents,
  status: words('RECEIVED', 'RETURNED'),
  returnReason: nullable(words('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT')),
  pixKey: anyText,
  payer,
  description: text,
  transactionId: anyText,
  receivedAt: instant,
})

export const pixKey = Type.Object({
  id: anyText,
  object: words('pix_key'),
  type: words('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'),
  key: anyText,
  status: words('ACTIVE', 'PENDING', 'INACTIVE'),
  createdAt: instant,
})

const tally = Type.Object({ count: Type.Integer(), amount: cents })

export const pixOverview = Type.Object({
  object: words('pix_overview'),
  from: date,
  to: date,
  timezone: anyText,
  currency: words('BRL'),
  charges: Type.Object({
    created: tally,
    pending: tally,
    paid: tally,
    expired: tally,
    cancelled: tally,
    failed: tally,
  }),
  received: tally,
  deposits: tally,
  refunds: tally,
  returned: tally,
  med: Type.Object({ open: tally, accepted: tally, rejected: tally }),
  feeAmount: cents,
  netAmount: cents,
  averageTicket: cents,
  conversionBps: Type.Integer(),
  daily: listOf(
    Type.Object({
      date: date,
      receivedCount: Type.Integer(),
      receivedAmount: cents,
    }),
  ),
})

export const clock = Type.Object({
  object: words('clock'),
  now: instant,
  realNow: instant,
  offsetSeconds: Type.Number({ description: 'How far the environment clock is ahead of the real one.' }),
  status: words('IDLE', 'ADVANCING'),
  target: nullable(instant, 'Where a clock that is ADVANCING will arrive.'),
})

export const sampleEvent = Type.Object({ object: words('sample_event'), type: anyText, test: Type.Boolean() })
export const sandboxReset = Type.Object({ object: words('sandbox'), reset: Type.Boolean() })

const totals = Type.Object({
  currency: words(...currencies),
  count: Type.Integer(),
  grossAmount: cents,
  paidAmount: cents,
  feeAmount: cents,
  netAmount: cents,
  refundedAmount: cents,
  disputedAmount: cents,
})

export const transactionList = Type.Object({
  ...listOfRows(transaction).properties,
  totals: listOf(totals),
})

const facet = (...values: readonly string[]) =>
  listOf(Type.Object({ value: words(...values), label: anyText, count: Type.Integer() }))

export const transactionFacets = Type.Object({
  object: words('transaction_facets'),
  settlers: facet(...providerIds),
  products: facet(...products),
  methods: facet(...methods),
  origins: facet(...origins),
  statuses: facet(...transactionStatuses),
  kinds: facet(...kinds),
  currencies: facet(...currencies),
})
