import { Registry } from 'prom-client'
import t from 'tap'
import { countFacts } from '../../../gateway/observability/facts.ts'
import { logParkedTimers } from '../../../gateway/observability/parked-timers.ts'
import { aSubscription, byPix, planned, withCard } from '../../engine/billing/subscription/subscribing.ts'
import { aBrokenPayment } from '../../engine/payments/broken-payment.ts'
import { aChargeback, aDefense, aVerdict } from '../../engine/payments/card/commands.ts'
import { aSeed } from '../../engine/story.ts'
import {
  aCardPayment,
  aCharge,
  account,
  aPayment,
  aRefund,
  opened,
  ours,
  type World,
} from '../../engine/world.ts'

/** What a page says after everything that happened in a world, without what is 0. */
const counted = async ({ told }: Pick<World, 'told'>): Promise<Record<string, number>> => {
  const registry = new Registry()
  told.forEach(countFacts([registry]))
  const values = (await registry.getMetricsAsJSON()).flatMap(({ name, values }) =>
    values.map(({ value, labels }) => [[name, ...Object.values(labels)].join(' '), value] as const),
  )
  return Object.fromEntries(
    values
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => [name.replace(/^payments_/, '').replaceAll(' SANDBOX', ''), value]),
  )
}

t.test('a PIX charge counts in every status that it comes to, with what was asked or paid', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge())
  await world.accepted(aPayment(id))
  await world.accepted(aCharge({ amountCents: 5 as never }))
  await world.advance('PT2H')
  t.strictSame(await counted(world), {
    'charges_total PIX CREATED': 2,
    'charges_total PIX PENDING': 2,
    'charges_total PIX APPROVED': 1,
    'charges_total PIX EXPIRED': 1,
    'charge_amount_centavos_total PIX CREATED': 1995,
    'charge_amount_centavos_total PIX PENDING': 1995,
    'charge_amount_centavos_total PIX APPROVED': 1990,
    'charge_amount_centavos_total PIX EXPIRED': 5,
  })
})

t.test('a key that is sent again counts nothing again', async (t) => {
  const world = await opened()
  const idempotency = { key: 'k', fingerprint: 'f' }
  await world.accepted(aCharge({ idempotency }))
  await world.accepted(aCharge({ idempotency }))
  t.match(await counted(world), { 'charges_total PIX CREATED': 1, 'charges_total PIX PENDING': 1 })
})

t.test('a decline counts by its reason', async (t) => {
  const world = await opened()
  await world.accepted(aCardPayment({ token: 'tok_test_declined_51' }))
  await world.accepted(aCardPayment({ token: 'tok_test_antifraud' }))
  t.strictSame(await counted(world), {
    'charges_total CREDIT_CARD CREATED': 2,
    'charges_total CREDIT_CARD DECLINED': 2,
    'charge_amount_centavos_total CREDIT_CARD CREATED': 20_000,
    'charge_amount_centavos_total CREDIT_CARD DECLINED': 20_000,
    'charges_declined_total CREDIT_CARD INSUFFICIENT_FUNDS': 1,
    'charges_declined_total CREDIT_CARD ANTIFRAUD_DECLINED': 1,
  })
})

t.test('a refund counts in parts, and the charge once for each status', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.accepted(aRefund(id, 2_000))
  await world.accepted(aRefund(id, 3_000))
  const failing = await world.accepted(aCardPayment({ token: 'tok_test_refund_fails' }))
  await world.accepted(aRefund(failing.id))
  await world.advance('PT1M')
  t.match(await counted(world), {
    'refunds_total CREDIT_CARD PROCESSING': 3,
    'refunds_total CREDIT_CARD COMPLETED': 2,
    'refunds_total CREDIT_CARD FAILED': 1,
    'refund_amount_centavos_total CREDIT_CARD COMPLETED': 5_000,
    'refund_amount_centavos_total CREDIT_CARD FAILED': 10_000,
    'charges_total CREDIT_CARD APPROVED': 2,
    'charges_total CREDIT_CARD PARTIALLY_REFUNDED': 1,
  })
})

