import { accept, type Decision } from '../kernel/decision.ts'
import type { Event } from '../kernel/registry.ts'
import { toCents } from '../shared/money.ts'
import type { Account } from './account.ts'
import type { SettleDay } from './commands.ts'
import { nextSettlements, unscheduled } from './schedule.ts'

/**
 * Runs a day's batches: everything scheduled for the day enters the balance in one fact per method. The transactions
 * are not touched: their receivables are settled because their settlement is.
 */
export const settleDay = (account: Account, command: SettleDay, atMs: number): Decision<Event> => {
  const due = nextSettlements(account.schedule).filter(({ date }) => date <= command.date)
  const events = due.flatMap((settlement): Event[] => {
    const { id, method, date, grossCents, feeCents, receivablesCount } = settlement
    const netCents = toCents(grossCents - feeCents)
    return [
      {
        actor: 'account',
        type: 'SettlementCompleted',
        id: account.id,
        atMs,
        postings: [
          { account: 'receivable', cents: toCents(-netCents) },
          { account: 'available', cents: netCents },
        ],
        schedule: [unscheduled(settlement)],
        settlement: {
          id,
          method,
          grossCents,
          feeCents,
          receivablesCount,
          transactionId: null,
          date,
          createdAtMs: atMs,
          completedAtMs: atMs,
        },
      },
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
