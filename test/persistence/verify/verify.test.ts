import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { subscriberIdOf } from '../../../engine/billing/figures/count.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { AnyFact } from '../../../engine/kernel/registry.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import type { DataDirectory } from '../../../persistence/home/data-directory.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'
import { verifyDataDirectory } from '../../../persistence/verify/verify.ts'
import { everyFact } from '../../engine/billing/subscription/every-fact.ts'
import { subscribed, withCard } from '../../engine/billing/subscription/subscribing.ts'
import { aRecipient, aRule, fixed, marketplace, percent } from '../../engine/marketplace/fixtures.ts'
import { aBrokenPayment } from '../../engine/payments/broken-payment.ts'
import { aCardPayment, account, aRefund, opened, type World } from '../../engine/world.ts'

/** What `payments verify` says of a data directory with this journal and no snapshot. */
const problemsOf = async (t: Test, entries: readonly Entry[]): Promise<readonly string[]> => {
  const path = mkdtempSync(join(tmpdir(), 'verify-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
  for (const entry of entries) journal.append(entry)
  await flushedUpTo(journal, entries.length)
  await journal.close()
  const data = { shards: 1, shardPath: () => path } as unknown as DataDirectory
  return (await verifyDataDirectory(data)).problems
}

const entriesOf = (world: Pick<World, 'journal'>): Entry[] =>
  [...world.journal.replay(0)].map(({ record }) => record)

t.test('figures of subscriptions are what a walk over all of them says', async (t) => {
  const world = await opened()
  await everyFact(world)
  t.strictSame(await problemsOf(t, entriesOf(world)), [])
  await world.execute({ type: 'ResetClock', accountId: account, by: { kind: 'SANDBOX', id: null } })
  await subscribed(world)
  t.strictSame(await problemsOf(t, entriesOf(world)), [], 'after the clock was put back, too')
})

t.test('verify finds figures that subscriptions do not explain', async (t) => {
  const world = await opened()
  const { customerId } = await subscribed(world)
  await subscribed(world, { interval: 'YEAR' }, withCard('tok_test_declined_51'))
  const atMs = world.now()
  const date = '2026-11-20' as CalendarDate
  const revenue = [{ interval: 'MONTH', intervalCount: 1, cents: 1 }] as const
  const overdue = { overdueInvoices: 1, overdueCents: 7 }
  const counted: AnyFact = {
    actor: 'account',
    type: 'RecurringCounted',
    id: account,
    atMs,
    date,
    from: null,
    to: 'CANCELLED',
    revenue,
    ...overdue,
    overdueCustomers: 1,
  }
  const id = subscriberIdOf(customerId)
  const served: AnyFact = {
    actor: 'subscriber',
    type: 'SubscriberCounted',
    id,
    atMs,
    first: null,
    subscriptions: 1,
    active: -1,
    served: 0,
    revenue,
    ...overdue,
  }
  const numbered: AnyFact = { actor: 'account', type: 'InvoiceNumbered', id: account, atMs, number: 9 }
  const entries = [...entriesOf(world), { accountId: account, atMs, events: [counted, served, numbered] }]
  const ofAccount = (problem: string) => `shard 0: ${account}: ${problem}`
  const ofSubscriber = (problem: string) => `shard 0: ${id}: ${problem}`
  t.strictSame(await problemsOf(t, entries), [
    ofAccount('CANCELLED: 1 is kept, a walk says 0'),
    ofAccount('revenue of MONTH 1: 4901 is kept, a walk says 4900'),
    ofAccount('overdue invoices: 2 is kept, a walk says 1'),
    ofAccount('overdue centavos: 4907 is kept, a walk says 4900'),
    ofAccount('overdue customers: 2 is kept, a walk says 1'),
    ofAccount('last invoice: 9 is kept, a walk says 2'),
    ofAccount('created on 2026-11-20: 3 is kept, a walk says 2'),
    ofAccount('cancelled on 2026-11-20: 1 is kept, a walk says 0'),
    ofSubscriber('subscriptions: 3 is kept, a walk says 2'),
    ofSubscriber('active: 0 is kept, a walk says 1'),
    ofSubscriber('revenue of MONTH 1: 4901 is kept, a walk says 4900'),
    ofSubscriber('overdue invoices: 2 is kept, a walk says 1'),
    ofSubscriber('overdue centavos: 4907 is kept, a walk says 4900'),
  ])
})

t.test('verify finds a centavo that a reversal kept from a recipient', async (t) => {
  const market = await marketplace()
  const small = aRecipient()
  await market.execute(small)
  const capped = fixed(small.recipientId, 100, { chargeFees: true, priority: 1 })
  const rule = aRule(capped, percent(null, 100, { priority: 2 }))
  await market.execute(rule)
  const { id } = await market.accepted(aCardPayment({}, { splitRuleId: rule.ruleId }))
  await market.advance('P32D')
  const newestNet = (): number => {
    const { receivables } = market.transaction(id)
    const { grossCents, feeCents } = receivables.findLast((row) => row.recipientId === small.recipientId)!
    return grossCents - feeCents
  }
  do await market.execute(aRefund(id, 50))
  while (newestNet() >= 0)
  const entries = entriesOf(market)
  t.strictSame(await problemsOf(t, entries), [])
  // As it would be if what gives more fee than gross moved nothing.
  const { events, ...last } = entries.at(-1)!
  const unbooked = events.filter(
    (event) =>
      event.type !== 'RecipientBooked' &&
      event.type !== 'SharesBooked' &&
      !(event.type === 'StatementWritten' && event.line.type === 'SPLIT'),
  )
  const balance = market.balance(small.recipientId)
  t.strictSame(await problemsOf(t, [...entries.slice(0, -1), { ...last, events: unbooked }]), [
    `shard 0: ${small.recipientId}: a balance of ${balance - 1}, its parts of payments say ${balance}`,
  ])
})

t.test('verify finds a party that holds more of a payment than its share', async (t) => {
  const market = await marketplace()
  const { id, accountId } = await market.accepted(aCardPayment({}, { splitRuleId: market.rule }))
  const atMs = market.now()
  const { receivables } = market.transaction(id)
  const moved = receivables.map((row) => ({
    ...row,
    grossCents: toCents(row.grossCents + (row.recipientId === null ? -1 : 1)),
  }))
  const settled: AnyFact = {
    actor: 'transaction',
    type: 'ReceivablesSettled',
    id,
    by: { kind: 'SANDBOX', id: null },
    atMs,
    settlementId: receivables[0]!.settlementId!,
    receivables: moved,
    grossCents: toCents(0),
    feeCents: toCents(0),
    receivablesCount: 0,
    schedule: [],
  }
  const problems = await problemsOf(t, [...entriesOf(market), { accountId, atMs, events: [settled] }])
  t.match(problems[0], `shard 0: ${id}: ${market.seller} holds 8001 less 319, of 8000 less 319`)
})

t.test('verify tells of due work that was parked', async (t) => {
  const world = await opened()
  const id = await aBrokenPayment(world)
  await world.advance('P8D')
  t.strictSame(await problemsOf(t, entriesOf(world)), [
    `shard 0: ${id}: CloseMed was due, and could not be done`,
  ])
})
