import type { PixKey, Profile, Settlement } from '../engine/account/account.ts'
import type { CalendarDate } from '../engine/calendar.ts'
import type { Idempotency } from '../engine/commands.ts'
import type { AttemptOutcome, DeliveryEvent } from '../engine/delivery/delivery.ts'
import type { DocumentType } from '../engine/documents.ts'
import type { Entry, Event } from '../engine/events.ts'
import type { AccountId, DeliveryId, TransactionId } from '../engine/ids.ts'
import type { Posting } from '../engine/ledger.ts'
import type { ReceivedPix } from '../engine/received/received.ts'
import type { ChargeCreated } from '../engine/transaction/events.ts'
import type {
  Actor,
  Customer,
  FailureReason,
  Payer,
  Pix,
  PixPayment,
  Receivable,
  ReturnReason,
} from '../engine/transaction/transaction.ts'
import {
  again,
  blob,
  type Fields,
  flag,
  json,
  type Layout,
  list,
  nullable,
  number,
  record,
  text,
  type Variant,
  variant,
  variants,
  word,
} from './layout.ts'

/** What the bytes of a journal entry mean. The order of fields, words and kinds is the format. */

const actor = record<Actor>({
  kind: word('KEY', 'PAYER', 'CLOCK', 'SANDBOX', 'OPERATOR'),
  id: nullable(again()),
})

const documentType = word<DocumentType>('CPF', 'CNPJ')
const method = word<'PIX'>('PIX')
const returnReason = word<ReturnReason>('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT')
const failureReason = word<FailureReason>('CHARGE_EXPIRED', 'CANCELLED', 'REGISTRATION_REJECTED')
const date = text<CalendarDate>()

const customer = record<Customer>({
  name: text(),
  document: nullable(text()),
  documentType: nullable(documentType),
  email: nullable(text()),
  phone: nullable(text()),
})

const payer = record<Payer>({
  name: text(),
  document: nullable(text()),
  documentType: nullable(documentType),
  ispb: text(),
  bankName: nullable(text()),
})

const pixPayment = record<PixPayment>({
  receivedPixId: again(),
  endToEndId: again(),
  payer,
  payerMatchesCustomer: nullable(flag),
  paidAtMs: number(),
})

const pix = record<Pix>({
  txid: nullable(text()),
  copyPaste: nullable(text()),
  keyId: text(),
  type: word('IMMEDIATE', 'DUE_DATE'),
  dueDate: nullable(date),
  expiresInSeconds: nullable(number()),
  payment: nullable(pixPayment),
})

const receivable = record<Receivable>({
  id: text(),
  installment: number(),
  installments: number(),
  status: word('SCHEDULED', 'SETTLED'),
  grossCents: number(),
  feeCents: number(),
  expectedOn: date,
  settledAtMs: nullable(number()),
  settlementId: nullable(text()),
})

const accountId = again<AccountId>()

const profile = record<Profile>({
  companyId: text(),
  environment: word('SANDBOX', 'PRODUCTION'),
  name: text(),
  city: text(),
  timeZone: text(),
})

const pixKey = record<PixKey>({ id: text(), type: word('EVP'), key: text(), createdAtMs: number() })

const postings = list(
  record<Posting>({
    account: word('available', 'receivable', 'blocked', 'fees', 'payer'),
    cents: number(),
  }),
)

const settlement = record<Settlement>({
  id: text(),
  method,
  grossCents: number(),
  feeCents: number(),
  receivablesCount: number(),
  transactionId: nullable(text()),
  date,
  createdAtMs: number(),
  completedAtMs: number(),
})

const charge = record<ChargeCreated['charge']>({
  accountId,
  method,
  origin: word('API', 'DEPOSIT'),
  amountCents: number(),
  description: nullable(text()),
  reference: nullable(text()),
  externalId: nullable(text()),
  customer: nullable(customer),
  metadata: json(),
  pix,
})

const received = record<ReceivedPix>({
  id: text(),
  accountId,
  transactionId: text(),
  endToEndId: text(),
  txid: nullable(text()),
  externalId: nullable(text()),
  amountCents: number(),
  returnReason: nullable(returnReason),
  pixKeyId: text(),
  pixKey: text(),
  payer,
  description: nullable(text()),
  receivedAtMs: number(),
})

type Scheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>['delivery']
const scheduled = record<Scheduled>({
  accountId,
  eventId: text(),
  eventType: text(),
  objectId: text(),
  endpointId: text(),
  resendOf: nullable(text()),
  body: blob,
})

const outcome = record<AttemptOutcome>({
  startedAtMs: number(),
  latencyMs: number(),
  statusCode: nullable(number()),
  error: nullable(word('TIMEOUT', 'CONNECTION', 'TLS', 'DNS', 'REDIRECT', 'BLOCKED_ADDRESS')),
  responseSnippet: text(),
})

type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** One kind of event. Whose it is follows from its type. */
const kind = <Type extends Event['type']>(
  actor: EventOf<Type>['actor'],
  type: Type,
  fields: Fields<Omit<EventOf<Type>, 'actor' | 'type'>>,
): Variant<Event> => variant<Event>({ actor, type } as Partial<Event> & { readonly type: Type }, fields)

const account = { id: again<AccountId>(), atMs: number() } as const
const transaction = { id: again<TransactionId>(), by: actor, atMs: number() } as const
const deliveryId = again<DeliveryId>()

const event = variants<Event>(
  kind('account', 'AccountOpened', { ...account, profile, pixKey }),
  kind('account', 'PaymentBooked', { ...account, transactionId: text(), postings }),
  kind('account', 'SettlementCompleted', { ...account, settlement, postings }),
  kind('account', 'ClockMoved', { ...account, clockOffsetMs: number() }),
  kind('account', 'SampleEventRequested', { ...account, eventType: text() }),
  kind('account', 'SandboxCleared', account),
  kind('transaction', 'ChargeCreated', { ...transaction, charge }),
  kind('transaction', 'ChargeIssued', {
    ...transaction,
    txid: text(),
    copyPaste: text(),
    expiresAtMs: number(),
  }),
  kind('transaction', 'ChargeRefused', { ...transaction, failureReason }),
  kind('transaction', 'ChargePaid', {
    ...transaction,
    paidCents: number(),
    feeCents: number(),
    payment: pixPayment,
    receivables: list(receivable),
  }),
  kind('transaction', 'ChargeExpired', transaction),
  kind('transaction', 'ChargeCancelled', { ...transaction, reason: nullable(text()) }),
  kind('transaction', 'PaymentReturned', {
    ...transaction,
    returnReason,
    amountCents: number(),
    payment: pixPayment,
  }),
  kind('received', 'PixReceived', { id: text(), received }),
  kind('delivery', 'DeliveryScheduled', { id: deliveryId, atMs: number(), delivery: scheduled }),
  kind('delivery', 'AttemptRecorded', {
    id: deliveryId,
    outcome,
    status: word('PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'),
    nextAttemptAtMs: nullable(number()),
  }),
  kind('delivery', 'DeliveryCancelled', { id: deliveryId }),
)

const entryFields = record<Omit<Entry, 'idempotency'>>({
  accountId,
  atMs: number(),
  events: list(event),
})
const idempotency = nullable(record<Idempotency>({ key: text(), fingerprint: text() }))

/** Without a key the entry has no such field at all. */
export const entryLayout: Layout<Entry> = {
  write: (entry) => {
    entryFields.write(entry)
    idempotency.write(entry.idempotency ?? null)
  },
  read: () => {
    const entry = entryFields.read()
    const record = idempotency.read()
    return record === null ? entry : { ...entry, idempotency: record }
  },
}
