import t from 'tap'
import type { PublicEvent } from '../../../../engine/kernel/event-types.ts'
import type { Rejection } from '../../../../engine/kernel/registry.ts'
import { problemOf } from '../../../../gateway/api/problem-of.ts'
import { sampleData } from '../../../../gateway/events/sample.ts'
import { csvHead, csvRows } from '../../../../gateway/resources/payments/transactions-csv.ts'
import { pack, unpack } from '../../../../persistence/codec/codec.ts'
import { dataOf, listener } from '../../story.ts'
import { opened } from '../../world.ts'
import { chargeOf, lastInvoice, subscribed, toNoonOf, withCard } from './subscribing.ts'

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
