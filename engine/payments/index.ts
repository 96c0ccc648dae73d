/**
 * Charges and what follows from them: the transaction actor with its refunds and disputes, the bookings of its
 * facts, and one folder in `methods/` for each way to pay.
 */
import './methods/boleto/account-part.ts'
import './methods/crypto/account-part.ts'
import './methods/crypto/prices.ts'
import './methods/crypto/publishes.ts'
import './methods/index.ts'
import './methods/pix/account-part.ts'
import './forced-outcomes.ts'
import './provider.ts'
import './received/received.ts'
import './refusals.ts'
import './suspense/commands.ts'
import './suspense/suspense.ts'
import './transaction/change.ts'
import './transaction/commands.ts'
import './transaction/facts.ts'
import './transaction/publish-payment.ts'
import './transaction/queries.ts'
import './transaction/scheduled.ts'
import './transaction/search.ts'
import './transaction/transaction.ts'
import { paymentAnswers } from './answers.ts'
import { paymentDeciders } from './deciders.ts'
import { boletoAccountPart } from './methods/boleto/account-part.ts'
import { cryptoAccountPart } from './methods/crypto/account-part.ts'
import { pixAccountPart } from './methods/pix/account-part.ts'
import { receivedKind } from './received/received.ts'
import { suspenseAnswers, suspenseDeciders } from './suspense/deciders.ts'
import { suspenseKind } from './suspense/suspense.ts'
import { transactionKind } from './transaction/kind.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const paymentsModule = {
  kinds: {
    transaction: transactionKind,
    received: receivedKind,
    suspense: suspenseKind,
  },
  accountParts: {
    boleto: boletoAccountPart,
    crypto: cryptoAccountPart,
    pix: pixAccountPart,
  },
  deciders: { ...paymentDeciders, ...suspenseDeciders },
  answers: { ...paymentAnswers, ...suspenseAnswers },
}
