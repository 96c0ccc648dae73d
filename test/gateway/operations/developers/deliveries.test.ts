import t from 'tap'
import { receives } from '../../../../engine/companies/endpoint.ts'
import { publicEventsOf } from '../../../../engine/events/events-of-entry.ts'
import type { Delivery } from '../../../../engine/webhooks/delivery.ts'
import { attemptsMax } from '../../../../engine/webhooks/schedule.ts'
import { eventBody, objectIdOf } from '../../../../gateway/events/body.ts'
import { noPayee } from '../../../../gateway/resources/payments/fiscal.ts'
import { aCharge, account, aPayment, ours } from '../../../engine/world.ts'
import { newOperator, newPerson, type Operator, refusal } from '../operator.ts'

const hourMs = 3_600_000

/** Plans what was told, as a worker does: for the endpoints that hear it. */
const plan = async ({ world, directory }: Operator): Promise<void> => {
  const listening = [...directory.endpoints.values()]
  for (const entry of world.told.splice(0))
    for (const event of publicEventsOf(entry, 0)) {
      const endpointIds = listening
        .filter((endpoint) => receives(endpoint, entry.sequence))
        .map(({ id }) => id)
      await world.execute({
        type: 'ScheduleDeliveries',
        ...ours,
        events: [
          {
            eventId: event.id,
            eventType: event.type,
            objectId: objectIdOf(event.subject),
            body: new Uint8Array(eventBody(event, 'SANDBOX', noPayee)),
            endpointIds,
          },
        ],
      })
    }
}

const attempt = ({ world }: Operator, { id: deliveryId }: Pick<Delivery, 'id'>, statusCode: number) =>
  world.execute({
    type: 'RecordAttempts',
    ...ours,
    attempts: [
      {
        deliveryId,
        outcome: {
          url: 'https://example.com/hook',
          startedAtMs: world.now(),
          latencyMs: 1,
          statusCode,
          error: null,
          responseSnippet: '',
        },
      },
    ],
  })

/** Every delivery of the endpoint, newest first. */
const deliveriesTo = (operator: Operator, endpointId: string): readonly Delivery[] =>
  operator.world.memory
    .list(account, 'delivery', { offset: 0, limit: 1000 })
    .states.filter((delivery) => delivery.endpointId === endpointId)

t.test(
  'what was given up after twelve attempts is in the failure queue, and can be sent again',
  async (t) => {
    const operator = await newOperator()
    const { operate, endpoint, world, company } = operator
    const { id } = await endpoint()
    const other = await endpoint()
    await world.accepted(aCharge())
    await plan(operator)
    const given = deliveriesTo(operator, id).at(-1)!
    for (let n = 1; n <= attemptsMax; n++) {
      t.equal((await operate('webhooks failures', { id })).total, 0, `after ${n - 1} attempts`)
      await attempt(operator, given, 500)
      world.pass(9 * hourMs)
    }
    const failures = await operate('webhooks failures', { id })
    t.match(failures, { total: 1, data: [{ id: given.id, status: 'EXHAUSTED', attempts: { length: 12 } }] })
    t.equal(failures.data[0].attempts[0].url, 'https://example.com/hook')
    t.equal((await operate('webhooks failures', { id: other.id })).total, 0)
    for (const more of [{}, { company: company.id }, { company: company.id, environment: 'sandbox' }])
      t.equal((await operate('webhooks failures', more)).total, 1)
    t.equal((await operate('webhooks failures', { environment: 'production' })).total, 0)
    await operate('webhooks resend', { id: given.id })
    t.match(deliveriesTo(operator, id)[0], { resendOf: given.id, status: 'PENDING' })

    await operate('webhooks disable', { id })
    await t.rejects(operate('webhooks resend', { id: given.id }), /is disabled: enable it first/)
    await operate('webhooks delete', { id })
    t.equal((await operate('webhooks failures', { id })).total, 1, 'also of a deleted endpoint')
    const { data } = await operate('webhooks deliveries', { id, status: 'EXHAUSTED', page: '1' })
    t.equal(data.length, 1)
    t.strictSame((await operate('webhooks deliveries', { id, page: 2 })).data, [])
  },
)

