import type { Command } from '../../../engine/kernel/registry.ts'
import { kindOfMoneyOut } from '../../../engine/money-out/asked.ts'
import type { MoneyOut, MoneyOutFailure } from '../../../engine/money-out/money-out.ts'
import type { PersonId, TransferId, WithdrawalId } from '../../../engine/shared/ids.ts'
import { longStanding } from '../standing.ts'
import { approver } from './payees.ts'

/** How a person ends, or lets go, money out that has not left. */
export const decisionsOnMoneyOut = ['approve', 'reject', 'cancel', 'stop'] as const
export type DecisionOnMoneyOut = (typeof decisionsOnMoneyOut)[number]

/** The command of a decision. */
export const decisionOn = (out: MoneyOut, says: DecisionOnMoneyOut): Command => {
  const { accountId } = out
  const about = { accountId, by: approver, ...targetOf(out) }
  const decider = { personId: approver.id as PersonId, name: 'Bia', standing: longStanding }
  switch (says) {
    case 'approve':
      return { ...about, ...decider, type: 'ApproveMoneyOut' }
    case 'reject':
      return { ...about, ...decider, type: 'RejectMoneyOut', reason: 'no' }
    case 'cancel':
      return { ...about, type: 'CancelMoneyOut' }
    // Who has asked for it may not send money any more.
    case 'stop':
      return {
        accountId,
        by: approver,
        type: 'StopMoneyOutOf',
        kind: kindOfMoneyOut(out),
        personId: out.createdBy!,
      }
  }
}

/** The Sandbox decides in the place of the bank or the network. */
export const resolutionOf = (out: MoneyOut, failureReason: MoneyOutFailure | null): Command => ({
  accountId: out.accountId,
  by: { kind: 'SANDBOX', id: 'key_1' },
  type: 'ResolveMoneyOut',
  ...targetOf(out),
  failureReason,
})

const targetOf = ({ id, method }: MoneyOut) =>
  method === 'CRYPTO' ? { withdrawalId: id as WithdrawalId } : { transferId: id as TransferId }
