import type { EventType } from '../../engine/kernel/event-types.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { settlementEvent, settlementSample } from '../resources/account/settlement.ts'
import { subscription, subscriptionSample } from '../resources/billing/subscription.ts'
import {
  subscriptionFailedSample,
  subscriptionOutcomeView,
  subscriptionPaidSample,
} from '../resources/billing/subscription-outcome.ts'
import { checkoutSessionEvent, checkoutSessionSample } from '../resources/checkout/session.ts'
import { conversion, conversionSample } from '../resources/crypto/conversion.ts'
import { cryptoPaymentEvent, cryptoPaymentSample } from '../resources/crypto/crypto-charge.ts'
import { cryptoWithdrawalEvent, cryptoWithdrawalSample } from '../resources/money-out/crypto-withdrawal.ts'
import { returnedTransferSample, transferEventView, transferSample } from '../resources/money-out/transfer.ts'
import { type FiscalPayee, noPayee } from '../resources/payments/fiscal.ts'
import { contestedSample, medEventView } from '../resources/payments/med.ts'
import { paymentEventView } from '../resources/payments/payment-event.ts'
import {
  disputedSample,
  paidBoletoSample,
  paidSample,
  pendingSample,
  refundedSample,
  refusedRefundSample,
} from '../resources/payments/payment-samples.ts'
import { receivedPixEvent, receivedPixSample } from '../resources/payments/received-pix.ts'
import { newSample, type Sample } from '../resources/sample.ts'
import { serializer } from '../schema/serialize.ts'
import { dataOfEvent } from './events.ts'

/**
 * The `data` of a sample event of any type, marked as a test, with all fields of the view; the event's schema picks some of them.
 */
export const sampleView = (type: EventType, eventId: string, atMs: number): object => ({
  ...viewOf(type, newSample(eventId.slice(4), atMs)),
  test: true,
})

/**
 * The `data` of a sample event with only the fields that the event has. Events that no endpoint can cause yet have samples too,
 * so that receivers can be written ahead. The ids look real and name nothing.
 */
export const sampleData = (type: EventType, eventId: string, atMs: number): object =>
  picked(type, sampleView(type, eventId, atMs))

/** A sample event as the OpenAPI document shows it: like a real one from the Sandbox. */
export const sampleEvent = (type: EventType): object => {
  const suffix = '01KTRE5Y000000000000000000'
  const atMs = Date.UTC(2026, 5, 9, 14, 30)
  return {
    id: `evt_${suffix}`,
    type,
    environment: 'SANDBOX',
    createdAt: isoInstant(atMs),
    data: picked(type, viewOf(type, newSample(suffix, atMs))),
  }
}

const picked = (type: EventType, view: object): object =>
  JSON.parse(String(serializer(dataOfEvent(type))(view))) as object

/** An invented company, in the Sandbox. */
const payeeSample: FiscalPayee = { ...noPayee, cnpj: '11222333000181' }

/** Renders invented states with the real views, so that samples cannot differ from events. */
const viewOf = (type: EventType, sample: Sample): object => {
  const { id } = sample
  const pending = pendingSample(sample)
  const payment = (transaction: Transaction, reversalId: string | null): object =>
    paymentEventView(type, transaction, reversalId, payeeSample)
  switch (type) {
    case 'payment.created':
      return payment({ ...pending, status: 'CREATED', version: 1 }, null)
    case 'payment.pending':
      return payment(pending, null)
    case 'payment.approved':
      return payment(paidSample(sample), null)
    case 'payment.failed':
      return payment({ ...pending, status: 'EXPIRED', version: 3, failureReason: 'CHARGE_EXPIRED' }, null)
    case 'payment.refunded':
      return payment(refundedSample(sample), id('rfd'))
    case 'payment.refund_failed':
      return payment(refusedRefundSample(sample), id('rfd'))
    case 'payment.chargeback':
      return payment(disputedSample(sample), id('cbk'))
    case 'boleto.paid':
      return payment(paidBoletoSample(sample), null)
    case 'pix.received':
      return receivedPixEvent.view(receivedPixSample(sample))
    case 'pix.med_opened':
    case 'pix.med_closed':
      return medEventView(contestedSample(sample, type === 'pix.med_closed'), id('med'))
    case 'settlement.processing':
    case 'settlement.completed':
      return settlementEvent.view(settlementSample(sample), type === 'settlement.completed')
    case 'subscription.created':
      return subscription.view(subscriptionSample(sample))
    case 'subscription.paid':
      return subscriptionOutcomeView(
        { ...subscriptionSample(sample), status: 'ACTIVE' },
        subscriptionPaidSample(sample),
      )
    case 'subscription.failed':
      return subscriptionOutcomeView(
        { ...subscriptionSample(sample), status: 'PAST_DUE' },
        subscriptionFailedSample(sample),
      )
    case 'crypto.received':
    case 'crypto.expired':
      return cryptoPaymentEvent.view(cryptoPaymentSample(sample, type === 'crypto.received'))
    case 'crypto.withdrawal_completed':
    case 'crypto.withdrawal_failed':
      return cryptoWithdrawalEvent.view(
        cryptoWithdrawalSample(sample, type === 'crypto.withdrawal_completed'),
      )
    case 'conversion.completed':
    case 'conversion.failed':
      return conversion.view(conversionSample(sample, type === 'conversion.completed'))
    case 'checkout.completed':
      return checkoutSessionEvent.view(checkoutSessionSample(sample, 'COMPLETED'))
    case 'checkout.expired':
      return checkoutSessionEvent.view(checkoutSessionSample(sample, 'EXPIRED'))
    case 'transfer.pending_approval':
      return transferEventView(transferSample(sample, 'PENDING_APPROVAL'))
    case 'transfer.scheduled':
      return transferEventView(transferSample(sample, 'SCHEDULED'))
    case 'transfer.completed':
      return transferEventView(transferSample(sample, 'COMPLETED'))
    case 'transfer.failed':
      return transferEventView(transferSample(sample, 'FAILED'))
    case 'transfer.returned':
      return transferEventView(returnedTransferSample(sample))
  }
}
