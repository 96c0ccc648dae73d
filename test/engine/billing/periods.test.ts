import t from 'tap'
import {
  daysIn,
  dueDate,
  firstPeriodAfter,
  issueDate,
  periodAt,
  periodStart,
} from '../../../engine/billing/catalog/periods.ts'
import { type BillingMethod, type Interval, intervals } from '../../../engine/billing/catalog/plan.ts'
import { addDays, addMonths, type CalendarDate, daysBetween } from '../../../engine/shared/calendar.ts'

const day = (text: string) => text as CalendarDate
const every = (interval: Interval, intervalCount = 1) => ({ interval, intervalCount })
const startsOf = (anchor: string, cycle: ReturnType<typeof every>, count: number) =>
  Array.from({ length: count }, (_, index) => periodStart(day(anchor), cycle, index))

t.test('the end of a month comes back after shorter ones', async (t) => {
  t.strictSame(startsOf('2026-01-31', every('MONTH'), 5), [
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
  ])
  t.equal(periodStart(day('2028-01-31'), every('MONTH'), 1), '2028-02-29')
  t.equal(periodStart(day('2026-11-30'), every('QUARTER'), 1), '2027-02-28')
  t.equal(periodStart(day('2026-08-31'), every('SEMESTER'), 1), '2027-02-28')
  t.equal(periodStart(day('2026-08-31'), every('SEMESTER'), 2), '2027-08-31')
})

t.test('29 February of every year is the 28th but in leap years', async (t) => {
  t.strictSame(startsOf('2028-02-29', every('YEAR'), 5), [
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ])
  t.equal(periodStart(day('2096-02-29'), every('YEAR'), 4), '2100-02-28', 'which 2100 is not')
})

t.test('weeks and custom cycles are days', async (t) => {
  t.strictSame(startsOf('2026-12-28', every('WEEK', 2), 3), ['2026-12-28', '2027-01-11', '2027-01-25'])
  t.strictSame(startsOf('2026-11-20', every('CUSTOM', 10), 3), ['2026-11-20', '2026-11-30', '2026-12-10'])
  t.equal(periodStart(day('2026-11-20'), every('CUSTOM', 730), 2), '2030-11-19')
  t.equal(periodStart(day('2026-11-20'), every('MONTH', 36), 1), '2029-11-20')
})

t.test('a period ends where the next one starts, and has the days between', async (t) => {
  const january = periodAt(day('2026-01-31'), every('MONTH'), 0)
  t.strictSame(january, { start: '2026-01-31', end: '2026-02-28' })
  t.equal(daysIn(january), 28)
  t.equal(daysIn(periodAt(day('2026-12-01'), every('MONTH'), 0)), 31)
  t.equal(daysIn(periodAt(day('2026-12-01'), every('WEEK', 3), 7)), 21)
  t.equal(daysIn(periodAt(day('2027-03-01'), every('YEAR'), 0)), 366)
})

t.test('of any cycle the periods follow each other without gap, and every day has a next one', async (t) => {
  for (const interval of intervals) {
    for (const cycle of [every(interval), every(interval, 5)]) {
      for (const anchor of ['2026-01-31', '2028-02-29', '2026-11-20']) {
        for (let index = 0; index < 12; index++) {
          const { start, end } = periodAt(day(anchor), cycle, index)
          if (end <= start) t.fail(`${anchor} ${interval} ${index}`)
          for (const date of [start, addDays(end, -1)])
            if (firstPeriodAfter(day(anchor), cycle, date) !== index + 1)
              t.fail(`${anchor} ${interval} ${date}`)
        }
        t.equal(firstPeriodAfter(day(anchor), cycle, addDays(day(anchor), -1)), 0)
      }
    }
  }
})

t.test('an invoice is issued as early as its method needs, but within the cycle before', async (t) => {
  const issued = (cycle: ReturnType<typeof every>, index: number, method: BillingMethod) =>
    issueDate(day('2026-01-31'), cycle, index, method)
  t.equal(issued(every('MONTH'), 1, 'CREDIT_CARD'), '2026-02-28')
  t.equal(issued(every('MONTH'), 1, 'PIX'), '2026-02-25')
  t.equal(issued(every('MONTH'), 1, 'BOLETO'), '2026-02-21')
  t.equal(issued(every('WEEK'), 1, 'BOLETO'), '2026-01-31', 'a week is just enough')
  t.equal(issued(every('CUSTOM', 2), 3, 'PIX'), '2026-02-04', 'two days before 6 February')
  t.equal(issued(every('CUSTOM', 2), 3, 'BOLETO'), '2026-02-04')
  for (const method of ['PIX', 'BOLETO', 'CREDIT_CARD'] as const)
    t.equal(issued(every('MONTH'), 0, method), '2026-01-31', 'the first one on the anchor')
})

t.test('it is due on the first day of its cycle', async (t) => {
  for (const method of ['PIX', 'BOLETO', 'CREDIT_CARD'] as const) {
    for (const cycle of [every('MONTH'), every('WEEK'), every('CUSTOM', 1)]) {
      const anchor = day('2026-01-31')
      const issuedOn = issueDate(anchor, cycle, 2, method)
      t.equal(dueDate(anchor, cycle, 2, method, issuedOn), periodStart(anchor, cycle, 2))
    }
  }
})

t.test('the first one, and one that is late, leaves time to pay', async (t) => {
  const due = (index: number, method: BillingMethod, issuedOn: string) =>
    dueDate(day('2026-01-31'), every('MONTH'), index, method, day(issuedOn))
  t.equal(due(0, 'CREDIT_CARD', '2026-01-31'), '2026-01-31')
  t.equal(due(0, 'PIX', '2026-01-31'), '2026-02-01')
  t.equal(due(0, 'BOLETO', '2026-01-31'), '2026-02-03')
  t.equal(due(1, 'CREDIT_CARD', '2026-03-05'), '2026-03-05')
  t.equal(due(1, 'PIX', '2026-03-05'), '2026-03-06')
  t.equal(due(1, 'BOLETO', '2026-03-05'), '2026-03-08')
  t.equal(due(1, 'BOLETO', '2026-02-27'), '2026-03-02', 'late by some days')
  t.equal(due(1, 'BOLETO', '2026-02-22'), '2026-02-28', 'never before the cycle starts')
})

t.test('months later is the same day, or the last of a shorter month', async (t) => {
  t.equal(addMonths(day('2026-10-31'), 1), '2026-11-30')
  t.equal(addMonths(day('2026-03-31'), -1), '2026-02-28')
  t.equal(addMonths(day('2026-12-31'), 2), '2027-02-28')
  t.equal(addMonths(day('2026-12-15'), 0), '2026-12-15')
  t.equal(daysBetween(day('2026-01-01'), addMonths(day('2026-01-01'), 12)), 365)
})
