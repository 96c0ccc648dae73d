import type { Decider, Deciders } from '../kernel/decider.ts'
import type {
  PayBoletoByPix,
  ReceivePix,
  ReceiveUnrequestedPix,
  TransactionCommand,
} from './transaction/commands.ts'
import { createTransaction } from './transaction/create.ts'
import { writeTransaction } from './transaction/write.ts'

const changeTransaction: Decider<Exclude<TransactionCommand, { readonly type: 'CreateCharge' }>> = (
  draft,
  command,
) => {
  const transaction =
    'partId' in command ? draft.ownerOf(command.partId) : draft.find('transaction', command.transactionId)
  return writeTransaction(draft, transaction, command)
}

/** A PIX arrives once, however often it is told: banks tell of it again until they are sure to be heard. */
const receivePix: Decider<ReceivePix | ReceiveUnrequestedPix | PayBoletoByPix> = (draft, command) => {
  const [known] = command.endToEndId == null ? [] : draft.lookup('received', command.endToEndId)
  return known === undefined
    ? changeTransaction(draft, command)
    : { reason: 'ALREADY_RECEIVED', receivedPixId: known.id }
}

/** Charges, and what comes of them. */
export const paymentDeciders: Deciders<TransactionCommand> = {
  CreateCharge: (draft, command) => createTransaction(command, draft),
  CancelCharge: changeTransaction,
  ExpireCharge: changeTransaction,
  SettleTransaction: changeTransaction,
  ReceivePix: receivePix,
  ReceiveUnrequestedPix: receivePix,
  OpenMed: changeTransaction,
  CloseMed: changeTransaction,
  PayBoleto: changeTransaction,
  PayBoletoByPix: receivePix,
  ClearBoleto: changeTransaction,
  MarkOverdue: changeTransaction,
  CaptureCharge: changeTransaction,
  CancelCardPayment: changeTransaction,
  ResolveAuthorization: changeTransaction,
  GiveUpAuthorization: changeTransaction,
  OpenChargeback: changeTransaction,
  DisputeChargeback: changeTransaction,
  ResolveChargeback: changeTransaction,
  RequestRefund: changeTransaction,
  ResolveRefund: changeTransaction,
  RecordAnswer: changeTransaction,
  CallAgain: changeTransaction,
}
