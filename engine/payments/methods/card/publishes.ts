import type { Publishes } from '../../../kernel/public-event.ts'
import { approved, failed, payment, pending } from '../../transaction/public-events.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { CardFact } from './events.ts'

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
  ChargebackOpened: ({ chargeback }, after) => [payment('payment.chargeback', after, chargeback.id)],
  ChargebackDisputed: null,
  ChargebackWon: ({ chargebackId }, after) => [payment('payment.chargeback', after, chargebackId)],
  ChargebackLost: ({ chargebackId }, after) => [payment('payment.chargeback', after, chargebackId)],
}
