import type { Publishes } from '../../kernel/event-types.ts'
import { methodOf, methods } from '../methods/index.ts'
import type { CommonFact, TransactionFact } from './facts.ts'
import { failed, publishPayment } from './publish-payment.ts'
import type { Transaction } from './transaction.ts'

const common: Publishes<Transaction, CommonFact> = {
  ChargeCreated: (_, after) => [publishPayment('payment.created', after)],
  ChargeRefused: failed,
  ChargeExpired: (fact, after) => [
    ...(methodOf(after).expiry?.publishes(after) ?? []),
    ...failed(fact, after),
  ],
  ChargeCancelled: failed,
  ProviderCalled: null,
  ProviderCalledAgain: null,
  ProviderSilent: null,
  CallEnded: null,
  RefundRequested: null,
  RefundCompleted: ({ refundId }, after) => [publishPayment('payment.refunded', after, refundId)],
  RefundFailed: ({ refundId }, after) => [publishPayment('payment.refund_failed', after, refundId)],
  ReceivablesSettled: null,
  ChargeSent: null,
  FiscalDocumentsSet: null,
  RouteChosen: null,
  TransactionSeeded: null,
}

/** The public events of a transaction (decisions, section 9). */
export const transactionEvents: Publishes<Transaction, TransactionFact> = Object.assign(
  {},
  common,
  ...Object.values(methods).map(({ publishes }) => publishes),
)
