import type { Publishes } from '../../../kernel/event-types.ts'
import { approved, failed, pending, publishPayment } from '../../transaction/publish-payment.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { CardFact } from './facts.ts'

/** The public events of card payments. */
export const cardEvents: Publishes<Transaction, CardFact> = {
  AuthorizationPending: pending,
  CardAuthorized: pending,
  CardApproved: approved,
  CardCaptured: approved,
  CardDeclined: failed,
  CardVoided: failed,
  AuthorizationTimedOut: failed,
  AuthorizationReversed: null,
  CaptureRefused: null,
  VoidRefused: null,
  ChargebackOpened: ({ chargeback }, after) => [publishPayment('payment.chargeback', after, chargeback.id)],
  ChargebackGrown: null,
  ChargebackDisputed: null,
  ChargebackWon: ({ chargebackId }, after) => [publishPayment('payment.chargeback', after, chargebackId)],
  ChargebackLost: ({ chargebackId }, after) => [publishPayment('payment.chargeback', after, chargebackId)],
}
