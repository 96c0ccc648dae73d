import { addDays, dateIn, instantOf, nextBusinessDay, startOfDay } from '../../shared/calendar.ts'
import type { AskedTransfer } from '../asked.ts'
import { bankTransfer, ownBankOf } from './bank.ts'
import type { MoneyOutDefinition } from './method.ts'

/** A TED goes to a bank account, on business days, and has no id of its own. */
export const tedTransfer: MoneyOutDefinition<AskedTransfer> = {
  ...bankTransfer,
  runTimeOf: (timeZone, scheduledFor, nowMs) => {
    const isLater = scheduledFor !== null && scheduledFor > dateIn(timeZone, nowMs)
    const fromMs = isLater ? startOfDay(timeZone, scheduledFor) : nowMs
    const today = dateIn(timeZone, fromMs)
    const isOver = fromMs >= instantOf(timeZone, today, closesMs)
    const day = nextBusinessDay(isOver ? addDays(today, 1) : today)
    return Math.max(fromMs, instantOf(timeZone, day, opensMs))
  },
  sentBy: (_, __, way) => ({ providerId: ownBankOf(way), railId: null }),
}

/** Banks take a TED between these hours of a business day (dashboard, section 2.7). */
const opensMs = 6.5 * 3_600_000
const closesMs = 17 * 3_600_000
