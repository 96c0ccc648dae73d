import t from 'tap'
import type { Command } from '../../../engine/kernel/registry.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { liveAccount } from '../../engine/connections/live.ts'
import { at, e2e, hour, minute, shopWithBooks } from './shop-with-books.ts'

t.test('money that came in and was never reported is found the next morning, and booked', async (t) => {
  const { bank, world, lead, until, dayOf, charge, comparisons, kinds } = await shopWithBooks()
  lead({})
  const { id, txid } = await charge()
  await until(20, '23:00:00')
  bank.pay(e2e(1), txid, 1990, { paidAtMs: at(20, '23:59:59') })
  await until(21, '03:09:00')
  t.equal(world.transaction(id).status, 'PENDING')
  t.equal(await dayOf(20), null)
  await until(21, '04:00:00')
  t.match(world.transaction(id), { status: 'APPROVED', paidCents: 1990 })
  const book = { count: 1, amountCents: 1990, returnedCents: 0 }
  t.match(await dayOf(20), { bank: book, ours: book, differencesCount: 0, date: '2026-11-20' })
  // First it was written down as it was found.
  t.match(comparisons()[1]!.event, {
    compared: { differences: [{ kind: 'MISSING_HERE', endToEndId: e2e(1), bankCents: 1990 }] },
  })
  t.strictSame(kinds(), [])
})

t.test('the last second of a day is of that day, and the first of the next is not', async (t) => {
  const { bank, lead, until, dayOf } = await shopWithBooks()
  lead({})
  await until(20, '22:00:00')
  bank.pay(e2e(1), null, 100, { paidAtMs: at(20, '23:59:59.999') })
  bank.pay(e2e(2), null, 200, { paidAtMs: at(21, '00:00:00') })
  await until(21, '04:00:00')
  t.match(await dayOf(20), { bank: { count: 1, amountCents: 100 }, differencesCount: 0 })
  t.equal(await dayOf(21), null)
  await until(22, '04:00:00')
  t.match(await dayOf(21), { bank: { count: 1, amountCents: 200 }, differencesCount: 0 })
})

t.test('a bank that is silent for three days is caught up with, and people hear of it', async (t) => {
  const { bank, lead, until, dayOf, letBeSilent, kinds } = await shopWithBooks()
  lead({})
  await until(20, '13:00:00')
  bank.pay(e2e(1), null, 100, { paidAtMs: at(20, '12:00:00') })
  bank.pay(e2e(2), null, 200, { paidAtMs: at(22, '12:00:00') })
  letBeSilent(true)
  await until(23, '12:00:00')
  t.equal(await dayOf(20), null)
  t.strictSame(kinds(), ['BOOKS_UNCOMPARED 2026-11-20', 'BOOKS_UNCOMPARED 2026-11-21'])
  letBeSilent(false)
  await until(23, '20:00:00')
  for (const [day, amountCents] of [
    [20, 100],
    [21, 0],
    [22, 200],
  ] as const)
    t.match(await dayOf(day), { bank: { amountCents }, ours: { amountCents }, differencesCount: 0 }, `${day}`)
})

t.test('a crash between the outcome and what is fed leaves nothing undone', async (t) => {
  let isDying = true
  const fails = (command: Command): boolean => isDying && command.type === 'ReceiveNotice'
  const { bank, lead, until, dayOf, faults } = await shopWithBooks(fails)
  lead({})
  await until(20, '13:00:00')
  bank.pay(e2e(1), null, 100, { paidAtMs: at(20, '12:00:00') })
  await until(21, '03:20:00')
  t.match(await dayOf(20), { differences: [{ kind: 'MISSING_HERE' }], ours: { count: 0 } })
  t.ok(faults.length > 0)
  // Another node leads.
  isDying = false
  lead({})
  await until(21, '04:00:00')
  t.match(await dayOf(20), { differencesCount: 0, ours: { count: 1, amountCents: 100 } })
})

