import t from 'tap'
import { passOn } from '../../../engine/kernel/handler.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { AttemptOutcome, Delivery } from '../../../engine/webhooks/delivery.ts'
import { bounds } from '../../../gateway/base/bounds.ts'
import { openPool } from '../../../gateway/webhooks/pool.ts'

const delivery = (id: string, endpointId: string, objectId = id, attempts = 0): Delivery =>
  ({ id, endpointId, objectId, accountId: 'a', attempts: Array(attempts), nextAttemptAtMs: 0 }) as never
const outcome = { statusCode: 200, error: null } as AttemptOutcome
const timeout = { statusCode: null, error: 'TIMEOUT' } as AttemptOutcome
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const some = (count: number, endpointId: string): Delivery[] =>
  Array.from({ length: count }, (_, n) => delivery(`${endpointId}-${n}`, endpointId))

const asNext = (one: Delivery): Delivery =>
  delivery(one.id.replace('-', '-next-'), one.endpointId, `next ${one.id}`)

/** A pool whose attempts end when the test says so. */
const heldPool = (disk = async (): Promise<void> => undefined) => {
  const started: string[] = []
  const ends = new Map<string, (outcome: AttemptOutcome | null) => void>()
  const recorded: string[] = []
  const all = new Map<string, Delivery>()
  const away = { isAway: false, isWaiting: false }
  const givenBack: string[] = []
  const faults: unknown[] = []
  let timeMs = 0
  let timers: { readonly atMs: number; readonly callback: () => void }[] = []
  const pool = openPool({
    find: ({ id }, to) => {
      if (away.isAway) to.reject(new ShardUnavailable('away for a moment'))
      else to.resolve(all.get(id) ?? null)
    },
    giveBack: ({ id }) => void givenBack.push(id),
    onFault: (error) => void faults.push(error),
    attempt: ({ id }) => {
      started.push(id)
      if (id.startsWith('broken')) return Promise.reject(new Error('broken'))
      return new Promise((resolve) => ends.set(id, resolve))
    },
    record: ({ id }, outcome, to) => {
      const note = (): void => void recorded.push(`${id} ${outcome === null ? 'gone' : outcome.statusCode}`)
      passOn(disk().then(note), to)
    },
    isByHand: ({ resendOf }) => resendOf != null,
    pause: async () => {
      do await turn()
      while (away.isWaiting)
    },
    monotonicMs: () => timeMs,
    later: (ms, callback) => void timers.push({ atMs: timeMs + ms, callback }),
  })
  return {
    pool,
    started,
    recorded,
    away,
    givenBack,
    faults,
    turn,
    /** Lets time go on to this instant. */
    until: async (atMs: number) => {
      while (timeMs < atMs) {
        timeMs = Math.min(atMs, ...timers.map((timer) => timer.atMs))
        const due = timers.filter((timer) => timer.atMs <= timeMs)
        timers = timers.filter((timer) => timer.atMs > timeMs)
        for (const { callback } of due) callback()
        await turn()
      }
    },
    enqueue: async (...deliveries: Delivery[]) => {
      for (const delivery of deliveries) all.set(delivery.id, delivery)
      deliveries.forEach(pool.enqueue)
      await turn()
    },
    end: async (id: string, result: AttemptOutcome | null = outcome) => {
      ends.get(id)!(result)
      await turn()
    },
  }
}

t.test('an endpoint has slots of its own only: few until it has answered', async (t) => {
  const { pool, started, enqueue, end } = heldPool()
  await enqueue(...some(bounds.attemptsPerEndpointMax + 9, 'one'), delivery('fine', 'healthy'))
  t.equal(started.length, bounds.initialSlotsPerEndpoint + 1)
  t.ok(started.includes('fine'))
  for (let n = 0; n < 4; n++) await end(`one-${n}`)
  t.equal(pool.inFlight() - 1, bounds.attemptsPerEndpointMax)
  t.equal(pool.queued(), 5)
})

t.test('however many endpoints let attempts time out, the others find a slot', async (t) => {
  const { pool, started, enqueue, end } = heldPool()
  const silent = Array.from({ length: bounds.attemptsInFlightMax }, (_, n) => `silent${n}`)
  for (const endpoint of silent) {
    await enqueue(...some(3, endpoint))
    await end(`${endpoint}-0`, timeout)
    await end(`${endpoint}-1`, timeout)
  }
  t.equal(pool.inFlight(), bounds.attemptsToSilentMax)
  t.equal(pool.queued(), bounds.attemptsInFlightMax - bounds.attemptsToSilentMax)
  await enqueue(delivery('fine', 'healthy'))
  t.equal(started.at(-1), 'fine')
  await end('silent0-2')
  t.equal(
    started.at(-1),
    `silent${bounds.attemptsToSilentMax}-2`,
    'a slot of theirs goes to the next of them',
  )
})

