import { hash } from 'node:crypto'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import { type DeclineCode, declines } from '../../../engine/payments/methods/card/decline-codes.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { scenarioOf, triggerDocuments } from '../../../engine/sandbox/scenarios.ts'
import type { Provider } from '../provider.ts'
import { isDecided, refundAnswer, refusedWith } from '../sandbox/answers.ts'

/**
 * The Sandbox's acquirer (decisions, section 29). It is stateless: its answers follow from the request alone, and its numbers
 * from the reference, so that asking again gives the same answer.
 */
export const sandboxAcquirer = {
  name: 'sandbox-acquirer',
  label: 'Sandbox acquirer',
  rails: ['CARD'],
  request: async (request: ProviderCallRequest): Promise<ProviderAnswer> => {
    switch (request.operation) {
      case 'AUTHORIZE':
        return authorize(request)
      case 'CAPTURE':
        return scenarioOf(request) === 'capture_fails' ? refusedWith('capture refused') : done(request)
      case 'REFUND':
        return refundAnswer(request) ?? done(request)
      case 'VOID':
      case 'REVERSE':
        return done(request)
      default:
        return refusedWith('an acquirer is asked for payments by card alone')
    }
  },
} satisfies Provider

/** The metadata's scenario takes precedence, then the card token, then the customer's document. */
const authorize = (request: ProviderRequest): ProviderAnswer => {
  const scenario = scenarioOf(request)
  switch (scenario) {
    case null:
      return request.customerDocument === triggerDocuments.antifraud ? antifraud : done(request)
    case 'antifraud':
      return antifraud
    case 'provider_error':
      return refusedWith('the acquirer is not available')
    case 'timeout':
      return { type: 'SILENT' }
    case 'processing':
      return isDecided(request) ? done(request) : { type: 'PENDING' }
    case 'processing_declined':
      return isDecided(request) ? declined('05', request) : { type: 'PENDING' }
    case 'recurring_expires':
      return (request.attempt ?? 1) === 1 ? done(request) : declined('54', request)
    default: {
      const failures = /^recurring_fail_([1-9])$/.exec(scenario)?.[1]
      if (failures !== undefined)
        return (request.attempt ?? 1) <= Number(failures) ? declined('51', request) : done(request)
      const code = /^declined_(.+)$/.exec(scenario)?.[1]
      return code !== undefined && code in declines ? declined(code as DeclineCode, request) : done(request)
    }
  }
}

const done = ({ reference }: ProviderRequest): ProviderAnswer => ({
  type: 'DONE',
  evidence: { returnCode: '00', message: 'approved', ...numbersOf(reference) },
})

const declined = (code: DeclineCode, { reference }: ProviderRequest): ProviderAnswer => {
  const message = declines[code].failureReason.toLowerCase().replaceAll('_', ' ')
  const { nsu, tid } = numbersOf(reference)
  return { type: 'REFUSED', refusal: { reason: 'DECLINED', code, message, nsu, tid } }
}

const antifraud: ProviderAnswer = {
  type: 'REFUSED',
  refusal: { reason: 'ANTIFRAUD', message: 'refused by the antifraud' },
}

/** Digits derived from the reference alone. */
const numbersOf = (reference: string) => {
  const bytes = hash('sha256', reference, 'buffer')
  const digits = (at: number, count: number): string =>
    String(bytes.readUIntBE(at, 6) % 10 ** count).padStart(count, '0')
  return {
    nsu: digits(0, 6),
    tid: digits(6, 10) + digits(12, 10),
    authorizationCode: digits(18, 6),
  }
}
