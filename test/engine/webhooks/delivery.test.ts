import t from 'tap'
import type { Answers, Query } from '../../../engine/kernel/registry.ts'
import type { DeliveryId } from '../../../engine/shared/ids.ts'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import { isByHand } from '../../../engine/webhooks/decide.ts'
import { type AttemptOutcome, forgottenBody } from '../../../engine/webhooks/delivery.ts'
import type { ListDeliveries } from '../../../engine/webhooks/queries.ts'
import { attemptsMax, retryDelaysMs } from '../../../engine/webhooks/schedule.ts'
import { account, opened, ours } from '../world.ts'
import { anOutcome } from './outcome.ts'

const event = {
  eventId: `evt_${'0'.repeat(26)}` as never,
  eventType: 'payment.created',
  objectId: 'txn_1',
  body: new Uint8Array([1]),
}

const attemptOf = (deliveryId: DeliveryId, outcome: Partial<AttemptOutcome>, startedAtMs = 0) =>
  ({
    type: 'RecordAttempts',
    ...ours,
    attempts: [
      {
        deliveryId,
        outcome: anOutcome({ url: 'https://example.com/hook', startedAtMs, ...outcome }),
      },
    ],
  }) as const

const everything: ListDeliveries = {
  type: 'ListDeliveries',
  accountId: account,
  endpointId: null,
  statuses: [],
  page: 1,
  pageSize: 25,
  asOf: null,
  from: null,
  to: null,
}

const scheduled = async (...endpointIds: string[]) => {
  const world = await opened()
  const schedule = () =>
    world.execute({
      type: 'ScheduleDeliveries',
      ...ours,
      events: [{ ...event, endpointIds: endpointIds as never }],
    })
  await schedule()
  const list = () => world.memory.list(account, 'delivery', { offset: 0, limit: 99 }).states
  const record = (deliveryId: DeliveryId, statusCode: number) =>
    world.execute({
      type: 'RecordAttempts',
      ...ours,
      attempts: [
        {
          deliveryId,
          outcome: anOutcome({
            url: 'https://example.com/hook',
            startedAtMs: world.now(),
            latencyMs: 1000,
            statusCode,
          }),
        },
      ],
    })
  const cancel = (deliveryId: DeliveryId) => world.execute({ type: 'CancelDelivery', ...ours, deliveryId })
  const answered = async <Asked extends Query>(query: Asked): Promise<Answers[Asked['type']]> => {
    const answer = world.shard.query(query)
    await world.settle()
    return answer
  }
  return { ...world, schedule, list, record, cancel, answered }
}

t.test('an event that is told twice has one delivery for each endpoint', async (t) => {
  const { schedule, list } = await scheduled('whk_1', 'whk_2')
  await schedule()
  t.equal(list().length, 2)
  t.equal(new Set(list().map(({ id }) => id)).size, 2)
})

t.test('a delivery, and one that is sent again, belong to the trace of what they tell', async (t) => {
  const { execute, list, record } = await scheduled()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  const endpointIds = ['whk_1'] as never
  await execute({ type: 'ScheduleDeliveries', ...ours, events: [{ ...event, endpointIds }], traceparent })
  const { id } = list()[0]!
  await record(id, 204)
  await execute({ type: 'ResendDelivery', ...ours, deliveryId: id })
  t.strictSame(
    list().map((delivery) => delivery.traceparent),
    [traceparent, traceparent],
  )
})

t.test('a 2xx ends it; a later result of the same attempt changes nothing', async (t) => {
  const { list, record } = await scheduled('whk_1')
  const { id } = list()[0]!
  await record(id, 204)
  await record(id, 500)
  t.match(list()[0], { status: 'SUCCEEDED', nextAttemptAtMs: null })
  t.equal(list()[0]!.attempts.length, 1)
})

t.test('an attempt that failed is one, however often its result is told', async (t) => {
  const { list, record, now, pass } = await scheduled('whk_1')
  const { id } = list()[0]!
  await record(id, 503)
  await record(id, 503)
  t.equal(list()[0]!.attempts.length, 1)
  t.equal(list()[0]!.nextAttemptAtMs, now() + 1000 + retryDelaysMs[0]!, 'and the next one comes at its time')
  pass(1000 + retryDelaysMs[0]!)
  await record(id, 503)
  t.equal(list()[0]!.attempts.length, 2)
})

