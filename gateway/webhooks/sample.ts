import { isoInstant } from '../../engine/calendar.ts'
import type { EventType } from '../../engine/public-events.ts'

/**
 * A sample of any event type, marked as a test, in the shape of its family (decisions, sections 18, 20, 27 and 28). Also
 * of what no endpoint creates yet: a receiver can be written before it is.
 */
export const sampleData = (type: EventType, eventId: string, atMs: number): object => {
  const id = `sample_${eventId.slice(4)}`
  const at = isoInstant(atMs)
  return { ...shapeOf(type, id, at), id, test: true }
}

const shapeOf = (type: EventType, id: string, at: string): object => {
  switch (type) {
    case 'payment.created':
      return { ...payment(at), status: 'CREATED', version: 1 }
    case 'payment.pending':
      return { ...payment(at), status: 'PENDING', version: 2 }
    case 'payment.approved':
      return { ...payment(at), ...approved(at, 10) }
    case 'payment.failed':
      return { ...payment(at), status: 'EXPIRED', version: 3, failureReason: 'CHARGE_EXPIRED' }
    case 'payment.refunded':
      return {
        ...payment(at),
        ...approved(at, 10),
        status: 'REFUNDED',
        version: 6,
        refundedAmount: amount,
        refundableAmount: '0',
        refund: refund(id, at),
      }
    case 'payment.chargeback':
      return {
        ...payment(at),
        ...approved(at, 32),
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
          tid: '1'.repeat(20),
          authorizationCode: '000001',
        },
        chargeback: chargeback(id, at),
      }
    case 'boleto.paid':
      return {
        ...payment(at),
        ...approved(at, 299),
        method: 'BOLETO',
        product: 'BOLETO',
        kind: 'BOLETO',
        refundableAmount: '0',
        pix: null,
        boleto: {
          digitableLine: '0'.repeat(47),
          dueDate: at.slice(0, 10),
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
        object: 'received_pix',
        endToEndId,
        txid,
        amount,
        pixKey: '00000000-0000-4000-8000-000000000000',
        payer: { name: 'Pagador de Teste', document: '***.456.789-**', ispb: '00000000' },
        transactionId: id,
        externalId: null,
        receivedAt: at,
      }
    case 'pix.med_opened':
      return med(id, at)
    case 'pix.med_closed':
      return { ...med(id, at), status: 'CLOSED', result: 'ACCEPTED', returnedAmount: amount, closedAt: at }
    case 'settlement.processing':
      return settlement(id, at)
    case 'settlement.completed':
      return { ...settlement(id, at), status: 'COMPLETED', completedAt: at }
    case 'subscription.created':
      return subscription(id, at)
    case 'subscription.paid':
      return { ...subscriptionPayment(id, at, at), status: 'ACTIVE' }
    case 'subscription.failed':
      return {
        ...subscriptionPayment(id, at, null),
        status: 'PAST_DUE',
        failureReason: 'INSUFFICIENT_FUNDS',
        retryable: true,
        attemptNumber: 1,
        nextAttemptAt: at,
        final: false,
      }
    case 'crypto.received':
      return { ...cryptoPayment(id), txHash, confirmations: 12 }
    case 'crypto.expired':
      return cryptoPayment(id)
    case 'crypto.withdrawal_completed':
      return { ...withdrawal, txHash }
    case 'crypto.withdrawal_failed':
      return { ...withdrawal, failureReason: 'REFUSED_BY_NETWORK' }
    case 'conversion.completed':
      return conversion
    case 'conversion.failed':
      return { ...conversion, toAmount: null, failureReason: 'RATE_EXPIRED' }
    case 'transfer.pending_approval':
      return { ...transfer(at), status: 'PENDING_APPROVAL', approvals: { required: 2, given: 1 } }
    case 'transfer.scheduled':
      return transfer(at)
    case 'transfer.completed':
      return { ...transfer(at), status: 'COMPLETED', endToEndId, completedAt: at }
    case 'transfer.failed':
      return { ...transfer(at), status: 'FAILED', failureReason: 'REFUSED_BY_BANK' }
  }
}

const amount = '1000'
const txid = 'sample'.padEnd(32, '0')
const endToEndId = `E00000000${'0'.repeat(23)}`
const txHash = `0x${'0'.repeat(64)}`

