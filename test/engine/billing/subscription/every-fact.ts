import { defaultPolicy } from '../../../../engine/billing/catalog/dunning.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import { boletoOf } from '../../../../engine/payments/methods/boleto/boleto.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aBoletoPayment } from '../../story.ts'
import type { World } from '../../world.ts'
import { aPolicySet, stateOf } from '../catalog.ts'
import {
  aCardOf,
  anEnd,
  aPause,
  aPlanChange,
  aResumption,
  aRetry,
  aSubscription,
  byBoleto,
  byPix,
  chargeOf,
  lastInvoice,
  planned,
  subscribed,
  subscriptionOf,
  withCard,
} from './subscribing.ts'

/** Lives of subscriptions in which every fact of theirs occurs. */
export const everyFact = async (world: World): Promise<void> => {
  const create = async (...of: Parameters<typeof aSubscription>): Promise<Subscription> =>
    stateOf<Subscription>(await world.execute(aSubscription(...of)))
  await world.execute(aPolicySet(null, defaultPolicy))
  const plan = await planned(world, { name: 'Plano São João', setupFeeCents: toCents(100) })
  const more = await planned(world, { amountCents: toCents(90_000) })
  const trial = await planned(world, { trialDays: 1, maxCycles: 1, interval: 'WEEK' })
  const inTrial = await create(trial.id)
  await world.execute(aPause(inTrial.id))
  await world.execute(aResumption(inTrial.id))
  const paused = await create(plan.id, withCard('tok_test_recurring_expires'))
  const pending = await create(plan.id, { ...byPix, metadata: { sandboxScenario: 'paid' } })
  await create(plan.id, withCard('tok_test_timeout'))
  const void_ = await create(plan.id, byBoleto)
  await world.execute(aBoletoPayment(chargeOf(world, void_.id), { clearing: 'NEXT_BUSINESS_DAY' }))
  await world.execute(anEnd(void_.id))
  const retried = await create(plan.id, byPix)
  await world.execute(aRetry(lastInvoice(world, retried.id).id, { card: aCardOf('tok_test_approved') }))
  await world.execute(anEnd(retried.id, { atPeriodEnd: true }))
  const late = await create(plan.id, byBoleto)
  const scheduled = await create(trial.id, { startOn: '2027-02-01' as never })
  await world.advance('PT5S')
  await world.execute(aPlanChange(pending.id, more.id))
  await world.execute(aPlanChange(paused.id, more.id))
  await world.execute(aPlanChange(paused.id, more.id, { effective: 'PERIOD_END' }))
  await world.advance('P4D')
  // It is paid on the last day on which it is waited for, and clears after it.
  while (boletoOf(world.transaction(chargeOf(world, late.id)))!.overdue === false)
    await world.advance('PT12H')
  const [attempt] = lastInvoice(world, late.id).attempts
  const failsAtMs = attempt!.failsAtMs!
  const now = () => world.now() + world.account().clockOffsetMs
  if (now() < failsAtMs - 3_600_000)
    await world.advance(`PT${Math.floor((failsAtMs - 3_600_000 - now()) / 1000)}S`)
  await world.execute(aBoletoPayment(chargeOf(world, late.id), { clearing: 'NEXT_BUSINESS_DAY' }))
  while (!subscriptionOf(world, paused.id).unpaid.some(({ status }) => status === 'PAST_DUE'))
    await world.advance('P1D')
  await world.execute(aPause(paused.id))
  await world.execute(aResumption(paused.id))
  await world.advance('P20D')
  await world.execute(
    aPolicySet(null, { enabled: false, retryDays: [], finalAction: 'CANCEL', retryHour: 0 }),
  )
  await world.advance('P60D')
  const left = await subscribed(world, {}, withCard('tok_test_recurring_expires'))
  await world.advance('P70D')
  await world.execute(anEnd(left.id))
  await world.execute(anEnd(scheduled.id))
}
