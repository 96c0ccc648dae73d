import {
  lostBankCode,
  refusedBankCode,
  type TransferScenario,
  triggerKeys,
} from '../../../engine/sandbox/scenarios.ts'
import { unreachable } from '../../../engine/shared/assert.ts'
import type { ProviderAsk, ProviderModule, ProviderOutcome } from '../port.ts'
import {
  doneAs,
  isDecided,
  opened,
  refusedWith,
  sandboxBase,
  saysNothing,
  undecidedYet,
} from '../sandbox/answers.ts'

/**
 * The Sandbox's bank. Boletos are issued in its name without asking it, it pays recipients at once, and sends transfers. It is stateless:
 * its outcomes follow from the ask, so that asking again gives the same.
 */
export const sandboxBank: ProviderModule = {
  name: 'sandbox-bank',
  label: 'Sandbox bank',
  rails: ['BOLETO', 'PAYOUT'],
  ...sandboxBase,
  repeat: { PAY_OUT: 'SAFE' },
  capabilities: { payOutBy: ['PIX', 'TED'] },
  open: opened((ask) => (ask.operation === 'PAY_OUT' ? payOut(ask) : refusedWith('a bank only pays out'))),
}

type PayOutAsk = Extract<ProviderAsk, { readonly operation: 'PAY_OUT' }>

/** How long the bank says nothing where a scenario wants it. */
const silentMs = 15 * 60_000

/** A scenario comes before what the payee would trigger (decisions, section 29). */
const payOut = (ask: PayOutAsk): ProviderOutcome => {
  const scenario = ask.scenario as TransferScenario | null
  switch (scenario) {
    case 'transfer_silent':
      return ask.nowMs - ask.openedAtMs < silentMs ? saysNothing : doneAs(ask)
    case 'transfer_lost':
      return neverSaid
    case 'transfer_slow':
      return isDecided(ask) ? doneAs(ask) : undecidedYet
    case 'transfer_fails':
      return refusedWith('refused by the bank', { reason: 'REFUSED_BY_BANK' })
    // The low balance is found before the bank is asked.
    case 'transfer_insufficient':
      return doneAs(ask)
    case null:
      return triggeredBy(ask)
    default:
      return unreachable(scenario)
  }
}

const triggeredBy = (ask: PayOutAsk): ProviderOutcome => {
  const { pixKey, bankCode } = ask.data.payee
  if (pixKey === triggerKeys.slow && !isDecided(ask)) return undecidedYet
  if (bankCode === lostBankCode) return neverSaid
  if (bankCode === refusedBankCode) return refusedBy('ACCOUNT_NOT_FOUND', 'AC03', 'no such bank')
  if (pixKey === triggerKeys.blocked) return refusedBy('ACCOUNT_BLOCKED', 'AC06', 'the account is blocked')
  if (pixKey === triggerKeys.moved)
    return refusedWith('the key has another owner', { reason: 'BENEFICIARY_CHANGED' })
  return doneAs(ask)
}

/** What became of it is never known. */
const neverSaid: ProviderOutcome = { type: 'SILENT', isLost: true, isUnasked: true }

/** A refusal with a code of ISO 20022, as PIX uses them. */
const refusedBy = (
  reason: 'ACCOUNT_NOT_FOUND' | 'ACCOUNT_BLOCKED',
  code: string,
  message: string,
): ProviderOutcome => refusedWith(message, { reason, network: { code, advice: null } })
