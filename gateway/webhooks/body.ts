import { invoiceNumber } from '../../engine/billing/invoice/issue.ts'
import type {
  Subscription,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from '../../engine/billing/subscription/subscription.ts'
import type { EventType, PublicEvent, Subject } from '../../engine/kernel/public-event.ts'
import { digitableLine } from '../../engine/payments/methods/boleto/bar-code.ts'
import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import type { ReceivedPix } from '../../engine/payments/received/received.ts'
import { refundedCents } from '../../engine/payments/transaction/amounts.ts'
import { refundableCents } from '../../engine/payments/transaction/refundable.ts'
import { kindOf, productOf } from '../../engine/payments/transaction/row.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import { chargebackView } from '../views/chargeback.ts'
import { refundView } from '../views/refund.ts'
import { splitTransferView } from '../views/split.ts'
import { subscriptionData } from '../views/subscription.ts'
import { instant, medView } from '../views/transaction.ts'
import { sampleData } from './sample.ts'

/** The bytes of an event (payments-api, Events, Delivery). Rendered once: every attempt sends and signs these. */
export const eventBody = (event: PublicEvent, environment: Environment): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: event.id,
      type: event.type,
      environment,
      createdAt: isoInstant(event.atMs),
      data: dataOf(event),
    }),
  )

/** What the event tells of: its first attempts at one endpoint go out in event order. */
export const objectIdOf = (subject: Subject): string => {
  switch (subject.object) {
    case 'transaction':
    case 'med':
      return subject.transaction.id
    case 'received_pix':
      return subject.received.transactionId
    case 'settlement':
      return subject.settlement.transactionId ?? subject.settlement.id
    case 'split_transfer':
      return subject.transfer.transactionId
    case 'sample':
      return subject.account.id
    case 'subscription':
      return subject.subscription.id
  }
}

const dataOf = ({ type, subject, id, atMs }: PublicEvent): object => {
  switch (subject.object) {
    case 'transaction':
      return paymentEventData(type, subject.transaction, subject.partId)
    case 'med': {
      const { transaction, medId } = subject
      const med = transaction.reversals.meds.find(({ id }) => id === medId)!
      return { ...medView(transaction, med), externalId: transaction.externalId }
    }
    case 'received_pix':
      return receivedData(subject.received)
    case 'settlement': {
      const { settlement, completed } = subject
      return {
        id: settlement.id,
        object: 'settlement',
        status: completed ? 'COMPLETED' : 'PROCESSING',
        method: settlement.method,
        currency: 'BRL',
        grossAmount: String(settlement.grossCents),
        feeAmount: String(settlement.feeCents),
        netAmount: String(settlement.grossCents - settlement.feeCents),
        receivablesCount: settlement.receivablesCount,
        transactionId: settlement.transactionId,
        date: settlement.date,
        createdAt: isoInstant(settlement.createdAtMs),
        completedAt: completed ? isoInstant(settlement.completedAtMs) : null,
      }
    }
    case 'split_transfer':
      return splitTransferView(subject.transfer)
    case 'sample':
      return sampleData(type, id, atMs)
    case 'subscription':
      return subject.outcome === null
        ? subscriptionData(subject.subscription)
        : outcomeData(subject.subscription, subject.outcome)
  }
}

/** With the refund or chargeback that the event tells of; a boleto's payment where it tells of that. */
const paymentEventData = (type: EventType, transaction: Transaction, partId: string | null) => {
  const { refunds, chargebacks } = transaction.reversals
  const refund = refunds.find(({ id }) => id === partId)
  if (refund !== undefined)
    return {
      ...paymentData(transaction),
      refund: refundView(transaction, refund, transaction.updatedAtMs),
    }
  const chargeback = chargebacks.find(({ id }) => id === partId)
  if (chargeback !== undefined)
    return { ...paymentData(transaction), chargeback: chargebackView(transaction, chargeback) }
  return type === 'boleto.paid' ? boletoPaidData(transaction) : paymentData(transaction)
}