t.test('twelve attempts over some fifty hours, each wait counted from the end of the attempt', async (t) => {
  const { list, record, pass, now, shard } = await scheduled('whk_1')
  const { id } = list()[0]!
  t.equal(attemptsMax, 12)
  for (const delayMs of retryDelaysMs) {
    t.equal(shard.tick().length, 1, 'it is due')
    await record(id, 503)
    t.match(list()[0], { status: 'RETRYING', nextAttemptAtMs: now() + 1000 + delayMs })
    pass(999 + delayMs)
    t.equal(shard.tick().length, 0, 'not before its time')
    pass(1)
  }
  t.equal(shard.tick().length, 1)
  await record(id, 302)
  t.match(list()[0], { status: 'EXHAUSTED', nextAttemptAtMs: null })
  t.equal(list()[0]!.attempts.length, 12)
})

t.test(
  'by hand: a new delivery of the same bytes, when the old one is finished; none of another company',
  async (t) => {
    const { list, record, execute } = await scheduled('whk_1')
    const { id } = list()[0]!
    const resend = (accountId = account) =>
      execute({ type: 'ResendDelivery', ...ours, accountId, deliveryId: id })
    t.match(await resend(), { accepted: false, rejection: { reason: 'DELIVERY_UNFINISHED' } })
    await record(id, 200)
    t.match(await resend(), { accepted: true })
    t.match(list()[0], { resendOf: id, status: 'PENDING', eventId: event.eventId })
    t.strictSame([...list()[0]!.body], [1])
    t.match(await resend('cmp_2/SANDBOX' as never), { accepted: false })
  },
)

t.test('the next attempt can be made at once; one that is due already is not made twice', async (t) => {
  const { list, record, execute, pass, shard } = await scheduled('whk_1')
  const { id } = list()[0]!
  const now = (accountId = account) => execute({ type: 'AttemptNow', ...ours, accountId, deliveryId: id })
  t.match(await now(), { accepted: true, steps: [] }, 'it is due')
  t.equal(shard.tick().length, 1)
  await record(id, 503)
  t.equal(shard.tick().length, 0)
  t.match(await now('cmp_2/SANDBOX' as never), { accepted: false })
  t.match(await now(), { accepted: true, steps: [{ event: { type: 'AttemptBroughtForward' } }] })
  t.match(await now(), { accepted: true, steps: [] }, 'once more changes nothing')
  t.equal(shard.tick().length, 1)
  t.equal(shard.tick().length, 0, 'handed out once')
  pass(60_000)
  t.equal(shard.tick().length, 0, 'nor at the time that was planned')
  await record(id, 503)
  t.match(list()[0], { status: 'RETRYING', attempts: { length: 2 } })
  pass(1)
  await now()
  t.equal(shard.tick().length, 1)
  await record(id, 200)
  t.match(await now(), { accepted: false, rejection: { reason: 'DELIVERY_FINISHED' } })
})

t.test('a cancelled delivery is due no more, also after a restart', async (t) => {
  const { list, record, cancel, pass, shard, memory } = await scheduled('whk_1', 'whk_2')
  const [first, second] = list()
  await record(first!.id, 503)
  await cancel(first!.id)
  await cancel(second!.id)
  t.strictSame(
    list().map(({ status, nextAttemptAtMs }) => [status, nextAttemptAtMs]),
    [
      ['CANCELLED', null],
      ['CANCELLED', null],
    ],
  )
  pass(retryDelaysMs[0]! + 1000)
  memory.rearm()
  t.strictSame(shard.tick(), [])
})

t.test('an attempt that was on its way when its delivery was cancelled counts', async (t) => {
  const { list, record, cancel, pass } = await scheduled('whk_1')
  const { id } = list()[0]!
  await cancel(id)
  await record(id, 503)
  t.match(list()[0], {
    status: 'CANCELLED',
    nextAttemptAtMs: null,
    attempts: [{ number: 1, statusCode: 503 }],
  })
  pass(1)
  await record(id, 200)
  t.match(list()[0], { status: 'SUCCEEDED', attempts: [{}, { number: 2, statusCode: 200 }] })
  await cancel(id)
  t.match(list()[0], { status: 'SUCCEEDED' }, 'what the receiver has is not taken back')
})

