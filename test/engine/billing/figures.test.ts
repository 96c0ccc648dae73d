import fc from 'fast-check'
import t from 'tap'
import { discountOf } from '../../../engine/billing/catalog/discount.ts'
import { type Interval, intervals } from '../../../engine/billing/catalog/plan.ts'
import { isSameCycle, isUpgrade, prorate } from '../../../engine/billing/catalog/proration.ts'
import { monthlyRevenue, monthlyValue } from '../../../engine/billing/figures/mrr.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { roundHalfUp, toCents } from '../../../engine/shared/money.ts'

const day = (text: string) => text as CalendarDate

t.test('a discount is a percentage, rounded half up, or an amount; never more than the base', async (t) => {
  const percent = (base: number, percentBps: number) =>
    discountOf(toCents(base), { percentBps, amountOffCents: null })
  const fixed = (base: number, off: number) =>
    discountOf(toCents(base), { percentBps: null, amountOffCents: toCents(off) })
  t.equal(percent(4900, 1000), 490)
  t.equal(percent(50, 100), 1, 'half a centavo is one')
  t.equal(percent(49, 100), 0)
  t.equal(percent(4900, 10_000), 4900)
  t.equal(percent(1, 1), 0)
  t.equal(fixed(4900, 900), 900)
  t.equal(fixed(4900, 4900), 4900)
  t.equal(fixed(4900, 5000), 4900)
  t.throws(() => discountOf(toCents(1), { percentBps: null, amountOffCents: null }))
})

const december = { start: day('2026-12-01'), end: day('2027-01-01') }
const anUpgrade = {
  period: december,
  today: day('2026-12-17'),
  oldValueCents: toCents(4900),
  newValueCents: toCents(9900),
  keepsCycle: true,
}

t.test('an upgrade with 15 of 31 days left, as the decisions work it out', async (t) => {
  t.strictSame(prorate(anUpgrade), {
    creditCents: 2371,
    chargeCents: 4790,
    netCents: 2419,
    daysRemaining: 15,
    daysInPeriod: 31,
  })
})

t.test('a downgrade leaves a credit, another cycle costs its whole value', async (t) => {
  const downgrade = { ...anUpgrade, oldValueCents: toCents(9900), newValueCents: toCents(4900) }
  t.match(prorate(downgrade), { creditCents: 4790, chargeCents: 2371, netCents: -2419 })
  t.match(prorate({ ...anUpgrade, newValueCents: toCents(99_000), keepsCycle: false }), {
    creditCents: 2371,
    chargeCents: 99_000,
    netCents: 96_629,
  })
})

t.test('on the first day everything is left, on the last one day; outside there is no period', async (t) => {
  t.match(prorate({ ...anUpgrade, today: december.start }), { netCents: 5000, daysRemaining: 31 })
  t.match(prorate({ ...anUpgrade, today: day('2026-12-31') }), {
    creditCents: 158,
    chargeCents: 319,
    daysRemaining: 1,
  })
  t.throws(() => prorate({ ...anUpgrade, today: december.end }))
  t.throws(() => prorate({ ...anUpgrade, today: day('2026-11-30') }))
})

t.test('upgrades one after the other on a day cost what the last one would have cost alone', async () => {
  const value = fc.integer({ min: 0, max: 999_999_999_999 }).map(toCents)
  const date = fc.integer({ min: 1, max: 31 }).map((n) => day(`2026-12-${String(n).padStart(2, '0')}`))
  fc.assert(
    fc.property(value, value, value, date, (a, b, c, today) => {
      const step = (oldValueCents: typeof a, newValueCents: typeof a) =>
        prorate({ period: december, today, oldValueCents, newValueCents, keepsCycle: true }).netCents
      return step(a, b) + step(b, c) === step(a, c)
    }),
    { seed: 1 },
  )
})

const price = (amount: number, interval: Interval, intervalCount = 1) => ({
  amountCents: toCents(amount),
  interval,
  intervalCount,
})

