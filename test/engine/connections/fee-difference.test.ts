import t from 'tap'
import type { RecordFeeDifference } from '../../../engine/connections/commands.ts'
import { bankFeeOn, termsIn } from '../../../engine/connections/terms.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { connectedWorld, connectionIdOf, live, liveAccount, liveState } from './live.ts'

const aDifference = (cents: number, change: Partial<RecordFeeDifference> = {}): RecordFeeDifference => ({
  type: 'RecordFeeDifference',
  ...live,
  connectionId: connectionIdOf(1),
  day: '2026-11-19' as CalendarDate,
  cents: toCents(cents),
  reason: 'extrato',
  ...change,
})

t.test('what a bank took beside the fees leaves the balance, once for a connection and day', async (t) => {
  const world = await connectedWorld({})
  await world.execute(aDifference(120))
  await world.execute(aDifference(120))
  t.match(liveState(world).balances, { available: -120n, feeDifference: 120n })
  await world.execute(aDifference(-30, { day: '2026-11-20' as CalendarDate }))
  t.match(liveState(world).balances, { available: -90n, feeDifference: 90n })
  const lines = world.memory.list(liveAccount, 'statementLine', { offset: 0, limit: 10 }).states
  t.strictSame(
    lines.map(({ type, cents, objectId }) => [type, cents, objectId]),
    [
      ['FEE_DIFFERENCE', 30, connectionIdOf(1)],
      ['FEE_DIFFERENCE', -120, connectionIdOf(1)],
    ],
  )
})

t.test('another difference of the day takes the place of the one before, and none undoes it', async (t) => {
  const world = await connectedWorld({})
  for (const [cents, available] of [
    [120, -120n],
    [100, -100n],
    [-5, 5n],
    [0, 0n],
    [0, 0n],
  ] as const) {
    await world.execute(aDifference(cents))
    t.equal(liveState(world).balances.available, available, String(cents))
    t.equal(ledgerSum(liveState(world).balances), 0n)
  }
})

t.test(
  'days of two connections are apart, and a connection that the account has not is unknown',
  async (t) => {
    const other = connectionIdOf(2)
    const world = await connectedWorld({}, { connectionId: other, role: 'FALLBACK' })
    await world.execute(aDifference(1))
    await world.execute(aDifference(2, { connectionId: other }))
    t.equal(liveState(world).balances.feeDifference, 3n)
    t.equal(await world.refused(aDifference(3, { connectionId: connectionIdOf(3) })), 'NOT_FOUND')
  },
)

t.test('the terms of a connection say what its bank is to take', async (t) => {
  const terms = termsIn({ terms: { PIX: { percentBps: 99 }, PAYOUT: { fixedAmount: 150 } } })
  t.equal(bankFeeOn(terms, 'PIX', toCents(10_050)), 99)
  t.equal(bankFeeOn(terms, 'PIX', toCents(10_051)), 100)
  t.equal(bankFeeOn(terms, 'PAYOUT', toCents(1)), 150)
  t.equal(bankFeeOn(terms, 'BOLETO', toCents(1)), null)
  t.equal(bankFeeOn(termsIn({}), 'PIX', toCents(1)), null)
})
