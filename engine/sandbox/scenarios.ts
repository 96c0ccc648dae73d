import { type Card, cardOf } from '../payments/methods/card/card.ts'
import { type DeclineCode, declines } from '../payments/methods/card/decline-codes.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { type AccountId, environmentOf } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'

/**
 * The triggers of the Sandbox (decisions, section 29): scenarios by `metadata.sandboxScenario`, card outcomes by
 * token or that field too, and customer documents with special meanings.
 */
export const chargeScenarios = [
  'paid',
  'never_paid',
  // A PIX that arrives after its charge has expired.
  'paid_late',
  'paid_twice',
  // A boleto that is paid after its due date.
  'paid_overdue',
  'provider_error',
  'med',
  'refund_fails',
  'refund_slow',
  'insufficient_balance',
] as const
export type ChargeScenario = (typeof chargeScenarios)[number]

/** Outcomes of transfers (dashboard, section 2.7). */
export const transferScenarios = [
  'transfer_fails',
  'transfer_slow',
  'transfer_silent',
  'transfer_lost',
  'transfer_insufficient',
] as const
export type TransferScenario = (typeof transferScenarios)[number]

/** PIX keys with outcomes of their own (dashboard, section 2.5). */
export const triggerKeys = {
  /** The directory does not know it. */
  unknown: 'naoexiste@sandbox.test',
  /** The directory does not answer. */
  unanswered: 'instavel@sandbox.test',
  /** The bank refuses transfers to it. */
  blocked: 'bloqueada@sandbox.test',
  /** Another person owns it by the time that it is paid. */
  moved: 'trocou@sandbox.test',
  /** Transfers to it take their time. */
  slow: 'lenta@sandbox.test',
} as const
export type TriggerKey = keyof typeof triggerKeys

/** Card outcomes except declines and recurring failures, which come in series. */
export const plainCardScenarios = [
  'approved',
  'antifraud',
  'processing',
  'processing_declined',
  'timeout',
  'capture_fails',
  'refund_fails',
  'refund_slow',
  'chargeback',
  'recurring_expires',
] as const
export type PlainCardScenario = (typeof plainCardScenarios)[number]

export const declineCodes = (Object.keys(declines) as DeclineCode[]).sort()
/** How many attempts of a subscription can be declined before one is approved. */
export const recurringFailures = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

export type CardScenario =
  | PlainCardScenario
  | `declined_${DeclineCode}`
  | `recurring_fail_${(typeof recurringFailures)[number]}`

export const cardScenarios: readonly CardScenario[] = [
  ...plainCardScenarios,
  ...declineCodes.map((code) => `declined_${code}` as const),
  ...recurringFailures.map((count) => `recurring_fail_${count}` as const),
]

/** A test token is this prefix and a card scenario's name. */
export const testTokenPrefix = 'tok_test_'

/** Outcomes of conversions, which otherwise complete at once. */
export const conversionScenarios = ['conversion_slow', 'conversion_fails'] as const
export type ConversionScenario = (typeof conversionScenarios)[number]

/** Outcomes of stablecoin withdrawals, which otherwise follow from the address. */
export const withdrawalScenarios = ['withdrawal_silent'] as const
export type WithdrawalScenario = (typeof withdrawalScenarios)[number]

export type Scenario = ChargeScenario | CardScenario | ConversionScenario

/** Everything that metadata can name. */
export const scenarios: readonly (Scenario | TransferScenario | WithdrawalScenario)[] = [
  ...new Set([
    ...chargeScenarios,
    ...cardScenarios,
    ...conversionScenarios,
    ...transferScenarios,
    ...withdrawalScenarios,
  ]),
]

/** Documents with valid check digits that were never issued, and what they trigger. */
export const triggerDocuments = {
  /** The antifraud refuses the card. */
  antifraud: '00000000191',
  /** The bank refuses to register the boleto. */
  boletoRefused: '00000000272',
  /** A third party pays the PIX. */
  paidByThirdParty: '00000000353',
} as const
export type TriggerDocument = keyof typeof triggerDocuments

/** Phrases in a defense that decide its chargeback or MED, and in the contest of a MED. */
export const winningEvidence = 'winning_evidence'
export const losingEvidence = 'losing_evidence'

/** No bank has this code: payouts to it come back. */
export const refusedBankCode = '000'

/** No bank has this code either: it never says what became of payouts to it. */
export const lostBankCode = '998'

/** The scenario for a charge: from its metadata, or else from its card's token. */
export const scenarioOf = ({
  accountId,
  metadata,
  card,
}: {
  readonly accountId: AccountId
  readonly metadata: Metadata
  readonly card: Pick<Card, 'token'> | null
}): Scenario | null => {
  if (environmentOf(accountId) !== 'SANDBOX') return null
  const { sandboxScenario } = metadata
  if (sandboxScenario !== undefined) return asScenario(sandboxScenario)
  return card?.token.startsWith(testTokenPrefix) ? asScenario(card.token.slice(testTokenPrefix.length)) : null
}

/** The scenario of a charge. */
export const scenarioIn = (transaction: Transaction): Scenario | null => {
  const { accountId, details } = transaction
  return scenarioOf({ accountId, metadata: details.metadata, card: cardOf(transaction) })
}

const asScenario = (name: unknown): Scenario | null => (known.has(name) ? (name as Scenario) : null)

const known: ReadonlySet<unknown> = new Set([...chargeScenarios, ...cardScenarios, ...conversionScenarios])

/** The first of these scenarios that the metadata of a Sandbox payment names; null if none. */
const among =
  <Name extends string>(names: readonly Name[]) =>
  ({ accountId, metadata }: { readonly accountId: AccountId; readonly metadata: Metadata }): Name | null =>
    environmentOf(accountId) === 'SANDBOX'
      ? (names.find((name) => name === metadata.sandboxScenario) ?? null)
      : null

export const transferScenarioOf = among(transferScenarios)
export const conversionScenarioOf = among(conversionScenarios)
export const withdrawalScenarioOf = among(withdrawalScenarios)
