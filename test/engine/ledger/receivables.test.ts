import fc from 'fast-check'
import t from 'tap'
import type { Context } from '../../../engine/kernel/context.ts'
import type { Account, Schedule, ScheduleChange } from '../../../engine/ledger/account.ts'
import type { Receivable } from '../../../engine/ledger/receivable.ts'
import {
  asSettled,
  feeShare,
  inBatches,
  release,
  reverse,
  scheduleOf,
} from '../../../engine/ledger/receivables.ts'
import { batchAtMs, rescheduled, unscheduled } from '../../../engine/ledger/schedule.ts'
import { outcomes } from '../../../engine/sandbox/forced-outcomes.ts'
import { dateIn, daysBetween, isBusinessDay } from '../../../engine/shared/calendar.ts'
import { inInstallments, toCents } from '../../../engine/shared/money.ts'
import { usualFee } from '../profile.ts'
import { dayMs, institution, seeded } from '../world.ts'

const timeZone = 'America/Sao_Paulo'
const method = 'CREDIT_CARD'

/** The receivables of one card payment, with the account's schedule and a clock. */
const aPayment = (cents: number, installments: number, startDay: number) => {
  const entropy = seeded(1)
  const settled = new Map<string, number>()
  let nowMs = Date.UTC(2026, 10, 20, 12) + startDay * dayMs
  let schedule: Schedule = {}
  let feeCents = usualFee(cents, method, { installments })
  let heldCents = cents
  const account = () => ({ profile: { timeZone }, schedule }) as Account
  const context = (): Context => ({ nowMs, atMs: nowMs, entropy, institution: { ...institution, outcomes } })
  const turn = () => ({ account: account(), context: context() })
  let rows = inBatches(toCents(cents), feeCents, installments, { method, split: null }, turn())

  const reschedule = (changes: readonly ScheduleChange[]): void => {
    schedule = rescheduled(schedule, changes)
  }
  reschedule(scheduleOf(rows, method))

  const planned = () => Object.values(schedule).flatMap((month) => Object.values(month))
  /** Gross and fee of every instalment. */
  const held = (): readonly (readonly [gross: number, fee: number])[] =>
    inInstallments(toCents(cents), installments).map((_, n) => {
      const own = rows.filter(({ installment }) => installment === n + 1)
      return [
        sum(own, (row) => signOf(row) * row.grossCents),
        sum(own, (row) => signOf(row) * row.feeCents),
      ] as const
    })
  const settledRows = () => asSettled(rows, (id) => settled.get(id) ?? null)

  return {
    rows: () => rows,
    held,
    feeCents: () => feeCents,
    heldCents: () => heldCents,
    /** What is still to come, by the account and by the rows. */
    toCome: () => [
      sum(planned(), ({ grossCents, feeCents }) => grossCents - feeCents),
      sum(settledRows(), (row) => (row.status === 'SCHEDULED' ? row.grossCents - row.feeCents : 0)),
    ],
    /** The batches of these days run. */
    pass: (days: number): void => {
      nowMs += days * dayMs
      for (const settlement of planned()) {
        if (batchAtMs(timeZone, settlement.date) > nowMs) continue
        settled.set(settlement.id, nowMs)
        reschedule([unscheduled(settlement)])
      }
    },
    refund: (cents: number) => {
      const fee = feeShare(toCents(cents), toCents(feeCents), toCents(heldCents))
      const part = { grossCents: toCents(cents), feeCents: fee }
      const reversal = reverse(settledRows(), part, 'REFUND', { method, split: null }, turn())
      rows = reversal.receivables
      reschedule(reversal.schedule)
      heldCents -= cents
      feeCents = toCents(feeCents - fee)
      return reversal
    },
    dispute: (cents: number) => {
      const fee = feeShare(toCents(cents), toCents(feeCents), toCents(heldCents))
      const part = { grossCents: toCents(cents), feeCents: fee }
      const reversal = reverse(settledRows(), part, 'CHARGEBACK', { method, split: null }, turn())
      rows = reversal.receivables
      reschedule(reversal.schedule)
      return reversal
    },
    win: () => {
      const released = release(settledRows(), method, turn())
      rows = released.receivables
      reschedule(released.schedule)
      return released
    },
  }
}

const signOf = ({ type, status }: Receivable): number => {
  if (status === 'CANCELLED' || status === 'SUSPENDED') return 0
  return type === 'CREDIT' || type === 'CHARGEBACK_REVERSAL' ? 1 : -1
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

const cents = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.constant(999_999_999_999),
)
const payment = { cents, installments: fc.integer({ min: 1, max: 12 }), startDay: fc.nat({ max: 800 }) }
/** Of what is left, in thousandths; and the days before it. */
const part = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.nat({ max: 70 }))

const partOf = (whole: number, thousandths: number): number =>
  Math.max(1, Math.floor((whole * thousandths) / 1000))

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what)
}

