import t from 'tap'
import { countedByDay, type DaySumName, daysCounted } from '../../../engine/money-out/sums.ts'
import { addDays, type CalendarDate } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'

// A sum that an account drops while a limit still reads it would let more money leave than the limit allows.

const kinds = Object.keys(daysCounted) as (keyof typeof daysCounted)[]
const nameOf = (kind: keyof typeof daysCounted): DaySumName => (kind === 'person' ? 'person per_ana' : kind)
const first = '2026-11-20' as CalendarDate

for (const kind of kinds)
  t.test(`the sum of ${kind} is kept while it counts, whatever else is counted`, async (t) => {
    const sum = nameOf(kind)
    const own = countedByDay({}, [{ sum, date: first, cents: toCents(100) }])
    const date = addDays(first, daysCounted[kind] - 1)
    for (const other of kinds.filter((other) => other !== kind))
      t.match(
        countedByDay(own, [{ sum: nameOf(other), date, cents: toCents(1) }])[sum],
        { cents: 100 },
        other,
      )
  })

t.test('sums that no limit reads any more are dropped', async (t) => {
  const own = countedByDay({}, [{ sum: 'PIX', date: first, cents: toCents(100) }])
  const later = addDays(first, Math.max(...Object.values(daysCounted)))
  t.strictSame(Object.keys(countedByDay(own, [{ sum: 'TED', date: later, cents: toCents(1) }])), ['TED'])
})
