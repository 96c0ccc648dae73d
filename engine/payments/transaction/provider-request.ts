import type { Asset } from '../../shared/method.ts'
import { cardOf } from '../methods/card/card.ts'
import { authorizationCallId } from '../methods/card/payment.ts'
import { watchedMs } from '../methods/crypto/create.ts'
import { cryptoOf } from '../methods/crypto/crypto.ts'
import { methodOf } from '../methods/index.ts'
import { pixOf } from '../methods/pix/pix.ts'
import type { ProviderRequest } from '../provider.ts'
import { refundedCents } from './amounts.ts'
import type { Transaction } from './transaction.ts'

/** The request of one of this transaction's calls. */
export const providerRequest = (
  transaction: Transaction,
  call: Transaction['calls'][number],
  nowMs: number,
): ProviderRequest => {
  const card = cardOf(transaction)
  return {
    reference: call.id,
    operation: call.operation,
    asked: call.unanswered,
    accountId: transaction.accountId,
    transactionId: transaction.id,
    rail: methodOf(transaction).rail,
    providerId: transaction.providerId,
    connectionId: null,
    amountCents: call.amountCents,
    card: card && {
      token: card.token,
      brand: card.brand,
      last4: card.last4,
      holderName: card.holderName,
      installments: card.installments,
      captures: card.captures,
    },
    crypto: cryptoRequest(transaction),
    authorization: card && {
      reference: authorizationCallId(transaction.id),
      tid: card.acquirer?.tid ?? null,
    },
    endToEndId: pixOf(transaction)?.payment?.endToEndId ?? null,
    refundId: call.refundId,
    refundedCents: refundedCents(transaction),
    customer: transaction.customer,
    metadata: transaction.details.metadata,
    attempt: transaction.attempt,
    openedAtMs: call.openedAtMs,
    nowMs,
  }
}

const cryptoRequest = (transaction: Transaction): ProviderRequest['crypto'] => {
  const crypto = cryptoOf(transaction)
  return (
    crypto && {
      asset: transaction.currency as Asset,
      network: crypto.network,
      watchedUntilMs: transaction.createdAtMs + watchedMs,
    }
  )
}
