import { contextId } from '../../kernel/context.ts'
import { accept } from '../../kernel/decision.ts'
import { asSettled, scheduleOf } from '../../ledger/receivables.ts'
import { unscheduled } from '../../ledger/schedule.ts'
import { toCents } from '../../shared/money.ts'
import type { ExistingChargeDecider } from './charge-context.ts'
import type { SettleTransaction } from './commands.ts'
import type { TransactionFact } from './facts.ts'

/** Moves the money still expected into the balance, under a settlement of its own. */
export const settleTransaction: ExistingChargeDecider<SettleTransaction> = (
  transaction,
  _,
  chargeContext,
) => {
  const rows = asSettled(transaction.receivables, chargeContext.settledAt)
  const due = rows.filter(({ status }) => status === 'SCHEDULED')
  if (due.length === 0) return accept()
  const { nowMs } = chargeContext.context
  const settlementId = contextId(chargeContext.context, 'set')
  return accept<TransactionFact>({
    type: 'ReceivablesSettled',
    settlementId,
    receivables: rows.map((row) =>
      row.status === 'SCHEDULED' ? { ...row, status: 'SETTLED', settledAtMs: nowMs, settlementId } : row,
    ),
    grossCents: toCents(due.reduce((sum, { grossCents }) => sum + grossCents, 0)),
    feeCents: toCents(due.reduce((sum, { feeCents }) => sum + feeCents, 0)),
    receivablesCount: due.length,
    schedule: scheduleOf(due, transaction.method).map(unscheduled),
    ...chargeContext.fact,
  })
}