t.test('instalments add up, and come on business days, a month apart', async (t) => {
  const property = fc.property(fc.record(payment), ({ cents, installments, startDay }) => {
    const { rows, feeCents, toCome } = aPayment(cents, installments, startDay)
    const start = dateIn(timeZone, Date.UTC(2026, 10, 20, 12) + startDay * dayMs)
    demand(sum(rows(), ({ grossCents }) => grossCents) === cents, 'gross adds up')
    demand(sum(rows(), (row) => row.feeCents) === feeCents(), 'the fee adds up')
    demand(
      toCome().every((net) => net === cents - feeCents()),
      'all of it is to come',
    )
    for (const { expectedOn, installment } of rows()) {
      const late = daysBetween(start, expectedOn) - 30 * installment
      demand(isBusinessDay(expectedOn) && late >= 0 && late <= 5, `${expectedOn} is ${late} days late`)
    }
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300, seed: 1 }))
})

t.test('whatever parts of a payment go back, and when, the last one leaves nothing', async (t) => {
  const property = fc.property(
    fc.record({ ...payment, parts: fc.array(part, { maxLength: 8 }) }),
    ({ cents, installments, startDay, parts }) => {
      const one = aPayment(cents, installments, startDay)
      for (const [thousandths, days] of [...parts, [1000, 0] as const]) {
        one.pass(days)
        if (one.heldCents() === 0) continue
        const before = one.held()
        const amount = partOf(one.heldCents(), thousandths)
        const fee = one.feeCents()
        const { feeCents, scheduledCents, settledCents, amountCents } = one.refund(amount)
        demand(amountCents === amount && scheduledCents + settledCents === amount - feeCents, 'net adds up')
        demand(one.feeCents() === fee - feeCents && feeCents >= 0 && one.feeCents() >= 0, 'the fee adds up')
        const after = one.held()
        demand(sum(after, ([gross]) => gross) === one.heldCents(), 'rows hold what is left')
        demand(sum(after, ([, rest]) => rest) === one.feeCents(), 'rows hold the fee that is left')
        demand(
          after.every(([gross, rest], n) => gross >= 0 && gross <= before[n]![0] && rest >= 0),
          'no instalment gives more than it has',
        )
        const [planned, rows] = one.toCome()
        demand(planned === rows, `the schedule has ${planned}, rows have ${rows}`)
      }
      demand(one.heldCents() === 0 && one.feeCents() === 0, 'everything is back')
      demand(
        one.held().every(([gross, fee]) => gross === 0 && fee === 0),
        'every instalment is back',
      )
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 1000, seed: 1 }))
})

t.test(
  'a chargeback that is won leaves every instalment as it was, whatever was settled meanwhile',
  async (t) => {
    const property = fc.property(
      fc.record({
        ...payment,
        refund: fc.option(part, { nil: null }),
        dispute: part,
        wonAfterDays: fc.nat({ max: 70 }),
      }),
      ({ cents, installments, startDay, refund, dispute, wonAfterDays }) => {
        const one = aPayment(cents, installments, startDay)
        if (refund !== null) {
          one.pass(refund[1])
          one.refund(partOf(cents, refund[0]))
        }
        one.pass(dispute[1])
        if (one.heldCents() === 0) return
        const before = one.held()
        const taken = one.dispute(partOf(one.heldCents(), dispute[0]))
        const disputed = one.held()
        demand(
          sum(disputed, ([gross]) => gross) === one.heldCents() - taken.amountCents,
          'what is disputed is not held',
        )
        one.pass(wonAfterDays)
        const given = one.win()
        demand(
          given.amountCents === taken.amountCents && given.feeCents === taken.feeCents,
          'all of it is back',
        )
        demand(
          given.scheduledCents === taken.scheduledCents && given.settledCents === taken.settledCents,
          'where it came from',
        )
        demand(JSON.stringify(one.held()) === JSON.stringify(before), 'every instalment holds what it held')
        const [planned, rows] = one.toCome()
        demand(planned === rows, `the schedule has ${planned}, rows have ${rows}`)
        one.pass(400)
        demand(one.toCome()[0] === 0, 'what is suspended comes in the end')
      },
    )
    t.doesNotThrow(() => fc.assert(property, { numRuns: 1000, seed: 1 }))
  },
)

t.test('a part of a fee is its exact share, rounded half up', async (t) => {
  const property = fc.property(
    fc.integer({ min: 1, max: 1_000_000 }).chain((held) =>
      fc.record({
        held: fc.constant(held),
        part: fc.integer({ min: 1, max: held }),
        fee: fc.integer({ min: 0, max: held }),
      }),
    ),
    ({ held, part, fee }) => {
      const share = feeShare(toCents(part), toCents(fee), toCents(held))
      demand(share === Math.floor((2 * part * fee + held) / (2 * held)), `${share} of ${fee}`)
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 1000, seed: 1 }))
})

t.test('of more instalments than centavos, only those come that have one', (t) => {
  const payment = aPayment(5, 12, 0)
  const rows = payment.rows()
  t.strictSame(
    rows.map(({ installment, installments, grossCents }) => [installment, installments, grossCents]),
    [1, 2, 3, 4, 5].map((installment) => [installment, 12, 1]),
  )
  t.end()
})
