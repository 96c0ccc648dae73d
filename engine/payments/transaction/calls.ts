import type { Idempotency } from '../../kernel/command.ts'
import type { Context } from '../../kernel/context.ts'
import { accept } from '../../kernel/decision.ts'
import type { CallAgain } from './commands.ts'
import type { TransactionEvent } from './events.ts'
import type { ProviderCall, Transaction } from './transaction.ts'
import { type ChargeContext, type TransactionDecision, transactionFact } from './turn.ts'

/** Between one question to a silent provider and the next; the last one again and again. */
const askAgainAfterMs = [5_000, 15_000, 60_000, 180_000, 600_000]

/**
 * When a call that nobody answered is made again. A Sandbox clock that was put back has to come to the call's own time
 * first: until then nothing would be decided, and nobody would give up.
 */
export const dueAgain = (
  { unanswered, openedAtMs }: Pick<ProviderCall, 'unanswered' | 'openedAtMs'>,
  { context }: { readonly context: Context },
): { readonly dueAtMs: number } => ({
  dueAtMs:
    Math.max(context.nowMs, openedAtMs) + askAgainAfterMs[Math.min(unanswered, askAgainAfterMs.length - 1)]!,
})

/**
 * The merchant's key where this is the effect that it stands for: for a payment or a refund whatever comes of the call
 * first, since both exist from then on; for a capture or a void only that it was done, since a refusal leaves the key
 * free.
 */
export const keyOfAnswer = (call: ProviderCall, { type }: TransactionEvent): Idempotency | null => {
  const exists = call.operation === 'AUTHORIZE' || call.operation === 'REFUND'
  const isEffect = exists ? call.unanswered === 0 : type === 'CardCaptured' || type === 'CardVoided'
  return isEffect ? call.idempotency : null
}

/** A call that nobody answered is made once more, with the same reference. */
export const callAgain = (
  transaction: Transaction,
  command: CallAgain,
  turn: ChargeContext,
): TransactionDecision =>
  accept<TransactionEvent>({
    ...transactionFact(transaction.id, command.by, turn),
    type: 'ProviderCalledAgain',
    callId: command.callId,
  })
