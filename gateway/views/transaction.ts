import type { Receivable } from '../../engine/ledger/receivable.ts'
import { disputedCents, refundableCents, refundedCents } from '../../engine/payments/transaction/amounts.ts'
import type { TransactionDetail } from '../../engine/payments/transaction/queries.ts'
import { kindOf, productOf } from '../../engine/payments/transaction/row.ts'
import type {
  Payer,
  TimelineStep,
  Transaction,
  TransactionStatus,
} from '../../engine/payments/transaction/transaction.ts'
import { type CalendarDate, isoInstant } from '../../engine/shared/calendar.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import type { Method, Origin } from '../../engine/shared/method.ts'
import type { Customer } from '../../engine/shared/party.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { qrCodeDataUri } from '../qr-code/draw.ts'
import { boletoPart } from './boleto-part.ts'
import { chargebackView } from './chargeback.ts'
import { refundView } from './refund.ts'
import { splitResultView } from './split.ts'

/** When something is shown: an instant of the company's environment, and its day there. */
export type Today = { readonly date: CalendarDate; readonly nowMs: number }

/**
 * A transaction as the API shows it (decisions, section 9). Amounts are digits in text, times ISO 8601 in UTC. What a
 * boleto costs depends on the day, what can be refunded on the instant.
 */
export const transactionView = (t: Transaction, today: Today) => {
  const { card } = t
  return {
    id: t.id,
    object: 'transaction',
    environment: environmentOf(t.accountId),
    version: t.version,
    method: t.method,
    origin: t.origin,
    product: productOf(t),
    kind: kindOf(t),
    status: t.status as string,
    currency: t.currency,
    amount: String(t.amountCents),
    authorizedAmount: card !== null && card.authorizedAtMs !== null ? String(t.amountCents) : null,
    capturedAmount: maybeCents(card?.capturedCents ?? null),
    paidAmount: String(t.paidCents),
    refundedAmount: String(refundedCents(t)),
    refundableAmount: String(refundableCents(t, today.nowMs)),
    disputedAmount: String(disputedCents(t)),
    feeAmount: String(t.feeCents),
    netAmount: String(t.paidCents - t.feeCents),
    installments: card?.installments ?? null,
    description: t.description,
    reference: t.reference,
    externalId: t.externalId,
    providerId: t.providerId,
    providerReference: providerReferenceOf(t),
    customer: t.customer && customerView(t.customer),
    customerId: t.customerId,
    metadata: t.metadata,
    splitRuleId: t.split?.ruleId ?? null,
    subscriptionId: t.subscriptionId as string | null,
    invoiceId: t.invoiceId as string | null,
    failureReason: t.failureReason,
    failureDetail: t.failureDetail,
    cancelReason: t.cancelReason,
    pix: t.pix && pixView(t, t.pix),
    card: card && cardView(t, card),
    boleto: t.boleto && boletoPart(t, t.boleto, today.date),
    crypto: null,
    createdAt: isoInstant(t.createdAtMs),
    updatedAt: isoInstant(t.updatedAtMs),
    authorizedAt: instant(card?.authorizedAtMs ?? null),
    capturedAt: instant(card?.capturedAtMs ?? null),
    approvedAt: instant(t.approvedAtMs),
    expiresAt: instant(t.expiresAtMs),
    expiredAt: instant(t.expiredAtMs),
    cancelledAt: instant(t.cancelledAtMs),
    failedAt: instant(t.failedAtMs),
  }
}

/** A PIX charge or deposit: the transaction, with what the payer pastes or scans also at the top. */
export const chargeView = (transaction: Transaction, today: Today) =>
  withCode(transactionView(transaction, today))

/** What a payer pastes, and where the same is found as an image: null where there is none. */
export const withCode = <View extends { readonly pix: ReturnType<typeof pixView> | null }>(view: View) =>
  Object.assign(view, { copyPaste: view.pix?.copyPaste ?? null, qrCodeUrl: view.pix?.qrCodeUrl ?? null })

/** The image itself: in the answer that creates a charge, and where it is asked for (decisions, section 10). */
export const qrCodeOf = ({ pix }: Pick<Transaction, 'pix'>): { readonly qrCode: string | null } => {
  const copyPaste = pix?.copyPaste ?? null
  return { qrCode: copyPaste && qrCodeDataUri(copyPaste) }
}

/** Where the image is found: below the routes that show the charge. */
export const qrCodeUrlOf = (id: string, method: Method, origin: Origin): string => {
  if (method === 'BOLETO') return `/v1/boletos/${id}/qr-code`
  return `/v1/pix/${origin === 'DEPOSIT' ? 'deposits' : 'charges'}/${id}/qr-code`
}

