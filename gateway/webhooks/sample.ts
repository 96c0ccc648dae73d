import type { EventType } from '../../engine/kernel/public-event.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/**
 * A sample of any event type, marked as a test, in the shape of its family (decisions, sections 18, 20, 27 and 28). Also
 * of what no endpoint creates yet: a receiver can be written before it is. Its ids look real and name nothing.
 */
export const sampleData = (type: EventType, eventId: string, atMs: number): object => ({
  ...dataOf(type, newSample(eventId.slice(4), atMs)),
  test: true,
})

/** A sample as the document shows it: as a real event of the Sandbox. */
export const sampleEvent = (type: EventType): object => {
  const suffix = '01KTRE5Y000000000000000000'
  const atMs = Date.UTC(2026, 5, 9, 14, 30)
  return {
    id: `evt_${suffix}`,
    type,
    environment: 'SANDBOX',
    createdAt: isoInstant(atMs),
    data: dataOf(type, newSample(suffix, atMs)),
  }
}

/** What the parts of a sample have in common. */
type Sample = {
  /** An id of the kind: the ids of one sample end alike. */
  readonly id: (prefix: string) => string
  readonly at: string
  readonly after: (hours: number) => string
  /** The day, and days after it. */
  readonly day: (days: number) => string
}

const newSample = (suffix: string, atMs: number): Sample => ({
  id: (prefix) => `${prefix}_${suffix}`,
  at: isoInstant(atMs),
  after: (hours) => isoInstant(atMs + hours * hourMs),
  day: (days) => isoInstant(atMs + days * 24 * hourMs).slice(0, 10),
})

const hourMs = 3_600_000

const dataOf = (type: EventType, sample: Sample): object => {
  const { id, at, after } = sample
  switch (type) {
    case 'payment.created':
      return { ...payment(sample), status: 'CREATED', version: 1 }
    case 'payment.pending':
      return payment(sample)
    case 'payment.approved':
      return { ...payment(sample), ...approved(sample, 10) }
    case 'payment.failed':
      return { ...payment(sample), status: 'EXPIRED', version: 3, failureReason: 'CHARGE_EXPIRED' }
    case 'payment.refunded':
      return {
        ...payment(sample),
        ...approved(sample, 10),
        status: 'REFUNDED',
        version: 6,
        refundedAmount: amount,
        refundableAmount: '0',
        refund: refund(sample),
      }
    case 'payment.chargeback':
      return {
        ...payment(sample),
        ...approved(sample, 32),
        method: 'CREDIT_CARD',
        product: 'CARD',
        kind: 'CARD',
        status: 'CHARGEBACK',
        version: 4,
        refundableAmount: '0',
        installments: 1,
        pix: null,
        card: {
          brand: 'VISA',
          last4: '4242',
          nsu: '000001',
          tid: '10069930690000000001',
          authorizationCode: '000001',
        },
        chargeback: chargeback(sample),
      }
    case 'boleto.paid':
      return {
        ...payment(sample),
        ...approved(sample, 299),
        method: 'BOLETO',
        product: 'BOLETO',
        kind: 'BOLETO',
        refundableAmount: '0',
        pix: null,
        boleto: {
          digitableLine: '99990000010000000001500000000018514750000001000',
          dueDate: sample.day(1),
          paidAt: at,
          clearedAt: at,
          paidAmount: amount,
          fineAmount: '0',
          interestAmount: '0',
          discountAmount: '0',
        },
      }
    case 'pix.received':
      return {
        id: id('rpx'),
        object: 'received_pix',
        endToEndId,
        txid,
        amount,
        pixKey: '00000000-0000-4000-8000-000000000000',
        payer: { name: 'Pagador de Teste', document: '***.456.789-**', ispb: '00000000' },
        transactionId: id('txn'),
        externalId: null,
        receivedAt: at,
      }
    case 'pix.med_opened':
      return med(sample)
    case 'pix.med_closed':
      return {
        ...med(sample),
        status: 'CLOSED',
        result: 'ACCEPTED',
        returnedAmount: amount,
        closedAt: after(48),
      }
    case 'settlement.processing':
      return settlement(sample)
    case 'settlement.completed':
      return { ...settlement(sample), status: 'COMPLETED', completedAt: at }
    case 'subscription.created':
      return subscription(sample)
    case 'subscription.paid':
      return { ...subscriptionPayment(sample, at), status: 'ACTIVE' }
    case 'subscription.failed':
      return {
        ...subscriptionPayment(sample, null),
        status: 'PAST_DUE',
        failureReason: 'INSUFFICIENT_FUNDS',
        retryable: true,
        attemptNumber: 1,
        nextAttemptAt: after(24),
        final: false,
      }
    case 'crypto.received':
      return { ...cryptoPayment(sample), txHash, confirmations: 12 }
    case 'crypto.expired':
      return cryptoPayment(sample)
    case 'crypto.withdrawal_completed':
      return { id: id('trf'), ...withdrawal, txHash }
    case 'crypto.withdrawal_failed':
      return { id: id('trf'), ...withdrawal, failureReason: 'REFUSED_BY_NETWORK' }
    case 'conversion.completed':
      return { id: id('trf'), ...conversion }
    case 'conversion.failed':
      return { id: id('trf'), ...conversion, toAmount: null, failureReason: 'RATE_EXPIRED' }
    case 'transfer.pending_approval':
      return { ...transfer(sample), status: 'PENDING_APPROVAL', approvals: { required: 2, given: 1 } }
    case 'transfer.scheduled':
      return transfer(sample)
    case 'transfer.completed':
      return { ...transfer(sample), status: 'COMPLETED', endToEndId, completedAt: at }
    case 'transfer.failed':
      return { ...transfer(sample), status: 'FAILED', failureReason: 'REFUSED_BY_BANK' }
  }
}

