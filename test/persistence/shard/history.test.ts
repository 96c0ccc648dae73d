import t from 'tap'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Answers } from '../../../engine/kernel/registry.ts'
import { finish } from '../../../engine/kernel/work.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import {
  aCancellation,
  aCharge,
  account,
  aPayment,
  key,
  newWorld,
  opened,
  type World,
} from '../../engine/world.ts'

/** Every event of a span, page by page, as a replay reads them. */
const eventsOf = async (world: World, fromMs: number, toMs: number) => {
  const events: Answers['ListEvents']['events'][number][] = []
  for (let after: number | null = null; ; ) {
    const page: Answers['ListEvents'] = await world.shard.query({
      type: 'ListEvents',
      accountId: account,
      fromMs,
      toMs,
      after,
    })
    events.push(...page.events)
    if (page.next === null) return events
    after = page.next.after
  }
}

t.test('what was told of an account is told again as it was, whatever became of it since', async (t) => {
  const world = await opened()
  const fromMs = world.now()
  const paid = await world.accepted(aCharge())
  await world.accepted(aPayment(paid.id))
  const cancelled = await world.accepted(aCharge())
  await world.execute(aCancellation(cancelled.id))
  const told = world.told.flatMap((entry) => publicEventsOf(entry, 0))
  t.ok(told.length >= 8)
  const events = await eventsOf(world, fromMs, world.now() + 1)
  t.strictSame(events, told, 'with the same ids, and the states of then')
})

t.test('a span begins and ends where it says, and other companies are not in it', async (t) => {
  const world = await opened()
  const other = 'cmp_00000000000000000000000002/SANDBOX' as never
  await world.execute({ type: 'OpenAccount', accountId: other, by: key, profile: world.account().profile })
  const ids: string[] = []
  const moments: number[] = []
  for (let n = 0; n < 5; n++) {
    world.pass(1000)
    moments.push(world.now())
    ids.push((await world.accepted(aCharge())).id)
    await world.execute(aCharge({ accountId: other }))
  }
  const charges = (await eventsOf(world, moments[1]!, moments[3]!)).map(({ subject }) =>
    subject.object === 'transaction' ? subject.transaction.id : '',
  )
  t.strictSame([...new Set(charges)], [ids[1], ids[2]])
  t.strictSame(await eventsOf(world, world.now() + 1, world.now() + 2), [])
  t.strictSame(await eventsOf(newWorld(), 0, world.now()), [], 'of an account that is not there')
})

t.test('pages are bounded by what they find and by what they look at', async (t) => {
  const world = await opened()
  for (let n = 0; n < 20; n++) await world.accepted(aCharge())
  const span = { fromMs: 0, toMs: world.now() + 1, after: null }
  const page = (after: number | null, found: number, looked: number) =>
    finish(world.memory.history(account, { ...span, after }, { found, looked }))
  const first = page(null, 3, 1000)
  t.equal(first.entries.length, 3)
  const second = page(first.next!.after, 1000, 1000)
  t.equal(second.next, null)
  const sequences = [...first.entries, ...second.entries].map(({ sequence }) => sequence)
  t.equal(new Set(sequences).size, 21, 'the opening of the account and every charge, once')
  t.match(page(null, 1000, 5), { next: { after: 5 } })
})

t.test('deliveries are no history, and a cleared Sandbox has none from before', async (t) => {
  const world = await opened()
  await world.accepted(aCharge())
  const event = { eventId: `evt_${'0'.repeat(26)}`, eventType: 'payment.created', objectId: 'txn_1' } as never
  const target = { accountId: account, by: key } as const
  await world.execute({ type: 'ClearSandbox', ...target })
  await world.execute({
    type: 'ScheduleDeliveries',
    ...target,
    events: [
      {
        ...(event as object),
        body: new Uint8Array([1]),
        endpointIds: ['whk_1'],
      },
    ],
  } as never)
  const { id } = await world.accepted(aCharge())
  const cold = openMemory(emptyStore(), world.journal)
  t.equal(
    finish(cold.history(account, { fromMs: 0, toMs: world.now() + 1, after: 99 }, { found: 9, looked: 9 }))
      .entries.length,
    0,
  )
  const events = await eventsOf(world, 0, world.now() + 1)
  const subjects = events.map(({ subject }) =>
    subject.object === 'transaction' ? subject.transaction.id : '',
  )
  t.strictSame([...new Set(subjects)], [id])
})
