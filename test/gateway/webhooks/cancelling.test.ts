import t from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { eventIdAt } from '../../../engine/shared/ids.ts'
import { openCancelling } from '../../../gateway/webhooks/cancelling.ts'
import { aCompany, anEndpoint } from '../../engine/companies/entries.ts'
import { handlerFrom } from '../../engine/handler.ts'
import { account, companyId, opened, ours } from '../../engine/world.ts'

/** A worker that hosts the only shard, with two endpoints; deliveries are planned by hand. */
const newWorker = async () => {
  const world = await opened()
  const directory = newDirectory()
  const endpoints = [1, 2].map((n) => anEndpoint(n, { companyId, createdAtMs: world.now() }))
  const facts: DirectoryFact[] = [
    { type: 'CompanyCreated', company: aCompany({ id: companyId }) },
    ...endpoints.map((endpoint) => ({ type: 'EndpointCreated', endpoint }) as const),
  ]
  facts.reduce(evolveDirectory, directory)
  const troubles: unknown[] = []
  const state = { outages: 0, pauses: 0 }
  /** Lets everything happen that waits for nothing but the disk. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn++) {
      await world.settle()
      await new Promise(setImmediate)
    }
  }
  const open = () =>
    openCancelling({
      directory,
      shards: 1,
      host: () =>
        handlerFrom({
          query: async (query) => {
            if (state.outages > 0) {
              state.outages--
              throw new ShardUnavailable('the shard recovers')
            }
            return world.shard.query(query)
          },
          execute: world.shard.execute,
        }),
      pause: async () => {
        state.pauses++
        await new Promise(setImmediate)
      },
      onTrouble: (error) => troubles.push(error),
    })
  const list = () => world.memory.list(account, 'delivery', { offset: 0, limit: 2000 }).states
  return {
    world,
    directory,
    state,
    troubles,
    open,
    settle,
    ids: endpoints.map(({ id }) => id),
    plan: async (count: number, from = 0) => {
      for (let n = from; n < from + count; n++)
        await world.execute({
          type: 'ScheduleDeliveries',
          ...ours,
          events: [
            {
              eventId: eventIdAt(0, 0, n + 1, 0),
              eventType: 'payment.created',
              objectId: `txn_${n}`,
              body: new Uint8Array([1]),
              endpointIds: endpoints.map(({ id }) => id),
            },
          ],
        })
    },
    fail: async () => {
      for (const { id: deliveryId } of list())
        await world.execute({
          type: 'RecordAttempts',
          ...ours,
          attempts: [
            {
              deliveryId,
              outcome: {
                url: '',
                startedAtMs: 1,
                latencyMs: 1,
                statusCode: 500,
                error: null,
                responseSnippet: '',
              },
            },
          ],
        })
    },
    /** How many deliveries of the first and of the second endpoint are in each status. */
    statuses: () =>
      endpoints.map(({ id }) => {
        const counts: Record<string, number> = {}
        for (const { endpointId, status } of list())
          if (endpointId === id) counts[status] = (counts[status] ?? 0) + 1
        return counts
      }),
    learn: (event: DirectoryFact) => evolveDirectory(directory, event),
  }
}

t.test(
  'what waits for an endpoint that is disabled is cancelled, however much; nothing else is',
  async (t) => {
    const { world, open, plan, fail, statuses, learn, settle, ids } = await newWorker()
    const cancelling = open()
    cancelling.onLead(0, () => true)
    await plan(450)
    await fail()
    await plan(3, 1000)
    const disabled = { type: 'EndpointDisabled', id: ids[0]!, atMs: world.now() } as const
    learn(disabled)
    cancelling.apply(disabled)
    await settle()
    t.strictSame(statuses(), [{ CANCELLED: 453 }, { RETRYING: 450, PENDING: 3 }])
  },
)

for (const type of ['EndpointDisabled', 'EndpointDeleted'] as const)
  t.test(`${type}: what a crash left behind the directory's fact is done by the next lead`, async (t) => {
    const { world, open, plan, fail, statuses, learn, settle, ids } = await newWorker()
    await plan(2)
    await fail()
    learn({ type, id: ids[0]!, atMs: world.now() })
    const cancelling = open()
    await settle()
    t.strictSame(statuses()[0], { RETRYING: 2 }, 'not by a worker that does not lead the shard')
    cancelling.onLead(0, () => true)
    await settle()
    t.strictSame(statuses(), [{ CANCELLED: 2 }, { RETRYING: 2 }])
  })

t.test('of an endpoint that was enabled again, what it hears since stays', async (t) => {
  const { world, open, plan, fail, statuses, learn, settle, ids } = await newWorker()
  await plan(2)
  await fail()
  learn({ type: 'EndpointDisabled', id: ids[0]!, atMs: world.now() })
  learn({ type: 'EndpointEnabled', id: ids[0]!, atMs: world.now(), hearsAfter: 1000 })
  await plan(3, 1000)
  open().onLead(0, () => true)
  await settle()
  t.strictSame(statuses()[0], { CANCELLED: 2, PENDING: 3 })
})

t.test('a shard that recovers is asked until it answers, but only as long as the lead lasts', async (t) => {
  const { world, open, plan, statuses, learn, settle, ids, state, troubles } = await newWorker()
  await plan(1)
  state.outages = 5
  const cancelling = open()
  const lead = { isOver: false }
  cancelling.onLead(0, () => !lead.isOver)
  const deleted = { type: 'EndpointDeleted', id: ids[0]!, atMs: world.now() } as const
  learn(deleted)
  cancelling.apply(deleted)
  await settle()
  t.strictSame(statuses()[0], { CANCELLED: 1 })
  t.equal(state.outages, 0)

  lead.isOver = true
  await plan(1, 1000)
  state.outages = 5
  const other = { type: 'EndpointDeleted', id: ids[1]!, atMs: world.now() } as const
  learn(other)
  cancelling.apply(other)
  await settle()
  t.equal(state.outages, 5, 'it is for whoever leads the shard now')
  t.strictSame(troubles, [])
})

t.test('what was on its way to the shard when its endpoint was disabled is cancelled as well', async (t) => {
  const { world, open, plan, statuses, learn, settle, ids, troubles } = await newWorker()
  const cancelling = open()
  cancelling.onLead(0, () => true)
  await plan(1)
  const disabled = { type: 'EndpointDisabled', id: ids[0]!, atMs: world.now() } as const
  learn(disabled)
  cancelling.apply(disabled)
  await settle()
  const flushedBefore = world.told.length
  await plan(3, 1000)
  t.strictSame(statuses()[0], { CANCELLED: 1, PENDING: 3 })
  for (const entry of world.told.slice(flushedBefore)) cancelling.onFlushed(entry)
  await settle()
  t.strictSame(statuses(), [{ CANCELLED: 4 }, { PENDING: 4 }])
  t.strictSame(troubles, [])
})
