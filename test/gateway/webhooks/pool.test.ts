import t from 'tap'
import type { AttemptOutcome, Delivery } from '../../../engine/delivery/delivery.ts'
import { limits } from '../../../gateway/limits.ts'
import { openPool } from '../../../gateway/webhooks/pool.ts'

const delivery = (id: string, endpointId: string, objectId = id, attempts = 0): Delivery =>
  ({ id, endpointId, objectId, accountId: 'a', attempts: Array(attempts), nextAttemptAtMs: 0 }) as never
const outcome = { statusCode: 200 } as AttemptOutcome

/** A pool whose attempts end when the test says so. */
const heldPool = () => {
  const started: string[] = []
  const ends = new Map<string, (outcome: AttemptOutcome | null) => void>()
  const recorded: string[] = []
  const all = new Map<string, Delivery>()
  const pool = openPool({
    find: async ({ id }) => all.get(id) ?? null,
    attempt: ({ id }) => {
      started.push(id)
      return new Promise((resolve) => ends.set(id, resolve))
    },
    record: async ({ id }, outcome) => {
      recorded.push(`${id} ${outcome === null ? 'gone' : outcome.statusCode}`)
    },
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    pool,
    started,
    recorded,
    turn,
    offer: async (...deliveries: Delivery[]) => {
      for (const delivery of deliveries) all.set(delivery.id, delivery)
      deliveries.forEach(pool.offer)
      await turn()
    },
    end: async (id: string, result: AttemptOutcome | null = outcome) => {
      ends.get(id)!(result)
      await turn()
    },
  }
}

t.test('an endpoint that does not answer has slots of its own only', async (t) => {
  const { pool, started, offer } = heldPool()
  const dead = Array.from({ length: limits.attemptsPerEndpointMax + 5 }, (_, n) =>
    delivery(`dead${n}`, 'dead'),
  )
  await offer(...dead, delivery('fine', 'healthy'))
  t.equal(started.filter((id) => id.startsWith('dead')).length, limits.attemptsPerEndpointMax)
  t.ok(started.includes('fine'))
  t.equal(pool.queued(), 5)
})

t.test('first attempts of one object go out one after the other; retries wait for nobody', async (t) => {
  const { started, recorded, offer, end } = heldPool()
  await offer(
    delivery('a', 'e', 'txn'),
    delivery('b', 'e', 'txn'),
    delivery('c', 'e', 'txn', 1),
    delivery('d', 'e'),
  )
  t.strictSame(started, ['a', 'c', 'd'])
  await end('a')
  t.strictSame(started, ['a', 'c', 'd', 'b'])
  await end('b', null)
  t.strictSame(recorded, ['a 200', 'b gone'])
})

t.test('a delivery that is queued or under way is not taken twice, and again when it is done', async (t) => {
  const { started, offer, end } = heldPool()
  const one = delivery('a', 'e')
  await offer(one, one)
  t.strictSame(started, ['a'])
  await end('a')
  await offer(one)
  t.strictSame(started, ['a', 'a'])
})

t.test('closing waits for what is under way and takes nothing more', async (t) => {
  const { pool, started, recorded, offer, end } = heldPool()
  await offer(delivery('a', 'e'))
  const closed = pool.close()
  await offer(delivery('b', 'e'))
  await end('a')
  await closed
  t.strictSame(started, ['a'])
  t.strictSame(recorded, ['a 200'])
})
