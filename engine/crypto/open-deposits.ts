import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { type ChainTransfer, cryptoOf } from '../payments/methods/crypto/crypto.ts'
import type { TransactionChange } from '../payments/transaction/change.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { toCents } from '../shared/money.ts'
import { moveFunds } from './books.ts'
import type { NewDeposit } from './deposit.ts'

/**
 * Opens a deposit for every confirmed transfer, or part of one, that a charge does not take. It reads only the
 * state of the charge and its transfers, so it does not matter which command changed them.
 */
export const openDeposits = (draft: Draft, { events }: TransactionChange): void => {
  const transaction = draft.find('transaction', events[0]!.id)!
  const crypto = cryptoOf(transaction)
  if (crypto === null || crypto.transfers.length === 0) return
  const known = new Set(draft.lookup('cryptoDeposit', transaction.id).map(({ txHash }) => txHash))
  const { id: transactionId, accountId } = transaction
  for (const transfer of crypto.transfers) {
    const units = toCents(transfer.units - transfer.paidUnits)
    const { txHash, asset, fromAddress } = transfer
    if (known.has(txHash) || units === 0 || !isLeft(transaction, transfer)) continue
    const id = contextId(draft.context, 'cdp')
    const reason = reasonOf(transaction, transfer)
    const { network } = crypto
    draft.add({
      type: 'DepositOpened',
      deposit: { accountId, transactionId, reason, asset, network, units, txHash, fromAddress },
      ...factOf(draft, 'cryptoDeposit', id),
    })
    moveFunds(draft, id, asset, { payer: -units, blocked: units })
  }
}

/** Whether a charge will take no more of a transfer. */
const isLeft = ({ status }: Transaction, transfer: ChainTransfer): boolean =>
  transfer.status === 'CONFIRMED' && (!transfer.isInTime || (status !== 'PENDING' && status !== 'PROCESSING'))

const reasonOf = ({ status, currency }: Transaction, transfer: ChainTransfer): NewDeposit['reason'] => {
  if (transfer.asset !== currency) return 'WRONG_ASSET'
  if (status === 'CANCELLED') return 'PAID_AFTER_CANCELLATION'
  if (!transfer.isInTime) return 'PAID_LATE'
  return status === 'EXPIRED' ? 'UNDERPAID' : 'OVERPAID'
}