/** With the parts that lists leave out. */
export const detailOf = ({ transaction, deliveries, settledAt, nowMs }: TransactionDetail) => ({
  events: transaction.timeline.map((step) => timelineView(transaction.id, step)),
  refunds: transaction.reversals.refunds.map((refund) => refundView(transaction, refund, nowMs)),
  chargebacks: transaction.reversals.chargebacks.map((chargeback) => chargebackView(transaction, chargeback)),
  meds: transaction.reversals.meds.map((med) => medView(transaction, med)),
  split: transaction.split && splitResultView(transaction, transaction.split),
  receivables: transaction.receivables.map((receivable) => {
    const settledAtMs = receivable.settlementId === null ? undefined : settledAt[receivable.settlementId]
    return receivableView(transaction, receivable, settledAtMs ?? null)
  }),
  webhooks: deliveries.map(webhookView),
})

const pixView = (
  transaction: Transaction,
  { txid, copyPaste, keyId, type, dueDate, expiresInSeconds, payment }: NonNullable<Transaction['pix']>,
) => ({
  txid,
  endToEndId: payment?.endToEndId ?? null,
  copyPaste,
  qrCodeUrl: copyPaste && qrCodeUrlOf(transaction.id, transaction.method, transaction.origin),
  keyId,
  type,
  dueDate,
  expiresInSeconds,
  registryStatus: registryStatusOf(transaction.status),
  payer: payment && payerView(payment.payer),
  payerMatchesCustomer: payment?.payerMatchesCustomer ?? null,
  paidAt: instant(payment?.paidAtMs ?? null),
})

const cardView = (transaction: Transaction, card: NonNullable<Transaction['card']>) => {
  const { acquirer } = card
  return {
    brand: card.brand,
    last4: card.last4,
    bin: card.bin,
    holderName: card.holderName,
    tokenFingerprint: card.tokenFingerprint,
    nsu: acquirer?.nsu ?? null,
    tid: acquirer?.tid ?? null,
    authorizationCode: acquirer?.authorizationCode ?? null,
    acquirerReturnCode: acquirer?.returnCode ?? null,
    acquirerMessage: acquirer?.message ?? null,
    authorizedAt: instant(card.authorizedAtMs),
    capturedAt: instant(card.capturedAtMs),
    authorizationExpiresAt: instant(transaction.expiresAtMs),
  }
}

/** The provider's own name of the transaction. */
const providerReferenceOf = ({ pix, card, boleto }: Transaction): string | null => {
  if (boleto !== null) return boleto.numbers?.ourNumber ?? null
  if (card !== null) return card.acquirer?.tid ?? null
  return pix?.txid ?? null
}

/** The status of the central bank's record, which says nothing of expiry (decisions, section 10). */
const registryStatusOf = (status: TransactionStatus): string => {
  switch (status) {
    case 'CREATED':
    case 'PENDING':
    case 'PROCESSING':
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

export const medView = (transaction: Transaction, med: Transaction['reversals']['meds'][number]) => ({
  id: med.id,
  object: 'med',
  transactionId: transaction.id,
  endToEndId: transaction.pix?.payment?.endToEndId ?? null,
  amount: String(med.amountCents),
  blockedAmount: String(med.blockedCents),
  returnedAmount: String(med.returnedCents),
  reason: med.reason,
  status: med.status,
  result: med.result,
  details: med.details,
  openedAt: isoInstant(med.openedAtMs),
  analysisDueAt: isoInstant(med.analysisDueAtMs),
  closedAt: instant(med.closedAtMs),
})

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

/** One that was scheduled is settled since its batch is. */
const receivableView = (transaction: Transaction, receivable: Receivable, batchAtMs: number | null) => {
  const settled = receivable.status === 'SCHEDULED' && batchAtMs !== null
  return {
    id: receivable.id,
    object: 'receivable',
    transactionId: transaction.id,
    installment: receivable.installment,
    installments: receivable.installments,
    recipientId: receivable.recipientId,
    type: receivable.type,
    status: settled ? 'SETTLED' : receivable.status,
    grossAmount: String(receivable.grossCents),
    feeAmount: String(receivable.feeCents),
    netAmount: String(receivable.grossCents - receivable.feeCents),
    expectedOn: receivable.expectedOn,
    settledAt: instant(settled ? batchAtMs : receivable.settledAtMs),
    settlementId: receivable.settlementId,
  }
}

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

const maybeCents = (cents: number | null): string | null => (cents === null ? null : String(cents))
