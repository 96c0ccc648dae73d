import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import type { Cents } from '../../../engine/shared/money.ts'

/**
 * The networks' own book of what has arrived at the addresses of charges. It knows of transfers that the service has forgotten in a
 * crash, and reports all of them in the end.
 */
export type Chain = {
  /** The newest first. */
  readonly transfers: () => readonly OnChain[]
  /** A transfer that nobody has seen yet. */
  readonly carry: (transfer: Pick<OnChain, 'transactionId' | 'asset' | 'units'>) => OnChain
  /** What the Sandbox did in its place is as if it had done it. */
  readonly observe: (entry: FlushedEntry) => void
}

export type OnChain = {
  readonly txHash: string
  readonly transactionId: TransactionId
  readonly asset: Asset
  readonly units: Cents
  confirmations: number
  isDropped: boolean
}

export const newChain = (): Chain => {
  const transfers = new Map<string, OnChain>()

  const carry: Chain['carry'] = (transfer) => add({ ...transfer, txHash: `tx-${transfers.size + 1}` })

  const add = (transfer: Omit<OnChain, 'confirmations' | 'isDropped'>): OnChain => {
    const carried = { ...transfer, confirmations: 0, isDropped: false }
    transfers.set(transfer.txHash, carried)
    return carried
  }

  const observe: Chain['observe'] = ({ steps }) => {
    for (const { event, after } of steps) {
      if (event.actor !== 'transaction' || event.by.kind !== 'SANDBOX') continue
      switch (event.type) {
        case 'TransferSeen':
          if (!transfers.has(event.transfer.txHash)) add({ ...event.transfer, transactionId: event.id })
          break
        case 'TransferConfirmed': {
          const { transfers: known } = cryptoOf(after as Transaction)!
          const { confirmations } = known.find(({ txHash }) => txHash === event.txHash)!
          const carried = transfers.get(event.txHash)!
          carried.isDropped = false
          carried.confirmations = Math.max(carried.confirmations, confirmations)
          break
        }
        case 'TransferDropped':
          transfers.get(event.txHash)!.isDropped = true
          break
        default:
      }
    }
  }

  return { transfers: () => [...transfers.values()].reverse(), carry, observe }
}
