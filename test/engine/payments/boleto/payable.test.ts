import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  effectiveDueDate,
  type PayableTerms,
  payableOn,
} from '../../../../engine/payments/methods/boleto/payable.ts'
import { addDays, type CalendarDate } from '../../../../engine/shared/calendar.ts'
import { toCents } from '../../../../engine/shared/money.ts'

const day = (text: string): CalendarDate => text as CalendarDate
const terms = (change: Partial<PayableTerms> = {}): PayableTerms => ({
  amountCents: toCents(10_000),
  dueDate: day('2026-11-20'),
  discountCents: toCents(0),
  fineBps: 200,
  interestBps: 100,
  ...change,
})

t.test('late: a fine once and simple interest by calendar days, both rounded down', async (t) => {
  t.strictSame(payableOn(terms(), day('2026-11-25')), {
    payableCents: 10_216,
    fineCents: 200,
    interestCents: 16,
    discountCents: 0,
    daysOverdue: 5,
  })
})

t.test('every vector, interest truncated', async (t) => {
  const { vectors } = JSON.parse(
    readFileSync(new URL('../../../../../test/vectors/charges.json', import.meta.url), 'utf8'),
  )
  for (const { amountCents, fineBps, interestBpsPerMonth: interestBps, daysLate, interestCents } of vectors) {
    const boleto = terms({ amountCents, fineBps, interestBps })
    const payable = payableOn(boleto, addDays(boleto.dueDate, daysLate))
    t.equal(payable.interestCents, interestCents.truncated)
    t.equal(payable.fineCents, daysLate === 0 ? 0 : Math.floor((amountCents * fineBps) / 10_000))
  }
})

t.test(
  'a due date on a weekend or holiday: not late on the next business day, then from the due date',
  async (t) => {
    const boleto = terms({ dueDate: day('2026-11-21'), discountCents: toCents(500) })
    t.equal(effectiveDueDate(boleto.dueDate), '2026-11-23', 'Saturday to Monday')
    t.match(payableOn(boleto, day('2026-11-23')), { payableCents: 9_500, daysOverdue: 0 })
    t.match(payableOn(boleto, day('2026-11-24')), {
      payableCents: 10_210,
      fineCents: 200,
      interestCents: 10,
      daysOverdue: 3,
    })
  },
)

t.test('the largest amounts are exact', async (t) => {
  const boleto = terms({ amountCents: toCents(9_999_999_999), fineBps: 1000, interestBps: 1000 })
  t.match(payableOn(boleto, addDays(boleto.dueDate, 59)), {
    fineCents: 999_999_999,
    interestCents: 1_966_666_666,
  })
})
