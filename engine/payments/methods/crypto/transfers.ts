import type { ChainTransfer } from './crypto.ts'

/** The transfers with these changes to one of them. */
export const changedTransfer = (
  transfers: readonly ChainTransfer[],
  txHash: string,
  changes: Partial<ChainTransfer>,
): readonly ChainTransfer[] =>
  transfers.map((transfer) => (transfer.txHash === txHash ? { ...transfer, ...changes } : transfer))

/** The transfers with this one added, or in place of the one with its id. */
export const withTransfer = (
  transfers: readonly ChainTransfer[],
  transfer: ChainTransfer,
): readonly ChainTransfer[] =>
  transfers.some(({ txHash }) => txHash === transfer.txHash)
    ? changedTransfer(transfers, transfer.txHash, transfer)
    : [...transfers, transfer]
