import t from 'tap'
import { newWorld } from '../../engine/world.ts'
import { inboxFor, pixIn, reportingBank } from './reporting-bank.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

t.test('a notice is a hint: what is booked is what the bank has', async (t) => {
  const { bank, inbox, world, charge, report, until, outcomeOf, settled } = await inboxFor()
  inbox.sync()
  const id = await charge('tx1')
  bank.pay('E1', 'tx1', 1990)
  const notice = await report('E1')
  await until(async () => (await outcomeOf(notice)) !== null)
  t.equal(await outcomeOf(notice), 'TAKEN')
  t.equal(world.transaction(id).status, 'APPROVED')
  t.strictSame(settled, ['PIX_IN TAKEN', 'NOTICE TAKEN'])
  t.strictSame(inbox.counts(), { open: 0, unmatched: 0, suspenseCents: 0, differenceCents: 0 })
})

t.test('the same money by another notice is booked once', async (t) => {
  const { bank, inbox, charge, report, received, until, outcomeOf } = await inboxFor()
  inbox.sync()
  await charge('tx1')
  bank.pay('E1', 'tx1')
  const notices = [await report('E1'), await report('E1', 'E1'), await report('E1', 'E2')]
  bank.pay('E2', null, 500)
  for (const notice of notices) await until(async () => (await outcomeOf(notice)) === 'TAKEN')
  t.strictSame(
    received()
      .map(({ endToEndId }) => endToEndId)
      .sort(),
    ['E1', 'E2'],
  )
})

t.test(
  'a forged notice is asked after, believed in the end to be nothing, and a person is told',
  async (t) => {
    const { bank, inbox, report, received, pass, rest, outcomeOf, alerts } = await inboxFor()
    inbox.sync()
    const notice = await report('FORGED')
    await rest()
    t.strictSame(bank.fetches, ['FORGED'])
    for (const [tries, ms] of [5, 15, 60, 180].map((seconds, n) => [n + 1, seconds * second] as const)) {
      await pass(ms - 1)
      t.equal(bank.fetches.length, tries)
      await pass(1)
      t.equal(bank.fetches.length, tries + 1)
      t.equal(await outcomeOf(notice), null)
    }
    t.strictSame(alerts, [])
    await pass(10 * minute)
    t.equal(await outcomeOf(notice), 'FORGED')
    t.match(alerts, [{ kind: 'FORGED_NOTICE', detail: 'PIX_IN FORGED' }])
    t.strictSame(received(), [])
    t.equal(alerts.length, 1)
  },
)

t.test('while the bank is silent a notice stays open, and it is booked when the bank answers', async (t) => {
  const { bank, inbox, received, report, pass, rest, outcomeOf, alerts } = await inboxFor()
  inbox.sync()
  bank.pay('E1', null, 500)
  bank.letBeSilent(true)
  const notice = await report('E1')
  await rest()
  await pass(3 * hour)
  t.equal(await outcomeOf(notice), null)
  t.ok(bank.fetches.length < 25, 'it is not asked without end')
  t.strictSame(
    alerts.map(({ kind }) => kind),
    ['STUCK_NOTICE'],
  )
  bank.letBeSilent(false)
  await pass(10 * minute)
  t.equal(await outcomeOf(notice), 'TAKEN')
  t.equal(received().length, 1)
})

t.test('a notice that overtakes the answer to REGISTER is booked after a poll', async (t) => {
  const { bank, inbox, world, charges, charge, report, pass, rest, outcomeOf } = await inboxFor()
  inbox.sync()
  const id = await charge('tx1')
  charges.clear()
  bank.pay('E1', 'tx1')
  const notice = await report('E1')
  await rest()
  t.match(inbox.counts(), { open: 1, unmatched: 1 })
  await pass(minute)
  t.equal(await outcomeOf(notice), null)
  t.equal(bank.fetches.length, 1, 'the bank is not asked each time')
  charges.set('tx1', id)
  await pass(minute)
  t.equal(await outcomeOf(notice), 'TAKEN')
  t.equal(world.transaction(id).status, 'APPROVED')
})

t.test(
  'money that belongs to nothing for a day goes into suspense, once, and a person is told',
  async (t) => {
    const { bank, inbox, report, received, pass, outcomeOf, alerts } = await inboxFor()
    inbox.sync()
    bank.pay('E1', 'a txid of nothing', 777)
    const notice = await report('E1')
    await pass(24 * hour - minute)
    t.equal(await outcomeOf(notice), null)
    t.strictSame(received(), [])
    await pass(15 * minute)
    t.equal(await outcomeOf(notice), 'UNMATCHED')
    t.equal(received().length, 1)
    t.strictSame(
      alerts.map(({ kind }) => kind),
      ['STUCK_NOTICE', 'UNMATCHED_MONEY'],
    )
  },
)

