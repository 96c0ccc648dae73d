import type { Command } from '../commands.ts'
import { environmentOf } from '../ids.ts'
import type { Timer } from '../timer.ts'
import type { Actor, Transaction } from './transaction.ts'

const scenarioStepMs = 2000

/** What the clock will do to a transaction next, derived from its state: after a restart nothing has to be re-armed. */
export const nextTransactionTimer = (transaction: Transaction): Timer | null => {
  const pays = scenarioPaymentAtMs(transaction)
  const expires = transaction.status === 'PENDING' ? transaction.expiresAtMs : null
  if (pays !== null && (expires === null || pays < expires)) return timer(pays, payCommand(transaction))
  if (expires === null) return null
  return timer(expires, {
    type: 'ExpireCharge',
    accountId: transaction.accountId,
    by: { kind: 'CLOCK', id: null },
    transactionId: transaction.id,
  })
}

/** Payments that a Sandbox scenario makes by itself (decisions, section 29). */
const scenarioPaymentAtMs = (transaction: Transaction): number | null => {
  const scenario = transaction.metadata.sandboxScenario
  if (scenario === undefined || environmentOf(transaction.accountId) !== 'SANDBOX') return null
  const { status, createdAtMs, approvedAtMs, expiredAtMs } = transaction
  const paysOnTime = scenario === 'paid' || scenario === 'paid_twice'
  if (status === 'PENDING') return paysOnTime ? createdAtMs + scenarioStepMs : null
  if (transaction.timeline.some(({ type }) => type === 'PaymentReturned')) return null
  if (status === 'APPROVED' && scenario === 'paid_twice') return approvedAtMs! + scenarioStepMs
  if (status === 'EXPIRED' && scenario === 'paid_late') return expiredAtMs
  return null
}

const payCommand = (transaction: Transaction): Command => ({
  type: 'ReceivePix',
  accountId: transaction.accountId,
  by: sandbox,
  transactionId: transaction.id,
  amountCents: null,
  payer: null,
})

const sandbox: Actor = { kind: 'SANDBOX', id: null }

const timer = (dueAtMs: number, command: Command): Timer => ({ dueAtMs, command })
