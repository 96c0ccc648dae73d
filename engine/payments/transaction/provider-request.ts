import type { Asset } from '../../shared/method.ts'
import { cardOf } from '../methods/card/card.ts'
import { authorizationCallId } from '../methods/card/payment.ts'
import { watchedMs } from '../methods/crypto/create.ts'
import { cryptoOf } from '../methods/crypto/crypto.ts'
import { methodOf } from '../methods/index.ts'
import { defendedMed } from '../methods/pix/bank/defend-med.ts'
import { payableForDays } from '../methods/pix/bank/register.ts'
import { returnReference } from '../methods/pix/bank/returns.ts'
import { returnOf } from '../methods/pix/evolve.ts'
import { pixOf } from '../methods/pix/pix.ts'
import type { ProviderRequest } from '../provider.ts'
import { refundedCents } from './amounts.ts'
import type { ProviderCall, Transaction } from './transaction.ts'

/** The request of one of this transaction's calls. */
export const providerRequest = (
  transaction: Transaction,
  call: ProviderCall,
  nowMs: number,
): ProviderRequest => {
  const card = cardOf(transaction)
  return {
    reference: call.id,
    operation: call.operation,
    asked: call.unanswered,
    // What has not gone back when the issuer takes it must not go back any more.
    ...(call.operation === 'REFUND' && transaction.status === 'CHARGEBACK' && { onlyInquires: true }),
    accountId: transaction.accountId,
    transactionId: transaction.id,
    rail: methodOf(transaction).rail,
    providerId: transaction.providerId,
    connectionId: transaction.connectionId,
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
    pix: pixRequest(transaction),
    pixReturn: pixReturnOf(transaction, call),
    ...(call.operation === 'DEFEND_MED' && { defense: defenseOf(transaction) }),
    description: transaction.details.description,
    merchantReference: transaction.details.reference,
    refundId: call.refundId,
    refundedCents: refundedCents(transaction),
    customer: transaction.customer,
    metadata: transaction.details.metadata,
    attempt: transaction.attempt,
    openedAtMs: call.openedAtMs,
    nowMs,
  }
}

const pixRequest = (transaction: Transaction): ProviderRequest['pix'] => {
  const pix = pixOf(transaction)
  if (pix === null || pix.bankKey === null || pix.txid === null) return null
  const { txid, bankKey: pixKey, dueDate, expiresInSeconds } = pix
  const due = dueDate === null ? null : { date: dueDate, payableForDays: payableForDays(pix) }
  return { txid, pixKey, expiresInSeconds: expiresInSeconds ?? 0, due, createdAtMs: transaction.createdAtMs }
}

const pixReturnOf = (
  transaction: Transaction,
  { receivedPixId }: ProviderCall,
): ProviderRequest['pixReturn'] => {
  if (receivedPixId === null) return null
  const returned = returnOf(transaction, receivedPixId)!
  return { endToEndId: returned.endToEndId, id: returnReference(returned) }
}

const defenseOf = (transaction: Transaction): NonNullable<ProviderRequest['defense']> => {
  const { bankMedId, defense } = defendedMed(transaction)!
  return { medId: bankMedId!, text: defense!.text }
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