t.test(
  'the twelfth attempt of a cancelled delivery does not give it up: it was given up by hand',
  async (t) => {
    const { list, record, cancel, pass } = await scheduled('whk_1')
    const { id } = list()[0]!
    for (let n = 1; n < attemptsMax; n++) {
      await record(id, 503)
      pass(10 * 3_600_000)
    }
    await cancel(id)
    await record(id, 503)
    t.match(list()[0], { status: 'CANCELLED' })
    t.equal(list()[0]!.attempts.length, attemptsMax)
  },
)

t.test(
  'a replay sends the bytes that were sent, to one endpoint, and nothing beside what is on its way',
  async (t) => {
    const { list, record, execute, pass } = await scheduled('whk_1', 'whk_2')
    const replay = (endpointId: string, objectId = event.objectId) => {
      pass(1)
      return execute({
        type: 'ReplayEvents',
        ...ours,
        endpointId: endpointId as never,
        events: [{ ...event, objectId, body: new Uint8Array([2]) }],
      })
    }
    const [own] = list().filter(({ endpointId }) => endpointId === 'whk_1')
    await replay('whk_1')
    t.equal(list().length, 2, 'it is on its way')
    await record(own!.id, 200)
    await replay('whk_1')
    await replay('whk_1')
    t.equal(list().length, 3, 'a double click sends once')
    const [again] = list()
    t.match(again, { endpointId: 'whk_1', resendOf: own!.id, status: 'PENDING', eventId: event.eventId })
    t.strictSame([...again!.body], [1], 'not those that it was rendered to now')
    t.ok(isByHand(again!))
    t.notOk(isByHand(own!))

    await replay('whk_3')
    const [late] = list()
    t.match(late, { endpointId: 'whk_3', resendOf: null, attempts: [] })
    t.strictSame([...late!.body], [1], 'the bytes that others have heard')
    t.ok(isByHand(late!))
    await replay('whk_3', 'txn_2')
    t.strictSame([...list()[0]!.body], [2], 'of an event that nobody heard')
  },
)

t.test(
  'a double click sends once: while a delivery is sent again, that is answered and nothing added',
  async (t) => {
    const { list, record, execute, pass } = await scheduled('whk_1')
    const { id } = list()[0]!
    const resend = async () => {
      const reply = await execute({ type: 'ResendDelivery', ...ours, deliveryId: id })
      return (reply as Extract<typeof reply, { accepted: true }>).state.id as DeliveryId
    }
    await record(id, 200)
    const first = await resend()
    t.match(list()[0], { id: first, resendOf: id, status: 'PENDING' })
    t.equal(await resend(), first)
    await record(first, 500)
    t.equal(await resend(), first, 'also while it waits for its next attempt')
    t.equal(list().length, 2)
    pass(30_000)
    await record(first, 200)
    const second = await resend()
    t.not(second, first)
    t.match(list()[0], { id: second, resendOf: id })
    t.equal(list().length, 3)
  },
)

t.test('what is forgotten with its payer is not sent again', async (t) => {
  const { execute, list, record } = await scheduled()
  const endpointIds = ['whk_1'] as never
  // As its bytes are read once their key is destroyed.
  const forgotten = { ...event, body: Uint8Array.from(forgottenBody) }
  await execute({ type: 'ScheduleDeliveries', ...ours, events: [{ ...forgotten, endpointIds }] })
  const { id } = list()[0]!
  await record(id, 500)
  await execute({ type: 'CancelDelivery', ...ours, deliveryId: id })
  t.match(await execute({ type: 'ResendDelivery', ...ours, deliveryId: id }), {
    accepted: false,
    rejection: { reason: 'DELIVERY_FORGOTTEN' },
  })
  const replayed = { type: 'ReplayEvents', ...ours, events: [event] } as const
  for (const endpointId of ['whk_1', 'whk_2'] as never[]) await execute({ ...replayed, endpointId })
  t.equal(list().length, 1)
})