t.test('what cannot be read is closed and kept, and tests of banks are nothing', async (t) => {
  const { inbox, receive, until, outcomeOf, alerts } = await inboxFor()
  inbox.sync()
  const broken = await receive('<xml>')
  const test = await receive('{"evento":"teste_webhook"}')
  const empty = await receive('')
  for (const id of [broken, test, empty]) await until(async () => (await outcomeOf(id)) !== null)
  t.equal(await outcomeOf(broken), 'UNREADABLE')
  t.equal(await outcomeOf(test), 'EMPTY')
  t.match(alerts, [{ kind: 'UNREADABLE_NOTICE', detail: broken }])
  t.equal(alerts.length, 1)
})

t.test(
  'a thousand things are booked, a few fetched at a time; a thousand and one are too many',
  async (t) => {
    const { bank, inbox, report, received, until, outcomeOf } = await inboxFor()
    inbox.sync()
    const fetch = bank.reporting.instance.fetch!
    let [busy, most] = [0, 0]
    Object.assign(bank.reporting.instance, {
      fetch: async (notice: Parameters<typeof fetch>[0]) => {
        busy += 1
        most = Math.max(most, busy)
        const fetched = await fetch(notice)
        busy -= 1
        return fetched
      },
    })
    const ids = Array.from({ length: 1001 }, (_, n) => `E${n}`)
    for (const id of ids) bank.pay(id, null, 1)
    const tooMany = await report(...ids)
    await until(async () => (await outcomeOf(tooMany)) === 'UNREADABLE')
    t.strictSame(received(), [])
    const all = await report(...ids.slice(1))
    await until(async () => (await outcomeOf(all)) === 'TAKEN')
    t.ok(most <= 4, `${most} at a time`)
    t.equal(bank.fetches.length, 1000)
  },
)

t.test('a restart takes up what is open, and books it once', async (t) => {
  const bank = reportingBank()
  const before = await inboxFor(bank)
  bank.letBeSilent(true)
  bank.pay('E1', null, 500)
  bank.pay('E2', null, 600)
  before.inbox.sync()
  await before.report('E1')
  await before.report('E2')
  await before.rest()
  before.inbox.close()
  t.equal((await before.open()).total, 2)
  const left = [...before.world.journal.replay(0)].map(({ record }) => record)

  const world = newWorld(undefined, undefined, left)
  bank.letBeSilent(false)
  const after = await inboxFor(bank, world)
  t.equal((await after.open()).total, 2)
  after.inbox.sync()
  await after.until(async () => (await after.open()).total === 0)
  t.equal(after.received().length, 2)
  t.equal(before.received().length, 0)
})

t.test('only who leads the shard does anything, and a new leadership looks again', async (t) => {
  const { bank, lead, received, report, pass, open, until, timers } = await inboxFor()
  lead(null)
  bank.pay('E1', null, 500)
  await report('E1')
  await pass(10 * minute)
  t.strictSame([bank.fetches.length, bank.polls.length], [0, 0])
  lead({})
  await until(async () => (await open()).total === 0)
  await pass(minute)
  const polled = bank.polls.length
  t.ok(polled > 0)
  lead(null)
  t.equal(timers.size, 0, 'nothing is left that could poll')
  bank.pay('E2', null, 500)
  await report('E2')
  await pass(10 * minute)
  t.equal(bank.polls.length, polled)
  // It led before, and another owner took the notice meanwhile.
  lead({})
  await until(async () => (await open()).total === 0)
  t.equal(received().length, 2)
})

t.test('a shard that fails is tried again, and nothing is booked twice', async (t) => {
  const failing = new Set<string>()
  const { bank, inbox, report, received, pass, rest, outcomeOf, faults } = await inboxFor(
    reportingBank(),
    newWorld(),
    { fails: ({ type }) => failing.has(type) },
  )
  inbox.sync()
  bank.pay('E1', null, 500)
  failing.add('ReceiveUnrequestedPix')
  const notice = await report('E1')
  await rest()
  t.equal(await outcomeOf(notice), null)
  failing.clear()
  failing.add('CloseNotice')
  await pass(5 * second)
  t.equal(received().length, 1)
  t.equal(await outcomeOf(notice), null)
  failing.clear()
  await pass(15 * second)
  t.equal(await outcomeOf(notice), 'TAKEN')
  t.equal(received().length, 1)
  t.ok(faults.length >= 2)
})