t.test('a replay sends what happened in a span again, also while the endpoint was disabled', async (t) => {
  const operator = await newOperator()
  const { operate, endpoint, world } = operator
  const { id } = await endpoint()
  const other = await endpoint()
  await world.accepted(aCharge())
  await plan(operator)
  world.pass(hourMs / 2)
  const from = new Date(world.now()).toISOString()
  const heard = await world.accepted(aCharge())
  await plan(operator)
  await operate('webhooks disable', { id })
  world.pass(1)
  await world.accepted(aPayment(heard.id))
  await plan(operator)
  const known = new Set(deliveriesTo(operator, id).map(({ eventId }) => eventId))
  const missed = deliveriesTo(operator, other.id).filter(({ eventId }) => !known.has(eventId))
  t.equal(missed.length, 4)
  await operate('webhooks enable', { id })
  world.pass(1)
  const to = new Date(world.now()).toISOString()
  await world.accepted(aCharge())
  await plan(operator)
  for (const delivery of deliveriesTo(operator, id)) await attempt(operator, delivery, 200)
  const before = deliveriesTo(operator, id)

  const replay = { id, from, to }
  t.match(await operate('webhooks replay', replay), { endpointId: id, events: 6, count: 6, after: null })
  const again = deliveriesTo(operator, id).filter((delivery) => !before.some(({ id }) => id === delivery.id))
  t.equal(again.length, 6)
  for (const delivery of again) {
    const sent = deliveriesTo(operator, other.id).find(({ eventId }) => eventId === delivery.eventId)!
    t.strictSame(Buffer.from(delivery.body), Buffer.from(sent.body), 'the same bytes')
    const own = before.find(({ eventId }) => eventId === delivery.eventId)
    t.equal(delivery.resendOf, own?.id ?? null)
  }
  t.strictSame(
    new Set(again.filter(({ resendOf }) => resendOf === null).map(({ eventId }) => eventId)),
    new Set(missed.map(({ eventId }) => eventId)),
    'what it never heard',
  )
  t.match(await operate('webhooks replay', replay), { events: 6, count: 0 }, 'all of it is on its way')
  for (const delivery of again) await attempt(operator, delivery, 200)
  world.pass(1)
  t.match(await operate('webhooks replay', { ...replay, types: 'payment.approved' }), {
    events: 1,
    count: 1,
  })
  t.match(deliveriesTo(operator, id)[0], { eventType: 'payment.approved' })
  t.equal(
    deliveriesTo(operator, other.id).filter(({ resendOf }) => resendOf !== null).length,
    0,
    'and nobody else',
  )
})

t.test('a replay sends what the endpoint wants to hear, where nothing else is said', async (t) => {
  const operator = await newOperator()
  const { operate, endpoint, world } = operator
  const from = new Date(world.now() - 1).toISOString()
  const { id } = await world.accepted(aCharge())
  await world.accepted(aPayment(id))
  world.pass(1)
  const late = await endpoint({ events: 'payment.approved,pix.received' })
  t.match(await operate('webhooks replay', { id: late.id, from }), { events: 2, count: 2 })
  const [delivery] = deliveriesTo(operator, late.id)
  const body = JSON.parse(Buffer.from(delivery!.body).toString())
  t.match(body, { id: delivery!.eventId, type: delivery!.eventType, environment: 'SANDBOX', data: {} })
})

t.test('a replay is bounded, and goes on where it stopped', async (t) => {
  const operator = await newOperator()
  const { operate, endpoint, world } = operator
  const { id } = await endpoint({ events: 'payment.created' })
  const from = new Date(world.now()).toISOString()
  for (let n = 0; n < 120; n++) await world.accepted(aCharge())
  world.pass(1)
  // The time of a call is over after two pages.
  operator.hooks.onAsk = () => world.pass(15_000)
  const answers: { events: number; after: number | null }[] = []
  for (let after: number | null = 0; after !== null; after = answers.at(-1)!.after)
    answers.push(await operate('webhooks replay', { id, from, ...(after > 0 && { after }) }))
  t.strictSame(
    answers.map(({ events }) => events),
    [99, 21],
  )
  const found = deliveriesTo(operator, id).map(({ eventId }) => eventId)
  t.equal(found.length, 120)
  t.equal(new Set(found).size, 120)
  for (const [input, message] of [
    [{ from: '2026-10-01', to: '2026-11-20' }, /^a replay spans at most 30 days$/],
    [{ from: '2026-11-21', to: '2026-11-20' }, /^from must be before to$/],
    [{ from: 'yesterday' }, /^from must be a date/],
    [{}, /^from must be a date/],
    [{ from, types: 'payment.paid' }, /^types: payment.paid is not one of payment.created, /],
    [{ from, after: 'x' }, /^after must be a whole number/],
  ] as const)
    await t.rejects(operate('webhooks replay', { id, ...input }), message)
})

