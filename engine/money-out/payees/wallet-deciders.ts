import { isPayableAddress } from '../../crypto/address.ts'
import type { Decider } from '../../kernel/decider.ts'
import { factOf } from '../../kernel/fact.ts'
import { limits } from '../../shared/limits.ts'
import { dropPlannedFor } from '../approve.ts'
import type { RegisterWallet, RemoveWallet } from '../commands.ts'
import { payeeKeyOf } from './payee.ts'

/**
 * Registers a wallet, which waits a day: allow-lists stop nothing if a thief can write into them. Refuses what is no address of its network or
 * swallows what it gets, and one that is registered already.
 */
export const registerWallet: Decider<RegisterWallet> = (draft, { walletId, wallet, accountId }) => {
  if (!isPayableAddress(wallet.network, wallet.address))
    return { reason: 'ADDRESS_INVALID', field: 'address' }
  const known = draft.lookup('wallet', payeeKeyOf(wallet)).find(({ isRemoved }) => !isRemoved)
  if (known !== undefined) return { reason: 'WALLET_EXISTS', walletId: known.id }
  const availableAtMs = draft.context.nowMs + limits.coolingOffMs
  draft.add({
    type: 'WalletRegistered',
    wallet: { ...wallet, accountId, availableAtMs },
    ...factOf(draft, 'wallet', walletId),
  })
  return null
}

/** Removes a wallet, and cancels what waits to be sent to it. One that is removed stays so. */
export const removeWallet: Decider<RemoveWallet> = (draft, { walletId }) => {
  const wallet = draft.find('wallet', walletId)
  if (wallet === undefined) return { reason: 'NOT_FOUND', resource: 'wallet' }
  if (wallet.isRemoved) return null
  draft.add({ type: 'WalletRemoved', ...factOf(draft, 'wallet', walletId) })
  dropPlannedFor(draft, 'withdrawal', walletId, 'WALLET_REMOVED')
  return null
}
