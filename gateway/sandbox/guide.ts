import { declines } from '../../engine/payments/methods/card/decline-codes.ts'
import {
  chargeScenarios,
  conversionScenarios,
  declineCodes,
  plainCardScenarios,
  recurringFailures,
  type TriggerDocument,
  type TriggerKey,
  testTokenPrefix,
  transferScenarios,
  triggerDocuments,
  triggerKeys,
  withdrawalScenarios,
} from '../../engine/sandbox/scenarios.ts'
import type { Language } from '../problems/language.ts'
import { en } from './en.ts'
import { pt } from './pt.ts'
import type { SandboxTexts } from './sandbox-text.ts'

export const sandboxTexts: Readonly<Record<Language, SandboxTexts>> = { en, pt }

/** A value that a merchant can send, and its effect. */
export type Trigger = { readonly value: string; readonly effect: string }

/** The rows of the documentation's tables, generated from the names that the service itself uses. */
export const sandboxGuide = (
  language: Language,
): {
  readonly scenarios: readonly Trigger[]
  readonly tokens: readonly Trigger[]
  readonly documents: readonly Trigger[]
  readonly keys: readonly Trigger[]
} => {
  const texts = sandboxTexts[language]
  const cards = [
    ...plainCardScenarios.map((name) => ({ value: name as string, effect: texts.cards[name] })),
    ...declineCodes.map((code) => {
      const { failureReason, retryable } = declines[code]
      return { value: `declined_${code}`, effect: texts.declined(code, failureReason, retryable) }
    }),
    ...recurringFailures.map((count) => ({
      value: `recurring_fail_${count}`,
      effect: texts.recurringFail(count),
    })),
  ]
  return {
    scenarios: [
      ...chargeScenarios.map((value) => ({ value, effect: texts.scenarios[value] })),
      ...conversionScenarios.map((value) => ({ value, effect: texts.conversions[value] })),
      ...withdrawalScenarios.map((value) => ({ value, effect: texts.withdrawals[value] })),
      ...transferScenarios.map((value) => ({ value, effect: texts.transfers[value] })),
    ],
    keys: (Object.keys(triggerKeys) as TriggerKey[]).map((name) => ({
      value: triggerKeys[name],
      effect: texts.keys[name],
    })),
    tokens: cards.map(({ value, effect }) => ({ value: testTokenPrefix + value, effect })),
    documents: (Object.keys(triggerDocuments) as TriggerDocument[]).map((name) => ({
      value: triggerDocuments[name],
      effect: texts.documents[name],
    })),
  }
}
