import fc from 'fast-check'
import t from 'tap'
import { divide, exceeds, inInstallmentsOf, partiesOf, type Share } from '../../../engine/ledger/divide.ts'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { RecipientId } from '../../../engine/shared/ids.ts'
import { allocate, type Cents, inInstallments, toCents } from '../../../engine/shared/money.ts'
import { usualFee } from '../profile.ts'

const rcp = (name: string) => name as RecipientId

const item = (recipientId: string | null, change: Partial<SplitItem>): SplitItem => ({
  recipientId: recipientId as RecipientId | null,
  percentBps: null,
  fixedCents: null,
  priority: 1,
  chargeFees: false,
  chargeRemainder: false,
  ...change,
})

const partsOf = (gross: readonly Cents[], fees: readonly Cents[]) =>
  gross.map((grossCents, n) => ({ grossCents, feeCents: fees[n]! }))

const told = (shares: readonly Share[]) =>
  shares.map(({ partyId, grossCents, feeCents }) => [partyId, grossCents, feeCents])

t.test('a seller who pays the fee gets what is left of 80 %, the company 20 %', async (t) => {
  const items = [
    item('seller', { percentBps: 8000, chargeFees: true, priority: 1 }),
    item(null, { percentBps: 2000, priority: 2 }),
  ]
  const { shares } = divide(items, toCents(10_000), usualFee(10_000, 'PIX'))
  t.strictSame(told(shares), [
    ['seller', 8000, 99],
    [null, 2000, 0],
  ])
  t.strictSame(
    allocate(
      toCents(3000),
      shares.map(({ grossCents }) => grossCents),
    ),
    [2400, 600],
    'a refund takes from both in proportion',
  )
})

t.test('a centavo that no third claims goes to the largest fraction', async (t) => {
  const items = [3333, 3333, 3334].map((percentBps, n) => item(`r${n}`, { percentBps, priority: n + 1 }))
  const { shares, remainderCents, remainderTo } = divide(items, toCents(10_001), toCents(0))
  t.strictSame(
    shares.map(({ grossCents }) => grossCents),
    [3333, 3333, 3335, 0],
  )
  t.strictSame([remainderCents, remainderTo], [1, null])
})

t.test('logistics is served first, and the seller takes the rest and pays the fee', async (t) => {
  const items = [
    item('logistics', { fixedCents: toCents(1500), priority: 1 }),
    item('seller', { percentBps: 7000, priority: 2, chargeFees: true, chargeRemainder: true }),
  ]
  const feeCents = usualFee(9999, 'CREDIT_CARD', { installments: 2 })
  t.equal(feeCents, 399)
  const { shares, remainderCents, remainderTo } = divide(items, toCents(9999), feeCents)
  t.strictSame(told(shares), [
    ['logistics', 1500, 0],
    ['seller', 8499, 399],
    [null, 0, 0],
  ])
  t.strictSame([remainderCents, remainderTo], [1500, 'seller'])
})

t.test('of less than was authorized the lower priority is served first', async (t) => {
  const items = [
    item('late', { fixedCents: toCents(60), priority: 2 }),
    item('early', { fixedCents: toCents(70), priority: 1 }),
    item('percent', { percentBps: 1000, priority: 1 }),
  ]
  t.equal(exceeds(items, toCents(100)), true)
  const { shares } = divide(items, toCents(100), toCents(0))
  t.strictSame(told(shares), [
    ['early', 70, 0],
    ['percent', 0, 0],
    ['late', 30, 0],
    [null, 0, 0],
  ])
})

t.test('a fee beyond the part of its payer is paid by the other, then by the company', async (t) => {
  const items = [
    item('small', { fixedCents: toCents(10), chargeFees: true, priority: 1 }),
    item('large', { fixedCents: toCents(30), chargeFees: true, priority: 2 }),
  ]
  const { shares, isFeeCapped } = divide(items, toCents(100), toCents(50))
  t.strictSame(told(shares), [
    ['small', 10, 10],
    ['large', 30, 30],
    [null, 60, 10],
  ])
  t.equal(isFeeCapped, true)
  t.equal(divide(items, toCents(100), toCents(8)).isFeeCapped, false)
})

t.test('the fees of an instalment sum to its fee, also where that of its payer is capped', async (t) => {
  const items = [
    item(null, { percentBps: 9000, chargeRemainder: true, priority: 1 }),
    item('small', { fixedCents: toCents(1), chargeFees: true, priority: 2 }),
  ]
  const { shares } = divide(items, toCents(100), toCents(1))
  const gross = inInstallments(toCents(100), 2)
  t.strictSame(inInstallmentsOf(shares, partsOf(gross, allocate(toCents(1), gross))).map(told), [
    [
      [null, 50, 0],
      ['small', 0, 1],
    ],
    [
      [null, 49, 0],
      ['small', 1, 0],
    ],
  ])
})

