import type { Decider, Deciders } from '../kernel/decider.ts'
import type { CreateCharge, TransactionCommand } from './transaction/commands.ts'
import { createTransaction } from './transaction/create.ts'
import { chargeDeciders } from './transaction/decide.ts'
import { writeTransaction } from './transaction/write.ts'

const changeTransaction: Decider<Exclude<TransactionCommand, CreateCharge>> = (draft, command) => {
  const transaction =
    'partId' in command ? draft.ownerOf(command.partId) : draft.find('transaction', command.transactionId)
  return writeTransaction(draft, transaction, command)
}

/** Charges, and what comes of them. */
export const paymentDeciders = {
  ...Object.fromEntries(Object.keys(chargeDeciders).map((type) => [type, changeTransaction])),
  CreateCharge: (draft, command) => createTransaction(command, draft),
} as Deciders<TransactionCommand>
