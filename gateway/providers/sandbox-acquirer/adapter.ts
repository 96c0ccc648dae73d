import { hash } from 'node:crypto'
import { type DeclineCode, declines } from '../../../engine/payments/methods/card/decline-codes.ts'
import { triggerDocuments } from '../../../engine/sandbox/scenarios.ts'
import type { Evidence, ProviderAsk, ProviderModule, ProviderOutcome } from '../port.ts'
import {
  doneAs,
  isDecided,
  opened,
  refundOutcome,
  refusedWith,
  sandboxBase,
  saysNothing,
  undecidedYet,
} from '../sandbox/answers.ts'

/**
 * The Sandbox's acquirer (decisions, section 29). It is stateless: its outcomes follow from the ask alone, and its numbers
 * from the call, so that asking again gives the same.
 */
export const sandboxAcquirer: ProviderModule = {
  name: 'sandbox-acquirer',
  label: 'Sandbox acquirer',
  rails: ['CARD'],
  ...sandboxBase,
  repeat: { AUTHORIZE: 'SAFE', CAPTURE: 'SAFE', VOID: 'SAFE', REFUND: 'SAFE', REVERSE: 'SAFE' },
  capabilities: { duplicateSales: 'SAME_SALE' },
  open: opened((ask) => {
    switch (ask.operation) {
      case 'AUTHORIZE':
        return authorize(ask)
      case 'CAPTURE':
        return ask.scenario === 'capture_fails' ? refusedWith('capture refused') : doneAs(ask)
      case 'REFUND':
        return refundOutcome(ask) ?? doneAs(ask)
      case 'VOID':
      case 'REVERSE':
        return doneAs(ask)
      default:
        return refusedWith('an acquirer is asked for payments by card alone')
    }
  }),
}

type Authorize = Extract<ProviderAsk, { readonly operation: 'AUTHORIZE' }>

/** The metadata's scenario takes precedence, then the card token, then the customer's document. */
const authorize = (ask: Authorize): ProviderOutcome => {
  const { scenario } = ask
  const attempt = ask.data.attempt ?? 1
  switch (scenario) {
    case null:
      return ask.data.customer?.document === triggerDocuments.antifraud ? antifraud : authorized(ask)
    case 'antifraud':
      return antifraud
    case 'provider_error':
      return refusedWith('the acquirer is not available', { retryOn: 'SAME' })
    case 'timeout':
      return saysNothing
    case 'processing':
      return isDecided(ask) ? authorized(ask) : undecidedYet
    case 'processing_declined':
      return isDecided(ask) ? declined('05', ask) : undecidedYet
    case 'recurring_expires':
      return attempt === 1 ? authorized(ask) : declined('54', ask)
    default: {
      const failures = /^recurring_fail_([1-9])$/.exec(scenario)?.[1]
      if (failures !== undefined) return attempt <= Number(failures) ? declined('51', ask) : authorized(ask)
      const code = /^declined_(.+)$/.exec(scenario)?.[1]
      return code !== undefined && code in declines ? declined(code as DeclineCode, ask) : authorized(ask)
    }
  }
}

const authorized = (ask: Authorize): ProviderOutcome => {
  const evidence: Evidence = {
    kind: 'CARD',
    networkReference: null,
    returnCode: '00',
    message: 'approved',
    ...numbersOf(ask.callId),
  }
  return doneAs(ask, evidence)
}

const declined = (code: DeclineCode, { callId }: Authorize): ProviderOutcome => {
  const { failureReason, retryable } = declines[code]
  const { nsu, tid } = numbersOf(callId)
  return refusedWith(failureReason.toLowerCase().replaceAll('_', ' '), {
    reason: failureReason,
    network: { code, advice: null },
    retryOn: retryable ? 'SAME' : 'NONE',
    attempt: { nsu, tid },
  })
}

const antifraud = refusedWith('refused by the antifraud', { reason: 'ANTIFRAUD_DECLINED' })

/** Digits derived from the call alone. */
const numbersOf = (callId: string) => {
  const bytes = hash('sha256', callId, 'buffer')
  const digits = (at: number, count: number): string =>
    String(bytes.readUIntBE(at, 6) % 10 ** count).padStart(count, '0')
  return {
    nsu: digits(0, 6),
    tid: digits(6, 10) + digits(12, 10),
    authorizationCode: digits(18, 6),
  }
}
