import type { Decider, Deciders } from '../kernel/decider.ts'
import type { PayBoletoByPix } from './methods/boleto/commands.ts'
import type { ReceivePix, ReceiveUnrequestedPix } from './methods/pix/commands.ts'
import type { ChangeTransaction, TransactionCommand } from './transaction/commands.ts'
import { createTransaction } from './transaction/create.ts'
import { chargeDeciders } from './transaction/decide.ts'
import { executeOnTransaction } from './transaction/execute.ts'

const changeTransaction: Decider<ChangeTransaction> = (draft, command) => {
  const transaction =
    'reversalId' in command
      ? draft.transactionOfReversal(command.reversalId)
      : draft.find('transaction', command.transactionId)
  return executeOnTransaction(draft, transaction, command)
}

/** Records an arrived PIX once per end-to-end id: banks repeat the notice until it is acknowledged. */
const receivePix: Decider<ReceivePix | ReceiveUnrequestedPix | PayBoletoByPix> = (draft, command) => {
  const [known] = command.endToEndId == null ? [] : draft.lookup('received', command.endToEndId)
  return known === undefined
    ? changeTransaction(draft, command)
    : { reason: 'ALREADY_RECEIVED', receivedPixId: known.id }
}

/** Deciders for charges and what follows from them. */
export const paymentDeciders = {
  ...Object.fromEntries(Object.keys(chargeDeciders).map((type) => [type, changeTransaction])),
  CreateCharge: createTransaction,
  ReceivePix: receivePix,
  ReceiveUnrequestedPix: receivePix,
  PayBoletoByPix: receivePix,
} as Deciders<TransactionCommand>