t.test(
  'a healthy endpoint finds a slot within a second beside a thousand that fall silent in the same moment',
  async (t) => {
    const { pool, started, enqueue, end, until } = heldPool()
    const endpoints = Array.from({ length: 1_000 }, (_, n) => `silent${n}`)
    // All of them have answered before, so that each may have eight requests at a time.
    for (const endpoint of endpoints) {
      await enqueue(...some(3, endpoint))
      for (const n of [0, 1, 2]) await end(`${endpoint}-${n}`)
    }
    await enqueue(...endpoints.flatMap((endpoint) => some(20, endpoint).map(asNext)))
    let waitedMs = 0
    for (let ms = 0; ms < 10_000; ms += 100) {
      await until(ms)
      const id = `fine-${ms}`
      await enqueue(delivery(id, 'healthy'))
      let atMs = ms
      while (!started.includes(id) && atMs < ms + 5_000) await until(++atMs)
      waitedMs = Math.max(waitedMs, atMs - ms)
      await end(id)
    }
    t.ok(waitedMs <= 500, `it waited ${waitedMs} ms`)
    t.ok(pool.inFlight() <= 2 * endpoints.length, `${pool.inFlight()} under way`)
    const reached = new Set(started)
    t.ok(endpoints.every((endpoint) => reached.has(`${endpoint}-next-0`)))
  },
)

t.test('nobody is taken for silent while there is room, or while it answers', async (t) => {
  const { pool, started, enqueue, end, until } = heldPool()
  const slow = Array.from({ length: bounds.attemptsInFlightMax / 2 - 1 }, (_, n) => `slow${n}`)
  for (const endpoint of slow) await enqueue(...some(4, endpoint))
  await until(5_000)
  await end('slow0-0')
  await enqueue(delivery('a', 'healthy'))
  t.equal(pool.inFlight(), bounds.attemptsInFlightMax, 'slow0 has doubled its slots, and all slots are taken')
  await until(5_000 + bounds.attemptPatienceMs - 1)
  await enqueue(delivery('b', 'other'))
  t.equal(started.at(-1), 'b', 'slow1 was heard of longest ago and gives way')
  const before = started.length
  await end('slow1-0')
  t.strictSame(started.slice(before), ['slow1-2'], 'its answer brings it back')
})

t.test('time alone gives room: nothing else has to happen', async (t) => {
  const { started, enqueue, until } = heldPool()
  for (let n = 0; n < bounds.attemptsInFlightMax; n++) await enqueue(delivery(`one${n}`, `endpoint${n}`))
  await enqueue(delivery('fine', 'healthy'))
  await until(bounds.attemptPatienceMs - 1)
  t.notOk(started.includes('fine'))
  await until(bounds.attemptPatienceMs)
  t.ok(started.includes('fine'))
})

t.test('requests without an answer are bounded, however many endpoints there are', async (t) => {
  const { pool, enqueue, until } = heldPool()
  const count = bounds.attemptsUnansweredMax + bounds.attemptsInFlightMax + 100
  await enqueue(...Array.from({ length: count }, (_, n) => delivery(`one${n}`, `endpoint${n}`)))
  await until(9_000)
  t.equal(pool.inFlight(), bounds.attemptsUnansweredMax + bounds.attemptsInFlightMax)
})

t.test('an endpoint that answers again has its slots again', async (t) => {
  const { pool, enqueue, end } = heldPool()
  await enqueue(...some(20, 'one'))
  await end('one-0', timeout)
  await end('one-1', timeout)
  t.equal(pool.inFlight(), 1)
  for (let n = 2; n < 6; n++) await end(`one-${n}`)
  t.equal(pool.inFlight(), bounds.attemptsPerEndpointMax)
})

t.test('first attempts of one object go out one after the other; retries wait for nobody', async (t) => {
  const { pool, started, recorded, enqueue, end } = heldPool()
  await enqueue(delivery('a', 'e', 'txn'), delivery('b', 'e', 'txn'), delivery('c', 'e', 'txn', 1))
  t.strictSame(started, ['a', 'c'])
  t.equal(pool.held(), 1)
  t.equal(pool.queued(), 0)
  await end('a')
  t.strictSame(started, ['a', 'c', 'b'])
  t.equal(pool.held(), 0)
  await end('b', null)
  t.strictSame(recorded, ['a 200', 'b gone'])
})

