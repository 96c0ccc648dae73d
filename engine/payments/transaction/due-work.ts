import type { Timer } from '../../kernel/due-work.ts'
import type { Command } from '../../kernel/registry.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Transaction } from './transaction.ts'

/**
 * Builds a transaction's timer by adding the members that all its commands share. The initiator is the clock by
 * default.
 */
export const timer = (
  { id: transactionId, accountId }: Transaction,
  dueAtMs: number,
  command: Readonly<Record<string, unknown>> & Pick<Command, 'type'>,
  by: Initiator = clock,
): Timer => ({ dueAtMs, command: { accountId, by, transactionId, ...command } as Command })

const clock: Initiator = { kind: 'CLOCK', id: null }
