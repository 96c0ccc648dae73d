import type { DeclineCode } from '../../engine/payments/methods/card/decline-codes.ts'
import type {
  ChargeScenario,
  ConversionScenario,
  PlainCardScenario,
  TransferScenario,
  TriggerDocument,
  TriggerKey,
  WithdrawalScenario,
} from '../../engine/sandbox/scenarios.ts'

/** One sentence for everything the Sandbox can be made to do. A sentence that a language lacks does not compile. */
export type SandboxTexts = {
  readonly scenarios: Readonly<Record<ChargeScenario, string>>
  readonly conversions: Readonly<Record<ConversionScenario, string>>
  readonly withdrawals: Readonly<Record<WithdrawalScenario, string>>
  readonly transfers: Readonly<Record<TransferScenario, string>>
  readonly keys: Readonly<Record<TriggerKey, string>>
  readonly cards: Readonly<Record<PlainCardScenario, string>>
  readonly declined: (code: DeclineCode, reason: string, isRetryable: boolean) => string
  readonly recurringFail: (count: number) => string
  readonly documents: Readonly<Record<TriggerDocument, string>>
  /** The effect of words in a defense. */
  readonly winningEvidence: string
  readonly losingEvidence: string
  /** The effect of bank codes. */
  readonly refusedBankCode: string
  readonly lostBankCode: string
}
