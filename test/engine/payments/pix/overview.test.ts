import t from 'tap'
import type { PixOverview } from '../../../../engine/payments/methods/pix/overview.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { pixOverview } from '../../../../gateway/resources/payments/pix-overview.ts'
import { aMed, aMedDecision, paidPix, scenario } from '../../story.ts'
import {
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  aRefund,
  opened,
  type World,
} from '../../world.ts'

const overview = async (world: World, from: string | null = null, to: string | null = null): Promise<any> => {
  const asked = world.shard.query({
    type: 'OverviewPix',
    accountId: account,
    from: from as CalendarDate | null,
    to: to as CalendarDate | null,
  }) as Promise<PixOverview>
  await world.settle()
  return pixOverview.view(await asked)
}

const nothing = { count: 0, amount: '0' }

t.test('charges are counted by the day they were made, money by the day it came', async (t) => {
  const world = await opened()
  await paidPix(world)
  await paidPix(world, { origin: 'DEPOSIT' })
  await world.execute(anUnrequestedPix())
  await world.accepted(aCharge())
  await world.accepted(aCharge(scenario('provider_error')))
  await world.accepted(aCancellation((await world.accepted(aCharge())).id))
  const terms = { method: 'PIX', expiresInSeconds: 86_400, due: null } as const
  const late = await world.accepted(aCharge({ terms, amountCents: toCents(500) }))
  await world.accepted(aPayment((await world.accepted(aCharge({ amountCents: toCents(20) }))).id))
  await world.advance('PT20H')
  await world.accepted(aPayment(late.id))
  t.match(await overview(world, '2026-11-20', '2026-11-20'), {
    from: '2026-11-20',
    to: '2026-11-20',
    timezone: 'America/Sao_Paulo',
    charges: {
      created: { count: 6, amount: String(10_000 + 3 * 1990 + 500 + 20) },
      pending: nothing,
      paid: { count: 3, amount: '10520' },
      expired: { count: 1, amount: '1990' },
      cancelled: { count: 1, amount: '1990' },
      failed: { count: 1, amount: '1990' },
    },
    received: { count: 4, amount: '20025' },
    deposits: { count: 2, amount: '10005' },
    feeAmount: '100',
    netAmount: '19925',
    averageTicket: '5006',
    conversionBps: 5000,
    daily: [{ date: '2026-11-20', receivedCount: 4, receivedAmount: '20025' }],
  })
  t.match(await overview(world, '2026-11-21', '2026-11-21'), {
    charges: { created: nothing },
    received: { count: 1, amount: '500' },
    conversionBps: 0,
  })
  t.match(await overview(world), { from: '2026-11-01', to: '2026-11-21', received: { count: 5 } })
})

t.test('refunds are counted by the day they were completed, a card among them not', async (t) => {
  const world = await opened()
  const pix = await paidPix(world)
  await world.accepted(aRefund(pix.id, 1_000))
  const card = await world.accepted(aCardPayment())
  await world.accepted(aRefund(card.id))
  const failed = await paidPix(world, scenario('refund_fails'))
  await world.accepted(aRefund(failed.id))
  await world.advance('P1D')
  await world.accepted(aRefund(pix.id, 2_500))
  const slow = await paidPix(world, scenario('refund_slow'))
  await world.accepted(aRefund(slow.id))
  t.match((await overview(world, '2026-11-20', '2026-11-20')).refunds, { count: 1, amount: '1000' })
  t.match((await overview(world)).refunds, { count: 2, amount: '3500' }, 'one is PROCESSING')
  await world.advance('PT5S')
  t.match((await overview(world)).refunds, { count: 3, amount: '13500' })
  t.match((await overview(world, '2026-12-01')).refunds, nothing)
})

t.test('contested payments are counted by the day they were contested, and by what came of it', async (t) => {
  const world = await opened()
  const contested = async (amount: number) => {
    const { id } = await paidPix(world)
    await world.accepted(aMed(id, amount))
    return world.transaction(id).reversals.meds[0]!.id
  }
  await world.accepted(aMedDecision(await contested(100), 'ACCEPTED', 40))
  await world.accepted(aMedDecision(await contested(200), 'REJECTED'))
  await world.accepted(aMedDecision(await contested(400), 'CANCELLED'))
  await contested(800)
  await world.advance('P1D')
  await contested(1_600)
  t.strictSame((await overview(world, '2026-11-20', '2026-11-20')).med, {
    open: { count: 1, amount: '800' },
    accepted: { count: 1, amount: '100' },
    rejected: { count: 1, amount: '200' },
  })
  const { med, refunds } = await overview(world)
  t.match(med, { open: { count: 2, amount: '2400' } })
  t.match(refunds, { count: 1, amount: '40' }, 'what a MED returned is a refund')
})

t.test('what went straight back is not counted as received', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  await world.accepted(aPayment(id))
  t.match(await overview(world), {
    received: { count: 1, amount: '10000' },
    returned: { count: 1, amount: '10000' },
    refunds: nothing,
  })
})
