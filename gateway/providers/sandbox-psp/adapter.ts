import type { ProviderModule } from '../port.ts'
import { doneAs, opened, refundOutcome, sandboxBase } from '../sandbox/answers.ts'

/** The Sandbox's PIX provider: it returns money, and confirms at once unless a scenario says otherwise. Charges are issued in its name. */
export const sandboxPsp: ProviderModule = {
  name: 'sandbox-psp',
  label: 'Sandbox PSP',
  rails: ['PIX'],
  ...sandboxBase,
  repeat: { REFUND: 'SAFE' },
  capabilities: { medFeed: true },
  open: opened((ask) => refundOutcome(ask) ?? doneAs(ask)),
}
