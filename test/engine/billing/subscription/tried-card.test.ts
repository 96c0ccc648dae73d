import t from 'tap'
import { defaultPolicy } from '../../../../engine/billing/catalog/dunning.ts'
import { account, aPayer, opened, type World } from '../../world.ts'
import { aPolicySet } from '../catalog.ts'
import { aCardOf, aRetry, lastInvoice, subscribed, withCard } from './subscribing.ts'

/** The same card cannot be tried again and again by hand (decisions, section 4). */

const declined = withCard('tok_test_declined_51')
const another = { ...aPayer, name: 'Bia Lima', document: '52998224725', email: 'bia@example.com' }

/** A subscription that its card does not pay: the id of its first invoice. */
const unpaid = async (world: World, customer = aPayer) => {
  const { id } = await subscribed(world, {}, { ...declined, customer })
  return lastInvoice(world, id).id
}

t.test('a card is tried at most fifteen times in thirty days, for whichever invoice', async (t) => {
  const world = await opened()
  const [first, second, theirs] = [await unpaid(world), await unpaid(world), await unpaid(world, another)]
  for (let tries = 3; tries < 15; tries++)
    t.equal(await world.refused(aRetry(tries % 2 === 0 ? first : second)), 'accepted', `after ${tries}`)
  for (const invoiceId of [first, second, theirs])
    t.equal(await world.refused(aRetry(invoiceId)), 'RETRY_LIMIT_REACHED')
  t.equal(await world.refused(aRetry(first, { card: aCardOf('tok_test_approved') })), 'accepted')
  const own = { card: aCardOf('tok_test_declined_51') }
  t.equal(await world.refused(aRetry(second, own)), 'RETRY_LIMIT_REACHED', 'named, it is the same card')
})

t.test('tries are forgotten one by one as they are thirty days old', async (t) => {
  const world = await opened()
  await world.execute(aPolicySet(null, { ...defaultPolicy, retryDays: [1, 60] }))
  const invoiceId = await unpaid(world)
  await world.advance('P7D')
  // By the policy it was tried on the days 0 and 1.
  for (let tries = 2; tries < 15; tries++) t.equal(await world.refused(aRetry(invoiceId)), 'accepted')
  t.equal(await world.refused(aRetry(invoiceId)), 'RETRY_LIMIT_REACHED')
  await world.advance('P22DT23H')
  t.equal(await world.refused(aRetry(invoiceId)), 'RETRY_LIMIT_REACHED')
  await world.advance('PT1H')
  t.equal(await world.refused(aRetry(invoiceId)), 'accepted', 'the first one is gone')
  t.equal(await world.refused(aRetry(invoiceId)), 'RETRY_LIMIT_REACHED', 'the others are not')
})

t.test('a card that pays is never tried too often', async (t) => {
  const world = await opened()
  await subscribed(world, { interval: 'CUSTOM', intervalCount: 1 })
  await world.advance('P25D')
  const invoiceId = await unpaid(world)
  t.equal(await world.refused(aRetry(invoiceId, { card: aCardOf('tok_test_approved') })), 'accepted')
})

t.test('an acquirer that does not answer has declined nothing', async (t) => {
  const world = await opened()
  const invoiceId = await unpaid(world)
  const card = (token: string) => ({ ...aCardOf(token), tokenFingerprint: 'one card' })
  for (let n = 0; n < 3; n++) {
    const silent = aRetry(invoiceId, { card: card('tok_test_timeout') })
    t.equal(await world.refused(silent), 'accepted')
    await world.advance('PT16M')
  }
  const declining = () => world.refused(aRetry(invoiceId, { card: card('tok_test_declined_51') }))
  for (let n = 0; n < 15; n++) t.equal(await declining(), 'accepted')
  t.equal(await declining(), 'RETRY_LIMIT_REACHED')
})

t.test('of a card only its newest tries are kept', async (t) => {
  const world = await opened()
  for (let n = 0; n < 20; n++) await unpaid(world)
  const [card, ...others] = world.memory.lookup('cardRetries', account, 'tok_test_declined_51')
  t.equal(others.length, 0)
  t.equal(card!.state.failedAtMs.length, 15)
})
