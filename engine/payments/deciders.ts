import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { PayBoletoByPix } from './methods/boleto/commands.ts'
import type {
  ReceivePix,
  ReceivePixAtBank,
  ReceiveUnrequestedPix,
  ReportReturn,
} from './methods/pix/commands.ts'
import { pixOf } from './methods/pix/pix.ts'
import { knownPix } from './suspense/known.ts'
import { reportSuspenseReturn } from './suspense/returning.ts'
import type { ChangeTransaction, TransactionCommand } from './transaction/commands.ts'
import { createTransaction } from './transaction/create.ts'
import { chargeDeciders } from './transaction/decide.ts'
import { executeOnTransaction } from './transaction/execute.ts'
import type { Transaction } from './transaction/transaction.ts'

const changeTransaction: Decider<ChangeTransaction> = (draft, command) => {
  return executeOnTransaction(draft, transactionOf(draft, command), command)
}

const transactionOf = (draft: Draft, command: ChangeTransaction): Transaction | undefined => {
  if ('reversalId' in command) return draft.transactionOfReversal(command.reversalId)
  if ('transactionId' in command) return draft.find('transaction', command.transactionId)
  if ('endToEndId' in command && !('txid' in command)) {
    const [received] = draft.lookup('received', command.endToEndId)
    return received && draft.find('transaction', received.transactionId)
  }
  // A merchant's own id of another charge may be the same text.
  const found = draft.lookup('transaction', command.txid)
  return found.find((transaction) => pixOf(transaction)?.txid === command.txid)
}

/** Records an arrived PIX once per end-to-end id: banks repeat the notice until it is acknowledged. */
const receivePix: Decider<ReceivePix | ReceivePixAtBank | ReceiveUnrequestedPix | PayBoletoByPix> = (
  draft,
  command,
) => {
  const known = command.endToEndId == null ? null : knownPix(draft, command.endToEndId)
  return known === null
    ? changeTransaction(draft, command)
    : { reason: 'ALREADY_RECEIVED', receivedPixId: known }
}

/** What the bank reports of money that was assigned is about what it was assigned to. */
const reportReturn: Decider<ReportReturn> = (draft, command) => {
  const { endToEndId, returned } = command
  const [suspended] =
    draft.lookup('received', endToEndId).length > 0 ? [] : draft.lookup('suspense', endToEndId)
  return suspended === undefined
    ? changeTransaction(draft, command)
    : reportSuspenseReturn(draft, suspended, returned)
}

/** Deciders for charges and what follows from them. */
export const paymentDeciders = {
  ...Object.fromEntries(Object.keys(chargeDeciders).map((type) => [type, changeTransaction])),
  CreateCharge: createTransaction,
  ReceivePix: receivePix,
  ReceivePixAtBank: receivePix,
  ReceiveUnrequestedPix: receivePix,
  PayBoletoByPix: receivePix,
  ReportReturn: reportReturn,
} as Deciders<TransactionCommand>