t.test('what a person sent back in the bank’s app is booked as it is there', async (t) => {
  const { bank, world, lead, until, dayOf, charge } = await shopWithBooks()
  lead({})
  const { id, txid } = await charge()
  const paidAtMs = at(20, '12:00:00')
  await until(20, '13:00:00')
  const returns = [
    {
      id: 'app',
      returnId: 'D'.padEnd(32, '5'),
      amountCents: toCents(500),
      status: 'DONE',
      nature: 'ORIGINAL',
      askedAtMs: paidAtMs,
      doneAtMs: paidAtMs,
      reason: null,
    } as const,
  ]
  bank.pay(e2e(1), txid, 1990, { paidAtMs })
  await until(21, '04:00:00')
  t.match(await dayOf(20), { differencesCount: 0, bank: { returnedCents: 0 } })
  // The day after, too: what comes later is for the loops of polls, and a day that differs is looked at.
  const second = await charge()
  await until(21, '13:00:00')
  bank.pay(e2e(2), second.txid, 1990, { paidAtMs: at(21, '12:00:00'), returns })
  await until(22, '04:00:00')
  t.match(world.transaction(second.id), { reversals: { refunds: [{ origin: 'BANK', amountCents: 500 }] } })
  t.match(await dayOf(21), {
    differencesCount: 0,
    bank: { returnedCents: 500 },
    ours: { returnedCents: 500 },
  })
  t.equal(world.transaction(id).status, 'APPROVED')
})

t.test(
  'what cannot be booked differs until a person accepts it or it is in suspense, and alerts once',
  async (t) => {
    const { bank, world, inbox, execute, lead, until, dayOf, kinds, inLedger } = await shopWithBooks()
    lead({})
    await until(20, '13:00:00')
    bank.pay(e2e(1), 'x'.repeat(32), 700, { paidAtMs: at(20, '12:00:00') })
    await until(21, '04:00:00')
    t.match(await dayOf(20), { differencesCount: 1, differenceCents: 700, accepted: null })
    await until(21, '20:00:00')
    t.strictSame(
      kinds().filter((kind) => kind.startsWith('BOOKS')),
      ['BOOKS_DIFFER 2026-11-20'],
    )
    const { id } = (await dayOf(20))!
    const accept = {
      type: 'AcceptDifference',
      accountId: liveAccount,
      by: { kind: 'PERSON', id: 'per_1' },
      reconciliationId: id,
      reason: 'de outra loja',
    } as const
    t.match(inbox.counts(), { differenceCents: 700, suspenseCents: 0 })
    await execute(accept)
    t.equal(inbox.counts().differenceCents, 0)
    t.match(await world.execute(accept), {
      rejection: { reason: 'INVALID_STATE', currentStatus: 'ACCEPTED' },
    })
    t.match(
      await world.shard.query({
        type: 'ListReconciliations',
        accountId: liveAccount,
        statuses: ['DIFFERENT'],
        connectionId: null,
        date: null,
        ...{ page: 1, pageSize: 10, asOf: null, from: null, to: null },
      }),
      { total: 0 },
    )
    await until(22, '12:00:00')
    t.equal(inLedger().suspense, 700n)
    t.equal(inbox.counts().suspenseCents, 700)
    t.equal(inbox.counts().suspenseCents, 700)
    t.match(await dayOf(20), { accepted: { reason: 'de outra loja' } })
  },
)

t.test('a day agrees once its money is in suspense', async (t) => {
  const { bank, lead, until, dayOf } = await shopWithBooks()
  lead({})
  await until(20, '13:00:00')
  bank.pay(e2e(1), 'x'.repeat(32), 700, { paidAtMs: at(20, '12:00:00') })
  await until(22, '23:00:00')
  t.match(await dayOf(20), { differencesCount: 0, ours: { amountCents: 700 } })
})

