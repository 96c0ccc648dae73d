import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { TransferId, WithdrawalId } from '../shared/ids.ts'
import type { MoneyOut } from './money-out.ts'

/** Names the transfer or the withdrawal that a command or a question is about. */
export type MoneyOutTarget = { readonly transferId: TransferId } | { readonly withdrawalId: WithdrawalId }

/** The target of a command; undefined if the account has none with that id. */
export const moneyOutIn = (draft: Draft, target: MoneyOutTarget): MoneyOut | undefined =>
  'transferId' in target
    ? draft.find('transfer', target.transferId)
    : draft.find('withdrawal', target.withdrawalId)

/** The refusal for a target that does not exist. */
export const absentMoneyOut = (target: MoneyOutTarget): Rejection => ({
  reason: 'NOT_FOUND',
  resource: 'transferId' in target ? 'transfer' : 'crypto_withdrawal',
})
