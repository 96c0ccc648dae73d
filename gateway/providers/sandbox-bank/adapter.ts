import { refusedBankCode, transferScenarioOf, triggerKeys } from '../../../engine/sandbox/scenarios.ts'
import {
  ownerChanged,
  type TransferAnswer,
  type TransferRequest,
} from '../../../engine/transfers/transfer-request.ts'
import type { Provider } from '../provider.ts'
import { isDecided, refusedWith } from '../sandbox/answers.ts'

/**
 * The Sandbox's bank. Boletos are issued in its name without asking it, it pays recipients at once, and sends transfers. It is stateless:
 * its answers follow from the request, so that asking again gives the same answer.
 */
export const sandboxBank: Provider = {
  name: 'sandbox-bank',
  label: 'Sandbox bank',
  rails: ['BOLETO', 'PAYOUT'],
  request: async (request) => {
    if (request.operation === 'SEND_TRANSFER') return transferAnswer(request)
    if (request.operation !== 'PAY_OUT') return refusedWith('a bank only pays out')
    return request.bank.bankCode === refusedBankCode
      ? refusedWith('no such bank')
      : { type: 'DONE', evidence: null }
  },
}

/** How long the bank says nothing where a scenario wants it. */
const silentMs = 15 * 60_000

const transferAnswer = (request: TransferRequest): TransferAnswer => {
  const { payee, openedAtMs, nowMs } = request
  const scenario = transferScenarioOf(request)
  if (scenario === 'transfer_silent' && nowMs - openedAtMs < silentMs) return { type: 'SILENT' }
  const isSlow = scenario === 'transfer_slow' || payee.pixKey === triggerKeys.slow
  if (isSlow && !isDecided(request)) return { type: 'PENDING' }
  if (scenario === 'transfer_fails') return { type: 'REFUSED', code: null }
  if (payee.bankCode === refusedBankCode) return { type: 'REFUSED', code: 'AC03' }
  if (payee.pixKey === triggerKeys.blocked) return { type: 'REFUSED', code: 'AC06' }
  if (payee.pixKey === triggerKeys.moved) return { type: 'REFUSED', code: ownerChanged }
  return { type: 'DONE' }
}
