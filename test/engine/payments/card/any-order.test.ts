import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { applyEntry } from '../../../../engine/engine.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import type { Account } from '../../../../engine/ledger/account.ts'
import { ledgerSum } from '../../../../engine/ledger/postings.ts'
import type { Receivable } from '../../../../engine/ledger/receivable.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import type { ChargebackId, RefundId, TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { openMemory } from '../../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../../persistence/snapshot/store.ts'
import { putAsideIn } from '../../story.ts'
import { aCancellation, aCardPayment, account, aRefund, key, opened } from '../../world.ts'
import {
  aCapture,
  aCardCancellation,
  aChargeback,
  aClearing,
  aClockReset,
  aDefense,
  aRefundResolution,
  aResolution,
  aSettling,
  aVerdict,
  receivablesOf,
  type World,
} from './commands.ts'

/** One thing that somebody does. Payments are named by their number; a command about none of them is left out. */
type Step =
  | { readonly do: 'pay'; readonly token: string; readonly amount: number; readonly installments: number }
  | { readonly do: 'authorize'; readonly token: string; readonly amount: number }
  | { readonly do: 'capture' | 'refund' | 'dispute'; readonly n: number; readonly part: number }
  | { readonly do: 'void' | 'cancel' | 'settle' | 'approve' | 'decline'; readonly n: number }
  | { readonly do: 'defend'; readonly n: number; readonly text: string }
  | { readonly do: 'win' | 'lose' | 'complete' | 'fail'; readonly n: number }
  | { readonly do: 'wait'; readonly by: string }
  | { readonly do: 'reset' | 'clear' }

const tokens = [
  'approved',
  'refund_slow',
  'refund_fails',
  'chargeback',
  'capture_fails',
  'processing',
  'timeout',
].map((name) => `tok_test_${name}`)

const amount = fc.oneof(
  fc.integer({ min: 1, max: 30 }),
  fc.integer({ min: 1, max: 20_000 }),
  fc.integer({ min: 999_999_990_000, max: 999_999_999_999 }),
)
/** Mostly the newest payment: a life of one is longer than it is likely. */
const n = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) })
const part = fc.integer({ min: 0, max: 100 })
const waiting = (...spans: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant('wait' as const), by: fc.constantFrom(...spans) })
const pay: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('pay' as const),
  token: fc.constantFrom(...tokens),
  amount,
  installments: fc.integer({ min: 1, max: 12 }),
})
const authorize: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('authorize' as const),
  token: fc.constantFrom(...tokens),
  amount,
})
const change: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('capture' as const, 'refund', 'refund', 'dispute'),
  n,
  part,
})
const act: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('void' as const, 'cancel', 'settle', 'approve', 'decline', 'complete', 'fail'),
  n,
})
const defend: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('defend' as const),
  n,
  text: fc.constantFrom('as signed', 'as signed', 'winning_evidence', 'losing_evidence'),
})
const verdict: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('win' as const, 'win', 'lose'), n })
const rare: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('reset' as const, 'clear') })

/** A dispute from its opening to the verdict, around the days of batches: by chance alone it is hardly ever won. */
const contest = fc
  .tuple(
    waiting('P1D', 'P20D', 'P28D', 'P31D'),
    fc.record({ do: fc.constant('dispute' as const), n: fc.constant(0), part }),
    waiting('PT5S', 'P5D', 'P9D'),
    defend,
    waiting('PT1S', 'P20D', 'P29D'),
    verdict,
  )
  .map((steps): readonly Step[] => steps)

const steps = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: pay.map(alone) },
      { weight: 1, arbitrary: authorize.map(alone) },
      { weight: 5, arbitrary: change.map(alone) },
      { weight: 2, arbitrary: act.map(alone) },
      { weight: 2, arbitrary: fc.oneof(defend, verdict).map(alone) },
      { weight: 5, arbitrary: waiting('PT5S', 'PT15M', 'P1D', 'P11D', 'P29D', 'P31D', 'P100D').map(alone) },
      { weight: 3, arbitrary: contest },
      { weight: 1, arbitrary: rare.map(alone) },
    ),
    { minLength: 3, maxLength: 25 },
  )
  .map((parts) => parts.flat())