const amount = '1000'
const txid = '01KTRE5Y000000000000000000pix123'
const endToEndId = 'E00000000202606091430abcdefghijk'
const txHash = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'

/** `data` of payment events (decisions, section 27), of a PIX that is not paid yet. */
const payment = ({ id, at, after }: Sample) => ({
  id: id('txn'),
  object: 'transaction',
  method: 'PIX',
  status: 'PENDING',
  amount,
  externalId: 'order-1001',
  version: 2,
  origin: 'API',
  product: 'PIX',
  kind: 'PIX',
  currency: 'BRL',
  paidAmount: '0',
  refundedAmount: '0',
  refundableAmount: '0',
  feeAmount: '0',
  netAmount: '0',
  installments: null,
  failureReason: null,
  failureDetail: null,
  reference: null,
  customerId: null,
  splitRuleId: null,
  subscriptionId: null,
  invoiceId: null,
  metadata: {},
  createdAt: at,
  updatedAt: at,
  approvedAt: null,
  expiresAt: after(1),
  pix: { txid, endToEndId: null },
  card: null,
  boleto: null,
})

const approved = ({ at }: Sample, fee: number) => ({
  status: 'APPROVED',
  version: 3,
  paidAmount: amount,
  refundableAmount: amount,
  feeAmount: String(fee),
  netAmount: String(Number(amount) - fee),
  approvedAt: at,
  pix: { txid, endToEndId },
})

const refund = ({ id, at }: Sample) => ({
  id: id('rfd'),
  object: 'refund',
  transactionId: id('txn'),
  amount,
  status: 'COMPLETED',
  origin: 'API',
  reason: null,
  failureReason: null,
  feeReversedAmount: '0',
  split: [{ recipientId: null, amount }],
  returnId: `D${endToEndId.slice(1)}`,
  transactionStatus: 'REFUNDED',
  refundableAmount: '0',
  createdAt: at,
  completedAt: at,
  failedAt: null,
})

const chargeback = ({ id, at, after }: Sample) => ({
  id: id('cbk'),
  object: 'chargeback',
  transactionId: id('txn'),
  amount,
  currency: 'BRL',
  brand: 'VISA',
  reasonCode: '10.4',
  reason: 'FRAUD',
  status: 'OPEN',
  lostReason: null,
  openedAt: at,
  defenseDueAt: after(10 * 24),
  defense: null,
  resolvedAt: null,
  createdAt: at,
  updatedAt: at,
})

