import type { Payer } from '../../../engine/payments/methods/pix/pix.ts'
import { type ReceivedPix, receivedStatusOf } from '../../../engine/payments/received/received.ts'
import { testPayer } from '../../../engine/sandbox/forced-outcomes.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { eventResource } from '../event-data.ts'
import { amountOf, identityFields, instant, nullableField, nullableText, pick, textOf } from '../fields.ts'
import { part, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { endToEndIdSample, txidSample } from './payment-samples.ts'
import { payer } from './pix-part.ts'

/** A PIX that arrived (decisions, section 10). */
export const receivedPix = resource<ReceivedPix>('ReceivedPix', 'A PIX that arrived.').with({
  ...identityFields('rpx', 'received_pix'),
  endToEndId: [textOf('Id of the payment between banks.'), same],
  txid: [
    nullableField(textOf('The charge’s id in the PIX arrangement; null of a PIX without a charge.')),
    same,
  ],
  amount: [amountOf('What arrived.'), ({ amountCents }) => String(amountCents)],
  status: [
    described(
      choice('RECEIVED', 'RETURNING', 'RETURNED', 'RETURN_FAILED'),
      'RETURNED: it went back, in full. RETURNING: a bank is sending it back. RETURN_FAILED: the bank refused that on four days, and a person has to look.',
    ),
    receivedStatusOf,
  ],
  returnReason: [
    nullableField(
      choice('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH'),
      'Why it goes back.',
    ),
    same,
  ],
  pixKey: [textOf('The key that received it.'), same],
  payer: [nullableField(payer, 'Who paid; null where the bank does not say.'), same],
  description: [described(nullableText, 'What the payer wrote.'), same],
  transactionId: [textOf('The transaction that it belongs to.'), same],
  receivedAt: [described(instant, 'When it arrived.'), ({ receivedAtMs }) => isoInstant(receivedAtMs)],
})

const maskedPayer = part<Payer>().with({
  name: [payer.properties.name, same],
  document: [
    described(nullableText, 'Part of the CPF or CNPJ, as `***.456.789-**`.'),
    ({ document }) => document && maskedDocument(document),
  ],
  ispb: [payer.properties.ispb, same],
})

/** `data` of the event of a PIX that arrived, with the payer's document masked. */
export const receivedPixEvent = eventResource<ReceivedPix>(
  'PixReceivedEventData',
  'A PIX that arrived. There is no event for one that is returned at once.',
).with({
  ...pick(receivedPix.fields, 'id', 'object', 'endToEndId', 'txid', 'amount', 'pixKey'),
  payer: [
    nullableField(maskedPayer.schema, 'Who paid, as the payer’s bank says; null where it does not say.'),
    (received) => received.payer && maskedPayer.view(received.payer),
  ],
  transactionId: receivedPix.fields.transactionId,
  externalId: [described(nullableText, 'Your own identifier, where the charge has one.'), same],
  receivedAt: receivedPix.fields.receivedAt,
})

/** A PIX that arrived; its sample event is rendered from it. */
export const receivedPixSample = ({ id, atMs }: Sample): ReceivedPix => ({
  id: id('rpx'),
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  transactionId: id('txn'),
  endToEndId: endToEndIdSample,
  txid: txidSample,
  externalId: null,
  amountCents: toCents(1000),
  returnReason: null,
  pixKeyId: id('pxk'),
  pixKey: '00000000-0000-4000-8000-000000000000',
  payer: testPayer,
  returning: null,
  description: null,
  receivedAtMs: atMs,
})
