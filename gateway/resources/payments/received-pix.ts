import Type, { type Static } from 'typebox'
import type { ReceivedPix } from '../../../engine/payments/received/received.ts'
import { testPayer } from '../../../engine/sandbox/outcomes.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { eventData } from '../event-data.ts'
import { amountOf, enumeration, identity, instant, nullable, pick, text, textOf } from '../fields.ts'
import { masked } from '../masked.ts'
import type { Sample } from '../sample.ts'
import { endToEndIdSample, txidSample } from './payment-samples.ts'
import { payer } from './pix-part.ts'

/** A PIX that arrived (decisions, section 10). */
export const receivedPix = namedObject('ReceivedPix', 'A PIX that arrived.', {
  ...identity('rpx', 'received_pix'),
  endToEndId: textOf('Id of the payment between banks.'),
  txid: nullable(textOf('The charge’s id in the PIX arrangement; null of a PIX without a charge.')),
  amount: amountOf('What arrived.'),
  status: described(enumeration('RECEIVED', 'RETURNED'), 'RETURNED: it went back at once, in full.'),
  returnReason: nullable(
    enumeration('PAID_AFTER_EXPIRY', 'PAID_AFTER_CANCELLATION', 'DUPLICATE_PAYMENT'),
    'Why it was RETURNED.',
  ),
  pixKey: textOf('The key that received it.'),
  payer,
  description: described(text, 'What the payer wrote.'),
  transactionId: textOf('The transaction that it belongs to.'),
  receivedAt: described(instant, 'When it arrived.'),
})

/** A PIX that arrived, as the list of received PIX shows it. */
export const receivedPixView = (received: ReceivedPix): Static<typeof receivedPix> => ({
  id: received.id,
  object: 'received_pix',
  endToEndId: received.endToEndId,
  txid: received.txid,
  amount: String(received.amountCents),
  status: received.returnReason === null ? 'RECEIVED' : 'RETURNED',
  returnReason: received.returnReason,
  pixKey: received.pixKey,
  payer: received.payer,
  description: received.description,
  transactionId: received.transactionId,
  receivedAt: isoInstant(received.receivedAtMs),
})

/** `data` of the event of a PIX that arrived. */
export const receivedPixEvent = eventData(
  'PixReceivedEventData',
  'A PIX that arrived. There is no event for one that is returned at once.',
  {
    ...pick(receivedPix.properties, 'id', 'object', 'endToEndId', 'txid', 'amount', 'pixKey'),
    payer: Type.Object(
      {
        ...pick(payer.properties, 'name'),
        document: described(text, 'Part of the CPF or CNPJ, as `***.456.789-**`.'),
        ...pick(payer.properties, 'ispb'),
      },
      { description: 'Who paid, as the payer’s bank says.' },
    ),
    ...pick(receivedPix.properties, 'transactionId'),
    externalId: described(text, 'Your own identifier, where the charge has one.'),
    ...pick(receivedPix.properties, 'receivedAt'),
  },
)

/** A PIX that arrived, as in its event, with the payer's document masked. */
export const receivedPixEventView = (received: ReceivedPix): Static<typeof receivedPixEvent> => {
  const view = receivedPixView(received)
  const { document } = view.payer
  return {
    externalId: received.externalId,
    ...view,
    payer: { ...view.payer, document: document && masked(document) },
  }
}

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
  description: null,
  receivedAtMs: atMs,
})
