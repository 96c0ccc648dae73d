import t from 'tap'
import type { Schedule, ScheduleChange } from '../../../engine/ledger/account.ts'
import {
  nextSettlements,
  rescheduled,
  settlementIdFor,
  unscheduled,
} from '../../../engine/ledger/schedule.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { SettlementId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'

const date = '2026-12-21' as CalendarDate
const method = 'CREDIT_CARD'
const largest = toCents(999_999_999_999)

/** A day's schedule, to which receivables come. */
const aDay = () => {
  let schedule: Schedule = {}
  let ids = 0
  const change = (id: SettlementId, sign: 1 | -1): ScheduleChange => ({
    id,
    method,
    date,
    grossCents: toCents(sign * largest),
    feeCents: toCents(sign * 3),
    receivablesCount: sign,
  })
  return {
    add: (): SettlementId => {
      const id = settlementIdFor(schedule, date, method, () => `set_${++ids}` as SettlementId)
      schedule = rescheduled(schedule, [change(id, 1)])
      return id
    },
    take: (id: SettlementId) => {
      schedule = rescheduled(schedule, [change(id, -1)])
    },
    settle: () => {
      const settlements = nextSettlements(schedule)
      schedule = rescheduled(schedule, settlements.map(unscheduled))
      return settlements
    },
    schedule: () => schedule,
  }
}

t.test('a day of more than a number can hold exactly has several settlements', async (t) => {
  const day = aDay()
  const count = 20_000
  const ids = Array.from({ length: count }, day.add)
  t.equal(new Set(ids).size, 3)
  // The first becomes small again, and then none at all, while the others go on.
  for (const id of ids.filter((id) => id === ids[0])) day.take(id)
  const left = ids.filter((id) => id !== ids[0])
  day.add()
  const settlements = day.settle()
  t.strictSame(day.schedule(), {})
  const gross = settlements.reduce((sum, { grossCents }) => sum + BigInt(grossCents), 0n)
  t.equal(gross, BigInt(left.length + 1) * BigInt(largest))
  t.equal(
    settlements.reduce((sum, { receivablesCount }) => sum + receivablesCount, 0),
    left.length + 1,
  )
})