const med = ({ id, at, after }: Sample) => ({
  id: id('med'),
  object: 'med',
  transactionId: id('txn'),
  endToEndId,
  amount,
  blockedAmount: amount,
  returnedAmount: '0',
  reason: 'FRAUD',
  status: 'OPEN',
  result: null,
  details: null,
  openedAt: at,
  analysisDueAt: after(7 * 24),
  closedAt: null,
  externalId: null,
})

const settlement = ({ id, at, day }: Sample) => ({
  id: id('set'),
  object: 'settlement',
  status: 'PROCESSING',
  method: 'PIX',
  currency: 'BRL',
  grossAmount: amount,
  feeAmount: '10',
  netAmount: '990',
  receivablesCount: 1,
  transactionId: id('txn'),
  date: day(0),
  createdAt: at,
  completedAt: null,
})

const subscription = ({ id, at, after, day }: Sample) => ({
  id: id('sub'),
  object: 'subscription',
  status: 'PENDING',
  planId: id('pln'),
  plan: {
    name: 'Sample',
    amount,
    currency: 'BRL',
    interval: 'MONTH',
    intervalCount: 1,
    trialDays: 0,
    setupFee: '0',
    maxCycles: null,
    methods: ['PIX'],
    splitRuleId: null,
  },
  customerId: id('cus'),
  customer: { name: 'Pagador de Teste', document: null, documentType: null, email: null, phone: null },
  method: 'PIX',
  card: null,
  couponId: null,
  discountCyclesLeft: null,
  startAt: day(0),
  trialEndsAt: null,
  anchorDate: day(0),
  currentPeriodStart: day(0),
  currentPeriodEnd: day(30),
  nextBillingAt: after(27 * 24),
  cyclesBilled: 1,
  cancelAtPeriodEnd: false,
  cancelReason: null,
  cancelledAt: null,
  pausedAt: null,
  scheduledChange: null,
  pendingChange: null,
  creditBalance: '0',
  latestInvoice: { id: id('inv'), status: 'OPEN', totalAmount: amount, dueDate: day(1) },
  metadata: {},
  createdAt: at,
  updatedAt: at,
})

const subscriptionPayment = ({ id, day }: Sample, paidAt: string | null) => ({
  id: id('sub'),
  object: 'subscription',
  planId: id('pln'),
  customerId: id('cus'),
  invoice: {
    id: id('inv'),
    number: 'INV-000001',
    cycle: 1,
    totalAmount: amount,
    periodStart: day(0),
    periodEnd: day(30),
    paidAt,
  },
  transactionId: id('txn'),
  amount,
})

const cryptoPayment = ({ id }: Sample) => ({
  id: id('txn'),
  object: 'crypto_payment',
  transactionId: id('txn'),
  asset: 'USDT',
  network: 'TRON',
  cryptoAmount: '1.85',
  amount,
  txHash: null,
  confirmations: 0,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
})

const withdrawal = {
  object: 'crypto_withdrawal',
  asset: 'USDT',
  network: 'TRON',
  cryptoAmount: '1.85',
  toAddress: 'TJRa…RTv8',
  txHash: null,
  failureReason: null,
}

const conversion = {
  object: 'conversion',
  fromCurrency: 'BRL',
  toCurrency: 'USDT',
  fromAmount: amount,
  toAmount: '185',
  rate: '5.4054',
  failureReason: null,
}

const transfer = ({ id, at, after }: Sample) => ({
  id: id('trf'),
  object: 'transfer',
  kind: 'PIX',
  status: 'SCHEDULED',
  amount,
  currency: 'BRL',
  beneficiary: { name: 'Fornecedor de Teste', document: '***.456.789-**', pixKey: 'teste@example.com' },
  scheduledFor: after(1),
  approvals: { required: 1, given: 1 },
  createdBy: null,
  endToEndId: null,
  failureReason: null,
  createdAt: at,
  completedAt: null,
})
