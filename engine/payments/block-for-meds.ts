import type { Draft } from '../kernel/draft.ts'
import { byClock } from '../shared/initiator.ts'
import { blockable } from './methods/pix/med.ts'
import { addFacts } from './transaction/execute.ts'

/**
 * Blocks, for the oldest open MEDs first, money that a command has made available (decisions, section 11). It runs
 * after every command that changes the account, so a credit and its block are one entry and nothing leaves between.
 */
export const blockForMeds = (draft: Draft): void => {
  const { shortMeds } = draft.account()
  if (shortMeds === undefined) return
  for (const { medId, transactionId, missingCents } of shortMeds) {
    const cents = blockable(draft.account(), missingCents)
    if (cents === 0) return
    const transaction = draft.find('transaction', transactionId)!
    const fact = { actor: 'transaction', id: transactionId, by: byClock, atMs: draft.context.nowMs } as const
    addFacts(draft, transaction, [{ type: 'MedBlocked', medId, cents, ...fact }])
  }
}
