import type { Decider } from '../kernel/decider.ts'
import { factOf } from '../kernel/fact.ts'
import { isPayableAddress } from './address.ts'
import { endWaiting } from './approve-withdrawal.ts'
import type { RegisterWallet, RemoveWallet } from './commands.ts'
import { walletKeyOf } from './wallet.ts'
import { waitingForKey } from './withdrawal.ts'

/** Allow-lists stop nothing if a thief can write into them: a new wallet waits a day. */
const coolingOffMs = 24 * 3_600_000

/** Registers a wallet; refuses what is no address of its network or swallows what it gets, and one that is registered already. */
export const registerWallet: Decider<RegisterWallet> = (draft, { walletId, wallet, accountId }) => {
  if (!isPayableAddress(wallet.network, wallet.address))
    return { reason: 'ADDRESS_INVALID', field: 'address' }
  const known = draft.lookup('wallet', walletKeyOf(wallet)).find(({ isRemoved }) => !isRemoved)
  if (known !== undefined) return { reason: 'WALLET_EXISTS', walletId: known.id }
  const availableAtMs = draft.context.nowMs + coolingOffMs
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
  for (const withdrawal of draft.lookup('cryptoWithdrawal', waitingForKey(walletId)))
    endWaiting(draft, withdrawal, 'WALLET_REMOVED')
  return null
}
