import t from 'tap'
import { defaultPolicy } from '../../../../engine/billing/catalog/dunning.ts'
import { isoInstant } from '../../../../engine/shared/calendar.ts'
import type { SubscriptionId } from '../../../../engine/shared/ids.ts'
import { invoice } from '../../../../gateway/resources/billing/invoice.ts'
import { clockOf, dataOf, listener } from '../../story.ts'
import { opened, type World } from '../../world.ts'
import { aPolicySet } from '../catalog.ts'
import {
  aPause,
  aResumption,
  aRetry,
  byBoleto,
  byPix,
  lastInvoice,
  pays,
  subscribed,
  subscriptionOf,
  toNoonOf,
} from './subscribing.ts'

/** The newest invoice of a subscription, as it is shown now. */
const shown = (world: World, id: SubscriptionId) => invoice.view(lastInvoice(world, id), clockOf(world))

/** Of every `subscription.failed`: when, which attempt, and when the next one is made, if any. */
const failures = (hear: ReturnType<typeof listener>): readonly string[] =>
  hear()
    .filter(({ type }) => type === 'subscription.failed')
    .map((event) => {
      const { attemptNumber, nextAttemptAt, final } = dataOf(event)
      return `${isoInstant(event.atMs)} ${attemptNumber} ${nextAttemptAt}${final ? ' final' : ''}`
    })

t.test('the next attempt is told by its step, or by the end of the boleto that it waits for', async (t) => {
  const world = await opened()
  const hear = listener(world)
  const { id } = await subscribed(world, {}, byBoleto)
  t.equal(shown(world, id).nextAttemptAt, null, 'nothing has failed')
  await toNoonOf(world, '2026-11-26')
  t.equal(shown(world, id).nextAttemptAt, '2026-11-27T12:00:00.000Z', 'a day later, at nine')
  await toNoonOf(world, '2026-11-27')
  t.equal(
    shown(world, id).nextAttemptAt,
    '2026-12-03T03:00:00.000Z',
    'not on the 29th: the boleto of the first step can be paid until then',
  )
  await toNoonOf(world, '2026-12-20')
  t.match(lastInvoice(world, id).dunning, { steps: 4 })
  t.equal(shown(world, id).nextAttemptAt, null, 'no step is left while the last charge is open')
  await toNoonOf(world, '2027-01-15')
  t.strictSame(failures(hear), [
    '2026-11-26T03:00:00.000Z 1 2026-11-27T12:00:00.000Z',
    '2026-12-03T03:00:00.000Z 2 2026-12-03T03:00:00.000Z',
    '2026-12-10T03:00:00.000Z 3 2026-12-10T03:00:00.000Z',
    '2026-12-17T03:00:00.000Z 4 2026-12-17T03:00:00.000Z',
    '2026-12-24T03:00:00.000Z 5 null final',
  ])
  t.match(lastInvoice(world, id).attempts, [{}, {}, {}, {}, {}], 'the first and four steps')
})

t.test('the later of the step and the end of the PIX code is told', async (t) => {
  const world = await opened()
  const hear = listener(world)
  const { id } = await subscribed(world, {}, byPix)
  await toNoonOf(world, '2026-11-25')
  t.equal(shown(world, id).nextAttemptAt, '2026-11-27T12:00:00.000Z', 'the code ends nine hours earlier')
  await toNoonOf(world, '2026-11-27')
  t.equal(shown(world, id).nextAttemptAt, '2026-12-01T03:00:00.000Z', 'of a Saturday, on Monday night')
  await toNoonOf(world, '2026-12-30')
  t.strictSame(failures(hear), [
    '2026-11-24T03:00:00.000Z 1 2026-11-25T12:00:00.000Z',
    '2026-11-27T03:00:00.000Z 2 2026-11-27T12:00:00.000Z',
    '2026-12-01T03:00:00.000Z 3 2026-12-01T03:00:00.000Z',
    '2026-12-03T03:00:00.000Z 4 2026-12-03T03:00:00.000Z',
    '2026-12-05T03:00:00.000Z 5 null final',
  ])
})

t.test('a retry by hand in the place of the last step is the last one', async (t) => {
  const world = await opened()
  await world.execute(aPolicySet(null, { ...defaultPolicy, retryDays: [2] }))
  const hear = listener(world)
  const { id } = await subscribed(world, {}, byPix)
  await toNoonOf(world, '2026-11-26')
  t.match(lastInvoice(world, id).attempts, [{ status: 'FAILED' }, { trigger: 'DUNNING', status: 'PENDING' }])
  await world.execute(aRetry(lastInvoice(world, id).id))
  t.equal(shown(world, id).nextAttemptAt, null)
  await toNoonOf(world, '2026-11-30')
  t.match(lastInvoice(world, id).attempts, [
    { trigger: 'AUTOMATIC', status: 'FAILED' },
    { trigger: 'DUNNING', status: 'CANCELLED' },
    { trigger: 'MANUAL', status: 'FAILED' },
  ])
  t.strictSame(failures(hear), [
    '2026-11-24T03:00:00.000Z 1 2026-11-26T12:00:00.000Z',
    '2026-11-28T03:00:00.000Z 3 null final',
  ])
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', cancelReason: 'FIRST_PAYMENT_FAILED' })
})

t.test('a retry by hand in the place of an earlier step leaves the next one on its day', async (t) => {
  const world = await opened()
  await world.execute(aPolicySet(null, { ...defaultPolicy, retryDays: [1, 10] }))
  const { id } = await subscribed(world, {}, byPix)
  await toNoonOf(world, '2026-11-25')
  await world.execute(aRetry(lastInvoice(world, id).id))
  await toNoonOf(world, '2026-12-01')
  t.match(lastInvoice(world, id).attempts.at(-1), { number: 3, trigger: 'MANUAL', status: 'FAILED' })
  t.equal(shown(world, id).nextAttemptAt, '2026-12-04T12:00:00.000Z')
  await toNoonOf(world, '2026-12-04')
  t.match(lastInvoice(world, id).attempts.at(-1), { number: 4, trigger: 'DUNNING', status: 'PENDING' })
})

t.test('while a subscription is paused nobody knows when the next attempt is', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, byPix)
  await pays(world, id)
  await toNoonOf(world, '2026-12-20')
  const hear = listener(world)
  await world.execute(aPause(id))
  await toNoonOf(world, '2026-12-23')
  t.match(lastInvoice(world, id).attempts, [{ status: 'FAILED' }])
  t.strictSame(failures(hear), ['2026-12-22T03:00:00.000Z 1 null'])
  t.equal(shown(world, id).nextAttemptAt, null)
  await world.execute(aResumption(id))
  t.equal(shown(world, id).nextAttemptAt, '2026-12-26T12:00:00.000Z', 'three days later than it would be')
})
