import { isoInstant } from '../../engine/calendar.ts'
import type { Environment } from '../../engine/ids.ts'
import type { EventType, PublicEvent, Subject } from '../../engine/public-events.ts'
import type { ReceivedPix } from '../../engine/received/received.ts'
import type { Transaction } from '../../engine/transaction/transaction.ts'
import { transactionView } from '../views/transaction.ts'

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
      return subject.transaction.id
    case 'received_pix':
      return subject.received.transactionId
    case 'settlement':
      return subject.settlement.transactionId ?? subject.settlement.id
    case 'sample':
      return subject.account.id
  }
}

const dataOf = ({ type, subject, id }: PublicEvent): object => {
  switch (subject.object) {
    case 'transaction':
      return paymentData(subject.transaction)
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
    case 'sample':
      return sampleData(type, id)
  }
}

/** `data` of payment events (decisions, section 27). */
const paymentData = (transaction: Transaction) => {
  const view = transactionView({ ...transaction, pix: { ...transaction.pix, copyPaste: null } })
  return {
    id: view.id,
    object: view.object,
    method: view.method,
    status: view.status,
    amount: view.amount,
    externalId: view.externalId,
    version: view.version,
    origin: view.origin,
    product: view.product,
    kind: view.kind,
    currency: view.currency,
    paidAmount: view.paidAmount,
    refundedAmount: view.refundedAmount,
    refundableAmount: view.refundableAmount,
    feeAmount: view.feeAmount,
    netAmount: view.netAmount,
    installments: view.installments,
    failureReason: view.failureReason,
    failureDetail: view.failureDetail,
    reference: view.reference,
    customerId: view.customerId,
    subscriptionId: view.subscriptionId,
    invoiceId: view.invoiceId,
    metadata: view.metadata,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    approvedAt: view.approvedAt,
    expiresAt: view.expiresAt,
    pix: { txid: view.pix.txid, endToEndId: view.pix.endToEndId },
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

/** A sample of any event type, marked as a test (decisions, section 28). */
const sampleData = (type: EventType, id: string): object => {
  const [family] = type.split('.')
  const object = { pix: 'received_pix', payment: 'transaction', boleto: 'transaction' }[family!] ?? family
  return {
    id: `sample_${id.slice(4)}`,
    object,
    test: true,
    ...(object === 'transaction' && {
      method: family === 'boleto' ? 'BOLETO' : 'PIX',
      status: type === 'payment.failed' ? 'FAILED' : 'APPROVED',
      externalId: null,
      version: 1,
    }),
    amount: '1000',
  }
}
