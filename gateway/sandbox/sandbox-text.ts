import type { DeclineCode } from '../../engine/payments/methods/card/declines.ts'
import type { ChargeScenario, PlainCardScenario, TriggerDocument } from '../../engine/sandbox/scenarios.ts'

/** A sentence on everything that the Sandbox can be made to do: one that a language lacks does not compile. */
export type SandboxTexts = {
  readonly scenarios: Readonly<Record<ChargeScenario, string>>
  readonly cards: Readonly<Record<PlainCardScenario, string>>
  readonly declined: (code: DeclineCode, reason: string, isRetryable: boolean) => string
  readonly recurringFail: (count: number) => string
  readonly documents: Readonly<Record<TriggerDocument, string>>
  /** What the words in a defense decide. */
  readonly winningEvidence: string
  readonly losingEvidence: string
  /** What a recipient's bank code does. */
  readonly refusedBankCode: string
}
