import { providerOf } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { ProviderAnswer } from '../payments/provider.ts'
import { environmentOf } from '../shared/ids.ts'
import { isPayableAddress } from './address.ts'
import { moveFunds } from './books.ts'
import { chainDueAgain } from './chain-request.ts'
import type { ResolveDeposit } from './commands.ts'
import type { CryptoDeposit } from './deposit.ts'

/** Takes a deposit into the balance, or returns it less the network's fee. */
export const resolveDeposit: Decider<ResolveDeposit> = (draft, { depositId, action, address, by }) => {
  const deposit = draft.find('cryptoDeposit', depositId)
  if (deposit === undefined) return { reason: 'NOT_FOUND', resource: 'crypto_deposit' }
  const { status, call, asset, units, network, accountId, tries } = deposit
  if (!resolvable.includes(status))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses: resolvable }
  if (call !== null) return { reason: 'OPERATION_IN_PROGRESS', currentStatus: status, operation: 'SEND' }
  const fact = factOf(draft, 'cryptoDeposit', depositId)
  if (action === 'ACCEPT') {
    draft.add({ type: 'DepositAccepted', by: by.id, ...fact })
    moveFunds(draft, depositId, asset, { blocked: -units, available: units })
    return null
  }
  const to = address ?? deposit.fromAddress
  if (to === null) return { reason: 'ADDRESS_REQUIRED' }
  if (!isPayableAddress(network, to)) return { reason: 'ADDRESS_INVALID', field: 'address' }
  const { institution } = draft.context
  const providerId = providerOf(institution, accountId, 'CRYPTO')
  const feeUnits = institution.crypto.networkFeeUnits(environmentOf(accountId), network)
  if (providerId === null || feeUnits === null) return { reason: 'PROVIDER_ABSENT', rail: 'CRYPTO' }
  if (units <= feeUnits) return { reason: 'BELOW_NETWORK_FEE' }
  const sent = { address: to, feeUnits, by: by.id }
  draft.add({ type: 'ReturnSent', callId: `${depositId}.${tries + 1}`, providerId, sent, ...fact })
  return null
}

const resolvable: readonly string[] = ['UNRESOLVED', 'RETURN_FAILED']

/** Records the provider's answer about a return. A return on its way counts as done: nothing can call it back. */
export const recordReturn = (draft: Draft, deposit: CryptoDeposit, answer: ProviderAnswer): void => {
  const { id, asset, units, sent } = deposit
  const call = deposit.call!
  const fact = { callId: call.id, ...factOf(draft, 'cryptoDeposit', id) }
  switch (answer.type) {
    case 'SENT':
    case 'CONFIRMED': {
      const { feeUnits } = sent!
      draft.add({ type: 'DepositReturned', txHash: answer.txHash, ...fact })
      moveFunds(draft, id, asset, { blocked: -units, paidOut: units - feeUnits, fees: feeUnits })
      return
    }
    case 'REFUSED':
      draft.add({ type: 'ReturnFailed', failureReason: answer.refusal.message, ...fact })
      return
    default:
      if (call.dueAtMs === null)
        draft.add({ type: 'ReturnSilent', ...fact, ...chainDueAgain(call, answer, draft) })
  }
}