t.test('many are sent again by a filter: the oldest first, 50 a second, and only what can be', async (t) => {
  const operator = await newOperator()
  const { operate, endpoint, world, company } = operator
  const [first, second] = [await endpoint(), await endpoint()]
  for (let n = 0; n < 3; n++) await world.accepted(aCharge())
  await plan(operator)
  const old = deliveriesTo(operator, first.id)
  for (const delivery of [...old, ...deliveriesTo(operator, second.id)])
    for (let n = 0; n < attemptsMax; n++) {
      world.pass(1)
      await attempt(operator, delivery, 500)
    }
  const of = { company: company.id, environment: 'sandbox' }
  await operate('webhooks disable', { id: second.id })
  t.match(await operate('webhooks resend-all', { ...of, statusClass: '4xx' }), { object: 'resend', count: 0 })
  t.match(await operate('webhooks resend-all', { ...of, from: '2999-01-01' }), { count: 0 })
  const job = await operate('webhooks resend-all', { ...of, statusClass: '5xx', type: old[0]!.eventType })
  const like = old.filter(({ eventType }) => eventType === old[0]!.eventType)
  t.match(job, { jobId: /^req_/, count: like.length })
  const again = deliveriesTo(operator, first.id).filter(({ resendOf }) => resendOf !== null)
  const due = again
    .map(({ resendOf, nextAttemptAtMs }) => [nextAttemptAtMs! - world.now(), resendOf] as const)
    .sort(([a], [b]) => a - b)
  t.strictSame(
    due,
    like.toReversed().map(({ id }, n) => [n * 20, id]),
    'the oldest first',
  )
  t.equal(deliveriesTo(operator, second.id).filter(({ resendOf }) => resendOf !== null).length, 0)
  t.match(
    await operate('webhooks resend-all', of),
    { count: old.length - like.length },
    'what is open adds none',
  )
  for (const [input, code] of [
    [{ endpointId: 'whk_x' }, 'NOT_FOUND'],
    [{ status: 'LOST' }, 'VALIDATION_ERROR'],
    [{ from: 'soon' }, 'VALIDATION_ERROR'],
  ] as const)
    t.match(await refusal(operate('webhooks resend-all', { ...of, ...input })), { code })
})

t.test('what belongs to another company or environment is not there', async (t) => {
  const operator = await newPerson({ SANDBOX: 'OWNER', PRODUCTION: 'OWNER' })
  const { does, operate, endpoint, world } = operator
  const own = await endpoint()
  await world.accepted(aCharge())
  await plan(operator)
  const [delivery] = deliveriesTo(operator, own.id)
  await attempt(operator, delivery!, 200)
  const other = await operate('companies create', { name: 'Outra', document: '11444777000161' })
  const foreign = await operate('webhooks create', {
    company: other.id,
    environment: 'sandbox',
    url: 'https://example.com/',
  })
  for (const name of ['get', 'update', 'delete', 'rotate', 'test'])
    t.match(
      await refusal(does(`webhooks ${name}`, { id: foreign.id })),
      {
        code: 'NOT_FOUND',
        extra: { resource: 'webhook_endpoint' },
      },
      name,
    )
  t.match(await refusal(does('webhooks replay', { id: foreign.id, from: '2026-01-01' })), {
    code: 'NOT_FOUND',
  })
  const elsewhere = { environment: 'PRODUCTION', id: delivery!.id }
  t.match(await refusal(does('webhooks resend', elsewhere)), { code: 'NOT_FOUND' })
  t.match(await does('webhooks resend', { id: delivery!.id }), { resendOf: delivery!.id })
  t.strictSame(
    (await does('webhooks health')).data.map(({ id }: any) => id),
    [own.id],
  )
})
