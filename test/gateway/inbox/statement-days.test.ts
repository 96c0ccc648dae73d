import t from 'tap'
import { reconciliationIdOf } from '../../../engine/reconciliation/reconciliation.ts'
import type { StatementMovement } from '../../../engine/reconciliation/statement.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { connectionIdOf, live, liveAccount } from '../../engine/connections/live.ts'
import { senderIn } from '../../engine/money-out/live-transfers.ts'
import { at, e2e, hour, minute, november, shopWithBooks } from './shop-with-books.ts'

const aLine = (change: Partial<StatementMovement> = {}): StatementMovement => ({
  ...{ kind: 'PIX_IN', cents: toCents(1990), endToEndId: e2e(1), atMs: null },
  ...change,
})

const person = { kind: 'PERSON', id: 'per_1' } as const
const dayId = (day: number) => reconciliationIdOf(liveAccount, connectionIdOf(1), november(day))

/** The 20th is over, with one payment that the bank lists and we have. */
const afterOnePayment = async (options: Parameters<typeof shopWithBooks>[1] = {}) => {
  const shop = await shopWithBooks(undefined, options)
  shop.lead({})
  await shop.until(20, '23:00:00')
  shop.bank.pay(e2e(1), null, 1990, { paidAtMs: at(20, '22:00:00') })
  return {
    ...shop,
    give: (day: number, digest: string, movements: readonly StatementMovement[]) =>
      shop.execute({
        type: 'GiveStatement',
        ...live,
        by: person,
        reconciliationId: dayId(day),
        given: { why: null, digest, movements },
      }),
  }
}

t.test('the bank’s own statement is the third book, and one that comes later is waited for', async (t) => {
  const { until, dayOf, letGiveStatement, statements } = await afterOnePayment({ givesStatements: true })
  await until(21, '04:00:00')
  t.match(await dayOf(20), { statement: null, differencesCount: 0 })
  letGiveStatement([aLine(), aLine({ kind: 'OTHER', cents: toCents(-5), endToEndId: null })])
  await until(21, '12:00:00')
  t.match(await dayOf(20), {
    statement: { count: 1, amountCents: 1990 },
    third: { source: 'BANK', othersCount: 1, termsCents: null },
    differencesCount: 0,
  })
  const asked = statements.filter((date) => date === '2026-11-20').length
  await until(22, '02:00:00')
  t.equal(statements.filter((date) => date === '2026-11-20').length, asked)
})

t.test('what the statement has otherwise is a difference, until people accept it', async (t) => {
  const { until, dayOf, letGiveStatement, kinds, notices, execute } = await afterOnePayment({
    givesStatements: true,
  })
  letGiveStatement([aLine(), aLine({ endToEndId: e2e(7), cents: toCents(500) })])
  await until(21, '08:00:00')
  t.match(await dayOf(20), {
    differences: [{ kind: 'STATEMENT_ONLY', endToEndId: e2e(7), bankCents: 500, oursCents: null }],
    differenceCents: 500,
  })
  t.ok(kinds().includes('BOOKS_DIFFER 2026-11-20'))
  t.strictSame(
    (await notices()).filter(([kind]) => kind === 'BOOKS_DIFFER'),
    // The bank shows the same statement for the day before.
    ['19', '20'].map((day) => [
      'BOOKS_DIFFER',
      { provider: 'a-bank', date: `2026-11-${day}`, count: 1, amount: '500' },
    ]),
  )
  await execute({ type: 'AcceptDifference', ...live, by: person, reconciliationId: dayId(20), reason: 'ok' })
  await until(21, '23:00:00')
  t.match(await dayOf(20), { accepted: { reason: 'ok' } })
})

t.test('a statement that has not come for three days is missing, and people hear of it once', async (t) => {
  const { until, kinds, notices } = await afterOnePayment({ givesStatements: true })
  await until(25, '12:00:00')
  const missing = kinds().filter((kind) => kind.startsWith('STATEMENT_MISSING'))
  t.strictSame(missing, [
    'STATEMENT_MISSING 2026-11-19',
    'STATEMENT_MISSING 2026-11-20',
    'STATEMENT_MISSING 2026-11-21',
  ])
  t.match((await notices()).at(-1), ['STATEMENT_MISSING', { date: '2026-11-19', provider: 'a-bank' }])
})

t.test(
  'a file is compared at once, the same one changes nothing, and another one takes its place',
  async (t) => {
    const { until, dayOf, give, pass, world, inLedger } = await afterOnePayment({
      terms: { PIX: { percentBps: 0, fixedCents: toCents(10) } },
    })
    await until(21, '04:00:00')
    t.match(await dayOf(20), { statement: null, differencesCount: 0 })
    const tariff = aLine({ kind: 'TARIFF', cents: toCents(-9_000), endToEndId: null })
    const available = inLedger().available
    await give(20, 'one', [aLine(), tariff])
    await pass(1_000)
    t.match(await dayOf(20), {
      third: { source: 'FILE', digest: 'one', tariffCents: 9_000, termsCents: 10 },
      differences: [{ kind: 'TARIFF', bankCents: 9_000, oursCents: 10 }],
      differenceCents: 8_990,
    })
    // A file could be written by anyone.
    t.equal(inLedger().available, available)
    const entries = world.journal.appended()
    await give(20, 'one', [])
    await pass(1_000)
    t.equal(world.journal.appended(), entries)
    await give(20, 'two', [aLine(), { ...tariff, cents: toCents(-10) }])
    await pass(1_000)
    t.match(await dayOf(20), { third: { digest: 'two' }, differencesCount: 0 })
  },
)