t.test('what we have and the bank does not list differs, and nothing is booked for it', async (t) => {
  const { bank, world, lead, until, dayOf, charge, received } = await shopWithBooks()
  lead({})
  const { txid } = await charge()
  await until(20, '13:00:00')
  bank.pay(e2e(1), txid, 1990, { paidAtMs: at(20, '12:00:00') })
  await until(21, '04:00:00')
  t.match(await dayOf(20), { differencesCount: 0 })
  const { txid: other } = await charge()
  await world.execute({
    type: 'ReceivePixAtBank',
    accountId: liveAccount,
    by: { kind: 'PROVIDER', id: null },
    txid: other,
    endToEndId: e2e(2),
    amountCents: toCents(1990),
    componentsCents: null,
    paidAtMs: at(21, '12:00:00'),
    payer: null,
  })
  await until(22, '04:00:00')
  t.match(await dayOf(21), {
    differences: [{ kind: 'MISSING_AT_BANK', endToEndId: e2e(2), oursCents: 1990 }],
  })
  t.equal(received().length, 0, 'the Sandbox has nothing of it')
})

t.test('a row that comes twice, and money from before the connection, change nothing', async (t) => {
  const { bank, lead, until, dayOf, letListToo } = await shopWithBooks()
  lead({})
  await until(20, '13:00:00')
  bank.pay(e2e(1), null, 100, { paidAtMs: at(20, '12:00:00') })
  letListToo([
    ...bank.objects.values(),
    { ...bank.objects.get(e2e(1))!, endToEndId: e2e(9), paidAtMs: at(18, '12:00:00') },
  ])
  await until(21, '04:00:00')
  t.match(await dayOf(20), { bank: { count: 1 }, ours: { count: 1 }, differencesCount: 0 })
  t.equal(await dayOf(18), null)
})

t.test('a retired connection is compared for a month, and its silence is no alarm', async (t) => {
  const { bank, lead, until, dayOf, letBeSilent, kinds } = await shopWithBooks()
  Object.assign(bank.reporting, { retiredAtMs: at(20, '10:00:00') })
  lead({})
  await until(20, '13:00:00')
  bank.pay(e2e(1), null, 100, { paidAtMs: at(20, '12:00:00') })
  await until(21, '04:00:00')
  t.match(await dayOf(20), { bank: { count: 1 }, differencesCount: 0 })
  letBeSilent(true)
  await until(24, '12:00:00')
  t.strictSame(kinds(), [])
})

t.test(
  'a node that does not lead any more writes nothing, and two that lead one after the other write once',
  async (t) => {
    const { lead, until, pass, dayOf, comparisons, windows } = await shopWithBooks()
    lead({})
    await until(20, '13:00:00')
    lead(null)
    const before = windows.length
    await until(21, '12:00:00')
    t.equal(windows.length, before)
    t.equal(await dayOf(20), null)
    lead({})
    await pass(5 * minute)
    t.match(await dayOf(20), { differencesCount: 0 })
    const written = comparisons().length
    lead({})
    await pass(hour)
    t.equal(comparisons().length, written)
  },
)

t.test('another amount than that of its charge, and a return that fails, are for people', async (t) => {
  const { bank, inbox, lead, until, charge, kinds, letReturns } = await shopWithBooks()
  letReturns({ type: 'REFUSED', refusal: { reason: 'ERROR', message: 'conta encerrada' } })
  lead({})
  const { txid } = await charge()
  await until(20, '13:00:00')
  bank.pay(e2e(1), txid, 1991, { paidAtMs: at(20, '12:00:00') })
  await until(21, '04:00:00')
  t.strictSame(kinds(), [`AMOUNT_MISMATCH ${e2e(1)}`])
  t.equal(inbox.counts().suspenseCents, 1991)
  // The clock asks the bank once more on three days; what it says is told with the next entry.
  await until(25, '12:00:00')
  t.equal(inbox.counts().suspenseCents, 1991)
  t.match(kinds(), [`AMOUNT_MISMATCH ${e2e(1)}`, /^RETURN_FAILED rpx_/])
})
