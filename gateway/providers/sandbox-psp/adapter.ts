import type { ProviderAsk, ProviderModule, ProviderOutcome } from '../port.ts'
import { doneAs, opened, refundOutcome, sandboxBase } from '../sandbox/answers.ts'
import { mandateCode } from './mandate-code.ts'

/**
 * The Sandbox's PIX provider: it returns money, and confirms at once unless a scenario says otherwise. Charges are issued in its name. Mandates
 * are made and charges by them are taken at once; what payers and their banks do then is played by triggers.
 */
export const sandboxPsp: ProviderModule = {
  name: 'sandbox-psp',
  label: 'Sandbox PSP',
  rails: ['PIX'],
  ...sandboxBase,
  repeat: {
    REFUND: 'SAFE',
    RETURN: 'SAFE',
    MANDATE_CREATE: 'SAFE',
    MANDATE_CANCEL: 'SAFE',
    SCHEDULE: 'SAFE',
    RESCHEDULE: 'SAFE',
    UNSCHEDULE: 'SAFE',
  },
  capabilities: { medFeed: true },
  open: opened((ask) => refundOutcome(ask) ?? mandateMade(ask) ?? doneAs(ask)),
}

/** The mandate, by an id that follows from what is asked; null for every other ask. */
const mandateMade = (ask: ProviderAsk): ProviderOutcome | null => {
  if (ask.operation !== 'MANDATE_CREATE') return null
  const { reference, data } = ask
  const copyPaste = data.journey === 'NOTIFICATION' ? null : mandateCode(reference, data.txid)
  const mandateId = `RR${reference.slice(0, 27).padEnd(27, '0')}`
  return doneAs(ask, { kind: 'MANDATE', mandateId, networkReference: null, copyPaste })
}