t.test('a file of a settled day that could not be compared is compared some minutes later', async (t) => {
  const { until, dayOf, give, pass, letBeSilent } = await afterOnePayment()
  await until(21, '04:00:00')
  letBeSilent(true)
  await give(20, 'one', [])
  await pass(1_000)
  t.match(await dayOf(20), { statement: null, file: { digest: 'one' } })
  letBeSilent(false)
  await until(21, '04:10:00')
  t.match(await dayOf(20), { differences: [{ kind: 'MISSING_IN_STATEMENT', endToEndId: e2e(1) }] })
})

t.test('a file of an old day whose bank was silent is compared after a restart, too', async (t) => {
  const { until, dayOf, give, pass, letBeSilent, lead, comparisons, faults } = await afterOnePayment()
  await until(21, '04:00:00')
  await pass(33 * 24 * hour)
  letBeSilent(true)
  await give(20, 'one', [])
  await pass(1_000)
  t.match(await dayOf(20), { statement: null, file: { digest: 'one' } })
  lead(null)
  letBeSilent(false)
  await pass(hour)
  t.match(await dayOf(20), { statement: null }, 'no one leads the shard')
  lead({})
  await pass(10 * minute)
  t.match(await dayOf(20), { differences: [{ kind: 'MISSING_IN_STATEMENT', endToEndId: e2e(1) }] })
  const compared = comparisons().length
  lead({})
  await pass(10 * minute)
  t.equal(comparisons().length, compared, 'what was compared awaits nothing')
  t.strictSame(faults, [])
})

t.test('what the bank took beside its terms leaves the balance, once for a day', async (t) => {
  const { until, letGiveStatement, inLedger, dayOf } = await afterOnePayment({
    givesStatements: true,
    terms: { PIX: { percentBps: 0, fixedCents: toCents(10) } },
  })
  letGiveStatement([aLine(), aLine({ kind: 'TARIFF', cents: toCents(-25), endToEndId: null })])
  await until(21, '12:00:00')
  // The 19th had no payment, but the bank shows the same statement.
  t.match(await dayOf(19), { third: { tariffCents: 25, termsCents: 0 } })
  t.equal(inLedger().feeDifference, 15n + 25n)
  await until(21, '23:00:00')
  t.equal(inLedger().feeDifference, 15n + 25n)
})

t.test('money in suspense for three days is called to mind, each sum once', async (t) => {
  const shop = await shopWithBooks()
  shop.lead({})
  await shop.until(20, '13:00:00')
  shop.bank.pay(e2e(3), 'x'.repeat(32), 700, { paidAtMs: at(20, '12:00:00') })
  await shop.until(26, '12:00:00')
  t.strictSame(shop.faults, [])
  t.equal(shop.inLedger().suspense, 700n)
  t.match(
    (await shop.notices()).filter(([kind]) => kind === 'SUSPENSE_OLD'),
    [['SUSPENSE_OLD', { amount: '700', provider: 'a-bank' }]],
  )
})

t.test('R11: a transfer that comes back by the statement alone is booked, each return once', async (t) => {
  const railId = `E${'5'.repeat(31)}`
  const shop = await shopWithBooks(undefined, {
    givesStatements: true,
    sends: { type: 'DONE', endToEndId: railId },
  })
  const { world, until, dayOf, letGiveStatement, execute } = shop
  shop.lead({})
  const { transferId } = await (await senderIn(world))(1_500)
  const now = () => world.memory.find('transfer', transferId)!.state
  await until(20, '23:00:00')
  t.match(now(), { status: 'COMPLETED', railId })
  const sent = aLine({ kind: 'PIX_OUT', endToEndId: railId, cents: toCents(-1500) })
  const back = aLine({ kind: 'RETURN', endToEndId: railId, cents: toCents(400) })
  const strange = aLine({ kind: 'RETURN', endToEndId: `E${'6'.repeat(31)}`, cents: toCents(70) })
  const before = shop.inLedger()
  letGiveStatement([sent, back, back, strange])
  await until(21, '12:00:00')
  t.match(now(), { status: 'COMPLETED', returns: [{ amountCents: 400 }, { amountCents: 400 }] })
  t.equal(shop.inLedger().available, before.available + 800n)
  t.equal(shop.inLedger().paidOut, before.paidOut - 800n)
  t.match(await dayOf(20), { third: { source: 'BANK' } })
  const { returns } = now()
  letGiveStatement([])
  await execute({ type: 'AcceptDifference', ...live, by: person, reconciliationId: dayId(20), reason: 'ok' })
  await until(22, '23:00:00')
  t.strictSame(now().returns, returns, 'the same day once more has the same returns')
})

t.test('R11: more than was sent is a difference, and is not booked', async (t) => {
  const railId = `E${'5'.repeat(31)}`
  const shop = await shopWithBooks(undefined, {
    givesStatements: true,
    sends: { type: 'DONE', endToEndId: railId },
  })
  shop.lead({})
  const { transferId } = await (await senderIn(shop.world))(1_500)
  await shop.until(20, '23:00:00')
  shop.letGiveStatement([aLine({ kind: 'RETURN', endToEndId: railId, cents: toCents(1_501) })])
  await shop.until(21, '12:00:00')
  t.equal(shop.world.memory.find('transfer', transferId)!.state.returns, undefined)
  t.match((await shop.dayOf(20))?.differences, [
    {},
    { kind: 'STATEMENT_ONLY', endToEndId: railId, bankCents: 1_501, oursCents: null },
  ])
})
