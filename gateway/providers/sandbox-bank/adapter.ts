import {
  ownerChanged,
  type TransferAnswer,
  type TransferRequest,
} from '../../../engine/money-out/methods/bank-request.ts'
import { refusedBankCode, transferScenarioOf, triggerKeys } from '../../../engine/sandbox/scenarios.ts'
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

/** A scenario comes before what the payee would trigger (decisions, section 29). */
const transferAnswer = (request: TransferRequest): TransferAnswer => {
  const { payee, openedAtMs, nowMs } = request
  switch (transferScenarioOf(request)) {
    case 'transfer_silent':
      return nowMs - openedAtMs < silentMs ? { type: 'SILENT' } : { type: 'DONE' }
    case 'transfer_slow':
      return isDecided(request) ? { type: 'DONE' } : { type: 'PENDING' }
    case 'transfer_fails':
      return { type: 'REFUSED', code: null }
    // The low balance is found before the bank is asked.
    case 'transfer_insufficient':
      return { type: 'DONE' }
    case null:
      return triggeredBy(payee, request)
  }
}

const triggeredBy = (
  { pixKey, bankCode }: TransferRequest['payee'],
  request: TransferRequest,
): TransferAnswer => {
  if (pixKey === triggerKeys.slow && !isDecided(request)) return { type: 'PENDING' }
  if (bankCode === refusedBankCode) return { type: 'REFUSED', code: 'AC03' }
  if (pixKey === triggerKeys.blocked) return { type: 'REFUSED', code: 'AC06' }
  if (pixKey === triggerKeys.moved) return { type: 'REFUSED', code: ownerChanged }
  return { type: 'DONE' }
}
