import t from 'tap'
import type { PublicEvent } from '../../../../engine/kernel/event-types.ts'
import type { Rejection } from '../../../../engine/kernel/registry.ts'
import { byClock } from '../../../../engine/shared/initiator.ts'
import { problemOf } from '../../../../gateway/api/problem-of.ts'
import { sampleData } from '../../../../gateway/events/sample.ts'
import { subscriptionDetail } from '../../../../gateway/resources/billing/subscription-detail.ts'
import { csvHead, csvRows } from '../../../../gateway/resources/payments/transactions-csv.ts'
import { pack, unpack } from '../../../../persistence/codec/codec.ts'
import { dataOf, listener } from '../../story.ts'
import { aPayment, key, opened, ours } from '../../world.ts'
import { asks, happened } from '../catalog.ts'
import { byPix, chargeOf, lastInvoice, subscribed, toNoonOf, withCard } from './subscribing.ts'

t.test('what merchants are told has the shape of the samples', async (t) => {
  const world = await opened()
  const hear = listener(world)
  const { id } = await subscribed(world, {}, withCard('tok_test_recurring_fail_1'))
  await toNoonOf(world, '2026-11-21')
  const events = hear()
  for (const type of ['subscription.created', 'subscription.paid', 'subscription.failed'] as const) {
    const data = dataOf(events.find((event: PublicEvent) => event.type === type))
    const sample = sampleData(type, `evt_${'0'.repeat(26)}`, 0) as Record<string, object>
    const names = Object.keys(sample).filter((name) => name !== 'test')
    t.strictSame(Object.keys(data).sort(), names.sort(), type)
    for (const part of ['plan', 'invoice']) {
      if (sample[part]) t.strictSame(Object.keys(data[part]).sort(), Object.keys(sample[part]).sort(), part)
    }
  }
  t.match(dataOf(events.find(({ type }) => type === 'subscription.failed')), {
    id,
    status: 'PENDING',
    failureReason: 'INSUFFICIENT_FUNDS',
    retryable: true,
    attemptNumber: 1,
    nextAttemptAt: '2026-11-21T12:00:00.000Z',
    final: false,
    invoice: { paidAt: null, cycle: 1 },
  })
  t.match(dataOf(events.findLast(({ type }) => type === 'subscription.paid')), {
    status: 'ACTIVE',
    transactionId: chargeOf(world, id),
    invoice: { paidAt: '2026-11-21T12:00:00.000Z' },
  })
})

t.test('an export names the subscription and the invoice of a charge', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world)
  const place = String(csvHead()).trim().split(',').indexOf('subscriptionId')
  const cells = String(csvRows([world.transaction(chargeOf(world, id))]))
    .trim()
    .split(',')
  t.strictSame(cells.slice(place, place + 2), [id, lastInvoice(world, id).id])
})

t.test('figures come back from a snapshot as they were', async (t) => {
  const world = await opened()
  await subscribed(world)
  t.strictSame(unpack(pack(world.account())), world.account())
})

t.test('every refusal has its status, code and members', async (t) => {
  const id = 'inv_1' as never
  const expected: readonly (readonly [Rejection, number, object])[] = [
    [{ reason: 'PRODUCT_NOT_ACTIVE', product: 'CARD' }, 403, { product: 'CARD' }],
    [{ reason: 'PLAN_INACTIVE' }, 422, {}],
    [{ reason: 'METHOD_NOT_ACCEPTED', allowedMethods: ['PIX'] }, 422, { allowedMethods: ['PIX'] }],
    [{ reason: 'SAME_PLAN' }, 422, {}],
    [{ reason: 'COUPON_INVALID', why: 'EXPIRED' }, 422, { reason: 'EXPIRED' }],
    [{ reason: 'INVOICE_OPEN', invoiceId: id }, 409, { invoiceId: id }],
    [{ reason: 'ATTEMPT_IN_PROGRESS', attemptId: 'att_1' as never }, 409, { attemptId: 'att_1' }],
    [{ reason: 'RETRY_LIMIT_REACHED' }, 422, {}],
  ]
  for (const [rejection, status, extra] of expected)
    t.match(problemOf(rejection), {
      status,
      code: rejection.reason,
      ...(Object.keys(extra).length && { extra }),
    })
  for (const [reason, field, code] of [
    ['CARD_REQUIRED', 'card', 'REQUIRED'],
    ['START_IN_THE_PAST', 'startAt', 'IN_THE_PAST'],
  ] as const)
    t.match(problemOf({ reason }), { status: 400, errors: [{ field, code }] })
  t.match(problemOf({ reason: 'START_TOO_FAR', days: 730 }), { errors: [{ code: 'OUT_OF_RANGE' }] })
})

t.test('what happened to a subscription is told with who caused it, from the journal', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  const told = async () =>
    subscriptionDetail.view(
      (await asks(world, { type: 'FindSubscription', accountId: ours.accountId, subscriptionId: id }))!,
    ).events
  const { transactionId } = world.memory.find('subscription', id)!.state.latestInvoice!
  const before = await told()
  t.match(before[0], {
    type: 'SubscriptionCreated',
    actor: key,
    at: '2026-11-20T12:00:00.000Z',
    data: { status: 'PENDING', method: 'PIX' },
  })
  await world.accepted(aPayment(transactionId!))
  const person = { kind: 'PERSON', id: 'psn_1' } as const
  const change = { type: 'PauseSubscription', accountId: ours.accountId, subscriptionId: id } as const
  await world.execute({ ...change, by: person })
  happened(world, {
    actor: 'subscription',
    type: 'TimerParked',
    id,
    by: byClock,
    atMs: world.now(),
    due: 'BillSubscription',
  })
  const after = await told()
  t.strictSame(after.slice(0, before.length), before, 'what was told stays so')
  t.strictSame(
    after.slice(before.length).map(({ type, actor }) => [type, actor.kind, actor.id]),
    [
      ['SubscriptionPaid', key.kind, key.id],
      ['SubscriptionPaused', 'PERSON', 'psn_1'],
    ],
  )
  t.match(after[before.length], { data: { transactionId, amount: '4900', status: 'ACTIVE' } })
  t.match(after.at(-1), { data: { status: 'PAUSED' } })
})

t.test('of a long life the newest is told, and of a forgotten one nothing', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world)
  const entries = world.memory.entriesOf('subscription', id, 1_000)
  t.ok(entries.length > 1)
  t.strictSame(world.memory.entriesOf('subscription', id, 1), entries.slice(-1))
  await world.accepted({ type: 'ClearSandbox', ...ours })
  t.strictSame(world.memory.entriesOf('subscription', id, 2), [])
})
