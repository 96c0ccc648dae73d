import { isPayableAddress } from '../../crypto/address.ts'
import type { Decider } from '../../kernel/decider.ts'
import { factOf } from '../../kernel/fact.ts'
import { bounds } from '../../shared/bounds.ts'
import { dropPlannedFor } from '../approve.ts'
import type { RegisterWallet, RemoveWallet } from '../commands.ts'
import { payeeKeyOf } from './payee.ts'

/**
 * Registers a wallet, which can be used a day later: an allow-list stops nothing if a thief can write into it.
 * Refuses addresses that are invalid or unspendable, and a wallet that is registered already.
 */
export const registerWallet: Decider<RegisterWallet> = (draft, { walletId, wallet, accountId }) => {
  if (!isPayableAddress(wallet.network, wallet.address))
    return { reason: 'ADDRESS_INVALID', field: 'address' }
  const known = draft.lookup('wallet', payeeKeyOf(wallet)).find(({ isRemoved }) => !isRemoved)
  if (known !== undefined) return { reason: 'WALLET_EXISTS', walletId: known.id }
  const availableAtMs = draft.context.nowMs + bounds.coolingOffMs
  draft.add({
    type: 'WalletRegistered',
    wallet: { ...wallet, accountId, availableAtMs },
    ...factOf(draft, 'wallet', walletId),
  })
  return null
}

/** Removes a wallet for good, and cancels the withdrawals that wait to be sent to it. */
export const removeWallet: Decider<RemoveWallet> = (draft, { walletId }) => {
  const wallet = draft.find('wallet', walletId)
  if (wallet === undefined) return { reason: 'NOT_FOUND', resource: 'wallet' }
  if (wallet.isRemoved) return null
  draft.add({ type: 'WalletRemoved', ...factOf(draft, 'wallet', walletId) })
  dropPlannedFor(draft, 'withdrawal', walletId, 'WALLET_REMOVED')
  return null
}