function alone(step: Step): readonly Step[] {
  return [step]
}

/** `SEED` and `RUNS` of the environment look further; a seed that fails becomes a test of its own. */
const seed = Number(process.env.SEED ?? 20_261_121)
const runs = Number(process.env.RUNS ?? 150)

t.test('whatever happens in whatever order, every centavo is somewhere', async (t) => {
  const property = fc.asyncProperty(steps, async (steps) => {
    const world = await opened()
    for (const step of steps) {
      const command = commandOf(world, step)
      if (command === null) continue
      const state = stateOf(world)
      const reply = await world.execute(command)
      if (!reply.accepted) assert.deepEqual(stateOf(world), state, 'a refusal changes nothing')
      await check(world)
    }
    // Far enough for a payment that was made before the clock was set back.
    for (let years = 0; years < 50; years += 2) await world.advance('P2Y')
    await check(world)
    assert.equal(world.account().balances.receivable, 0n, 'in the end all of it is settled')
    assert.equal(world.account().balances.blocked, 0n, 'in the end nothing is disputed')
    replay(world)
  })
  await t.resolves(fc.assert(property, { numRuns: runs, seed }))
})

const paymentsOf = (world: World): readonly Transaction[] =>
  world.memory.list(account, 'transaction', { offset: 0, limit: 1000 }).states.toReversed()

const stateOf = (world: World) => ({ account: world.account(), payments: paymentsOf(world) })

const commandOf = (world: World, step: Step): Command | null => {
  switch (step.do) {
    case 'pay':
    case 'authorize': {
      const { token, amount } = step
      const installments = step.do === 'pay' ? step.installments : 3
      return aCardPayment(
        { token, installments, captures: step.do === 'pay' },
        { amountCents: toCents(amount) },
      )
    }
    case 'wait':
      return { type: 'AdvanceClock', accountId: account, by: key, step: { by: step.by } }
    case 'reset':
      return aClockReset
    case 'clear':
      return aClearing
    default: {
      const payments = paymentsOf(world)
      const payment = payments[payments.length - 1 - step.n]
      return payment === undefined ? null : commandOn(payment, step)
    }
  }
}

const commandOn = (payment: Transaction, step: Extract<Step, { readonly n: number }>): Command | null => {
  const { id, amountCents, paidCents, reversals } = payment
  const part = (whole: number, percent: number) =>
    percent === 0 ? null : Math.max(1, Math.floor((whole * percent) / 100))
  const chargebackId = reversals.chargebacks[0]?.id ?? ('cbk_none' as ChargebackId)
  const refundId = reversals.refunds.at(-1)?.id ?? ('rfd_none' as RefundId)
  switch (step.do) {
    case 'capture':
      return aCapture(id, part(amountCents, step.part))
    case 'refund':
      return aRefund(id, part(paidCents, step.part))
    case 'dispute':
      return aChargeback(id, part(paidCents, step.part))
    case 'void':
      return aCancellation(id)
    case 'cancel':
      return aCardCancellation(id)
    case 'settle':
      return aSettling(id)
    case 'approve':
      return aResolution(id, 'APPROVED')
    case 'decline':
      return aResolution(id, 'DECLINED')
    case 'defend':
      return aDefense(chargebackId, step.text)
    case 'win':
      return aVerdict(chargebackId, 'WON')
    case 'lose':
      return aVerdict(chargebackId, 'LOST')
    case 'complete':
      return aRefundResolution(refundId, 'COMPLETED')
    case 'fail':
      return aRefundResolution(refundId, 'FAILED')
  }
}

