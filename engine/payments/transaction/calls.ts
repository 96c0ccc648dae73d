import type { Idempotency } from '../../kernel/command.ts'
import type { Context } from '../../kernel/context.ts'
import { accept } from '../../kernel/decision.ts'
import { dayMs } from '../../shared/calendar.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { ChargeContext, ExistingChargeDecider } from './charge-context.ts'
import type { CallAgain } from './commands.ts'
import type { ProviderSilent, TransactionFact } from './facts.ts'
import type { ProviderCall, ProviderOperation, Transaction } from './transaction.ts'

/** Decides what a provider's answer to each of these operations means. */
export type AnswerDeciders<Operation extends ProviderOperation> = Readonly<
  Record<
    Operation,
    (
      transaction: Transaction,
      call: ProviderCall,
      answer: ProviderAnswer,
      chargeContext: ChargeContext,
    ) => TransactionFact | readonly TransactionFact[]
  >
>

/** Delays between inquiries to a provider that does not answer; the last one repeats. */
const askAgainAfterMs = [5_000, 15_000, 60_000, 180_000, 600_000]

/** A call that is open for a day is repeated less often: by then a person is looking at it (rails, section 1.4). */
const longOpenMs = dayMs
const longOpenDelayMs = 6 * 3_600_000

/**
 * When an unanswered call is repeated. A Sandbox clock that was put back must first reach the time of the call: before
 * that nothing would be decided and the call would never be given up.
 */
export const dueAgain = (
  { unanswered, openedAtMs }: Pick<ProviderCall, 'unanswered' | 'openedAtMs'>,
  { context: { nowMs } }: { readonly context: Context },
  { asksAgainInMs = null }: RepeatedIn = {},
  delaysMs: readonly number[] = askAgainAfterMs,
): { readonly dueAtMs: number } => {
  const delayMs =
    asksAgainInMs ??
    (nowMs - openedAtMs >= longOpenMs
      ? longOpenDelayMs
      : delaysMs[Math.min(unanswered, delaysMs.length - 1)]!)
  return { dueAtMs: Math.max(nowMs, openedAtMs) + delayMs }
}

/** An answer that leaves a call open. A provider may say after which delay the call is to be repeated. */
export type RepeatedIn = { readonly type?: string; readonly asksAgainInMs?: number | null }

/** The fact that a call is still unanswered. */
export const providerSilent = (
  call: ProviderCall,
  chargeContext: ChargeContext,
  answer: RepeatedIn,
): ProviderSilent => ({
  type: 'ProviderSilent',
  callId: call.id,
  ...chargeContext.fact,
  ...dueAgain(call, chargeContext, answer),
})

/**
 * The merchant's key if this fact is its effect. A payment or refund exists from any first answer, so any counts; a
 * capture or void counts only when it succeeded, because a refusal frees the key.
 */
export const keyOfAnswer = (call: ProviderCall, { type }: TransactionFact): Idempotency | null => {
  const exists = creating.includes(call.operation)
  const isEffect = exists ? call.unanswered === 0 : type === 'CardCaptured' || type === 'CardVoided'
  return isEffect ? call.idempotency : null
}

const creating: readonly ProviderOperation[] = ['AUTHORIZE', 'OPEN_ADDRESS', 'REFUND', 'REGISTER']

/** Repeats an unanswered call with the same reference. */
export const callAgain: ExistingChargeDecider<CallAgain> = (_, command, chargeContext) =>
  accept<TransactionFact>({ type: 'ProviderCalledAgain', callId: command.callId, ...chargeContext.fact })
