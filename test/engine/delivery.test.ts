import t from 'tap'
import { attemptsMax, retryDelaysMs } from '../../engine/delivery/schedule.ts'
import type { DeliveryId } from '../../engine/ids.ts'
import type { Traceparent } from '../../engine/traceparent.ts'
import { account, opened, ours } from './world.ts'

const event = {
  eventId: `evt_${'0'.repeat(26)}` as never,
  eventType: 'payment.created',
  objectId: 'txn_1',
  body: new Uint8Array([1]),
}

const scheduled = async (...endpointIds: string[]) => {
  const world = await opened()
  const schedule = () =>
    world.tell({ type: 'ScheduleDeliveries', ...ours, ...event, endpointIds: endpointIds as never })
  await schedule()
  const list = () => world.memory.list(account, 'delivery', { offset: 0, limit: 99 }).states
  const record = (deliveryId: DeliveryId, statusCode: number) =>
    world.tell({
      type: 'RecordAttempt',
      ...ours,
      deliveryId,
      outcome: { startedAtMs: world.now(), latencyMs: 1000, statusCode, error: null, responseSnippet: '' },
    })
  return { ...world, schedule, list, record }
}

t.test('an event that is told twice has one delivery for each endpoint', async (t) => {
  const { schedule, list } = await scheduled('whk_1', 'whk_2')
  await schedule()
  t.equal(list().length, 2)
  t.equal(new Set(list().map(({ id }) => id)).size, 2)
})

t.test('a delivery, and one that is sent again, belong to the trace of what they tell', async (t) => {
  const { tell, list, record } = await scheduled()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  const endpointIds = ['whk_1'] as never
  await tell({ type: 'ScheduleDeliveries', ...ours, ...event, endpointIds, traceparent })
  const { id } = list()[0]!
  await record(id, 204)
  await tell({ type: 'ResendDelivery', ...ours, deliveryId: id })
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
    const { list, record, tell } = await scheduled('whk_1')
    const { id } = list()[0]!
    const resend = (accountId = account) =>
      tell({ type: 'ResendDelivery', ...ours, accountId, deliveryId: id })
    t.match(await resend(), { accepted: false, rejection: { reason: 'DELIVERY_UNFINISHED' } })
    await record(id, 200)
    t.match(await resend(), { accepted: true })
    t.match(list()[0], { resendOf: id, status: 'PENDING', eventId: event.eventId })
    t.strictSame([...list()[0]!.body], [1])
    t.match(await resend('cmp_2/SANDBOX' as never), { accepted: false })
  },
)
