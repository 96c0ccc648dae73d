import { isoInstant } from '../../engine/calendar.ts'
import type { Delivery } from '../../engine/delivery/delivery.ts'
import { environmentOf } from '../../engine/ids.ts'
import type { TransactionDetail } from '../../engine/queries.ts'
import type {
  Customer,
  Payer,
  Receivable,
  TimelineStep,
  Transaction,
  TransactionStatus,
} from '../../engine/transaction/transaction.ts'
import { brCodeImage } from '../qr-code/image.ts'

/** A transaction as the API shows it (decisions, section 9). Amounts are digits in text, times ISO 8601 in UTC. */
export const transactionView = (transaction: Transaction) => {
  const t = transaction
  const refundable = t.status === 'APPROVED' || t.status === 'PARTIALLY_REFUNDED' ? t.paidCents : 0
  return {
    id: t.id,
    object: 'transaction',
    environment: environmentOf(t.accountId),
    version: t.version,
    method: t.method,
    origin: t.origin,
    product: 'PIX',
    kind: t.origin === 'DEPOSIT' ? 'DEPOSIT' : 'PIX',
    status: t.status,
    currency: 'BRL',
    amount: String(t.amountCents),
    authorizedAmount: null,
    capturedAmount: null,
    paidAmount: String(t.paidCents),
    refundedAmount: '0',
    refundableAmount: String(refundable),
    disputedAmount: '0',
    feeAmount: String(t.feeCents),
    netAmount: String(t.paidCents - t.feeCents),
    installments: null,
    description: t.description,
    reference: t.reference,
    externalId: t.externalId,
    providerId: 'sandbox-psp',
    providerReference: t.pix.txid,
    customer: t.customer && customerView(t.customer),
    customerId: null,
    metadata: t.metadata,
    splitRuleId: null,
    subscriptionId: null,
    invoiceId: null,
    failureReason: t.failureReason,
    failureDetail: null,
    cancelReason: t.cancelReason,
    pix: pixView(t),
    createdAt: isoInstant(t.createdAtMs),
    updatedAt: isoInstant(t.updatedAtMs),
    authorizedAt: null,
    capturedAt: null,
    approvedAt: instant(t.approvedAtMs),
    expiresAt: instant(t.expiresAtMs),
    expiredAt: instant(t.expiredAtMs),
    cancelledAt: instant(t.cancelledAtMs),
    failedAt: instant(t.failedAtMs),
  }
}

/** A PIX charge or deposit: the transaction, with what the payer scans also at the top. */
export const chargeView = (transaction: Transaction) => {
  const view = transactionView(transaction)
  return Object.assign(view, { copyPaste: view.pix.copyPaste, qrCode: view.pix.qrCode })
}

/** With the parts that lists leave out. */
export const detailOf = ({ transaction, deliveries }: TransactionDetail) => ({
  events: transaction.timeline.map((step) => timelineView(transaction.id, step)),
  refunds: [],
  chargebacks: [],
  meds: [],
  split: null,
  receivables: transaction.receivables.map((receivable) => receivableView(transaction, receivable)),
  webhooks: deliveries.map(webhookView),
})

const pixView = (transaction: Transaction) => {
  const { txid, copyPaste, keyId, type, dueDate, expiresInSeconds, payment } = transaction.pix
  return {
    txid,
    endToEndId: payment?.endToEndId ?? null,
    copyPaste,
    qrCode: copyPaste && brCodeImage(copyPaste),
    keyId,
    type,
    dueDate,
    expiresInSeconds,
    registryStatus: registryStatusOf(transaction.status),
    payer: payment && payerView(payment.payer),
    payerMatchesCustomer: payment?.payerMatchesCustomer ?? null,
    paidAt: instant(payment?.paidAtMs ?? null),
  }
}

/** The status of the central bank's record, which says nothing of expiry (decisions, section 10). */
const registryStatusOf = (status: TransactionStatus): string => {
  switch (status) {
    case 'CREATED':
    case 'PENDING':
    case 'EXPIRED':
      return 'ATIVA'
    case 'CANCELLED':
      return 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
    case 'FAILED':
      return 'REMOVIDA_PELO_PSP'
    default:
      return 'CONCLUIDA'
  }
}

export const customerView = ({ name, document, documentType, email, phone }: Customer) => ({
  name,
  document,
  documentType,
  email,
  phone,
})

export const payerView = ({ name, document, documentType, ispb, bankName }: Payer) => ({
  name,
  document,
  documentType,
  ispb,
  bankName,
})

const timelineView = (transactionId: string, step: TimelineStep) => ({
  id: `${transactionId}.${step.version}`,
  type: step.type,
  status: step.status,
  version: step.version,
  actor: step.actor,
  at: isoInstant(step.atMs),
  data: step.data,
})

const receivableView = (transaction: Transaction, receivable: Receivable) => ({
  id: receivable.id,
  object: 'receivable',
  transactionId: transaction.id,
  installment: receivable.installment,
  installments: receivable.installments,
  recipientId: null,
  type: 'CREDIT',
  status: receivable.status,
  grossAmount: String(receivable.grossCents),
  feeAmount: String(receivable.feeCents),
  netAmount: String(receivable.grossCents - receivable.feeCents),
  expectedOn: receivable.expectedOn,
  settledAt: instant(receivable.settledAtMs),
  settlementId: receivable.settlementId,
})

const webhookView = (delivery: Delivery) => {
  const last = delivery.attempts.at(-1)
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    type: delivery.eventType,
    endpointId: delivery.endpointId,
    status: delivery.status,
    attempts: delivery.attempts.length,
    lastStatusCode: last?.statusCode ?? null,
    lastAttemptAt: instant(last?.startedAtMs ?? null),
  }
}

export const instant = (atMs: number | null): string | null => (atMs === null ? null : isoInstant(atMs))
