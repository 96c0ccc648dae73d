import type { PublicEvent, Subject } from '../../engine/kernel/event-types.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import { settlementEvent } from '../resources/account/settlement.ts'
import { subscription } from '../resources/billing/subscription.ts'
import { subscriptionOutcomeView } from '../resources/billing/subscription-outcome.ts'
import { checkoutSessionEvent } from '../resources/checkout/session.ts'
import { conversion } from '../resources/crypto/conversion.ts'
import { cryptoPaymentEvent } from '../resources/crypto/crypto-charge.ts'
import { splitTransfer, splitTransferEvent } from '../resources/marketplace/split-transfer.ts'
import { cryptoWithdrawalEvent } from '../resources/money-out/crypto-withdrawal.ts'
import { transferEventView } from '../resources/money-out/transfer.ts'
import type { FiscalPayee } from '../resources/payments/fiscal.ts'
import { medEventView } from '../resources/payments/med.ts'
import { paymentEventView } from '../resources/payments/payment-event.ts'
import { receivedPixEvent } from '../resources/payments/received-pix.ts'
import { serializer } from '../schema/serialize.ts'
import { dataOfEvent } from './events.ts'
import { sampleView } from './sample.ts'

/**
 * Renders the bytes of an event once; every attempt sends and signs the same ones (payments-api, Events, Delivery). `data` is
 * what answers show of the same thing, reduced to the fields of the event's schema. They are in memory of their own, because they are kept, and
 * sent to other threads. The payee is the company of the event: fiscal documents of a payment name it.
 */
export const eventBody = (event: PublicEvent, environment: Environment, payee: FiscalPayee): Buffer => {
  const { id, type, atMs, subject } = event
  const schema = subject.object === 'split_transfer' ? splitTransferEvent : dataOfEvent(type)
  const data = serializer(schema)(viewOf(event, payee))
  const head = `{"id":"${id}","type":"${type}","environment":"${environment}","createdAt":"${isoInstant(atMs)}","data":`
  const body = Buffer.allocUnsafeSlow(head.length + data.length + 1)
  body.write(head, 'latin1')
  body.set(data, head.length)
  body[body.length - 1] = closingBrace
  return body
}

const closingBrace = 0x7d

/** The id of the event's subject. First attempts about the same subject go to an endpoint in event order. */
export const objectIdOf = (subject: Subject): string => {
  switch (subject.object) {
    case 'transaction':
    case 'med':
    case 'crypto_payment':
      return subject.transaction.id
    case 'received_pix':
      return subject.received.transactionId
    case 'settlement':
      return subject.settlement.transactionId ?? subject.settlement.id
    case 'split_transfer':
      return subject.transfer.transactionId
    case 'checkout_session':
      return subject.session.transactionId ?? subject.session.id
    case 'conversion':
      return subject.conversion.id
    case 'crypto_withdrawal':
      return subject.withdrawal.id
    case 'transfer':
      return subject.transfer.id
    case 'sample':
      return subject.account.id
    case 'subscription':
      return subject.subscription.id
  }
}

const viewOf = ({ type, subject, id, atMs }: PublicEvent, payee: FiscalPayee): object => {
  switch (subject.object) {
    case 'transaction':
      return paymentEventView(type, subject.transaction, subject.reversalId, payee)
    case 'med':
      return medEventView(subject.transaction, subject.medId)
    case 'received_pix':
      return receivedPixEvent.view(subject.received)
    case 'crypto_payment':
      return cryptoPaymentEvent.view(subject.transaction)
    case 'checkout_session':
      return checkoutSessionEvent.view(subject.session)
    case 'conversion':
      return conversion.view(subject.conversion)
    case 'crypto_withdrawal':
      return cryptoWithdrawalEvent.view(subject.withdrawal)
    case 'settlement':
      return settlementEvent.view(subject.settlement, subject.completed)
    case 'split_transfer':
      return splitTransfer.view(subject.transfer)
    case 'transfer':
      return transferEventView(subject.transfer)
    case 'sample':
      return sampleView(type, id, atMs)
    case 'subscription':
      return subject.outcome === null
        ? subscription.view(subject.subscription)
        : subscriptionOutcomeView(subject.subscription, subject.outcome)
  }
}