t.test('the dearer plan is the one that costs more a day', async (t) => {
  t.ok(isUpgrade(price(9900, 'MONTH'), price(4900, 'MONTH')))
  t.notOk(isUpgrade(price(4900, 'MONTH'), price(4900, 'MONTH')), 'an equal one is not dearer')
  t.notOk(isUpgrade(price(49_000, 'YEAR'), price(4900, 'MONTH')), 'ten months for a year')
  t.notOk(isUpgrade(price(14_700, 'QUARTER'), price(4900, 'MONTH')))
  t.ok(isUpgrade(price(14_701, 'QUARTER'), price(4900, 'MONTH')))
  t.notOk(isUpgrade(price(365, 'CUSTOM', 365), price(365, 'YEAR')), 'a year has 365 days')
  t.ok(isUpgrade(price(365, 'CUSTOM', 364), price(365, 'YEAR')))
  t.ok(isUpgrade(price(7, 'WEEK'), price(30, 'MONTH')), 'a centavo a day, 30.4 days a month')
  t.ok(isUpgrade(price(31, 'MONTH'), price(7, 'WEEK')))
  t.ok(isUpgrade(price(999_999_999_999, 'CUSTOM', 729), price(999_999_999_999, 'CUSTOM', 730)))
})

t.test('a cycle is the same by its words, not by its length', async (t) => {
  t.ok(isSameCycle(price(1, 'MONTH', 3), price(2, 'MONTH', 3)))
  t.notOk(isSameCycle(price(1, 'MONTH', 3), price(1, 'QUARTER')))
  t.notOk(isSameCycle(price(1, 'MONTH', 3), price(1, 'MONTH', 2)))
})

t.test('a month of every cycle', async (t) => {
  const month = (cents: bigint, interval: Interval, intervalCount = 1) => {
    const { numerator, denominator } = monthlyValue({ interval, intervalCount, cents })
    return Number(numerator) / Number(denominator)
  }
  t.equal(month(4900n, 'MONTH'), 4900)
  t.equal(month(4900n, 'MONTH', 2), 2450)
  t.equal(month(9000n, 'QUARTER'), 3000)
  t.equal(month(9000n, 'QUARTER', 2), 1500)
  t.equal(month(6000n, 'SEMESTER'), 1000)
  t.equal(month(12_000n, 'YEAR'), 1000)
  t.equal(month(1200n, 'WEEK'), 5200)
  t.equal(month(1200n, 'WEEK', 4), 1300)
  t.equal(month(1200n, 'CUSTOM', 365), 100)
})

t.test('revenue is summed exactly and rounded once', async (t) => {
  const revenue = (cents: bigint, interval: Interval, intervalCount = 1) => ({
    cents,
    interval,
    intervalCount,
  })
  t.equal(monthlyRevenue([]), 0n)
  t.equal(monthlyRevenue([revenue(1n, 'QUARTER'), revenue(1n, 'QUARTER')]), 1n, '2/3, where 1/3 is 0 twice')
  t.equal(monthlyRevenue([revenue(1n, 'MONTH', 2)]), 1n, 'half up')
  t.equal(monthlyRevenue([revenue(1n, 'QUARTER'), revenue(1n, 'SEMESTER')]), 1n, 'a third and a sixth')
  t.equal(monthlyRevenue([revenue(4900n, 'MONTH'), revenue(99_000n, 'YEAR'), revenue(500n, 'WEEK')]), 15_317n)
  const big = 999_999_999_999n * 1_000_000n
  t.equal(monthlyRevenue([revenue(big, 'WEEK')]), roundHalfUp(big * 52n, 12n))
})

t.test('revenue of every possible cycle at once is no longer than it has to be', async (t) => {
  const all = intervals.flatMap((interval) =>
    Array.from({ length: interval === 'CUSTOM' ? 730 : 36 }, (_, n) => ({
      interval,
      intervalCount: n + 1,
      cents: BigInt(n + 1) * 1200n,
    })),
  )
  // Of each cycle as many centavos as its count: every one of them is worth the same a month.
  const each = { WEEK: 5200n, MONTH: 1200n, QUARTER: 400n, SEMESTER: 200n, YEAR: 100n, CUSTOM: 36_500n }
  const expected = intervals.reduce(
    (sum, interval) => sum + each[interval] * (interval === 'CUSTOM' ? 730n : 36n),
    0n,
  )
  t.equal(monthlyRevenue(all), expected)
})