/** Holds payments, receivables, schedule and ledger against each other. */
const check = async (world: World): Promise<void> => {
  assert.deepEqual(putAsideIn(world), [])
  const { balances, schedule } = world.account()
  assert.equal(ledgerSum(balances), 0n, 'the ledger sums to zero')
  const scheduled = Object.values(schedule).flatMap((month) => Object.values(month))
  const expected = { receivable: 0, blocked: 0, fees: 0, payer: 0 }
  const inSchedule = new Map<string, { grossCents: number; feeCents: number; count: number }>()
  for (const payment of paymentsOf(world)) {
    const rows = await receivablesOf(world, payment.id)
    const { open, back } = reversedOf(payment)
    assert.ok(back.grossCents <= payment.paidCents, 'nobody gets back more than was paid')
    const held = heldOf(rows)
    assert.equal(
      held.grossCents,
      payment.paidCents - back.grossCents - open.grossCents,
      'the gross of its rows',
    )
    assert.equal(held.feeCents, payment.feeCents - open.feeCents, 'the fee of its rows')
    expected.payer -= payment.paidCents - back.grossCents
    expected.fees += payment.feeCents
    expected.blocked += open.grossCents - open.feeCents
    for (const row of rows) {
      assert.ok(row.grossCents >= 0 && row.feeCents >= 0, 'no row is negative')
      if (row.status !== 'SCHEDULED') continue
      expected.receivable += row.grossCents - row.feeCents
      const batch = inSchedule.get(row.settlementId!) ?? { grossCents: 0, feeCents: 0, count: 0 }
      batch.grossCents += row.grossCents
      batch.feeCents += row.feeCents
      batch.count += 1
      inSchedule.set(row.settlementId!, batch)
    }
  }
  assert.equal(balances.receivable, BigInt(expected.receivable), 'what is receivable')
  assert.equal(balances.blocked, BigInt(expected.blocked), 'what is blocked')
  assert.equal(balances.fees, BigInt(expected.fees), 'fees')
  assert.equal(balances.payer, BigInt(expected.payer), 'what payers paid')
  assert.deepEqual(
    Object.fromEntries(
      scheduled.map(({ id, grossCents, feeCents, receivablesCount: count }) => [
        id,
        { grossCents, feeCents, count },
      ]),
    ),
    Object.fromEntries(inSchedule),
    'every batch to come is the sum of its rows',
  )
}

/** What is given back for good, and what a chargeback holds. */
const reversedOf = ({ reversals }: Transaction) => {
  const open = { grossCents: 0, feeCents: 0 }
  const back = { grossCents: 0 }
  for (const { status, amountCents } of reversals.refunds)
    if (status === 'COMPLETED') back.grossCents += amountCents
  for (const { status, amountCents, feeCents } of reversals.chargebacks) {
    if (status === 'LOST') back.grossCents += amountCents
    if (status !== 'OPEN' && status !== 'UNDER_REVIEW') continue
    open.grossCents += amountCents
    open.feeCents += feeCents
  }
  return { open, back }
}

const heldOf = (rows: readonly Receivable[]) => {
  let grossCents = 0
  let feeCents = 0
  for (const row of rows) {
    if (row.status !== 'SCHEDULED' && row.status !== 'SETTLED') continue
    const sign = row.type === 'CREDIT' || row.type === 'CHARGEBACK_REVERSAL' ? 1 : -1
    grossCents += sign * row.grossCents
    feeCents += sign * row.feeCents
  }
  return { grossCents, feeCents }
}

/** The journal alone makes the same state. */
const replay = (world: World): void => {
  const memory = openMemory(emptyStore(), world.journal)
  for (const { sequence, record } of world.journal.replay(0)) applyEntry(memory, sequence, record)
  const again: Account = memory.find('account', account)!.state
  assert.deepEqual(again, world.account())
  for (const payment of paymentsOf(world))
    assert.deepEqual(memory.find('transaction', payment.id as TransactionId)!.state, payment)
}