t.test('a poll finds what was not reported, and its cursor moves behind it', async (t) => {
  const { bank, inbox, world, charge, received, pass, cursor } = await inboxFor()
  const id = await charge('tx1')
  bank.pay('E1', 'tx1')
  bank.pay('E2', null, 500)
  bank.letList([
    { notices: [pixIn('E1'), pixIn('E2')], cursor: 'a' },
    { notices: [], cursor: 'b' },
  ])
  inbox.sync()
  await pass(5 * second)
  t.equal(world.transaction(id).status, 'APPROVED')
  t.equal(received().length, 2)
  t.strictSame(bank.polls, [null])
  t.strictSame(bank.fetches, ['E1', 'E2'])
  t.equal(await cursor(), 'a', 'a cursor behind no news is not worth an entry')
  await pass(2 * minute)
  t.strictSame(bank.polls, [null, 'b', 'b'])
  t.equal(bank.fetches.length, 2, 'what is booked is not fetched each minute')
  bank.letList([{ notices: [], cursor: 'c' }])
  await pass(10 * minute)
  t.equal(await cursor(), 'c', 'but now and then')
})

t.test('what a poll finds and cannot book is an open notice before the cursor moves', async (t) => {
  const { bank, inbox, charges, charge, open, pass, cursor } = await inboxFor()
  const id = await charge('tx1')
  charges.clear()
  bank.pay('E1', 'tx1')
  bank.letList([{ notices: [pixIn('E1')], cursor: 'a' }])
  inbox.sync()
  await pass(5 * second)
  t.equal((await open()).total, 1)
  t.equal(await cursor(), 'a')
  await pass(2 * minute)
  t.equal((await open()).total, 1, 'the next poll leaves it to its notice')
  charges.set('tx1', id)
  await pass(minute)
  t.equal((await open()).total, 0)
})

t.test('the cursor stays where it is while the shard fails, and the next owner begins there', async (t) => {
  const failing = new Set<string>(['ReceiveNotice'])
  const bank = reportingBank()
  const before = await inboxFor(bank, newWorld(), { fails: ({ type }) => failing.has(type) })
  bank.letList([{ notices: [pixIn('E1')], cursor: 'a' }])
  before.inbox.sync()
  await before.pass(5 * second)
  t.equal(await before.cursor(), undefined)
  failing.clear()
  await before.pass(minute)
  t.strictSame(bank.polls, [null, null])
  t.equal(await before.cursor(), 'a')
  before.inbox.close()

  const left = [...before.world.journal.replay(0)].map(({ record }) => record)
  const after = await inboxFor(bank, newWorld(undefined, undefined, left))
  after.inbox.sync()
  await after.pass(5 * second)
  t.equal(bank.polls.at(-1), 'a')
})

t.test('a bank that fails within a poll is asked again in a minute', async (t) => {
  const bank = reportingBank()
  const { poll } = bank.reporting.instance
  let fails = true
  Object.assign(bank.reporting.instance, {
    poll: async function* (cursor: string | null, untilMs: number) {
      if (fails) throw new Error('no such file')
      yield* poll!(cursor, untilMs)
    },
  })
  const { inbox, received, pass, faults } = await inboxFor(bank)
  bank.pay('E1', null, 500)
  bank.letList([{ notices: [pixIn('E1')], cursor: 'a' }])
  inbox.sync()
  await pass(5 * second)
  t.equal(faults.length, 1)
  fails = false
  await pass(minute)
  t.equal(received().length, 1)
})

t.test(
  'the address for notices is registered, each day, and a bank that does not take it is told of once',
  async (t) => {
    const bank = reportingBank()
    const asked: string[] = []
    let works = false
    const address = 'https://banks.example.com/hooks/con_1/token'
    Object.assign(bank.reporting, { hookAddress: address })
    Object.assign(bank.reporting.instance, {
      registerHooks: async (given: string) => {
        asked.push(given)
        return { works, detail: 'not now', certificateEndsAtMs: null }
      },
    })
    const { inbox, pass, alerts } = await inboxFor(bank)
    inbox.sync()
    await pass(minute)
    t.strictSame(asked, [address])
    t.match(alerts, [{ kind: 'HOOKS_UNREGISTERED', detail: 'not now' }])
    await pass(hour)
    t.equal(asked.length, 2)
    works = true
    await pass(hour)
    await pass(23 * hour)
    t.equal(asked.length, 3)
    await pass(hour)
    t.equal(asked.length, 4)
    t.equal(alerts.length, 1)
  },
)
