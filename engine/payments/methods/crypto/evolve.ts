import { type Evolvers, nextVersion, without } from '../../transaction/evolvers.ts'
import { cryptoOf, withCrypto } from './crypto.ts'
import type { CryptoFact } from './facts.ts'
import { changedTransfer, withTransfer } from './transfers.ts'

/** How crypto facts change a transaction. */
export const cryptoEvolvers: Evolvers<CryptoFact> = {
  AddressOpened: (transaction, event) => {
    const { callId, address, uri, expiresAtMs } = event
    return nextVersion(transaction, event, {
      status: 'PENDING',
      expiresAtMs,
      means: withCrypto(transaction, { address, uri }),
      calls: without(transaction.calls, callId),
    })
  },
  TransferSeen: (transaction, event) => {
    const { transfer, status } = event
    const { transfers, txHash } = cryptoOf(transaction)!
    const means = withCrypto(transaction, {
      transfers: withTransfer(transfers, transfer),
      txHash: txHash ?? transfer.txHash,
    })
    const data = { txHash: transfer.txHash, asset: transfer.asset, amount: String(transfer.units) }
    return nextVersion(transaction, event, { status, means }, data)
  },
  TransferConfirmed: (transaction, event) => {
    const { txHash, confirmations, isFinal } = event
    const changes = { confirmations, ...(isFinal && { status: 'CONFIRMED' as const }) }
    const transfers = changedTransfer(cryptoOf(transaction)!.transfers, txHash, changes)
    const means = withCrypto(transaction, { transfers })
    return nextVersion(transaction, event, { means }, { txHash, confirmations })
  },
  TransferDropped: (transaction, event) => {
    const { txHash, status } = event
    const transfers = changedTransfer(cryptoOf(transaction)!.transfers, txHash, { status: 'DROPPED' })
    return nextVersion(
      transaction,
      event,
      { status, means: withCrypto(transaction, { transfers }) },
      { txHash },
    )
  },
  CryptoPaid: (transaction, event) => {
    const { paidCents, feeCents, receivables, transfers, atMs } = event
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents,
      feeCents,
      approvedAtMs: atMs,
      receivables,
      means: withCrypto(transaction, { transfers }),
    })
  },
}
