import type { Decider, Deciders } from '../kernel/decider.ts'
import type { TransactionCommand } from './transaction/commands.ts'
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

/** Charges, and what comes of them. */
export const paymentDeciders: Deciders<TransactionCommand> = {
  CreateCharge: (draft, command) => createTransaction(command, draft),
  CancelCharge: changeTransaction,
  ExpireCharge: changeTransaction,
  SettleTransaction: changeTransaction,
  ReceivePix: changeTransaction,
  ReceiveUnrequestedPix: changeTransaction,
  OpenMed: changeTransaction,
  CloseMed: changeTransaction,
  PayBoleto: changeTransaction,
  PayBoletoByPix: changeTransaction,
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
