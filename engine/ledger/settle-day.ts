import { accept, type Decision } from '../kernel/decision.ts'
import type { AnyFact } from '../kernel/registry.ts'
import { toCents } from '../shared/money.ts'
import type { Account, AccountFact, ScheduleChange, Settlement } from './account.ts'
import type { SettleDay } from './commands.ts'
import { transfer } from './postings.ts'
import { nextSettlements, unscheduled } from './schedule.ts'

/**
 * Runs a day's batches: everything scheduled for the day enters the balance in one fact per method. The transactions
 * are not touched: their receivables are settled because their settlement is.
 */
export const settleDay = (account: Account, command: SettleDay, atMs: number): Decision<AnyFact> => {
  const due = nextSettlements(account.schedule).filter(({ date }) => date <= command.date)
  const events = due.flatMap((settlement): AnyFact[] => {
    const { id } = settlement
    const completed = {
      currency: 'BRL' as const,
      transactionId: null,
      createdAtMs: atMs,
      completedAtMs: atMs,
      ...settlement,
    }
    return [
      settlementCompleted(account, completed, [unscheduled(settlement)]),
      {
        actor: 'batch',
        type: 'BatchSettled',
        id,
        batch: { id, accountId: account.id, settledAtMs: atMs },
      },
    ]
  })
  return accept(...events)
}

/** The fact of a completed settlement: what it brings is in the balance from now on. */
export const settlementCompleted = (
  { id }: Account,
  settlement: Settlement,
  schedule: readonly ScheduleChange[],
): AccountFact => ({
  actor: 'account',
  type: 'SettlementCompleted',
  id,
  atMs: settlement.completedAtMs,
  currency: settlement.currency,
  postings: transfer('receivable', 'available', toCents(settlement.grossCents - settlement.feeCents)),
  schedule,
  settlement,
})