t.test('what the Sandbox seeds lists with has not happened', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aSeed({ method: 'CREDIT_CARD', status: 'APPROVED' }))
  t.strictSame(await counted(world), {})
  await world.accepted(aRefund(id))
  t.match(await counted(world), { 'refunds_total CREDIT_CARD COMPLETED': 1 }, 'but what follows has')
})

t.test('a chargeback that is won makes no second approval of the charge', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  const { reversals } = await world.accepted(aChargeback(id))
  await world.accepted(aDefense(reversals.chargebacks[0]!.id))
  await world.accepted(aVerdict(reversals.chargebacks[0]!.id, 'WON'))
  t.match(await counted(world), {
    'charges_total CREDIT_CARD APPROVED': 1,
    'charges_total CREDIT_CARD CHARGEBACK': 1,
    'charge_amount_centavos_total CREDIT_CARD APPROVED': 10_000,
    'disputes_total CHARGEBACK OPEN': 1,
    'disputes_total CHARGEBACK UNDER_REVIEW': 1,
    'disputes_total CHARGEBACK WON': 1,
  })
})

t.test('a subscription counts what is billed, paid and failed', async (t) => {
  const world = await opened()
  const plan = await planned(world)
  await world.execute(aSubscription(plan.id))
  await world.execute(aSubscription(plan.id, withCard('tok_test_recurring_fail_1')))
  await world.execute(aSubscription(plan.id, byPix))
  // The second one was paid a day late, and its next period begins a day later.
  await world.advance('P1M2D')
  t.match(await counted(world), {
    'subscription_invoices_total CREDIT_CARD BILLED': 4,
    'subscription_invoices_total CREDIT_CARD FAILED': 1,
    'subscription_invoices_total CREDIT_CARD PAID': 4,
    'subscription_invoices_total PIX BILLED': 1,
    'subscription_invoice_amount_centavos_total CREDIT_CARD PAID': 4 * 4_900,
  })
})

t.test('a delivery counts when it is finished, whatever became of it', async (t) => {
  const world = await opened()
  const schedule = (n: number) =>
    world.execute({
      type: 'ScheduleDeliveries',
      ...ours,
      events: [
        {
          eventId: `evt_${String(n).padStart(26, '0')}` as never,
          eventType: 'payment.created',
          objectId: `txn_${n}`,
          body: new Uint8Array([1]),
          endpointIds: ['whk_1'] as never,
        },
      ],
    })
  for (const n of [1, 2, 3]) await schedule(n)
  const [first, second, third] = world.memory.list(ours.accountId, 'delivery', { offset: 0, limit: 9 }).states
  const attempt = { url: '', latencyMs: 1, error: null, responseSnippet: '' }
  const record = (deliveryId: never, statusCode: number, startedAtMs: number) =>
    world.execute({
      type: 'RecordAttempts',
      ...ours,
      attempts: [{ deliveryId, outcome: { ...attempt, statusCode, startedAtMs } }],
    })
  await record(first!.id as never, 200, 1)
  await world.execute({ type: 'CancelDelivery', ...ours, deliveryId: second!.id })
  for (let n = 1; n <= 12; n++) await record(third!.id as never, 500, n)
  t.strictSame(await counted(world), {
    'webhook_deliveries_finished_total SUCCEEDED': 1,
    'webhook_deliveries_finished_total CANCELLED': 1,
    'webhook_deliveries_finished_total EXHAUSTED': 1,
  })
})

t.test('an operator hears of due work that is parked, and of nothing else', async (t) => {
  const world = await opened()
  const id = await aBrokenPayment(world)
  await world.advance('P8D')
  const heard: unknown[] = []
  const log = { error: (detail: unknown) => void heard.push(detail) }
  for (const entry of world.told) logParkedTimers(log, entry)
  t.strictSame(heard, [{ actor: id, due: 'CloseMed', accountId: account }])
  t.match(await counted(world), { 'timers_parked_total CloseMed': 1 })
})
