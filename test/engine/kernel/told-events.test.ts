import t from 'tap'
import { toCents } from '../../../engine/shared/money.ts'
import { marketplace } from '../marketplace/fixtures.ts'
import { aCapture, aCardCancellation, aDefense, aVerdict } from '../payments/card/commands.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aMedDecision,
  dataOf,
  listener,
  paidPix,
  scenario,
  typesOf,
} from '../story.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  anUnrequestedPix,
  aPayment,
  aRefund,
  opened,
} from '../world.ts'

/** Who emits what, in order (decisions, section 27), but for subscriptions: their files tell of those. */

const paid = ['payment.approved', 'settlement.processing', 'settlement.completed']

t.test('a PIX', async (t) => {
  const world = await opened()
  const heard = listener(world)
  const { id } = await world.accepted(aCharge())
  t.strictSame(typesOf(heard()), ['payment.created', 'payment.pending'])
  await world.accepted(aPayment(id))
  t.strictSame(typesOf(heard()), ['pix.received', ...paid])
  await world.accepted(aPayment(id))
  t.strictSame(typesOf(heard()), [], 'what is returned tells nobody')
  await world.accepted(aCharge(scenario('provider_error')))
  t.strictSame(typesOf(heard()), ['payment.created', 'payment.failed'])
  await world.accepted(anUnrequestedPix())
  t.strictSame(typesOf(heard()), ['pix.received', 'payment.created', ...paid])
  const cancelled = await world.accepted(aCharge())
  heard()
  await world.accepted(aCancellation(cancelled.id))
  t.match(heard().map(told), ['payment.failed CANCELLED CANCELLED'])
  await world.accepted(aCharge())
  heard()
  await world.advance('PT1H')
  t.match(heard().map(told), ['payment.failed EXPIRED CHARGE_EXPIRED'])
})

const told = (event: Parameters<typeof dataOf>[0]): string => {
  const { status, failureReason } = dataOf(event)
  return `${event!.type} ${status} ${failureReason}`
}

t.test('a MED', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  const heard = listener(world)
  const openAndClose = async (result: 'ACCEPTED' | 'REJECTED') => {
    const { reversals } = await world.accepted(aMed(id))
    await world.accepted(aMedDecision(reversals.meds.at(-1)!.id, result))
    return typesOf(heard())
  }
  const { version } = world.transaction(id)
  t.strictSame(await openAndClose('REJECTED'), ['pix.med_opened', 'pix.med_closed'])
  t.equal(world.transaction(id).version, version + 2, 'the version grows with what changes no status')
  t.strictSame(await openAndClose('ACCEPTED'), ['pix.med_opened', 'pix.med_closed', 'payment.refunded'])
})

t.test('a boleto', async (t) => {
  const world = await opened()
  const heard = listener(world)
  const { id } = await world.accepted(aBoleto())
  t.strictSame(typesOf(heard()), ['payment.created', 'payment.pending'])
  await world.accepted(aBoletoPayment(id))
  t.strictSame(typesOf(heard()), ['boleto.paid', ...paid])
})

t.test('a card', async (t) => {
  const world = await opened()
  const heard = listener(world)
  const pay = async (...of: Parameters<typeof aCardPayment>) => {
    const payment = await world.accepted(aCardPayment(...of))
    return [payment.id, heard().map(told)] as const
  }
  const [id, approved] = await pay()
  t.strictSame(approved, ['payment.created CREATED null', 'payment.approved APPROVED null'])
  const [held, authorized] = await pay({ captures: false })
  t.strictSame(authorized, ['payment.created CREATED null', 'payment.pending AUTHORIZED null'])
  t.strictSame((await pay({ token: 'tok_test_processing' }))[1], [
    'payment.created CREATED null',
    'payment.pending PROCESSING null',
  ])
  t.strictSame((await pay({ token: 'tok_test_declined_51' }))[1], [
    'payment.created CREATED null',
    'payment.failed DECLINED INSUFFICIENT_FUNDS',
  ])
  await world.accepted(aCapture(held))
  t.strictSame(typesOf(heard()), ['payment.approved'])
  const [voided] = await pay({ captures: false })
  await world.accepted(aCardCancellation(voided))
  t.strictSame(heard().map(told), ['payment.failed CANCELLED CANCELLED'])
  await world.accepted(aRefund(id, 1))
  t.strictSame(typesOf(heard()), ['payment.refunded'])
  await world.accepted(aCardCancellation(id))
  t.strictSame(typesOf(heard()), ['payment.refunded'])
})

t.test('a chargeback', async (t) => {
  const world = await opened()
  for (const result of ['WON', 'LOST'] as const) {
    const { id } = await world.accepted(aCardPayment())
    const heard = listener(world)
    const { reversals } = await world.accepted(aChargeback(id))
    const reversalId = reversals.chargebacks[0]!.id
    await world.accepted(aDefense(reversalId))
    await world.accepted(aVerdict(reversalId, result))
    t.strictSame(
      heard().map((event) => `${event.type} ${dataOf(event).chargeback.status}`),
      ['payment.chargeback OPEN', `payment.chargeback ${result}`],
      'a defense tells nobody',
    )
  }
})

t.test('a batch, and what recipients get of it', async (t) => {
  const market = await marketplace()
  await market.accepted(aCardPayment({}, { amountCents: toCents(10_000), splitRuleId: market.rule }))
  const from = market.told.length
  await market.advance('P32D')
  t.strictSame(market.heard(from), [
    'settlement.processing',
    'settlement.completed',
    'transfer.scheduled',
    'transfer.completed',
  ])
})