t.test('an attempt that is made at once follows one that is not on disk yet, and only then', async (t) => {
  let flush = (): void => undefined
  const { pool, started, recorded, enqueue, end } = heldPool(
    () => new Promise((resolve) => (flush = resolve)),
  )
  await enqueue(delivery('one', 'here', 'object', 1))
  await enqueue(delivery('one', 'here', 'object', 1))
  await end('one')
  await enqueue(delivery('one', 'here', 'object', 2))
  t.strictSame([started, recorded], [['one'], []])
  flush()
  await turn()
  await turn()
  t.strictSame([started, recorded], [['one', 'one'], ['one 200']])
  await end('one')
  flush()
  await turn()
  await turn()
  t.strictSame([started.length, pool.inFlight(), pool.queued()], [2, 0, 0])
})

t.test('a delivery that is queued or under way is not taken twice, and again when it is done', async (t) => {
  const { started, enqueue, end } = heldPool()
  const one = delivery('a', 'e')
  await enqueue(one, one)
  t.strictSame(started, ['a'])
  await end('a')
  await enqueue(one)
  t.strictSame(started, ['a', 'a'])
})

t.test(
  'the disk does not slow down the receiver, and is asked until it has taken what was heard',
  async (t) => {
    let isBroken = true
    let go: () => void = () => undefined
    const { pool, started, recorded, enqueue, end } = heldPool(async () => {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      if (isBroken) throw new Error('the shard recovers')
    })
    const one = delivery('a', 'e')
    await enqueue(one, ...some(bounds.initialSlotsPerEndpoint, 'e'))
    await end('a')
    t.equal(started.length, bounds.initialSlotsPerEndpoint + 1, 'its slot is free')
    t.equal(pool.unrecorded(), 1)
    go()
    await turn()
    await enqueue(one)
    t.equal(
      started.filter((id) => id === 'a').length,
      1,
      'what recovers hands it out again; it is not sent again',
    )
    isBroken = false
    await turn()
    go()
    await turn()
    t.strictSame(recorded, ['a 200'])
    t.equal(pool.unrecorded(), 0)
  },
)

t.test('closing waits for what is under way and takes nothing more', async (t) => {
  const { pool, started, recorded, enqueue, end } = heldPool()
  await enqueue(delivery('a', 'e'))
  const closed = pool.close()
  await enqueue(delivery('b', 'e'))
  await end('a')
  await closed
  t.strictSame(started, ['a'])
  t.strictSame(recorded, ['a 200'])
})

t.test('D33: what is sent again by hand waits behind what happens now, in half of the slots', async (t) => {
  const { pool, started, enqueue, end } = heldPool()
  const again = (count: number) =>
    some(count, 'one').map((one) => ({ ...one, id: `again-${one.id}` as never, resendOf: 'x' as never }))
  await enqueue(...again(1000))
  t.equal(started.length, Math.max(1, bounds.initialSlotsPerEndpoint / 2))
  for (let n = 0; n < 8; n++) await end(`again-one-${n}`)
  t.equal(pool.inFlight(), bounds.attemptsPerEndpointMax / 2)
  const before = started.length
  await enqueue(...some(10, 'one'))
  t.strictSame(
    started.slice(before),
    ['one-0', 'one-1', 'one-2', 'one-3'],
    'what happens now finds the other half at once',
  )
  await end('again-one-8')
  t.equal(started.at(-1), 'one-4', 'and is next where one of the others has ended')
})

t.test('an event about an object does not wait for one that is sent again', async (t) => {
  const { started, enqueue } = heldPool()
  const again = (id: string) => ({ ...delivery(id, 'one', 'object'), resendOf: 'x' as never })
  await enqueue(again('first'), again('second'), delivery('now', 'one', 'object'))
  t.strictSame(started, ['first', 'now'])
})

t.test(
  'what cannot be attempted is given back to its shard, and is attempted when that hands it out again',
  async (t) => {
    const { pool, started, recorded, away, givenBack, faults, enqueue, end, turn } = heldPool()
    const [first, second] = [delivery('first', 'one', 'order'), delivery('second', 'one', 'order')]
    away.isAway = true
    away.isWaiting = true
    await enqueue(first, second)
    await end('first')
    t.strictSame([started, givenBack, pool.queued(), pool.held()], [['first'], [], 1, 0])
    // An owner that is given the shard hands out all that is due.
    await enqueue(second)
    t.strictSame(started, ['first'], 'it is on its way back already')
    away.isAway = false
    away.isWaiting = false
    await turn()
    t.strictSame(givenBack, ['second'])
    await enqueue(second)
    await end('second')
    t.strictSame(recorded, ['first 200', 'second 200'])
    t.strictSame(faults, [], 'a shard that is away for a moment is none')

    await enqueue(delivery('broken', 'one'))
    await turn()
    t.strictSame([givenBack, pool.inFlight(), pool.queued()], [['second', 'broken'], 0, 0])
    t.match(faults, [new Error('broken')])
  },
)