/** `data` of payment events (decisions, section 27), of a PIX that is not paid yet. */
const payment = (at: string) => ({
  object: 'transaction',
  method: 'PIX',
  status: 'PENDING',
  amount,
  externalId: null,
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
  expiresAt: null,
  pix: { txid, endToEndId: null },
  card: null,
  boleto: null,
})

const approved = (at: string, fee: number) => ({
  status: 'APPROVED',
  version: 3,
  paidAmount: amount,
  refundableAmount: amount,
  feeAmount: String(fee),
  netAmount: String(Number(amount) - fee),
  approvedAt: at,
  pix: { txid, endToEndId },
})

const refund = (transactionId: string, at: string) => ({
  id: 'rfd_sample',
  object: 'refund',
  transactionId,
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

const chargeback = (transactionId: string, at: string) => ({
  id: 'cbk_sample',
  object: 'chargeback',
  transactionId,
  amount,
  currency: 'BRL',
  brand: 'VISA',
  reasonCode: '10.4',
  reason: 'FRAUD',
  status: 'OPEN',
  lostReason: null,
  openedAt: at,
  defenseDueAt: at,
  defense: null,
  resolvedAt: null,
  createdAt: at,
  updatedAt: at,
})

const med = (transactionId: string, at: string) => ({
  object: 'med',
  transactionId,
  endToEndId,
  amount,
  blockedAmount: amount,
  returnedAmount: '0',
  reason: 'FRAUD',
  status: 'OPEN',
  result: null,
  details: null,
  openedAt: at,
  analysisDueAt: at,
  closedAt: null,
  externalId: null,
})

const settlement = (transactionId: string, at: string) => ({
  object: 'settlement',
  status: 'PROCESSING',
  method: 'PIX',
  currency: 'BRL',
  grossAmount: amount,
  feeAmount: '10',
  netAmount: '990',
  receivablesCount: 1,
  transactionId,
  date: at.slice(0, 10),
  createdAt: at,
  completedAt: null,
})

const subscription = (id: string, at: string) => ({
  object: 'subscription',
  status: 'ACTIVE',
  planId: 'pln_sample',
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
  customerId: 'cus_sample',
  customer: { name: 'Pagador de Teste', document: null, documentType: null, email: null, phone: null },
  method: 'PIX',
  card: null,
  couponId: null,
  discountCyclesLeft: null,
  startAt: at.slice(0, 10),
  trialEndsAt: null,
  anchorDate: at.slice(0, 10),
  currentPeriodStart: at.slice(0, 10),
  currentPeriodEnd: at.slice(0, 10),
  nextBillingAt: at,
  cyclesBilled: 1,
  cancelAtPeriodEnd: false,
  cancelReason: null,
  cancelledAt: null,
  pausedAt: null,
  scheduledChange: null,
  pendingChange: null,
  creditBalance: '0',
  latestInvoice: { id, status: 'PAID', totalAmount: amount, dueDate: at.slice(0, 10) },
  metadata: {},
  createdAt: at,
  updatedAt: at,
})

const subscriptionPayment = (transactionId: string, at: string, paidAt: string | null) => ({
  object: 'subscription',
  planId: 'pln_sample',
  customerId: 'cus_sample',
  invoice: {
    id: 'inv_sample',
    number: 'INV-000001',
    cycle: 1,
    totalAmount: amount,
    periodStart: at.slice(0, 10),
    periodEnd: at.slice(0, 10),
    paidAt,
  },
  transactionId,
  amount,
})

const cryptoPayment = (transactionId: string) => ({
  object: 'crypto_payment',
  transactionId,
  asset: 'USDT',
  network: 'TRON',
  cryptoAmount: '1.85',
  amount,
  txHash: null,
  confirmations: 0,
  address: 'T'.padEnd(34, '0'),
})

const withdrawal = {
  object: 'crypto_withdrawal',
  asset: 'USDT',
  network: 'TRON',
  cryptoAmount: '1.85',
  toAddress: 'T000…0000',
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

const transfer = (at: string) => ({
  object: 'transfer',
  kind: 'PIX',
  status: 'SCHEDULED',
  amount,
  currency: 'BRL',
  beneficiary: { name: 'Fornecedor de Teste', document: '***.456.789-**', pixKey: 'teste@example.com' },
  scheduledFor: at,
  approvals: { required: 1, given: 1 },
  createdBy: null,
  endToEndId: null,
  failureReason: null,
  createdAt: at,
  completedAt: null,
})