/** `data` of payment events (decisions, section 27). */
const paymentData = (t: Transaction) => {
  const pix = pixOf(t)
  const card = cardOf(t)
  const boleto = boletoOf(t)
  const numbers = boleto?.numbers ?? null
  return {
    id: t.id,
    object: 'transaction',
    method: t.method,
    status: t.status,
    amount: String(t.amountCents),
    externalId: t.externalId,
    version: t.version,
    origin: t.origin,
    product: productOf(t),
    kind: kindOf(t),
    currency: t.currency,
    paidAmount: String(t.paidCents),
    refundedAmount: String(refundedCents(t)),
    refundableAmount: String(refundableCents(t, t.updatedAtMs)),
    feeAmount: String(t.feeCents),
    netAmount: String(t.paidCents - t.feeCents),
    installments: card?.installments ?? null,
    failureReason: t.failureReason,
    failureDetail: t.failureDetail,
    reference: t.reference,
    customerId: t.customerId,
    subscriptionId: t.subscriptionId,
    invoiceId: t.invoiceId,
    metadata: t.metadata,
    splitRuleId: t.split?.ruleId ?? null,
    createdAt: isoInstant(t.createdAtMs),
    updatedAt: isoInstant(t.updatedAtMs),
    approvedAt: instant(t.approvedAtMs),
    expiresAt: instant(t.expiresAtMs),
    pix: pix && { txid: pix.txid, endToEndId: pix.payment?.endToEndId ?? null },
    card: card && {
      brand: card.brand,
      last4: card.last4,
      nsu: card.acquirer?.nsu ?? null,
      tid: card.acquirer?.tid ?? null,
      authorizationCode: card.acquirer?.authorizationCode ?? null,
    },
    boleto: boleto && {
      digitableLine: numbers && digitableLine(numbers.barCode),
      dueDate: boleto.dueDate,
    },
  }
}

const boletoPaidData = (transaction: Transaction) => {
  const data = paymentData(transaction)
  const payment = boletoOf(transaction)!.payment!
  const paid = {
    ...data.boleto,
    paidAt: isoInstant(payment.paidAtMs),
    clearedAt: instant(transaction.approvedAtMs),
    paidAmount: String(payment.paidCents),
    fineAmount: String(payment.fineCents),
    interestAmount: String(payment.interestCents),
    discountAmount: String(payment.discountCents),
  }
  return { ...data, boleto: paid }
}

/** What became of an invoice: paid, or an attempt that failed. */
const outcomeData = (
  { id, status, planId, customerId }: Subscription,
  outcome: SubscriptionPaid | SubscriptionPaymentFailed,
) => {
  const { invoice, transactionId, amountCents, atMs } = outcome
  const isPaid = outcome.type === 'SubscriptionPaid'
  return {
    id,
    object: 'subscription',
    status,
    planId,
    customerId,
    invoice: {
      id: invoice.id,
      number: invoiceNumber(invoice.number),
      cycle: invoice.cycle,
      totalAmount: String(invoice.totalCents),
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      paidAt: isPaid ? isoInstant(atMs) : null,
    },
    transactionId,
    amount: String(amountCents),
    ...(!isPaid && {
      failureReason: outcome.failureReason,
      retryable: outcome.retryable,
      attemptNumber: outcome.attemptNumber,
      nextAttemptAt: instant(outcome.nextAttemptAtMs),
      final: outcome.final,
    }),
  }
}

const receivedData = (received: ReceivedPix) => ({
  id: received.id,
  object: 'received_pix',
  endToEndId: received.endToEndId,
  txid: received.txid,
  amount: String(received.amountCents),
  pixKey: received.pixKey,
  payer: {
    name: received.payer.name,
    document: received.payer.document && masked(received.payer.document),
    ispb: received.payer.ispb,
  },
  transactionId: received.transactionId,
  externalId: received.externalId,
  receivedAt: isoInstant(received.receivedAtMs),
})

/** `***.456.789-**` for a CPF; of a CNPJ only root digits in the middle stay. */
const masked = (document: string): string =>
  document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`