t.test(
  'deliveries are found by endpoint, status, type, object, and what came of the last attempt',
  async (t) => {
    const { execute, list, answered } = await scheduled('whk_1', 'whk_2')
    const other = {
      ...event,
      eventId: `evt_${'1'.repeat(26)}` as never,
      eventType: 'pix.received',
      objectId: 'txn_2',
    }
    await execute({
      type: 'ScheduleDeliveries',
      ...ours,
      events: [{ ...other, endpointIds: ['whk_1'] as never }],
    })
    const at = (endpointId: string, eventType: string) =>
      list().find((delivery) => delivery.endpointId === endpointId && delivery.eventType === eventType)!.id
    const ids = [at('whk_1', 'payment.created'), at('whk_2', 'payment.created'), at('whk_1', 'pix.received')]
    await execute(attemptOf(ids[0]!, { statusCode: 503 }))
    await execute(attemptOf(ids[1]!, { statusCode: 302, error: 'REDIRECT' }))
    const found = async (filter: Partial<ListDeliveries>): Promise<readonly number[]> => {
      const { rows } = await answered({ ...everything, ...filter })
      return rows.map(({ id }) => ids.indexOf(id)).sort()
    }
    t.strictSame(await found({}), [0, 1, 2])
    t.strictSame(await found({ endpointId: 'whk_1' as never }), [0, 2])
    t.strictSame(await found({ statuses: ['RETRYING'] }), [0, 1])
    t.strictSame(await found({ eventTypes: ['pix.received', 'payment.approved'] }), [2])
    t.strictSame(await found({ statusClasses: ['5xx'] }), [0])
    t.strictSame(await found({ statusClasses: ['3xx', '5xx'], errors: ['REDIRECT'] }), [1])
    t.strictSame(await found({ errors: ['TIMEOUT'] }), [])
    t.strictSame(await found({ objectId: 'txn_1' }), [0, 1])
    t.strictSame(await found({ objectId: 'txn_1', statusClasses: ['5xx'] }), [0])
    t.strictSame(await found({ objectId: 'txn_2', statuses: ['RETRYING'] }), [])
    await execute(attemptOf(ids[0]!, { statusCode: null, error: 'TIMEOUT' }, 1))
    t.strictSame([await found({ statusClasses: ['5xx'] }), await found({ errors: ['TIMEOUT'] })], [[], [0]])
  },
)

t.test('the health of an endpoint: its success, its latency, and what is open', async (t) => {
  const { execute, list, answered, pass, now } = await scheduled('whk_1', 'whk_2')
  const health = (endpointId = 'whk_1') =>
    answered({ type: 'ReadEndpointHealth', accountId: account, endpointId: endpointId as never })
  const openedAtMs = now()
  t.strictSame(await health(), {
    attempted: 0,
    accepted: 0,
    p95LatencyMs: null,
    open: 1,
    oldestOpenAtMs: openedAtMs,
  })
  const more = (n: number) => ({ ...event, eventId: `evt_${String(n).padStart(26, '0')}` as never })
  for (let n = 1; n < 20; n++)
    await execute({
      type: 'ScheduleDeliveries',
      ...ours,
      events: [{ ...more(n), endpointIds: ['whk_1'] as never }],
    })
  const own = list().filter(({ endpointId }) => endpointId === 'whk_1')
  for (const [n, { id }] of own.entries())
    await execute(attemptOf(id, { statusCode: n < 15 ? 200 : 500, latencyMs: 10 * (n + 1) }))
  t.strictSame(await health(), {
    attempted: 20,
    accepted: 15,
    p95LatencyMs: 190,
    open: 5,
    oldestOpenAtMs: openedAtMs,
  })
  t.match(await health('whk_2'), { attempted: 0, open: 1 })
  pass(24 * 3_600_000 + 1)
  t.strictSame(await health(), {
    attempted: 0,
    accepted: 0,
    p95LatencyMs: null,
    open: 5,
    oldestOpenAtMs: openedAtMs,
  })
})

t.test('what is sent again can be due later', async (t) => {
  const { execute, list, record, now, pass, shard } = await scheduled('whk_1')
  const { id } = list()[0]!
  await record(id, 500)
  await execute({ type: 'CancelDelivery', ...ours, deliveryId: id })
  const firstAttemptAtMs = now() + 1000
  await execute({ type: 'ResendDelivery', ...ours, deliveryId: id, firstAttemptAtMs })
  await execute({
    type: 'ReplayEvents',
    ...ours,
    endpointId: 'whk_2' as never,
    events: [{ ...event, firstAttemptAtMs: firstAttemptAtMs + 20 }],
  })
  const later = list().filter((delivery) => delivery.id !== id)
  t.strictSame(later.map(({ nextAttemptAtMs, createdAtMs }) => [nextAttemptAtMs, createdAtMs]).sort(), [
    [firstAttemptAtMs, now()],
    [firstAttemptAtMs + 20, now()],
  ])
  pass(999)
  t.equal(shard.tick().length, 0)
  pass(1)
  t.equal(shard.tick().length, 1)
  pass(20)
  t.equal(shard.tick().length, 1)
})
