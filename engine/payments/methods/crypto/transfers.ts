import type { ChainTransfer } from './crypto.ts'

/** The transfers with these changes to one of them. */
export const changedTransfer = (
  transfers: readonly ChainTransfer[],
  txHash: string,
  changes: Partial<ChainTransfer>,
): readonly ChainTransfer[] =>
  transfers.map((transfer) => (transfer.txHash === txHash ? { ...transfer, ...changes } : transfer))
