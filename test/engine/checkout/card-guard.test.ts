import t from 'tap'
import type { CardTrier } from '../../../engine/checkout/card-guard.ts'
import { guardKey } from '../../../engine/checkout/guarded.ts'
import { opened, ours, refusalOf, type World } from '../world.ts'
import { aLink, aPaymentBy, aSession, linkAt, paying, payingAt, sessionAt } from './page.ts'

const declined = 'tok_test_declined_05'
const trierOf = (n: number, bin: string | null = null): CardTrier => ({
  address: `address ${n}`,
  network: `network ${n >> 4}`,
  bin,
})

const byCard = (token: string, trier: CardTrier) => ({ ...aPaymentBy('CREDIT_CARD', token), trier })

const guardIn = (world: World) =>
  world.memory.lookup('cardGuard', ours.accountId, guardKey)[0]!.state as never as {
    readonly tries: readonly { readonly isDeclined: boolean | null }[]
    readonly attacks: readonly unknown[]
  }

t.test(
  'one session tries five cards; a sixth never reaches the acquirer, and reads as declined',
  async (t) => {
    const world = await opened()
    const session = aSession()
    await world.accepted(session)
    for (let n = 0; n < 5; n++) await world.accepted(paying(world, session, byCard(declined, trierOf(n))))
    t.equal(sessionAt(world, session).tries.length, 5)
    await world.accepted(paying(world, session, byCard('tok_test_approved', trierOf(9))))
    t.match(sessionAt(world, session), { status: 'OPEN', isCardBlocked: true, tries: { length: 5 } })
    await world.accepted(paying(world, session, aPaymentBy('PIX')))
    t.match(sessionAt(world, session), { status: 'PROCESSING', isCardBlocked: false })
  },
)

t.test('an address tries five cards an hour at a link, whichever session it opens', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  const tried = async (trier: CardTrier): Promise<boolean> => {
    const pay = payingAt(link, byCard(declined, trier))
    await world.accepted(pay)
    return !sessionAt(world, pay).isCardBlocked
  }
  for (let n = 0; n < 5; n++) t.ok(await tried(trierOf(1)))
  t.notOk(await tried(trierOf(1)), 'the sixth is refused')
  t.ok(await tried(trierOf(2)), 'another address is not')
  await world.advance('PT1H1M')
  t.ok(await tried(trierOf(1)), 'an hour later it may again')
})

t.test('three limits within ten minutes are an attack: no card for an hour, and PIX goes on', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  for (let n = 0; n < 8; n++) await world.accepted(payingAt(link, byCard(declined, trierOf(1))))
  t.equal(guardIn(world).attacks.length, 1)
  const stranger = payingAt(link, byCard('tok_test_approved', trierOf(77)))
  await world.accepted(stranger)
  t.match(sessionAt(world, stranger), { isCardBlocked: true, tries: { length: 0 } })
  const byPix = payingAt(link, aPaymentBy('PIX'))
  await world.accepted(byPix)
  t.equal(sessionAt(world, byPix).status, 'PROCESSING')
  await world.advance('PT1H1M')
  const unknown = byCard('tok_test_approved', trierOf(77))
  t.equal((await refusalOf(world, payingAt(link, unknown))).reason, 'CARD_NOT_AUTHENTICATED')
  const threeDSecure = { status: 'AUTHENTICATED', eci: '05' } as const
  const later = payingAt(link, { ...unknown, card: { ...unknown.card!, threeDSecure } })
  await world.accepted(later)
  t.equal(sessionAt(world, later).status, 'COMPLETED')
  t.equal(linkAt(world, link).paymentsCount, 1)
})

t.test('approved cards of a busy shop meet no limit of cards, declined ones of one issuer do', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  for (let n = 0; n < 60; n++) {
    const pay = payingAt(link, byCard('tok_test_approved', trierOf(n, '400000')))
    await world.accepted(pay)
    t.equal(sessionAt(world, pay).status, 'COMPLETED')
  }
  for (let n = 100; n < 110; n++)
    await world.accepted(payingAt(link, byCard(declined, trierOf(n * 16, '510000'))))
  const eleventh = payingAt(link, byCard(declined, trierOf(7777, '510000')))
  await world.accepted(eleventh)
  t.ok(sessionAt(world, eleventh).isCardBlocked)
  const other = payingAt(link, byCard('tok_test_approved', trierOf(8888, '400000')))
  await world.accepted(other)
  t.equal(sessionAt(world, other).status, 'COMPLETED')
})

t.test(
  'cards of many addresses at many links: the account takes no more once most are declined',
  async (t) => {
    const world = await opened()
    const links = [aLink(), aLink(), aLink(), aLink()]
    for (const link of links) await world.accepted(link)
    for (let n = 0; n < 2000; n++)
      await world.accepted(payingAt(links[n % 4]!, byCard(declined, trierOf(n * 16, String(400000 + n)))))
    const reached = guardIn(world).tries.length
    t.ok(reached <= 100, `${reached} of 2000 reached the acquirer`)
    const notices = world.memory.list(ours.accountId, 'notice', { offset: 0, limit: 9 }).states
    t.match(notices, [{ kind: 'CARD_TESTING' }], 'one alert')
  },
)

t.test(
  'sessions of the merchant’s own: the account takes no more cards, and the company hears of it once',
  async (t) => {
    const world = await opened()
    const blocked: boolean[] = []
    for (let n = 0; n < 60; n++) {
      const session = aSession()
      await world.accepted(session)
      await world.accepted(paying(world, session, byCard(declined, trierOf(n * 16))))
      blocked.push(sessionAt(world, session).isCardBlocked)
    }
    t.strictSame(blocked.indexOf(true), 50, 'fifty declines in a row are enough')
    const notices = world.memory.list(ours.accountId, 'notice', { offset: 0, limit: 9 }).states
    t.match(notices, [{ kind: 'CARD_TESTING', objectId: null }])
    t.equal(notices.length, 1)
  },
)