t.test('the company is a party where no item names it', async (t) => {
  t.strictSame(partiesOf([item('a', { percentBps: 1 }), item('b', { percentBps: 1 })]), [
    rcp('a'),
    rcp('b'),
    null,
  ])
  t.strictSame(partiesOf([item(null, { percentBps: 1 }), item('b', { percentBps: 1 })]), [null, rcp('b')])
})

const anyItems: fc.Arbitrary<readonly SplitItem[]> = fc
  .array(
    fc.record({
      bps: fc.integer({ min: 1, max: 10_000 }),
      fixed: fc.option(fc.integer({ min: 1, max: 20_000 })),
      priority: fc.integer({ min: 1, max: 4 }),
      chargeFees: fc.boolean(),
    }),
    { minLength: 2, maxLength: 20 },
  )
  .chain((drafts) =>
    fc.tuple(fc.constant(drafts), fc.integer({ min: -1, max: 19 }), fc.integer({ min: -1, max: 19 })),
  )
  .map(([drafts, company, remainder]) => {
    const sum = drafts.reduce((sum, { bps }) => sum + bps, 0)
    return drafts.map(({ bps, fixed, priority, chargeFees }, n) =>
      item(n === company ? null : `r${n}`, {
        percentBps: fixed === null ? Math.max(1, Math.floor((bps * 10_000) / (sum + drafts.length))) : null,
        fixedCents: fixed === null ? null : toCents(fixed),
        priority,
        chargeFees,
        chargeRemainder: n === remainder,
      }),
    )
  })
const anyCents = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 999_999_999_999 }),
)

const sum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

t.test('shares always sum to amount and fee, and no recipient is left with less than nothing', async (t) => {
  const property = fc.property(
    anyItems,
    anyCents,
    fc.integer({ min: 0, max: 1000 }),
    fc.integer({ min: 1, max: 12 }),
    (items, amount, feeBps, installments) => {
      const amountCents = toCents(amount)
      const feeCents = toCents(Math.min(amount, Math.ceil((amount / 1000) * feeBps)))
      const { shares, remainderCents } = divide(items, amountCents, feeCents)
      const gross = inInstallments(amountCents, installments)
      const fees = allocate(feeCents, gross)
      const rows = inInstallmentsOf(shares, partsOf(gross, fees))
      const isPositive = ({ grossCents, feeCents }: Share): boolean => grossCents >= 0 && feeCents >= 0
      return (
        sum(shares.map(({ grossCents }) => grossCents)) === amount &&
        sum(shares.map(({ feeCents }) => feeCents)) === feeCents &&
        remainderCents >= 0 &&
        shares.every(isPositive) &&
        shares.every(({ partyId, grossCents, feeCents }) => partyId === null || feeCents <= grossCents) &&
        rows.flat().every(isPositive) &&
        rows.every(
          (row, n) =>
            sum(row.map(({ grossCents }) => grossCents)) === gross[n] &&
            sum(row.map(({ feeCents }) => feeCents)) === fees[n],
        ) &&
        shares.every(
          ({ grossCents, feeCents }, place) =>
            sum(rows.map((row) => row[place]!.grossCents)) === grossCents &&
            sum(rows.map((row) => row[place]!.feeCents)) === feeCents,
        )
      )
    },
  )
  const { failed, counterexample } = fc.check(property, { numRuns: 3000, seed: 1 })
  t.equal(failed, false, JSON.stringify(counterexample))
})

t.test('what the items claim is never cut where it fits', async (t) => {
  const property = fc.property(anyItems, anyCents, (items, amount) => {
    const amountCents = toCents(amount)
    fc.pre(!exceeds(items, amountCents))
    const { shares } = divide(items, amountCents, toCents(0))
    return items.every(({ recipientId, fixedCents, percentBps }) => {
      const { grossCents } = shares.find(({ partyId }) => partyId === recipientId)!
      return (
        grossCents >= (fixedCents ?? Math.floor(Number((BigInt(amount) * BigInt(percentBps!)) / 10_000n)))
      )
    })
  })
  const { failed, counterexample } = fc.check(property, { numRuns: 1000, seed: 1 })
  t.equal(failed, false, JSON.stringify(counterexample))
})
